#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
#
# test_worth.sh TEST_WORTH PROGRAM: pages and times of presets are in each form, and report shows of
# what was saved the same as the measurement did.
set -u
worth=$1
program=$2
failed=0
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
export LC_ALL=C.UTF-8

# is NAME WANTED GOT
is() { [ "$2" = "$3" ] || { printf '%s: got\n%s\nwanted\n%s\n' "$1" "$3" "$2"; failed=1; }; }
# shown FORM QUESTION: by the measurement; what depends on the moment is left out
shown() { { "$worth" "$1" "$2" 2> "$dir/err"; cat "$dir/err"; } | sed "$masks"; }
# told FORM FILE...: by report
told() { { "$program" report "${@:2}" -f "$1" 2> "$dir/err"; cat "$dir/err"; } | sed "$masks"; }
masks='s/"t":[0-9.]*/"t":T/; s/"time":"[^"]*"/"time":""/; s|<dt>.*</dd>||'

for question in oncpu lat pages stacks; do
	"$worth" json "$question" > "$dir/$question"
	for form in text json csv openmetrics html folded; do
		[ "$form" != folded ] || [ "$question" = stacks ] || continue
		is "$question as $form, reported" "$(shown "$form" "$question")" "$(told "$form" "$dir/$question")"
	done
done

is 'times' $'comm,calls,time_ns,share_percent,longest_ns\r
a,5,1000000000,25.0000,400000000\r
b,8,500000000,12.5000,90000000\r
c,1,7,0.0000,7\r' "$(shown csv oncpu)"
is 'a distribution' $'comm,calls,share_percent,p50_ns,p90_ns,p99_ns,max_ns,total_ns\r
a,4,0.1550,2015232,2015232,2015232,2100000,6200000\r
b,1,0.0000,5,5,5,5,5\r' "$(shown csv lat)"
is 'pages' $'comm,calls,pages\r\na,9,24\r\nb,1,1\r
freed 1,407 pages, 5.5 MB: net -1,382 pages, -5.4 MB' "$(shown csv pages)"
is 'stacks' $'a;0x13;0x12 22\na;0x13;0x14 18' "$(shown folded stacks)"
is 'rows' '"hits":5,"spent_ns":{"sum":1000000000,"max":400000000}
"hits":8,"spent_ns":{"sum":500000000,"max":90000000}
"hits":1,"spent_ns":{"sum":7,"max":7}
"hits":14,"spent_ns":{"sum":1500000007,"max":400000000},"cpu_seconds":4.000000000' \
	"$(shown json oncpu | grep -o '"hits":[0-9]*,"spent_ns":{[^}]*}\(,"cpu_seconds":[0-9.]*\)*')"
is 'all pages' '"hits":10,"pages":25,"freed_pages":1407' \
	"$(shown json pages | grep -o '"hits":.*"freed_pages":[0-9]*')"
page=$(shown html oncpu)
is 'headings of a page' 'comm switches time share longest' \
	"$(grep -o '<thead>.*</thead>' <<<"$page" | sed 's/<[^>]*>/ /g' | xargs)"
is 'below its table' '1.500s of 4.000s; the rest: before a CPU&#39;s first switch, or after its last one' \
	"$(sed -n 's|^<p>\([0-9.]*s of.*\)</p>$|\1|p' <<<"$page")"
is 'its first row' '<td data-v="5">5</td><td data-v="1000000000">1.000s</td><td data-v="1000000000">25.0%</td><td data-v="400000000">400.0ms</td>' \
	"$(sed -n 's|.*<bdi>a</bdi></td>\(.*\)</tr>$|\1|p' <<<"$page")"
grep -q '<title>0x13: 40 pages, 100.0 %</title>' <<<"$(shown html stacks)" || is 'a flame graph' 'of pages' ''

# Two machines: their times and their CPUs add up, the longest stays.
is 'two files' 'COMM   SWITCHES    TIME  SHARE  LONGEST
a            10  2.000s  25.0%  400.0ms
b            16  1.000s  12.5%  90.00ms' "$(told text "$dir/oncpu" "$dir/oncpu" | sed -n 2,4p)"
is 'freed, of two' 'freed 2,814 pages, 11.0 MB: net -2,764 pages, -10.8 MB' \
	"$(told text "$dir/pages" "$dir/pages" | grep '^freed')"
# What was given back is in no row: not compared with some of the rows.
is 'some rows' 'COMM   CALLS  PAGES   MB
a          9     24  0.1
total      9     24  0.1' "$(told text "$dir/pages" if comm eq a | sed -n '2,/^$/p')"
is 'count of lat' 'a             4  6.200ms   0.2%  2.100ms' "$("$program" report count "$dir/lat" | sed -n 3p)"
is 'names of its own, redacted' '"what":"@p","preset":{"summary":"@p","unit":"ns"}' \
	"$(told json "$dir/oncpu" --redact | grep -o '"what".*"preset":{[^}]*}')"

# A share is of nanoseconds: rounded to microseconds, it would not always be shown as it was.
sed 's/"cpu_seconds":[0-9.]*/"cpu_seconds":0.173432103/' "$dir/oncpu" > "$dir/share"
"$program" report "$dir/share" -f json > "$dir/again"
is 'cpu_seconds, again' '"cpu_seconds":0.173432103' "$(grep -o '"cpu_seconds":[0-9.]*' "$dir/again")"

# Files that do not fit are refused, rather than added in part.
sed 's/"unit":"ns"/"unit":"pages"/' "$dir/oncpu" > "$dir/other"
is 'another unit' "probe-events: $dir/other: its rows have pages, those of the first file a time" \
	"$(told csv "$dir/oncpu" "$dir/other" | tail -n 1)"
is 'rows without' 'probe-events: a row does not say what its hits are worth' "$(told csv "$dir/other" | tail -n 1)"
exit $failed
