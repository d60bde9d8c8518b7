# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# shellcheck shell=bash
#
# How random instruction boundaries are probed. Needs the tools ktext and sweep.

# shellcheck source=tests/func/lib/check_lib.sh
. /host/check_lib.sh

cover=/tmp/cover

jumps_settled() { read -r line < kprobes/optimized && [ "$line" = '# settled' ]; }

# join_how: lines "N 0xADDR SYM+OFF LENGTH" with the mechanism of their sites. A probe at a function's
# first byte is after its ENDBR64, 4 bytes. Addresses differ in their lower halves.
join_how() {
	gawk -F '\t' '
		function key(hex) { return strtonum("0x" substr(hex, length(hex) - 7)) }
		NR == FNR {
			# "ADDR  SYM+OFF  MODULE HOW"; a blank stands for the kernel itself
			if (/^#/) next
			split($0, part, " ")
			how[key(part[1])] = substr($0, index($0, part[2]) + length(part[2]) + 4)
			next
		}
		{
			split($0, part, " ")
			at = key(part[2])
			if (!(at in how) && part[4] == 4) at += 4
			print substr($0, length(part[1]) + 2) "\t" how[at]
		}' kprobes/optimized "$1"
}

# cover_slice FILE: lines "0xADDR SYM+OFF LENGTH"; with how each is probed they go to $cover/result
cover_slice() {
	awk '{ print NR, $0 }' "$1" > $cover/numbered
	/host/sweep define p $cover/armed $cover/refused < $cover/numbered
	if [ -s $cover/armed ]; then
		/host/sweep enable $cover/armed $cover/refused
		within 600 jumps_settled
		join_how $cover/armed >> $cover/result
		echo 0 > events/sw/enable
		echo > kprobe_events
		within 600 detours_forgotten
	fi
	awk -F '\t' '{ print substr($2, index($2, " ") + 1) "\trefused: " $1 }' $cover/refused >> $cover/result
}

# cover COUNT SEED: until so many boundaries are probed. The result is in $cover/result.
cover() {
	local want=$1 slice detours probed=0

	rm -rf $cover
	mkdir -p $cover
	: > $cover/result
	read -r _ _ detours < kprobes/detours
	/host/ktext uniform $((want * 5 / 4 + 100)) "$2" > $cover/drawn
	while [ "$probed" -lt "$want" ]; do
		slice=$((want - probed))
		[ $slice -le $((detours - 64)) ] || slice=$((detours - 64))
		[ -s $cover/drawn ] || fail "only $probed of the boundaries that were drawn can be probed"
		head -n $slice $cover/drawn > $cover/slice
		sed -i "1,${slice}d" $cover/drawn
		cover_slice $cover/slice
		probed=$(grep -vc $'\trefused: ' $cover/result)
		echo "# $probed probed, $(grep -c $'\t\\(jump\\|ftrace\\)' $cover/result) by jump or ftrace"
	done
}
