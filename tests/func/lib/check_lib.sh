# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# shellcheck shell=bash
#
# Comparing and waiting, for tests. A check that fails says what it wanted and what it saw, and
# ends the test. A test waits for what it wants to see, never for a time: a slow machine only
# takes longer.

# Files that fail shows; libs and tests add theirs.
declare -a evidence

# fail TEXT...: the test has failed, at the line that is printed
fail() {
	local i file line=''

	for i in "${!BASH_SOURCE[@]}"; do
		[ "$i" -gt 0 ] && [ "${BASH_SOURCE[i]}" = "$0" ] || continue
		line="line ${BASH_LINENO[i - 1]}: "
		break
	done
	for file in "${evidence[@]}"; do
		[ ! -r "$file" ] || { echo "--- $file"; head -n 40 "$file" || true; }
	done
	echo "FAIL: $line$*"
	exit 1
}

# wrong TEXT...: the test goes on, and fails in none_wrong
failures=${failures:-0}
wrong() {
	echo "FAIL: $*"
	failures=$((failures + 1))
}

# none_wrong: there was no call of wrong
none_wrong() { [ "$failures" = 0 ] || fail "$failures failures, see above"; }

# is WHAT WANTED GOT: they are the same text
is() { [ "$2" = "$3" ] || fail "$1: wanted '$2', got '$3'"; }

# differs WHAT UNWANTED GOT: they are not the same text
differs() { [ "$2" != "$3" ] || fail "$1: still '$3'"; }

# at_least WHAT N GOT: a number that is not smaller
at_least() { [ "$3" -ge "$2" ] || fail "$1: wanted $2 or more, got '$3'"; }

# at_most WHAT N GOT: a number that is not greater
at_most() { [ "$3" -le "$2" ] || fail "$1: wanted $2 or less, got '$3'"; }

# matches WHAT PATTERN GOT: GOT as a whole is like PATTERN, which is one of case
matches() {
	# shellcheck disable=SC2053
	[[ $3 = $2 ]] || fail "$1: wanted '$2', got '$3'"
}

# holds FILE WANTED: its whole text but for newlines at the end. The size of our files is always
# 0: that one is empty is "holds FILE ''", never "[ ! -s FILE ]".
holds() {
	local got

	got=$(cat -- "$1") || fail "$1 cannot be read"
	[ "$got" = "$2" ] || fail "$1: wanted '$2', got '$got'"
}

# has FILE PATTERN [OPTION...]: a line of it matches, by grep with these options
has() {
	grep -q "${@:3}" -e "$2" -- "$1" || fail "$1: no line has '$2' in: $(head -c 4000 "$1")"
}

# lacks FILE PATTERN [OPTION...]: it can be read, and no line matches
lacks() {
	local found status=0

	found=$(grep -m 5 "${@:3}" -e "$2" -- "$1") || status=$?
	[ $status = 1 ] || fail "$1: '$2' in: $found"
}

# exists PATH, missing PATH
exists() { [ -e "$1" ] || fail "$1 is not there"; }
missing() { [ ! -e "$1" ] || fail "$1 is there"; }

# not COMMAND...: it must fail ("!" alone would not stop the script)
not() {
	if "$@"; then fail "unexpected success: $*"; fi
}

# refused ERROR COMMAND...: it fails, with a message that has ERROR, a pattern of grep
refused() {
	local err

	if err=$("${@:2}" 2>&1); then fail "unexpected success: ${*:2}"; fi
	grep -q -e "$1" <<< "$err" || fail "${*:2}: wanted '$1', got '$err'"
}

# put TEXT FILE, append TEXT FILE: as commands, for refused and not; put truncates
put() { printf '%s\n' "$1" > "$2"; }
append() { printf '%s\n' "$1" >> "$2"; }

# within SECONDS COMMAND...: it becomes true in time, or the test fails. Tries are counted, not
# seconds: what a machine spends elsewhere does not count.
within() {
	local tries=$(($1 * 20))

	until "${@:2}"; do
		[ $((tries -= 1)) -ge 0 ] || fail "not within $1 s: ${*:2}"
		sleep 0.05
	done
}

# Conditions for within, about a process, a file's lines and a file's text.
alive() { kill -0 "$1" 2> /dev/null; }
gone() { ! alive "$1"; }
in_state() {
	local stat

	{ read -r stat < "/proc/$2/stat"; } 2> /dev/null && stat=${stat##*) } && [ "${stat%% *}" = "$1" ]
}
asleep() { in_state S "$1"; }
has_lines() { [ "$(grep -c -- "$3" "$1")" = "$2" ]; }	# FILE N PATTERN
text_is() { [ "$(cat "$1" 2> /dev/null)" = "$2" ]; }	# FILE TEXT

# detours_forgotten: no task can be in one, and padding is what it was before there were jumps. In our
# directory.
detours_forgotten() { [ "$(cut -d' ' -f1 kprobes/detours)" = 0 ]; }

# in_turn N: one call in N is true, and all with PE_LONG: each run takes another part of a long list.
# The first draw is printed.
in_turn() {
	[ -z "${PE_LONG:-}" ] || return 0
	if [ -z "${turns:-}" ]; then
		turns=${PE_SEED:-$RANDOM}
		echo "# parts are taken from $turns on"
	fi
	turns=$((turns + 1))
	[ $((turns % $1)) = 0 ]
}

# count PATTERN [FILE]: lines of FILE, or of stdin, that match
count() { grep -c -e "$1" -- "${2:--}" || true; }
