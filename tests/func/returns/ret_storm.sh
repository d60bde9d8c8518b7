#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: unload in a storm of calls and with sleepers in functions with return probes
# tier: 6.12-cloud 6.12-rt bare 6.12-cloud@toggled
# seconds: 17 debug=26
# tools: blockers
# modules: pe_calls pe_probe pe_stress
#
# The storm (threads, softirqs, interrupts and NMIs on every CPU) goes on over loading, arming
# and unloading; so do forks, pipes and threads that sleep in a probed function over several
# rounds, are killed or return, in rounds with our modules and without.

set -eu
# shellcheck source=tests/func/lib/engine_lib.sh
. /host/engine_lib.sh
# shellcheck source=tests/func/lib/events_lib.sh
. /host/events_lib.sh
rounds=${ROUNDS:-$(length 3 50)}
calls=/sys/module/pe_calls/parameters
stress=/sys/module/pe_stress/parameters
functions="pe_stress:pe_stress_target pe_calls:pe_calls_block vfs_read vfs_write pipe_read anon_pipe_read do_wait
	kernel_clone hrtimer_nanosleep schedule_timeout __x64_sys_futex futex_wait proc_reg_read"

fork_and_pipe() {
	while [ ! -e /tmp/stop ]; do
		(echo hello | cat) > /dev/null
		sleep 0.01
	done
}

# left IN-PROGRESS: how many have entered and not returned
left() { awk '{ print $1 - $2 }' $calls/blocks; }
are_left() { [ "$(left)" = "$1" ]; }
wait_left() { within 100 are_left "$1"; }
returned() { [ "$(field r:$1 2)" -gt 0 ]; }

cd /
umount "$PROBES"
rmmod probe_events probe_core
insmod /modules/pe_calls.ko
insmod /modules/pe_stress.ko
fork_and_pipe &
forker=$!
echo 1 > $stress/run
old='' let_go=0
for ((round = 1; round <= rounds; round++)); do
	load pe_probe
	for f in $functions; do
		{ add r:$f; } 2>/dev/null || echo "round $round: $f: $(cat $P/reason)"
	done
	at_least 'functions armed' 8 "$(wc -l < $P/hits)"
	/host/blockers 40 /proc/pe_calls_block &
	new=$!
	wait_left $((${old:+40} + 40))
	# Another generation of the sets, and one function that is probed no more.
	add pe_stress:pe_stress_target
	del r:pe_calls:pe_calls_block
	[ $((round % 2)) = 0 ] || { sleep 0.3; add r:pe_calls:pe_calls_block; }
	for f in pe_stress:pe_stress_target vfs_read; do
		within 60 returned $f
	done
	lacks $P/hits BAD_IP
	echo "round $round: armed, $(left) inside, ${SECONDS} s"
	# Some leave while the modules do.
	[ -z "$old" ] || kill -9 $old
	rmmod pe_probe
	rmmod probe_core
	[ -z "$old" ] || { wait $old || true; wait_left 40; }
	old=$new
	n=$(dmesg | grep -o '[0-9]* calls in progress' | tail -n 1 | cut -d' ' -f1)
	at_least 'calls in progress' 40 "${n:-0}"
	let_go=$((let_go + n))
done
echo 1 > $calls/unblock
wait $old || fail "a sleeper ended with $?"
wait_left 0
touch /tmp/stop
wait $forker
echo 0 > $stress/run
arena_goes
echo "$rounds rounds, $let_go calls outlived the engine, storm: $(cat $stress/calls)"
has $stress/calls 'nmi=[1-9]'
rmmod pe_calls pe_stress
load probe_events
mount_ours
