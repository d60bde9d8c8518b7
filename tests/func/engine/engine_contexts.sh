#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: hits from task, softirq, irq and NMI: each counted at its level, none lost; handlers with a lock
# tier: 6.12-cloud 6.12-rt 6.1-cloud bare
# seconds: 9 debug=21
# modules: pe_stress pe_probe pe_lock pe_lock_stock
set -eu
# shellcheck source=tests/func/lib/engine_lib.sh
. /host/engine_lib.sh
# shellcheck source=tests/func/lib/events_lib.sh
. /host/events_lib.sh

load pe_stress pe_probe
S=/sys/module/pe_stress/parameters
site=$(cat $S/site)
for probe in pe_stress_target "pe_stress_target+$site"; do
	add $probe
done
before=$(cat $S/calls)
echo "before: $before"
echo 1 > $S/run
sleep 3
within 120 stress_saw 20 task softirq irq nmi
echo 0 > $S/run
after=$(cat $S/calls)
echo "after: $after"
cat $P/hits
total=${after##*total=}
for probe in pe_stress_target "pe_stress_target+$site"; do
	is "hits and misses of $probe" "$total" "$(( $(field $probe 2) + $(field $probe 3) ))"
	i=5
	for level in task softirq irq nmi; do
		want=${after##*$level=}; want=${want%% *}
		got=$(field $probe $i)
		[ "$level" != nmi ] || at_least 'NMIs' 1 "$want"
		[ "$(field $probe 3)" != 0 ] || is "hits of $probe in $level" "$want" "$got"
		i=$((i + 1))
	done
done
rmmod pe_probe

# ---- handlers that take a lock: one at a time, by our C interface and by the kernel's ----

stock=/modules/pe_lock_stock.ko

# interrupted FILE: irqs and NMIs have come while a handler ran
interrupted() {
	local irq nmi
	read -r irq nmi _ < "$1"
	[ "$irq" -ge 5 ] && [ "$nmi" -ge 5 ]
}

# lockers MODULE: let its handlers be interrupted; total, and its counts in /tmp/MODULE
lockers() {
	local M=/sys/module/$1/parameters
	insmod "/modules/$1.ko" site="$site" jump="$(cat $S/jump)"
	# Without ftrace, that place is the entry of a function with a return probe.
	# The kernel's list says OPTIMIZED before there is a jump.
	[ ! -e $stock ] || within 60 grep -q 1 $S/jumps
	total=$(stress_calls total)
	echo 1 > $S/run
	within 120 stress_saw $((total + 3000)) total
	[ ! -e $M/inside ] || within 120 interrupted $M/inside
	echo 0 > $S/run
	total=$(($(stress_calls total) - total))
	echo "$1: $total calls"
	cp $M/counts "/tmp/$1"
	cat "/tmp/$1" $M/nested
	holds $M/nested '0 0 0'
	[ ! -e $M/inside ] || cat $M/inside
	rmmod "$1"
}

# irqs_in NAME: whether interrupts are on in its handlers, where a task is probed
irqs_in() {
	case $1 in
	data | plain) echo on ;;
	site*) echo off ;;
	*) [ -e $stock ] && echo on || echo off ;;	# without ftrace these are breakpoints, too
	esac
}

# states FILE: a kernel without rethook runs its handlers of returns under a lock, with interrupts off.
states() {
	local unlike=none
	! grep -q ' kretprobe_trampoline$' /proc/kallsyms || unlike='data|plain'
	cut -d' ' -f1,4 "$1" | grep -Ev "^($unlike) "
}

lockers pe_lock
while read -r name hits missed irqs; do
	is "hits and misses: $name" "$total" $((hits + missed))
	at_least "misses: $name" 1 "$missed"
	is "interrupts: $name" "$(irqs_in "$name")" "$irqs"
done < /tmp/pe_lock
if [ -e $stock ]; then
	# An NMI in a step that interrupts a handler is a BUG of the kernel's, by design.
	echo 0 > $S/nmi
	lockers pe_lock_stock
	is 'state of interrupts' "$(states /tmp/pe_lock_stock)" "$(states /tmp/pe_lock)"
	at_least 'misses of the kernel' 1 "$(gawk '{ n += $3 } END { print n }' /tmp/pe_lock_stock)"
fi
rmmod pe_stress
