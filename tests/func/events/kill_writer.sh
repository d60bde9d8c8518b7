#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: kill -9 of writers and readers at random moments, and of who waits, leaves a working system
# tier: 6.12-cloud debug
# modes: default breakpoints
# seconds: 7 debug=20
# modules: pe_calls

set -eu
cd "$PROBES"
# shellcheck source=tests/func/lib/check_lib.sh
. /host/check_lib.sh
seed=${PE_SEED:-$RANDOM}
RANDOM=$seed
echo "PE_SEED=$seed"

writer() {
	while :; do
		echo "p:k/open do_sys_openat2 dfd=%di file=+0(%si):ustring" >> kprobe_events
		echo "p:k/mid do_sys_openat2+$off a=%di" >> kprobe_events
		echo 1 > events/k/enable
		cat /etc/hostname > /dev/null
		echo 0 > events/k/enable
		echo "-:k/open" >> kprobe_events
		echo "-:k/mid" >> kprobe_events
	done
}

# The first offset after the entry that takes a probe.
off=
for ((i = 5; i < 40; i++)); do
	if echo "p:try do_sys_openat2+$i" > kprobe_events 2>/dev/null; then
		off=$i
		break
	fi
done
differs 'an offset that takes a probe' '' "$off"
echo > kprobe_events

for ((round = 1; round <= ${ROUNDS:-$(length 16 200)}; round++)); do
	writer 2>/dev/null &
	w=$!
	cat trace_pipe > /dev/null &
	r=$!
	sleep "0.$((RANDOM % 6))$((RANDOM % 10))"
	kill -9 $w $r
	wait $w $r 2>/dev/null || true
	# Whatever it left, the next person can look, stop and remove it.
	cat kprobe_events > /dev/null
	echo 0 > events/enable
	echo > kprobe_events
	holds kprobe_events ''
done

# A task that goes on and on in the kernel: waits for all tasks do not end.  Who waits can be killed.
waits=$(grep -c ' synchronize_rcu_tasks$' /proc/kallsyms || true)
# in_ours PID: it is in a function of ours, or has ended
in_ours() { gone "$1" || grep -q '\[probe_' "/proc/$1/stack" 2> /dev/null; }
# killed COMMAND...: it waits, until it is killed
killed() {
	"$@" &
	within 60 in_ours $!
	sleep 0.5
	[ "$waits" = 0 ] || not gone $!
	kill -9 $! 2>/dev/null || true
	within 10 gone $!
}
read_compiled() { exec cat kprobes/compiled > /tmp/compiled; }
write_compile() { echo 0 > kprobes/compile; }
echo 'p:k/read vfs_read' > kprobe_events
mkdir instances/x
echo 1 > instances/x/events/k/read/enable
cat kprobes/compiled
insmod /modules/pe_calls.ko
echo 1 > /sys/module/pe_calls/parameters/spin
echo 0 > instances/x/events/k/read/enable
killed read_compiled
killed write_compile
killed rmdir instances/x
missing instances/x
# No other task waits.
dd if=kprobes/compiled of=/tmp/compiled iflag=nonblock status=none
has /tmp/compiled '^k/read .*interpreted: '
mkdir instances/x
echo > kprobe_events
echo 0 > /sys/module/pe_calls/parameters/spin
rmdir instances/x
echo 1 > kprobes/compile
rmmod pe_calls

# And all of it still works.
echo "p:after do_sys_openat2 file=+0(%si):ustring" > kprobe_events
echo 1 > events/kprobes/after/enable
cat /etc/hostname > /dev/null
echo 0 > events/kprobes/after/enable
has trace 'after: (do_sys_openat2+.*file="/etc/hostname"'
echo > kprobe_events
