#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: CPUs have rings, and take memory for them, from when they come
# seconds: 3
# machine: -c 32 -a maxcpus=2
# modules: pe_stock
#
# Two CPUs are there, two may come, and more are announced.

set -eu
cd "$PROBES"
# shellcheck source=tests/func/lib/events_lib.sh
. /host/events_lib.sh
cpus=/sys/devices/system/cpu
is 'online' 0-1 "$(cat $cpus/online)"
[ -w $cpus/cpu3/online ] || { echo 'this kernel has no CPU hotplug'; exit 4; }
total() { awk '{ print $1 }' buffer_total_size_kb; }
entries() { awk '$1 == "entries:" { print $2 }' "per_cpu/cpu$1/stats"; }

# A directory for each that may come, as the kernel's has.
possible=$(find per_cpu -mindepth 1 -maxdepth 1 | wc -l)
at_least 'directories' 4 "$possible"
is 'directories' "$(($(sed 's/.*-//' $cpus/possible) + 1))" "$possible"
is 'not yet' "$((1408 * 2))" "$(sed -E 's/.*expanded: ([0-9]+).*/\1/' buffer_total_size_kb)"

# Of those that are not there nothing is read, and nothing takes memory.
last=$((possible - 1))
exec 5< per_cpu/cpu3/trace_pipe
before=$(free_memory)
echo 20480 > buffer_size_kb
one=$(cat per_cpu/cpu0/buffer_size_kb)
is 'total' $((2 * one)) "$(total)"
used=$((before - $(free_memory)))
at_most "KB for 2 rings of $one" $((3 * one - 1)) $used
is 'its size' "$one" "$(cat per_cpu/cpu$last/buffer_size_kb)"
is 'its records' 0 "$(entries $last)"
is 'its trace' 0 "$(records zero per_cpu/cpu$last/trace)"
is 'its raw pages' 0 "$(dd if=per_cpu/cpu$last/trace_pipe_raw iflag=nonblock bs=64k 2> /dev/null | wc -c)"
echo > per_cpu/cpu$last/trace
echo 100 > per_cpu/cpu$last/buffer_size_kb
at_most "per_cpu/cpu$last/buffer_size_kb" 109 "$(cat per_cpu/cpu$last/buffer_size_kb)"
echo "$one" > per_cpu/cpu$last/buffer_size_kb

# The same of an instance, and of a file that has room for a sub-buffer of each ring.
before=$(free_memory)
mkdir instances/m
at_most 'KB for an instance' 20000 $((before - $(free_memory)))
echo 512 > instances/m/buffer_subbuf_size_kb
before=$(free_memory)
exec 6< instances/m/trace
used=$((before - $(free_memory)))
exec 6<&-
at_most 'KB for an open trace' 8000 $used
rmdir instances/m

# One comes while a reader waits for it: what it records is read.
echo 'p:t/zero read_zero' > kprobe_events
echo 1 > events/t/zero/enable
mkdir instances/x
echo 1 > instances/x/events/t/zero/enable
cat <&5 > /tmp/out &
reader=$!
within 20 asleep $reader
exec 6< trace
echo 1 > $cpus/cpu3/online
is 'total' $((3 * one)) "$(total)"
read_zeros_on 3 5
within 20 has_lines /tmp/out 5 ' zero: '
kill $reader
wait $reader || true
exec 5<&-
is 'in an instance' 5 "$(records zero instances/x/per_cpu/cpu3/trace)"
read_zeros_on 3 4
is 'its records' 4 "$(entries 3)"
is 'who had opened before' 4 "$(records zero - <&6)"
exec 6<&-
sums
is 'nothing is lost' 0 "$(value t/zero off)"

# It goes, and what it has recorded stays; the same when both buffers have changed places.
echo 0 > $cpus/cpu3/online
read_zeros_on 0 2
is 'of one that went' 6 "$(records zero trace)"
is 'its records' 4 "$(records zero per_cpu/cpu3/trace)"
echo 1 > snapshot
is 'snapshot' '4 0' "$(records zero per_cpu/cpu3/snapshot) $(records zero per_cpu/cpu3/trace)"

# come_killed CPU: it comes, but the task that lets it is killed before its rings are made
come_killed() {
	local hold=/sys/module/pe_stock/parameters/hold

	insmod /modules/pe_stock.ko
	echo pe_buffer_add_ring > $hold
	bash -c "echo 1 > $cpus/cpu$1/online" &
	within 20 text_is $hold 1
	kill -KILL $!
	echo > $hold
	wait $! || true
	rmmod pe_stock
	is "CPU $1 is online" 1 "$(cat "$cpus/cpu$1/online")"
}

# One comes while there is a snapshot, sub-buffers are larger, a mask excludes it.
echo 8 > buffer_subbuf_size_kb
echo 7 > tracing_cpumask
if [ -e /modules/pe_stock.ko ]; then
	come_killed 2
else
	echo 'no kprobes of the kernel here: nothing is killed'
	echo 1 > $cpus/cpu2/online
fi
read_zeros_on 2 3
is 'a new one' 3 "$(records zero per_cpu/cpu2/trace)"
echo 1 > snapshot
read_zeros_on 2 2
is 'a new one, of the other' '3 2' "$(records zero per_cpu/cpu2/snapshot) $(records zero per_cpu/cpu2/trace)"
is 'sizes' "$(cat per_cpu/cpu0/buffer_size_kb)" "$(cat per_cpu/cpu2/buffer_size_kb)"
echo 1 > $cpus/cpu3/online
read_zeros_on 3 2
is 'masked' '0 2' "$(records zero per_cpu/cpu3/trace) $(value t/zero off)"
echo f > tracing_cpumask
read_zeros_on 3 2
is 'unmasked' 2 "$(records zero per_cpu/cpu3/trace)"
echo 0 > snapshot
echo 4 > buffer_subbuf_size_kb
echo 1408 > buffer_size_kb
read_zeros_on 3 1
is 'after all that' 1 "$(records zero per_cpu/cpu3/trace)"
sums
