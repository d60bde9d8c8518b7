#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: unload while the kernel's tracers keep return addresses of ours, and while a probed module goes
# tier: 6.12-cloud 6.1-cloud
# tools: blockers
# modules: pe_calls pe_probe
#
# pe_calls_via() ends with a jump to pe_calls_block(), where calls sleep. With a return probe on
# the first, the second one's return address is in the engine; the function graph tracer and the
# kernel's return probes take it off the stack and keep it elsewhere. When the engine is
# unloaded, the calls must not return into nothing.
set -eu
# shellcheck source=tests/func/lib/engine_lib.sh
. /host/engine_lib.sh
# shellcheck source=tests/func/lib/events_lib.sh
. /host/events_lib.sh

T=/sys/kernel/tracing
calls=/sys/module/pe_calls/parameters
via=r:pe_calls:pe_calls_via
cd /
umount "$PROBES"
rmmod probe_events

# The kernel's: "on", "off" and what says that it saw the returns.
kret() {
	case $1 in
	on) echo "r$room:st pe_calls:pe_calls_block ret=\$retval:s64" > $T/kprobe_events; echo 1 > $T/events/kprobes/st/enable ;;
	off) echo 0 > $T/events/kprobes/st/enable; echo > $T/kprobe_events ;;
	saw) grep -c ' ret=1' $T/trace || true ;;
	esac
}
graph() {
	case $1 in
	on) echo pe_calls_block > $T/set_ftrace_filter; echo function_graph > $T/current_tracer ;;
	off) echo nop > $T/current_tracer; echo > $T/set_ftrace_filter ;;
	saw) grep -cE '(;|\} ?/\*) *(/\* )?pe_calls_block|us *\|.*(pe_calls_block|\})' $T/trace || true ;;
	esac
}
none() { [ $1 != saw ] || echo "$n"; }

# Without rethook, a trace of a stack ends where the kernel's return probes have replaced an address; and
# where it is not preemptible, they have room for a call of each CPU only.
ends_trace='' room=''
! grep -q ' kretprobe_trampoline$' /proc/kallsyms || ends_trace=kret room=8

inside() { [ "$(awk '{ print $1 - $2 }' $calls/blocks)" = "$1" ]; }
going() { [ "$(cat /sys/module/pe_calls/initstate 2> /dev/null)" = going ]; }

# enter: $n threads go to sleep in the function, and are seen to be where they should be
enter() {
	local stack task

	/host/blockers $n /proc/pe_calls_block &
	blockers=$!
	within 60 inside $n
	for task in /proc/$blockers/task/*; do
		stack=$(cat $task/stack)
		case $stack in
		*pe_calls_block*) ;;
		*) continue ;;
		esac
		case $stack in
		*pe_calls_block*pe_calls_via*) fail "no jump: $stack" ;;
		*pe_calls_block*'[probe_arena]'*block_read*) ;;
		*) [ "$tracer" = "$ends_trace" ] || fail "not in the engine: $stack" ;;
		esac
	done
}

# unload_ours FUNCTIONS: that are probed; each thread is in all of them
unload_ours() {
	rmmod pe_probe probe_core
	let_go=$(dmesg | grep -o '[0-9]* calls in progress' | tail -n 1)
	echo "$tracer: $let_go"
	is "$tracer: calls" $((n * $1)) "${let_go%% *}"
	arena_stays
}

tracers=none
if grep -qw tracefs /proc/filesystems; then
	mount -t tracefs tracefs $T
	tracers='none kret graph'
fi
n=8
for tracer in $tracers; do
	load pe_calls pe_probe
	$tracer on
	add $via
	enter
	unload_ours 1
	inside $n || fail "inside: $(cat $calls/blocks)"
	echo 1 > $calls/unblock
	wait $blockers
	is "$tracer: calls seen" $n "$($tracer saw)"
	$tracer off
	rmmod pe_calls
	arena_goes
done
[ "$tracers" = none ] || umount $T

# The module that the functions are in goes, which waits for the calls. Theirs return while
# its probes stay, are removed, or the engine is.
functions="block_read pe_calls_via pe_calls_block"
for what in stays removed unloaded; do
	load pe_calls pe_probe
	tracer=$what
	for f in $functions; do add r:pe_calls:$f; done
	enter
	rmmod pe_calls &
	going_away=$!
	within 60 going
	case $what in
	removed) for f in $functions; do del r:pe_calls:$f; done ;;
	unloaded) unload_ours 3 ;;
	esac
	inside $n || fail "inside: $(cat $calls/blocks)"
	echo 1 > $calls/unblock
	wait $blockers
	wait $going_away
	if [ $what = stays ]; then
		for f in $functions; do
			expect_hits r:pe_calls:$f $n
			has $P/hits "^r:pe_calls:$f .*GONE"
		done
	fi
	echo "a module goes, probes: $what"
	if [ $what = unloaded ]; then arena_goes; else rmmod pe_probe; fi
done
load probe_events
mount_ours
