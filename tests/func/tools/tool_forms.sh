#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: probe-events -f json, csv, folded, openmetrics, html: what is written fits the schema and says what the text says
# tier: 6.12-cloud bare
# seconds: 5 debug=14
# tools: probe-events jsonlines
# files: ../../../tools/probe-events/schema.json
set -eu
# shellcheck source=tests/func/lib/tool_lib.sh
. /host/tool_lib.sh
# lines TYPE N: the output fits the schema, and so many lines are of this type
fits() { /host/jsonlines /host/schema.json < /tmp/out > /tmp/types || { cat /tmp/types; return 1; }; }
lines() { is "lines of type $1" "$2" "$(gawk -v type="$1" '$1 == type { print $2 }' /tmp/types)"; }
zeros='dd if=/dev/zero of=/dev/null bs=1 count=40 status=none'

# shellcheck disable=SC2086
tool_says 0 count read_zero by comm,stack -f json -- $zeros
fits
lines row 1
lines total 1
has /tmp/out '"type":"row".*"hits":40,"key":{"comm":"dd","stack":\["read_zero","vfs_read",'
has /tmp/out '"type":"end".*"status":0,"balance":{"hits":40,"counted":40,.*"lost":{}}'
has /tmp/out '"commands":\["comment count read_zero .*","p:count read_zero","trigger '
# shellcheck disable=SC2086
tool_says 0 lat read_zero -f json -i 200ms -- sh -c "$zeros; sleep 0.3; $zeros"
fits
lines total 1
at_least intervals 2 "$(gawk '$1 == "interval" { print $2 }' /tmp/types)"
has /tmp/out '"type":"total".*"hits":80,"ns":{"sum":[0-9]*,"min":'
gawk -F '"hits":' '/"type":"interval"/ { sum += $2 } END { print sum; exit sum != 80 }' /tmp/out

# An error is an object, too; and what another task does to the session.
tool_says 1 count no_such_function -f json
fits
lines error 1
has /tmp/out '"type":"error".*no such symbol.*"command":"p:count no_such_function","where":8}'
has /tmp/out '"type":"end".*"status":1}'
has /tmp/err 'no such symbol'
"$tool" count read_zero by comm -f json -o /tmp/file 2> /tmp/err & pid=$!
within 20 grep -q live sessions
echo "-$(tail -n 1 sessions | cut -f 1)" > sessions
got=0
wait $pid || got=$?
is 'status of one that was ended' 1 $got
cp /tmp/file /tmp/out
fits
has /tmp/out '"type":"error".*end by'

# Names that are no texts.
cat > /tmp/odd <<-'END'
	printf 'a"\377;b' > /proc/self/comm
	printf 1 > /dev/null
END
tool_says 0 count write_null by comm -f json -a -- bash /tmp/odd
fits
has /tmp/out '"key":{"comm":{"hex":"6122ff3b62"}}'
tool_says 0 count write_null by comm -f csv -a -- bash /tmp/odd
is 'header' $'comm,calls\r' "$(head -n 1 /tmp/out)"
has /tmp/out $'^"a""\377;b",[0-9]*\r$'
tool_says 0 count write_null by comm,stack -f folded -a -- bash /tmp/odd
has /tmp/out $'^a"\377.x3bb;.*;vfs_write;write_null [0-9]*$'

# shellcheck disable=SC2086
tool_says 0 lat vfs_read by comm -f csv -i 100ms -- $zeros
is 'header' $'interval,comm,calls,p50_ns,p90_ns,p99_ns,max_ns,total_ns\r' "$(head -n 1 /tmp/out)"
gawk -F, 'NR > 1 && (NF != 8 || $3 < 1 || $7 < $6) { print; exit 1 }' /tmp/out
# shellcheck disable=SC2086
tool_says 0 lat read_zero by caller -f openmetrics -- $zeros
is 'calls' 40 "$(sed -n 's/^probe_events_call_seconds_count{what="read_zero",caller="vfs_read"} //p' /tmp/out)"
is 'lost' 0 "$(gawk '/^probe_events_lost_total/ { sum += $NF } END { print sum + 0 }' /tmp/out)"
is 'last line' '# EOF' "$(tail -n 1 /tmp/out)"
# shellcheck disable=SC2086
tool_says 0 lat read_zero by comm,stack -f html -- $zeros > /dev/null
is 'first and last line' '<!DOCTYPE html> </html>' "$(head -n 1 /tmp/out) $(tail -n 1 /tmp/out)"
has /tmp/out '^<p class="balance">calls 40 = counted 40; none lost; cost [0-9.]*% of CPU</p>$'
sed -n 's/^.*<pre id="data">//; /^{"type":"start"/,/^{"type":"end"/p' /tmp/out > /tmp/data
mv /tmp/data /tmp/out
fits
lines row 1
tool_says 2 count read_zero -f folded
tool_says 2 count read_zero -f xml
