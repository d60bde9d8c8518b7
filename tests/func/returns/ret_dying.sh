#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: unload while a task that has left the list of tasks sleeps in a probed function
# tier: 6.12-cloud 6.12-rt
# needs: kprobes
# seconds: 3
# modules: pe_probe pe_dying
set -eu
# shellcheck source=tests/func/lib/engine_lib.sh
. /host/engine_lib.sh
# shellcheck source=tests/func/lib/events_lib.sh
. /host/events_lib.sh

D=/sys/module/pe_dying/parameters

# No list has the task, and its call counts. Before 6.9, the kernel waits for such tasks whenever
# it waits for tasks.
waits_for_dying() {
	if [ -e /sys/module/probe_core ]; then
		grep -q synchronize_srcu "/proc/$(pgrep rcu_tasks_kthre)/stack"
	else
		arena_stays
	fi
}

unload_ours() {
	rmmod pe_probe
	rmmod probe_core
}

cd /
umount "$PROBES"
rmmod probe_events probe_core
insmod /modules/pe_dying.ko
load pe_probe

# The last steps of a task, all of them probed: what never returns is counted, and no task has it
# on its stack.
for f in do_exit exit_notify release_task do_task_dead __schedule proc_flush_pid \
	put_task_struct_rcu_user exit_tasks_rcu_start exit_tasks_rcu_finish mpol_put_task_policy; do
	{ add r:$f; } 2> /dev/null || echo "$f: $(cat $P/reason)"
done
for ((i = 0; i < 60; i++)); do
	/bin/true &
done
wait
grep 'r:release_task' $P/hits
at_least 'hits of release_task' 60 "$(field r:release_task 2)"
unload_ours
arena_goes

load pe_probe
add r:pe_dying:dying_wait
echo proc_flush_pid > $D/start
within 20 text_is $D/state unlisted
unload_ours &
within 60 waits_for_dying
echo 1 > $D/wake
wait $!
within 20 text_is $D/state ok
arena_goes
dmesg | grep probe_arena: || true	# in the output, if it has stayed
rmmod pe_dying

load probe_events
mount_ours
