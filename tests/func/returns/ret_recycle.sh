#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: the slots of return probes are used again, and late calls find the function
# needs: tracefs ftrace
#
# More functions get return probes, one batch after the other, than there are slots.  A
# call that began in the first batch is in progress all the time.
set -eu
cd "$PROBES"
# shellcheck source=tests/func/lib/events_lib.sh
. /host/events_lib.sh
slots=4096
batch=600
batches=$((slots / batch + 2))
T=/sys/kernel/tracing
mount -t tracefs tracefs $T
awk 'NF == 1 && !/\./' $T/available_filter_functions | grep -vE '^(do_nanosleep|read_zero|pe_.*)$' |
	awk -v n=$((batch * batches * 5 / 4)) '{ line[NR] = $1 } END { for (i = 1; i <= n; i++) print line[int(i * NR / n)] }' |
	sort | uniq -u > /tmp/names
umount $T

echo 'r:s/sleeps do_nanosleep $retval' > kprobe_events
echo 1 > events/s/sleeps/enable
sleep 1000 &
sleeper=$!
one_sleeps() { [ "$(value s/sleeps in_flight)" = 1 ]; }
within 20 one_sleeps
echo 0 > events/s/sleeps/enable
echo > kprobe_events

# One after the other: a function that is probed again gets its own slot, not another one.
made=0
while read -r name; do
	! echo "r:g/e$made $name" >> kprobe_events 2> /dev/null || made=$((made + 1))
	[ $((made % batch)) != 0 ] || echo > kprobe_events
	[ $made -lt $((batch * batches)) ] || break
done < /tmp/names
is 'probed functions' $((batch * batches)) $made
echo "return probes were made on $made functions, $batch at a time; ${SECONDS} s"

# They work in slots that others had before, and more than once.
for ((i = 0; i < 3; i++)); do
	echo > kprobe_events
	echo > trace
	echo 'r:s/zero read_zero r=$retval:x64' > kprobe_events
	echo 1 > events/s/zero/enable
	read_zeros 7 10
	echo 0 > events/s/zero/enable
	is 'hits' 7 "$(count 'zero: .*r=0xa$' trace)"
done
echo > kprobe_events

# The first call returns, to its caller.
kill $sleeper
wait $sleeper || [ $? = 143 ]
