#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: kill -9 of each verb at system calls of its own, drawn at random, many in make test-all: nothing is left
# seconds: 12 debug=66
# timeout: 5400
# packages: ncurses-base
# tools: probe-events killat
set -eu
# shellcheck source=tests/func/lib/tool_lib.sh
. /host/tool_lib.sh
export TERM=screen
RANDOM=${PE_SEED:=$(($(date +%s%N) % 30000 + 1))}
echo "PE_SEED=$PE_SEED"
cd /tmp

# left_nothing: what a killed verb had is gone
left_nothing() {
	cd "$PROBES"
	within 60 tool_nothing_left
	cd /tmp
}

# What a verb needs before it, and what undoes it if it was killed before it could
prepare() { :; }
mend() { :; }

# kill_one NUMBER WORDS...
kill_one() {
	local at=$1 status=0
	shift
	prepare
	# shellcheck disable=SC2086
	timeout 300 /host/killat $how "$at" "$tool" "$@" > /tmp/out 2> /tmp/err < /dev/null || status=$?
	[ "$status" != 137 ] || killed=$((killed + 1))
	[ "$status" != 124 ] || fail "it hangs, to be killed at stop $at: $*"
	mend
	left_nothing
}

# kill_verb [-f] [-t] WORDS...: how many stops it has is found out first; that depends on how much there is to
# read, and on time, so a kill beyond the end can come. Then that run has ended as it should. Half of the verbs
# have a turn in make test. With -f, what it starts has stops as well, and may be what is killed; with -t it has
# a terminal.
killed=0 runs=0 verbs=()
kill_verb() {
	local how='' stops at step

	while [[ $1 = -? ]]; do
		how+=" $1"
		shift
	done
	verbs+=("$1")
	in_turn 2 || return 0
	kill_one 0 "$@"
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
	echo "$stops stops of$how $*: $killed of $runs killed so far"
}

"$tool" trace read_zero -f json -o /tmp/saved -- dd if=/dev/zero of=/dev/null bs=1 count=50 status=none
kill_verb -f count read_zero by comm -a -- true
kill_verb lat read_zero by comm -d 10ms
kill_verb count read_zero by comm -i 50ms -d 120ms
kill_verb -f trace read_zero -- true
kill_verb check read_zero -d 10ms
kill_verb inside read_zero -d 10ms
kill_verb watch read_zero -L 1s -d 10ms
kill_verb -f watch read_zero -L 1s -- true
kill_verb count read_zero --dry-run
kill_verb list
kill_verb -t top read_zero -d 300ms
kill_verb -t top -d 300ms
kill_verb find read_zero
kill_verb limit
kill_verb report /tmp/saved by tid -o /tmp/answer
kill_verb doctor
kill_verb -f exec cat /sys/kernel/tracing/README
prepare() { "$tool" count read_zero -k 1h > /dev/null 2>&1; }
mend() { "$tool" rm --all > /dev/null 2>&1 || true; }
kill_verb rm --all
kill_verb list
prepare() { :; }
mend() { echo none > "$PROBES"/limits; }
kill_verb limit all hits=1G
mend() { :; }
[ ! -e /sys/kernel/btf/vmlinux ] || kill_verb trace @open -d 10ms
at_least 'killed' $((runs / 2)) "$killed"
is 'verbs that are left out' '' "$(comm -23 <(tool_verbs | sort) <(printf '%s\n' "${verbs[@]}" | sort))"
# Sessions that outlive the command are killed as well, after the command.
"$tool" count read_zero -k 1h > /dev/null 2> /tmp/err
"$tool" rm --all
left_nothing
# What comes after all that works.
"$tool" count read_zero by comm -a -- dd if=/dev/zero of=/dev/null bs=1 count=9 status=none > /tmp/out
has /tmp/out '^hits 9 = counted 9; none lost; cost [0-9.]*% of CPU$'
