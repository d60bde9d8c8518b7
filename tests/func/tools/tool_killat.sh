#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: kill -9 of each verb at system calls of its own, drawn at random, many in make test-all: nothing is left
# seconds: 25 debug=29
# timeout: 5400
# tools: probe-events killat
set -eu
# shellcheck source=tests/func/lib/tool_lib.sh
. /host/tool_lib.sh
RANDOM=${PE_SEED:=$(($(date +%s%N) % 30000 + 1))}
echo "PE_SEED=$PE_SEED"
cd /tmp

# left_nothing: what a killed verb had is gone
left_nothing() {
	cd "$PROBES"
	within 60 tool_nothing_left
	cd /tmp
}

# kill_one NUMBER WORDS...
kill_one() {
	local at=$1 status=0
	shift
	timeout 60 /host/killat "$at" "$tool" "$@" > /tmp/out 2> /tmp/err < /dev/null || status=$?
	[ "$status" != 137 ] || killed=$((killed + 1))
	[ "$status" != 124 ] || fail "it hangs, to be killed at stop $at: $*"
	left_nothing
}

# kill_verb WORDS...: how many stops it has is found out first; that depends on how much there is to read,
# and on time, so a kill beyond the end can come. Then that run has ended as it should.
killed=0 runs=0
kill_verb() {
	local stops at step status=0

	timeout 60 /host/killat 0 "$tool" "$@" > /tmp/out 2> /tmp/err < /dev/null || status=$?
	differs "status of $*" 124 "$status"
	left_nothing
	stops=$(cat killat.stops)
	at_least "stops of $*" 20 "$stops"
	if [ -n "${PE_LONG:-}" ]; then
		# Each, or evenly 150 of them: a long list of symbols is read by calls that differ in nothing.
		step=$((stops / 150 + 1))
		for ((at = RANDOM % step + 1; at <= stops; at += step)); do
			kill_one "$at" "$@"
			runs=$((runs + 1))
		done
	else
		# The end has what is most: arming, waiting, reading.
		for at in $((RANDOM % stops + 1)) $((stops - RANDOM % 40)) $((stops - RANDOM % 12)); do
			kill_one "$at" "$@"
			runs=$((runs + 1))
		done
	fi
	echo "$stops stops of $*: $killed of $runs killed so far"
}

kill_verb count read_zero by comm -a -- true
kill_verb lat read_zero by comm -d 10ms
kill_verb count read_zero by comm -i 50ms -d 120ms
kill_verb trace read_zero -- true
kill_verb check read_zero -d 10ms
kill_verb inside read_zero -d 10ms
kill_verb watch read_zero -L 1s -d 10ms
kill_verb count read_zero --dry-run
kill_verb list
[ ! -e /sys/kernel/btf/vmlinux ] || kill_verb trace @open -d 10ms
at_least 'killed' $((runs / 2)) "$killed"
# Sessions that outlive the command are killed as well, after the command.
"$tool" count read_zero -k 1h > /dev/null 2> /tmp/err
"$tool" rm --all
left_nothing
# What comes after all that works.
"$tool" count read_zero by comm -a -- dd if=/dev/zero of=/dev/null bs=1 count=9 status=none > /tmp/out
has /tmp/out '^hits 9 = counted 9; none lost; cost [0-9.]*% of CPU$'
