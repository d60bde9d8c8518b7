#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: unload while calls sleep in functions with return probes, rmmod's own among them
# tier: 6.12-cloud 6.12-rt 6.1-cloud bare debug
# seconds: 7 debug=12
# modules: pe_probe
set -eu
# shellcheck source=tests/func/lib/engine_lib.sh
. /host/engine_lib.sh
# shellcheck source=tests/func/lib/events_lib.sh
. /host/events_lib.sh

rounds=${ROUNDS:-$(length 2 10)}
functions="hrtimer_nanosleep __x64_sys_clock_nanosleep do_wait __x64_sys_wait4 pipe_read anon_pipe_read vfs_read
	schedule_timeout do_sys_poll __x64_sys_delete_module"

cd /
umount "$PROBES"
rmmod probe_events probe_core
for ((round = 1; round <= rounds; round++)); do
	load pe_probe
	armed=0
	for f in $functions; do
		{ add r:$f; } 2>/dev/null && armed=$((armed + 1)) ||
			echo "round $round: $f: $(cat $P/reason)"
	done
	at_least 'functions armed' 8 $armed
	pids=()
	for ((i = 0; i < 30; i++)); do
		sleep 5 &
		pids+=($!)
	done
	sleep 1000 &
	killed=$!
	sleep 0.01	# a call that returns
	within 20 in_sleep $killed
	check_stack $killed armed
	at_least 'returns' 1 "$(field r:hrtimer_nanosleep 2)"
	cat $P/hits > /tmp/hits
	rmmod pe_probe
	check_stack $killed removed
	rmmod probe_core
	check_stack $killed unloaded
	arena_stays
	# The engine comes back while they sleep, and goes again. The first probe sees later calls only.
	load pe_probe
	for f in hrtimer_nanosleep vfs_read; do add r:$f; done
	sleep 0.01
	at_least 'returns' 1 "$(field r:hrtimer_nanosleep 2)"
	check_stack $killed loaded
	rmmod pe_probe probe_core
	check_stack $killed 'unloaded again'
	kill $killed
	for pid in "${pids[@]}"; do
		wait $pid || fail "a sleeper ended with $?"
	done
	wait $killed || true
	dmesg | tail -n 20 | grep 'calls in progress' | tail -n 1
done
cat /tmp/hits
arena_goes
load probe_events
mount_ours
