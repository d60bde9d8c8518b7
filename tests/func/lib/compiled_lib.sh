# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# Events whose hits are compiled, and the same interpreted.  Needs events_lib.sh; the events are in
# the group "c".

# compiled_state EVENT: what kprobes/compiled says, which waits until what can be compiled is
compiled_state() { sed -n "s,^$1 [^ ]* ,,p" kprobes/compiled; }
compiled_bytes() { sed -n 's/^# [0-9]* sites, \([0-9]*\) of.*/\1/p' kprobes/compiled; }

# compiled_fields EVENT: of what the task `dd` has left, without times, and without saying that it is to be
# rescheduled
compiled_fields() {
	grep "^ *dd-.* $1: " trace | sed -E 's/^ *dd-[0-9]+ *//; s/ +[0-9]+\.[0-9]+: / /; s/^(\[[0-9]+\] .)./\1/'
}
compiled_calls() {
	echo > trace
	taskset -c 0 dd if=/dev/zero of=/dev/null bs=7 count=50 status=none
	taskset -c 0 dd if=/dev/zero of=/dev/null bs=200 count=50 status=none
	! taskset -c 0 dd if=/"$(printf 'x%.0s' {1..70})" of=/dev/null status=none 2>/dev/null || fail "it is there"
}
# compiled_both EVENT WHAT COMMAND: the records of compiled and of interpreted hits, as COMMAND passes them on, in
# /tmp/compiled and /tmp/interpreted
compiled_both() {
	compiled_calls
	compiled_fields "$1" | $3 > /tmp/compiled
	echo 0 > kprobes/compile
	compiled_calls
	compiled_fields "$1" | $3 > /tmp/interpreted
	echo 1 > kprobes/compile
	[ -s /tmp/compiled ] || fail "no records with $2"
}
# compiled_like EVENT WHAT COMMAND: both are the same
compiled_like() {
	compiled_both "$@"
	diff /tmp/compiled /tmp/interpreted > /tmp/diff || fail "$2: $(head -3 /tmp/diff; tail -2 /tmp/diff)"
}
# compiled_but_faults EVENT WHAT: both are the same, but for fields that could not be read once: which page of a
# process is there at its first use is not the same twice.  Nor is the CPU of `taskset` before it is dd.
compiled_but_faults() {
	compiled_both "$1" "$2" "sed s/.*$1:/$1:/"
	is "records with $2" "$(wc -l < /tmp/compiled)" "$(wc -l < /tmp/interpreted)"
	paste -d '\n' /tmp/compiled /tmp/interpreted > /tmp/pairs
	awk 'NR % 2 { line = $0; fields = split(line, one); next }
	{
		same = NF == fields
		for (i = 1; same && i <= NF; i++)
			same = $i == one[i] || $i ~ /=[(]fault[)]$/ || one[i] ~ /=[(]fault[)]$/
		if (!same) { print line; print; wrong = 1 }
	}
	END { exit wrong }' /tmp/pairs > /tmp/diff || fail "$2: $(head -6 /tmp/diff)"
}
