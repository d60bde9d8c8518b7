#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: trace shows all and consumes nothing, trace_pipe consumes; header, clearing
# kernels: all
# seconds: 6

set -eu
cd "$PROBES"
# shellcheck source=tests/func/check_lib.sh
. /host/check_lib.sh

hits() { dd if=/dev/zero of=/dev/null bs=1 count="$1" status=none; }
count() { grep -c ' zero: ' "$1" || true; }

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
header 0 0 | diff - trace
echo 'p:t/zero read_zero' > kprobe_events
echo 1 > events/t/zero/enable
hits 1000
echo 0 > events/t/zero/enable

header 1000 1000 | diff - <(grep '^#' trace)
is 'records in trace' 1000 "$(count trace)"
is 'nothing was consumed' 1000 "$(count trace)"
is 'nothing but records' 1012 "$(wc -l < trace)"
cat trace > /tmp/whole

# In any piece, from any place, the same bytes.
for size in 1 13 4095 4096 100000; do
	dd if=trace of=/tmp/pieces bs=$size status=none
	cmp /tmp/whole /tmp/pieces || { echo "in pieces of $size"; exit 1; }
done
for skip in 1 100 70000 200 5000; do
	dd if=trace of=/tmp/part bs=1000 skip=$skip iflag=skip_bytes count=1 status=none
	cmp /tmp/part <(tail -c +$((skip + 1)) /tmp/whole | head -c 1000) || { echo "from $skip"; exit 1; }
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
within 60 has /tmp/piped 1000 ' zero: '
is 'all is taken' 0 "$(count trace)"
kill $reader
wait $reader 2> /dev/null || true
diff <(grep -v '^#' /tmp/whole) /tmp/piped
header 0 0 | diff - trace

# Two readers of trace do not disturb one that consumes, and nobody a fourth.
echo 1 > events/t/zero/enable
hits 500
cat trace > /tmp/a &
cat trace > /tmp/b &
wait
is 'one reader' 500 "$(count /tmp/a)"
is 'another reader' 500 "$(count /tmp/b)"
exec 5< trace
head -c 2000 <&5 > /dev/null
dd if=trace_pipe bs=5000 count=2 status=none > /dev/null
rest=$(cat <&5 | wc -l)
[ "$rest" -le 500 ]
exec 5<&-

# Writing: O_TRUNC empties, appending and the text itself do nothing.
clear
hits 10
echo text >> trace
is 'append' 10 "$(count trace)"
echo text 1<> trace
is 'overwrite' 10 "$(count trace)"
: > trace
is 'truncate' 0 "$(count trace)"
hits 10
truncate -s 0 trace
is 'truncate() without open()' 10 "$(count trace)"
exec 5< trace
head -c 10 <&5 > /dev/null
clear
hits 3
cat <&5 > /tmp/rest
is 'a view ends when the buffer is emptied' 0 "$(count /tmp/rest)"
exec 5<&-
is 'a new one begins' 3 "$(count trace)"

# A view ends with what there was when it was begun; who reads on gets what came since.
exec 5< trace
head -c 10 <&5 > /dev/null
hits 5
is 'what there was' 3 "$(cat <&5 | grep -c ' zero: ')"
is 'what came since' 5 "$(cat <&5 | grep -c ' zero: ')"
hits 2000		# some pages
is 'and once more' 2000 "$(cat <&5 | grep -c ' zero: ')"
is 'no more' '' "$(cat <&5)"
clear
hits 4
is 'after emptying' 4 "$(cat <&5 | grep -c ' zero: ')"
exec 5<&-

# A reader that is slower than the writer comes to an end.
dd if=/dev/zero of=/dev/null bs=1 status=none &
writer=$!
many() { [ "$(count trace)" -gt 1000 ]; }
within 60 many
for i in 1 2 3; do
	timeout 120 cat trace > /tmp/flood
	[ "$(count /tmp/flood)" -gt 1000 ]
done
kill $writer
wait $writer 2> /dev/null || true
! grep -v '^#' /tmp/flood | grep -v ' zero: \|^CPU:[0-9]* \[LOST [0-9]* EVENTS\]$'
