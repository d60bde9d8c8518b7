#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: a kernel that has a needed function under a name of its own: said by name, refused or not probed
# tier: 6.12-cloud 6.1-cloud 5.10-cloud 7.3-cloud
# seconds: 5
# modules: pe_target pe_probe
#
# The kernel's names cannot be changed; those that the module asks for can, in a copy of its file.
set -eu
# shellcheck source=tests/func/lib/engine_lib.sh
. /host/engine_lib.sh

work=$(mktemp -d)

umount "$PROBES"

# The engine and all that uses it.
unloaded() {
	local module
	for module in pe_probe probe_events probe_core; do
		[ ! -e /sys/module/$module ] || rmmod $module
	done
}

# Where each name is in the module: between two zero bytes.
names='jump_label_text_reserved ftrace_text_reserved machine_kexec native_play_dead __switch_to_asm
	irqentry_nmi_exit __noinstr_text_start'
LC_ALL=C gawk -v names="$names" '
	BEGIN { BINMODE = 3; RS = "\0"; n = split(names, name); for (i in name) asked[name[i]] = 1 }
	$0 in asked { print $0, at }
	{ at += length($0) + 1 }' /modules/probe_core.ko > "$work/places"
is 'names in the module' "$(wc -w <<< "$names")" "$(wc -l < "$work/places")"

# asking NAME...: loads a probe_core that asks for names that end in X in place of these
asking() {
	local name at
	unloaded
	cp /modules/probe_core.ko "$work/probe_core.ko"
	for name; do
		at=$(sed -n "s/^$name //p" "$work/places")
		printf X | dd of="$work/probe_core.ko" bs=1 seek=$((at + ${#name} - 1)) conv=notrunc status=none
	done
	dmesg -C
	status=0
	insmod "$work/probe_core.ko" 2>/dev/null || status=1
}

named() { dmesg | grep -c "probe_core: this kernel has no $1" || true; }

# What keeps us from changing others' text: each that is missing is named, and nothing is loaded.
# Only a kernel without jump labels and ftrace needs neither.
here=0
asking jump_label_text_reserved ftrace_text_reserved
for name in jump_label_text_reserved ftrace_text_reserved; do
	grep -q " $name\$" /proc/kallsyms || continue
	here=1
	is "named: $name" 1 "$(named "symbol ${name%?}X")"
done
is 'status without them' $here $status
is 'loaded without them' $((1 - here)) "$(grep -c '^probe_core ' /proc/modules || true)"

# Code that must not be probed: the module says which, and allows no breakpoint and no return probe.
asked=0
for name in machine_kexec native_play_dead __switch_to_asm irqentry_nmi_exit __noinstr_text_start; do
	grep -q " $name\$" /proc/kallsyms || continue
	asked=$((asked + 1))
	asking "$name"
	is "status without $name" 0 $status
	is "named: $name" 1 "$(named "${name%?}X()")"
	load pe_target pe_probe
	expect_refusal r:pe_target:pe_target_add 'Invalid argument' 'not understood'
	expect_refusal "$(mix 2)" 'Invalid argument' 'not understood'
done
at_least 'names of such code' 3 $asked

# As it is, it has them all.
asking
is 'status with all' 0 $status
is 'nothing is named' 0 "$(named '')"
unloaded
rm -r "$work"
