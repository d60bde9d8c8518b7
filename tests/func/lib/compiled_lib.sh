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
# compiled_like EVENT WHAT COMMAND: the records, as COMMAND passes them on, are the same with and without
# compiled hits
compiled_like() {
	compiled_calls
	compiled_fields "$1" | $3 > /tmp/compiled
	echo 0 > kprobes/compile
	compiled_calls
	compiled_fields "$1" | $3 > /tmp/interpreted
	echo 1 > kprobes/compile
	[ -s /tmp/compiled ] || fail "no records with $2"
	diff /tmp/compiled /tmp/interpreted > /tmp/diff || fail "$2: $(head -3 /tmp/diff; tail -2 /tmp/diff)"
}
