#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: trace shows all and consumes nothing, trace_pipe consumes; header, clearing
# seconds: 5 debug=42

set -eu
cd "$PROBES"
# shellcheck source=tests/func/lib/events_lib.sh
. /host/events_lib.sh

clear() { echo > trace; }

header() {
	cat <<END
# tracer: nop
#
# entries-in-buffer/entries-written: $1/$2   #P:$(nproc)
#
#                                _-----=> irqs-off/BH-disabled
#                               / _----=> need-resched
#                              | / _---=> hardirq/softirq
#                              || / _--=> preempt-depth
#                              ||| / _-=> migrate-disable
#                              |||| /     delay
#           TASK-PID     CPU#  |||||  TIMESTAMP  FUNCTION
#              | |         |   |||||     |         |
END
}

clear
header 0 0 | diff - trace || fail "header"
echo 'p:t/zero read_zero' > kprobe_events
echo 1 > events/t/zero/enable
read_zeros 1000
echo 0 > events/t/zero/enable

header 1000 1000 | diff - <(grep '^#' trace) || fail 'header'
is 'records in trace' 1000 "$(records zero trace)"
is 'nothing was consumed' 1000 "$(records zero trace)"
is 'nothing but records' 1012 "$(wc -l < trace)"
cat trace > /tmp/whole

# In any piece, from any place, the same bytes.
for size in 1 13 4095 4096 100000; do
	dd if=trace of=/tmp/pieces bs=$size status=none
	cmp /tmp/whole /tmp/pieces || fail "in pieces of $size"
done
for skip in 1 100 70000 200 5000; do
	dd if=trace of=/tmp/part bs=1000 skip=$skip iflag=skip_bytes count=1 status=none
	cmp /tmp/part <(tail -c +$((skip + 1)) /tmp/whole | head -c 1000) || fail "from $skip"
done
exec 5< trace
head -c 3000 <&5 | cmp - <(head -c 3000 /tmp/whole)
exec 5<&-

# Times grow, fields are in their columns.
grep -v '^#' trace | gawk '
	!match($0, /^ {11}   dd-[0-9]+ +\[[0-9]{3}\] [.dbnNsSphHzZBD0-9]{5} +[0-9]+\.[0-9]{6}: zero: \(read_zero\+0x[0-9a-f]+\/0x[0-9a-f]+\)$/) {
		print "form: " $0; exit 1 }
	{ match($0, /([0-9]+\.[0-9]{6}):/, t); if (t[1] + 0 < last) { print "time: " $0; exit 1 }; last = t[1] + 0 }'

# trace_pipe has the same lines; what it gave is gone.
cat trace_pipe > /tmp/piped &
reader=$!
within 60 has_lines /tmp/piped 1000 ' zero: '
is 'all is taken' 0 "$(records zero trace)"
kill $reader
wait $reader 2> /dev/null || true
diff <(grep -v '^#' /tmp/whole) /tmp/piped || fail 'trace_pipe'
header 0 0 | diff - trace || fail "header"

# Two readers of trace do not disturb one that consumes, and none a fourth.
echo 1 > events/t/zero/enable
read_zeros 500
cat trace > /tmp/a &
cat trace > /tmp/b &
wait
is 'one reader' 500 "$(records zero /tmp/a)"
is 'another reader' 500 "$(records zero /tmp/b)"
exec 5< trace
head -c 2000 <&5 > /dev/null
dd if=trace_pipe bs=5000 count=2 status=none > /dev/null
rest=$(cat <&5 | wc -l)
at_most 'rest' 500 "$rest"
exec 5<&-

# Writing: O_TRUNC empties, appending and the text itself do nothing.
clear
read_zeros 10
echo text >> trace
is 'append' 10 "$(records zero trace)"
echo text 1<> trace
is 'overwrite' 10 "$(records zero trace)"
: > trace
is 'truncate' 0 "$(records zero trace)"
read_zeros 10
truncate -s 0 trace
is 'truncate() without open()' 10 "$(records zero trace)"
exec 5< trace
head -c 10 <&5 > /dev/null
clear
read_zeros 3
# busybox reads again after the end.
/usr/bin/cat <&5 > /tmp/rest
is 'a view ends when the buffer is emptied' 0 "$(records zero /tmp/rest)"
exec 5<&-
is 'a new one begins' 3 "$(records zero trace)"

# A view ends with what there was when it was begun; who reads on gets what came since.
exec 5< trace
head -c 10 <&5 > /dev/null
read_zeros 5
is 'what there was' 3 "$(cat <&5 | count ' zero: ')"
is 'what came since' 5 "$(cat <&5 | count ' zero: ')"
read_zeros 2000		# some pages
is 'and once more' 2000 "$(cat <&5 | count ' zero: ')"
is 'no more' '' "$(cat <&5)"
clear
read_zeros 4
is 'after emptying' 4 "$(cat <&5 | count ' zero: ')"
exec 5<&-

# A reader that is slower than the writer comes to an end.
dd if=/dev/zero of=/dev/null bs=1 status=none &
writer=$!
many() { [ "$(records zero trace)" -gt 1000 ]; }
within 60 many
for i in 1 2 3; do
	timeout 120 cat trace > /tmp/flood
	at_least 'records' 1001 "$(records zero /tmp/flood)"
done
kill $writer
wait $writer 2> /dev/null || true
is 'other lines' '' "$(grep -v '^#\| zero: \|^CPU:[0-9]* \[LOST [0-9]* EVENTS\]$' /tmp/flood || true)"
