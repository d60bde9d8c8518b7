#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: resizing, clearing, switching clocks and modes while records pour in and out
# seconds: 5

set -eu
cd "$PROBES"
# shellcheck source=tests/func/lib/events_lib.sh
. /host/events_lib.sh

# Texts before the buffer has its real size.
rmmod_and_back() {
	cd /
	type=$(findmnt -n -o FSTYPE "$PROBES")
	umount "$PROBES"
	rmmod probe_events
	insmod /modules/probe_events.ko limits=none
	mount -t "$type" "$type" "$PROBES"
	cd "$PROBES"
}
rmmod_and_back
n=$(ls -d /sys/devices/system/cpu/cpu[0-9]* | wc -l)
is 'not expanded' '7 (expanded: 1408)' "$(cat buffer_size_kb)"
is 'not expanded' "$((7 * n)) (expanded: $((1408 * n)))" "$(cat buffer_total_size_kb)"
is 'one CPU' 7 "$(cat per_cpu/cpu0/buffer_size_kb)"
echo nop > current_tracer
is 'expanded by who is about to record' 1410 "$(cat buffer_size_kb)"
rmmod_and_back
echo 'p:t/zero read_zero' > kprobe_events
echo 1 > events/t/zero/enable
is 'expanded' 1410 "$(cat buffer_size_kb)"

for bad in 0 -1 x '' 1x 99999999999999999999; do
	refused 'Invalid argument\|out of range' put "$bad" buffer_size_kb
	holds buffer_size_kb 1410
done
refused 'Cannot allocate memory' put 100000000000 buffer_size_kb
is 'not that much memory' 1410 "$(cat buffer_size_kb)"

# What fits survives a resize, the newest of it.
echo > trace
read_zeros 1000
grep -v '^#' trace > /tmp/before
echo 4000 > buffer_size_kb
diff /tmp/before <(grep -v '^#' trace) || fail 'records'
echo 1408 > buffer_size_kb
diff /tmp/before <(grep -v '^#' trace) || fail 'records'
echo 1 > buffer_size_kb
grep -v '^#\|^CPU:' trace > /tmp/after
at_least 'records' 1 "$(wc -l < /tmp/after)"
is 'records that were not there' '' "$(grep -vxFf /tmp/before /tmp/after || true)"
echo 1408 > buffer_size_kb

# Other sub-buffers and back, again and again: what was asked for counts, not what that came to
# each time. The same for a snapshot that is not there.
for i in 1 2 3 4 5 6 7 8; do mkdir instances/s$i; done
before=$(free_memory)
for kb in 512 4 64 512 4; do
	for dir in . instances/s*; do
		echo $kb > $dir/buffer_subbuf_size_kb
	done
done
is 'as before' 1410 "$(cat buffer_size_kb instances/s*/buffer_size_kb | sort -u)"
at_most 'KB that snapshots have taken' 10000 $((before - $(free_memory)))
rmdir instances/s*

# All at once. Two writers, a consumer, a reader, and a task that turns all knobs.
for cpu in 0 1; do
	taskset -c $cpu dd if=/dev/zero of=/dev/null bs=1 status=none &
	writers="${writers:-} $!"
done
# Sessions of their own, so that one kill gets all of each.
setsid bash -c 'while :; do cat trace_pipe > /tmp/piped; done' &
others=-$!
setsid bash -c 'while :; do timeout 60 cat trace > /tmp/read; done' &
others="$others -$!"
clocks=$(tr -d '[]' < trace_clock)
end=$((SECONDS + $(length 6 60)))
rounds=0
while [ $SECONDS -lt $end ] || [ $rounds -lt 10 ]; do
	echo $((RANDOM % 2000 + 1)) > buffer_size_kb
	echo $((RANDOM % 500 + 1)) > per_cpu/cpu$((RANDOM % 2))/buffer_size_kb
	set -- $clocks
	shift $((RANDOM % $#))
	echo "$1" > trace_clock
	echo $((RANDOM % 2)) > options/overwrite
	echo > trace
	echo > per_cpu/cpu$((RANDOM % 2))/trace
	echo $((RANDOM % 2)) > tracing_on
	cat per_cpu/cpu*/stats > /dev/null
	rounds=$((rounds + 1))
done
echo "$rounds rounds"
kill -- $writers $others
wait 2> /dev/null || true
echo 1 > tracing_on
echo 1 > options/overwrite
echo local > trace_clock
echo 1408 > buffer_size_kb
echo 0 > events/t/zero/enable
sums

# Everything works as before.
echo > trace
echo 1 > events/t/zero/enable
read_zeros 123
is 'afterwards' 123 "$(records zero)"
