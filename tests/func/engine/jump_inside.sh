#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: registers, flags, stacks and counts at a jump are those at a breakpoint, also while it comes and goes
# modes: default
# seconds: 8 debug=28
# timeout: 1800
# modules: pe_probe pe_jump
#
# It changes the switch of jumps itself, and says when sites must be jumps.
set -eu
# shellcheck source=tests/func/lib/engine_lib.sh
. /host/engine_lib.sh

J=/sys/module/pe_jump/parameters
load pe_probe
text=$(cat $P/text)
load pe_jump

# all_hits: of the last storm: each call hits each of two sites five times, and returns the right sum
all_hits() {
	local calls sum last missed wrong
	read -r calls sum last missed wrong < $J/storm
	echo "storm: $calls calls, $sum and $last hits"
	made=$((made + calls))
	is 'missed' 0 "$missed"
	is 'wrong sums and addresses' 0 "$wrong"
	is 'hits of the first site' $((5 * calls)) "$sum"
	is 'hits of the second site' $((5 * calls)) "$last"
}

# storm MS: that long, and again until there were calls enough: the machine may have stood still
storm() {
	made=0
	until [ $made -ge 100 ]; do
		echo "$1" > $J/storm
		all_hits
	done
}

is 'registers' 'jump ok' "$(cat $J/exact)"
is 'stack' 'jump ok' "$(cat $J/stack)"
storm 500

# Off and on, many times: within a storm, no hit is lost.
[[ $(uname -r) = *debug* ]] && ms=20000 || ms=4000
made=0 n=0
until [ $n -ge 3 ] && [ $made -ge 100 ]; do
	echo $ms > $J/storm &
	pid=$!
	while alive $pid; do
		echo 0 > $P/optimization
		sleep 0.1
		echo 1 > $P/optimization
		sleep 0.$((RANDOM % 5 + 1))
		n=$((n + 1))
	done
	wait $pid
	all_hits
done
echo "switched off and on $n times"
is 'registers' 'jump ok' "$(cat $J/exact)"

echo 0 > $P/optimization
echo 0 > $J/jump
is 'registers' 'int3 ok' "$(cat $J/exact)"
is 'stack' 'int3 ok' "$(cat $J/stack)"
storm 500
echo 1 > $P/optimization
echo 1 > $J/jump
is 'registers' 'jump ok' "$(cat $J/exact)"

echo 'where an exception goes on'
now_is() { [ "$(field $1 4)" = "$2" ]; }
fixup=pe_jump:pe_jump_fixup_site other=pe_jump:pe_jump_no_fixup_site
add $fixup
add $other
within 60 now_is $other jump
refused_jump() { grep -q 'pe_jump_fixup_site.*something leads between the instructions' "$PROBES/kprobes/optimized"; }
within 60 refused_jump
is 'mechanism before the fixup' int3 "$(field $fixup 4)"
echo 7 > $J/fixup
expect_hits $fixup 7
expect_hits $other 7
del $fixup
del $other

# A kernel without context tracking always watches.
echo 'where RCU is not watching'
site=pe_jump:pe_jump_unwatched
add $site
within 60 now_is $site jump
unwatched=$(cat "$PROBES/kprobes/unwatched")
echo 3 > $J/unwatched
lost=$(($(cat "$PROBES/kprobes/unwatched") - unwatched))
echo "lost: $lost"
expect_hits $site $((3 - lost))
if [ $lost != 0 ]; then
	within 60 now_is $site int3
	echo 5 > $J/unwatched
	expect_hits $site $((8 - lost))
	echo 0 > $P/optimization
	echo 1 > $P/optimization
	is 'registers' 'jump ok' "$(cat $J/exact)"
	is 'mechanism' int3 "$(field $site 4)"
fi
del $site
rmmod pe_jump
is 'text' "$text" "$(cat $P/text)"
