#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: events that cost too much are stopped by a timer: shares of all CPUs, of one, also if tasks starve
# tier: 6.12-cloud 6.12-rt debug
# modes: default
# modules: pe_stress
# seconds: 40 debug=30

set -eu
cd "$PROBES"
# shellcheck source=tests/func/lib/events_lib.sh
. /host/events_lib.sh
dir=events/kprobes/e

tripped() { grep -q '^tripped: ' $dir/limit && ! grep -v '\[DISABLED\]' kprobes/list | grep -q "$1"; }
# after: of the window's ms, how many had passed
after() { sed -n 's/^tripped: .* after \([0-9]*\) of 100 ms at .*/\1/p' $dir/limit; }
# define COMMAND LIMIT
define() {
	echo 0 > events/enable
	echo > kprobe_events
	echo "$1" > kprobe_events
	echo "$2" > $dir/limit
}

# The worst: what every CPU does all the time, and our own timer, too. It is gated in the first
# window that has enough of it, before any task has to do something.
lock=_raw_spin_lock
! grep -q ' T rt_spin_lock$' /proc/kallsyms || lock=rt_spin_lock	# on PREEMPT_RT few take the other one
define "p:e $lock" 'cpu=0.05%'
holds $dir/limit 'cpu=0.05%'
echo 1 > $dir/enable
within 20 eval 'ls -lR /proc/self > /dev/null 2>&1; tripped $lock'
cat $dir/limit
has $dir/limit '^tripped: cpu [0-9.]*% of 0.05% after [0-9]* of 100 ms at [0-9]*\.[0-9]*$'
at_most 'ms to the gate' 100 "$(after)"
has error_log 'limit: error: Stopped by its limit (cpu [0-9.]*% of 0.05% after [0-9]* of 100 ms)'
sums
# It goes on, as fast as before.
hits=$(value kprobes/e hits)
read_zeros 1000
value_is kprobes/e hits "$hits"

# What it has cost before does not count against it when it comes again; it is gated again.
for i in 1 2 3; do
	echo 1 > $dir/enable
	within 20 eval 'ls -lR /proc/self > /dev/null 2>&1; tripped $lock'
	at_most 'ms to the gate' 100 "$(after)"
done

# Of one CPU: only where the hits are. The other words do not matter here.
for cpu in 0 1; do
	define 'p:e read_zero' 'one=0.3% cpu=100%'
	echo 1 > $dir/enable
	within 20 eval 'read_zeros_on $cpu 5000; tripped read_zero'
	has $dir/limit "^tripped: one [0-9.]*% of 0.3% of CPU $cpu after "
	at_most 'ms to the gate' 100 "$(after)"
done

# What is rare may stay.
define 'p:e read_zero' 'cpu=20% one=50%'
echo 1 > $dir/enable
for i in $(seq 20); do
	read_zeros 2
	sleep 0.05
done
lacks $dir/limit '^tripped: '
value_is kprobes/e records 40
value_is kprobes/e limited 0

# Hits of such an event are compiled, where they can be, and then they count as well: at an entry,
# at a return, and beside one without a limit. (Reading kprobes/compiled waits for the code.)
can=$(grep -c 'cannot be compiled' kprobes/compiled) || true
for command in 'p:e read_zero n=%dx:u64' 'r:e read_zero v=$retval'; do
	define "$command" 'cpu=0.2% one=90%'
	echo "${command/:e/:free}" >> kprobe_events
	mkdir -p instances/i
	echo 1 > events/kprobes/enable
	echo 1 > instances/i/events/kprobes/e/enable
	[ "$can" != 0 ] || [ "$(count 'kprobes/e .* compiled$' kprobes/compiled)" = 1 ] ||
		has kprobes/compiled 'kprobes/e .*interpreted: .*\(ftrace\|traces\|entry\|breakpoint\)'
	within 20 eval 'read_zeros 5000; grep -q "^tripped: cpu .* of 0.2% " $dir/limit'
	within 10 eval '[ "$(cat $dir/enable)" = 0 ]'
	at_most 'ms to the gate' 100 "$(after)"
	limited=$(value kprobes/e limited)
	read_zeros 10
	sums
	is 'not hit any more' "$limited" "$(value kprobes/e limited)"
	is 'the other one' 1 "$(cat events/kprobes/free/enable)"
	echo "$command: $(value kprobes/e hits) hits, $limited not served: $(sed -n 2p $dir/limit)"
	rmdir instances/i
done

# By a breakpoint: its exception counts. By a return.
insmod /modules/pe_stress.ko
target=pe_stress:pe_stress_target
echo 0 > kprobes/optimization
for command in "r:e $target" "p:e $target+$(cat /sys/module/pe_stress/parameters/site)"; do
	define "$command" 'cpu=0.2%'
	echo 1 > $dir/enable
	within 20 eval 'stress_run 2000; tripped pe_stress_target'
	at_most 'ms to the gate' 100 "$(after)"
	sums
done
echo 1 > kprobes/optimization
echo 0 > events/enable
echo > kprobe_events
rmmod pe_stress

# While a real-time task has each CPU: no task of ours gets time, and still most hits are not
# served. The gate closes in the interrupt; disarming waits, unless a slow machine gets to it before
# both tasks run: once more.
for attempt in 1 2 3 4 5; do
	define 'p:e read_zero' 'cpu=0.2%'
	echo 1 > $dir/enable
	starve 150000
	within 10 tripped read_zero
	at_most 'ms to the gate' 100 "$(after)"
	records=$(value kprobes/e records) limited=$(value kprobes/e limited)
	echo "starved: $records served, $limited not; $(sed -n 2p $dir/limit)"
	at_least 'served' 1 "$records"
	at_most 'served' 30000 "$records"
	sums
	[ "$limited" = 0 ] || break
done
at_least 'not served' 1 "$limited"

# A CPU that has gone and come back is looked at.
define 'p:e read_zero' 'one=0.3%'
echo 1 > $dir/enable
echo 0 > /sys/devices/system/cpu/cpu1/online
read_zeros 1
echo 1 > /sys/devices/system/cpu/cpu1/online
within 20 eval 'read_zeros_on 1 5000; tripped read_zero'
has $dir/limit 'of CPU 1 after '
define 'p:e read_zero' 'one=0.3%'
echo 0 > /sys/devices/system/cpu/cpu1/online
echo 1 > $dir/enable
echo 1 > /sys/devices/system/cpu/cpu1/online
within 20 eval 'read_zeros_on 1 5000; tripped read_zero'
has $dir/limit 'of CPU 1 after '
sums
echo > kprobe_events
