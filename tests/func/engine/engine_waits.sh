#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: removing probes waits for a CPU on its way, and for no task; modules load meanwhile
# seconds: 2
# modules: pe_target pe_calls pe_probe
set -eu
# shellcheck source=tests/func/lib/engine_lib.sh
. /host/engine_lib.sh

load pe_calls pe_probe
calls=/sys/module/pe_calls/parameters

# come_and_go: the only probes of their kind, so that ftrace is told that we want nothing more
come_and_go() {
	local f

	for f in vfs_mkdir r:vfs_mkdir; do
		add $f
		del $f
	done
	add vfs_rmdir
	echo 0 > $P/armed
	echo 1 > $P/armed
	del vfs_rmdir
	insmod /modules/pe_target.ko
	rmmod pe_target
}

# A task that goes on and on in the kernel: no grace period of tasks-RCU ends.
echo 1 > $calls/spin
come_and_go &
within 100 gone $!
wait $!
echo 0 > $calls/spin
echo 'with a task that does not pause: done'

# RCU does not wait for a CPU on its first and last steps, so removal waits until it is there;
# or the work that makes jumps does, and removal for the lock that this holds.
online=/sys/devices/system/cpu/cpu1/online
if [ -w $online ]; then
	add vfs_mkdir
	echo 1 > $calls/hold_cpu
	echo 0 > $online &
	going=$!
	within 60 text_is $calls/hold_cpu 1
	del vfs_mkdir &
	removing=$!
	removing_waits() {
		# For a mutex, the top of a stack is who called mutex_lock().
		head -n 1 /proc/$removing/stack |
			grep -q 'cpus_read_lock\|percpu_down_read\|percpu_rwsem_wait\|pe_unregister_kprobes'
	}
	within 60 removing_waits
	echo 0 > $calls/hold_cpu
	wait $going
	wait $removing
	echo 1 > $online
	echo 'with a CPU on its way: waited'
fi
rmmod pe_probe pe_calls
