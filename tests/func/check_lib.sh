# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Comparing and waiting, for tests. A test waits for what it wants to see, never for a time: a
# slow machine only takes longer.

# is WHAT WANTED GOT
is() {
	[ "$2" = "$3" ] || { echo "$1: wanted '$2', got '$3'"; exit 1; }
}

# within SECONDS COMMAND...: it becomes true in time, or the test fails.
within() {
	local end=$((SECONDS + $1 + 1))

	until "${@:2}"; do
		if [ $SECONDS -ge $end ]; then
			echo "not within $1 s: ${*:2}"
			exit 1
		fi
		sleep 0.05
	done
}

# For within: what a process or a file has become.
alive() { kill -0 "$1" 2> /dev/null; }
gone() { ! alive "$1"; }
asleep() { [ "$(awk '{ print $3 }' 2> /dev/null < "/proc/$1/stat")" = S ]; }
# has FILE N PATTERN: lines of FILE with it
has() { [ "$(grep -c -- "$3" "$1")" = "$2" ]; }
