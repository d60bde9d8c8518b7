#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: the kernel's C interface: each answer beside that of its own kprobes; its samples and its test, unmodified
# not: 5.10-cloud: the samples and the answers are of later kernels
# tier: 6.12-cloud 6.1-cloud bare
# seconds: 8 debug=30
# files: capi.answers
# modules: pe_target pe_capi pe_capi_stock
# samples: yes
# modes: default interpreted
set -eu
# shellcheck source=tests/func/lib/engine_lib.sh
. /host/engine_lib.sh
evidence=()
list=$PROBES/kprobes/list
stock_list=/sys/kernel/debug/kprobes/list
target=/sys/module/pe_target/parameters
stays=/sys/module/pe_capi/parameters/stays

has_jump() { grep -q "  k  $1  pe_target \[OPTIMIZED\]\[BY:pe_capi\]$" $list; }
has_kprobes() { [ -e $stock_list ]; }

# logged PREFIX: what has been logged with it, without the time, since "forget"
log=1
forget() { log=$(($(dmesg | wc -l) + 1)); }
logged() { dmesg | tail -n +$log | sed -n "s/^\[[^]]*\] //; s/^$1//p"; }

# answers MODULE
answers() {
	forget
	insmod "/modules/$1.ko" mov_at="$(gawk 'NR == 3 { print $1 }' $target/mix)" \
		cmp_at="$(gawk 'NR == 10 { print $1 }' $target/mix)"
	logged "$1: "
}

# expected COLUMN: 1 ours, 2 the kernel's; "=": as ours, "-": not asked
expected() {
	gawk -v column="$1" '{ value = $column; if (value == "=") value = $1
		if (value != "-") { $1 = $2 = ""; sub(/^ +/, ""); print $0, value } }' /host/capi.answers
}

# alike WHAT WANT GOT: texts
alike() { diff <(echo "$2") <(echo "$3") || fail "$1 (< wanted, > seen)"; }

# ---- every answer ----

load pe_target
alike 'answers of ours' "$(expected 1)" "$(answers pe_capi)"
logged 'probe_core: pe_capi: ' > /tmp/reasons
has /tmp/reasons 'no probe at pe_no_such_symbol+0x0: no such symbol (-2)'
is 'broken promises' 1 "$(grep -c 'a pre_handler at pe_target_add+0x[04]/.* wanted to divert' /tmp/reasons)"

# ---- whose probes, and what becomes of them ----

string=pe_target_string
has $list "  k  $string+0x[04]  pe_target .*\[BY:pe_capi\]$"
has $list "  r  pe_target_outer+0x[04]  pe_target .*\[BY:pe_capi\]$"
refused 'in use' rmmod probe_core
# A handler that observes becomes a jump; one that may divert stays a breakpoint.
within 60 has_jump pe_target_loop+0x0
has $list "  k  pe_target_loop+0x7  pe_target \[INT3\]\[BY:pe_capi\]$"
call string 2
holds $stays 'hits 2 gone 00'
echo 0 > $PROBES/kprobes/enabled
call string 1
echo 1 > $PROBES/kprobes/enabled
echo 0 > $stays
has $list "  k  $string+.*\[DISABLED\].*\[BY:pe_capi\]$"
call string 1
echo 1 > $stays
call string 1
holds $stays 'hits 3 gone 00'
rmmod pe_target
holds $stays 'hits 3 gone 11'
has $list "  k  $string+.*\[GONE\].*\[BY:pe_capi\]$"
refused 'Invalid argument' put 1 $stays
echo 0 > $stays
rmmod pe_capi
lacks $list pe_capi

# A module that goes without removing its probes.
load pe_target
insmod /modules/pe_capi.ko forget=1
forget
rmmod pe_capi
is 'probes not removed' 4 "$(logged 'probe_core: pe_capi goes without having unregistered' | wc -l)"
lacks $list pe_capi
call string 1; call outer 1

# ---- the kernel's answers ----

if has_kprobes; then
	alike 'answers of the kernel' "$(expected 2)" "$(answers pe_capi_stock)"
	rmmod pe_capi_stock
fi
rmmod pe_target

# ---- the kernel's samples ----

# sample MODULE NAME: what it says of three calls, without addresses, times and results
sample() {
	local i
	forget
	insmod "/modules/$1.ko"
	for i in 1 2 3; do ( : ); done
	rmmod "$2"
	# What the kernel says of its clocks and workers meanwhile is not the sample's.
	logged '' | grep -v '^Linux\|loading out-of-tree' | grep -i 'probe\|kernel_clone\|handler' |
		sed 's/0*x\?[0-9a-f]\{16\}/ADDR/g; s/0x[0-9a-f]*/FLAGS/g; s/returned [0-9]*/returned PID/; s/took [0-9]*/took N/' |
		gawk '!seen[$0]++'
}
for name in kprobe_example kretprobe_example; do
	ours=$(sample $name $name)
	echo "$ours"
	is "different lines of $name" 4 "$(wc -l <<< "$ours")"
	! has_kprobes || alike "lines of $name" "$(sample stock_$name $name)" "$ours"
done

# ---- the kernel's own test ----

forget
insmod /modules/test_kprobes.ko 2> /tmp/insmod || true
logged 'kprobes_test: ' > /tmp/cases
cat /tmp/cases
for name in test_kprobe test_kprobes test_kprobe_missed test_kretprobe test_kretprobes \
	test_stacktrace_on_kretprobe; do
	has /tmp/cases "^ok $name$"
done
# In a stack trace, what a function with a return probe returns to is an entry of its own.
is 'checks that fail' 'FAIL test_stacktrace_on_nested_kretprobe: stack_buf[i + 1] == target_return_address[1]' \
	"$(sed -n '/FAIL/s/: [0-9]*/:/p' /tmp/cases)"
