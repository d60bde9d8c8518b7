#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: the slots of return probes are used again, and late calls find the function
# needs: tracefs ftrace
# seconds: 21
# modules: pe_calls pe_probe
#
# A function that never returns is probed again and again: it takes no more slots when the
# engine has seen that its calls stay.
#
# More functions get return probes, one batch after the other, than there are slots.  A
# call that began in the first batch is in progress all the time.
set -eu
cd "$PROBES"
# shellcheck source=tests/func/check_lib.sh
. /host/check_lib.sh
insmod /modules/pe_calls.ko
insmod /modules/pe_probe.ko

probe_and_call() {
	echo 'r:n/never pe_calls_never' > kprobe_events
	echo 1 > events/n/never/enable
	echo 1 > /sys/module/pe_calls/parameters/never
	echo 0 > events/n/never/enable
	echo > kprobe_events
}
functions() { cut -d' ' -f1 /sys/module/pe_probe/parameters/usage; }
takes_no_more() {
	local before

	before=$(functions)
	probe_and_call
	[ "$(functions)" = "$before" ]
}
within 60 takes_no_more
n=$(functions)
for ((i = 0; i < 40; i++)); do probe_and_call; done
is 'slots of a function that never returns' "$n" "$(functions)"
echo "usage: $(cat /sys/module/pe_probe/parameters/usage)"
rmmod pe_probe pe_calls

slots=4096
batch=600
T=/sys/kernel/tracing
mount -t tracefs tracefs $T
awk 'NF == 1 && !/\./' $T/available_filter_functions | grep -vE '^(do_nanosleep|read_zero|pe_.*)$' |
	awk -v n=$((batch * 5 / 4)) '{ line[NR] = $1 } END { for (i = 1; i <= n; i++) print line[int(i * NR / n)] }' |
	sort | uniq -u > /tmp/names
umount $T

echo 'r:s/sleeps do_nanosleep $retval' > kprobe_events
echo 1 > events/s/sleeps/enable
sleep 1000 &
sleeper=$!
in_flight() {
	awk 'NR == 1 { for (i = 1; i <= NF; i++) col[$i] = i }
		$1 == "s/sleeps" { print $col["in_flight"] }' kprobe_losses
}
for ((i = 0; i < 200; i++)); do
	[ "$(in_flight)" != 1 ] || break
	sleep 0.1
done
[ "$(in_flight)" = 1 ]
echo 0 > events/s/sleeps/enable
echo > kprobe_events

n=0
while read -r name; do
	! echo "r:g/e$n $name" >> kprobe_events 2> /dev/null || n=$((n + 1))
	[ $n -lt $batch ] || break
done < /tmp/names
[ $n = $batch ]
cp kprobe_events /tmp/batch
for ((made = batch; made <= slots + batch; made += batch)); do
	echo > kprobe_events
	cat /tmp/batch > kprobe_events
	[ "$(wc -l < kprobe_events)" = $batch ]
done
echo "$made return probes were made, on $batch functions again and again; ${SECONDS} s"

# They work in slots that others had before, and more than once.
for ((i = 0; i < 3; i++)); do
	echo > kprobe_events
	echo > trace
	echo 'r:s/zero read_zero $retval' > kprobe_events
	echo 1 > events/s/zero/enable
	dd if=/dev/zero of=/dev/null bs=10 count=7 status=none
	echo 0 > events/s/zero/enable
	[ "$(grep -c 'zero: .*arg1=0xa$' trace)" = 7 ]
done
echo > kprobe_events

# The first call returns, to its caller.
kill $sleeper
wait $sleeper || [ $? = 143 ]
