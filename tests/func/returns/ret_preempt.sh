#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: preempt_count of entries is right beside return probes and the kernel's tracers
# tier: 6.12-cloud 6.12-rt 6.1-cloud
# needs: tracefs kprobes ftrace
# seconds: 5
#
# ftrace calls several tracers of one function with preemption off, a single one without. The
# kernel's own event, alone on the function, says what is right.
set -eu
# shellcheck source=tests/func/lib/events_lib.sh
. /host/events_lib.sh

T=/sys/kernel/tracing
mountpoint -q $T || mount -t tracefs tracefs $T
F=vfs_mkdir
dir=$(mktemp -d)
cd "$dir"
make_and_remove() { mkdir d; rmdir d; }

# depths DIR EVENT: the depth in the flags of its records, all of them
depths() { gawk -v e="$2:" '$1 ~ /^mkdir-/ && $5 == e { print substr($3, 4, 1) }' "$1/trace" | sort -u; }

echo "p:s $F" > $T/kprobe_events
echo 1 > $T/events/kprobes/s/enable
make_and_remove
echo 0 > $T/events/kprobes/s/enable
right=$(depths $T s)
differs 'depth by the kernel' '' "$right"

kernel_on() {
	case $1 in
	kprobe) echo 1 > $T/events/kprobes/s/enable ;;
	function|function_graph) echo $F > $T/set_ftrace_filter; echo "$1" > $T/current_tracer ;;
	esac
}

kernel_off() {
	echo 0 > $T/events/kprobes/s/enable
	echo nop > $T/current_tracer
	echo > $T/set_ftrace_filter
}

echo "p:p $F
r:r $F" > "$PROBES/kprobe_events"
for ours in p 'p r' 'r p'; do
	for other in none kprobe function function_graph; do
		case "$ours $other" in 'r p k'*|'r p function_graph') continue ;; esac
		for first in ours kernel; do
			echo > "$PROBES/trace"
			[ $first = ours ] || kernel_on $other
			for e in $ours; do echo 1 > "$PROBES/events/kprobes/$e/enable"; done
			[ $first = kernel ] || kernel_on $other
			[ $other != none ] ||
				is "$ours: tracers of the function" 1 "$(sed -nE "s/^$F \(([0-9]+)\).*/\1/p" $T/enabled_functions)"
			make_and_remove
			for e in $ours; do
				is "$ours beside $other, $first first: depth of $e" "$right" "$(depths "$PROBES" "$e")"
				is "$ours beside $other, $first first: hits of $e" 1 "$(records "$e" "$PROBES/trace")"
			done
			kernel_off
			echo 0 > "$PROBES/events/enable"
		done
	done
done
cd /
echo > "$PROBES/kprobe_events"
echo > $T/kprobe_events
