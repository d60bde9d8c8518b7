#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: kprobes/memory: what an armed probe takes, with its code, on two CPUs
# not: debug: the checkers take memory of their own
# modes: default
# needs: ftrace
# seconds: 8
# modules: pe_many
#
# It switches compiling itself.

set -eu
cd "$PROBES"
# shellcheck source=tests/func/lib/events_lib.sh
. /host/events_lib.sh
evidence+=(kprobes/memory kprobes/detours)
insmod /modules/pe_many.ko
inside=$(< /sys/module/pe_many/parameters/inside)
n=300 calls=3
is 'possible CPUs' 0-1 "$(< /sys/devices/system/cpu/possible)"

now() { awk -v k="$1" '$1 == k { print $2 }' kprobes/memory; }
jumps() { [ "$(cut -d ' ' -f 1 kprobes/detours)" = "$1" ]; }
# All that can be compiled is, and code that is out of date has gone.
settled() {
	local before

	before=$(now compiled)
	cat kprobes/compiled > /tmp/compiled
	[ "$before" = "$(now compiled)" ] && ! grep -q 'it has just changed$' /tmp/compiled
}

# probes LETTER OFFSET: one in each of some hundred functions
probes() {
	local i

	hits=0
	for ((i = 0; i < n; i++)); do
		printf '%s:m/e%d pe_many:pe_many_%03d%s\n' "$1" "$i" "$i" "$2"
	done > /tmp/definitions
	dd if=/tmp/definitions of=kprobe_events bs=1M status=none
	echo 1 > events/m/enable
	[ -z "$2" ] || within 120 jumps $n
	within 120 settled
}

# of LINE: bytes of a probe, as it was at the last check
of() { awk -v k="$1" -v n=$n '$1 == k { print int($2 / n) }' /tmp/memory; }

# check KIND LIMIT: all hits come, and a probe takes no more
check() {
	echo $calls > /sys/module/pe_many/parameters/run
	hits=$((hits + calls))
	is "$1: probes with all hits" $n "$(awk -v c=$hits '$3 == c' kprobe_losses | grep -c '^m/')"
	sums
	within 60 settled
	cat kprobes/memory > /tmp/memory
	echo "$1: $(grep -c ' compiled$' /tmp/compiled) compiled"
	cat /tmp/memory
	is "$1: probes" $n "$(now probes)"
	is "$1: sum of the lines" "$(awk '$1 == "bytes" { print $2 }' /tmp/memory)" \
		"$(awk 'NR > 3 { s += $2 } END { print s }' /tmp/memory)"
	at_most "$1: bytes of a probe" "$2" "$(of bytes)"
}

# kind NAME LIMIT LETTER OFFSET
kind() {
	probes "$3" "$4"
	check "$1" "$2"
	at_least "code of $1" 100 "$(of compiled)"
	[ -z "$4" ] || is 'detour' 64 "$(of detours)"
	[ "$3" = p ] || is 'slots' 40 "$(of slots)"
	echo 0 > kprobes/compile
	check "$1 without code of their own" 2047
	echo 1 > kprobes/compile
	echo 0 > events/enable
	echo > kprobe_events
}

kind entries 1814 p ''
kind 'middle of functions' 2178 p "+$inside"
# The length of an instruction depends on the address in it: 2214 were seen on 7.3, 2213 elsewhere.
kind returns 2216 r ''
# What has gone is not counted any more.
nothing_left() { jumps 0 && [ "$(now sites) $(now detours) $(now compiled)" = '0 0 0' ]; }
within 60 nothing_left
rmmod pe_many
