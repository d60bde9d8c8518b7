#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: functions of the kernel do the same without probes, at breakpoints and at jumps, also by islands
# not: bare: shows what debug does
# modes: default
# seconds: 3 debug=9
# tools: ktext
# modules: pe_pure
#
# It switches jumps off itself. No probe is at an entry: what ftrace calls need not keep r10, r11 and
# flags, and on debug it does not.
set -eu
cd "$PROBES"
# shellcheck source=tests/func/lib/events_lib.sh
. /host/events_lib.sh
# shellcheck source=tests/func/lib/coverage_lib.sh
. /host/coverage_lib.sh

insmod /modules/pe_pure.ko
P=/sys/module/pe_pure/parameters
/host/ktext save /tmp/text

# shellcheck disable=SC2046
/host/ktext every 1 0 $(< $P/functions) |
	awk '$2 !~ /[+]0x[04]$/ { print $2 }' > /tmp/sites
at_least 'boundaries' 500 "$(wc -l < /tmp/sites)"

# A part of them at a time: jumps leave room for each other.
phases=$(length 4 16) every=16
: > /tmp/all
for ((phase = 0; phase < phases; phase++)); do
	awk -v p=$((phase * every / phases)) -v n=$every 'NR % n == p' /tmp/sites > /tmp/some
	while read -r site; do
		{ echo "$site" > $P/add; } 2> /dev/null || echo "$site is refused"
	done < /tmp/some
	cat $P/compare > /tmp/compared
	dmesg | grep -A 12 'at a breakpoint, at a jump\|another result at' || true
	# "ADDR  SYM+OFF  ... HOW"
	gawk 'NR == FNR { if (/jump by an island$/) island[$2] = 1; next }
	      { split($1, part, "+")
		print $0, part[1] "+" strtonum(part[2]) in island || $1 in island ? "island" : "-" }' \
		kprobes/optimized /tmp/compared >> /tmp/all
	echo > $P/clear
	within 60 detours_forgotten
done
awk '{ n[$2 " " $NF " " ($3 > 0 ? "hit" : "not hit")]++ } END { for (i in n) print n[i], i }' /tmp/all
lacks /tmp/all '^[^ ]* [a-z0-9]* [0-9]* ok [a-z-]*$' -v
at_least 'sites that are hit by jumps' 50 "$(awk '$2 == "jump" && $3' /tmp/all | wc -l)"
# The part of them that debug has time for has none.
[[ $(uname -r) = *debug* ]] || at_least 'of them by islands' 3 "$(awk '$5 == "island" && $3' /tmp/all | wc -l)"
rmmod pe_pure
/host/ktext diff /tmp/text
