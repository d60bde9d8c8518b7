#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: kill -9 of probe-events at random moments, in each verb, under load: nothing is left armed
# seconds: 40
# tools: probe-events
set -eu
# shellcheck source=tests/func/lib/check_lib.sh
. /host/check_lib.sh
tool=/host/probe-events
cd "$PROBES"
rounds=$(length 6 60)
left() {
	cat dynamic_events kprobes/list sessions set_event
	ls instances
	cat events/*/*/trigger 2> /dev/null | grep -v '^#' || true
}
before=$(left)
nothing_left() { [ "$(left)" = "$before" ]; }

# Hits all the time, and other writers of sessions.
while :; do dd if=/dev/zero of=/dev/null bs=1 count=500 status=none; done & load=$!
while :; do "$tool" count write_null -d 50ms > /dev/null 2>&1 || true; done & other=$!

# A third of the moments is at once, a third in the first tenth of a second: most is done there.
moment() {
	case $((RANDOM % 3)) in
	1) sleep "0.0$((RANDOM % 90 + 10))" ;;
	2) sleep "0.$((RANDOM % 600 + 100))" ;;
	esac
}
live=0 killed=0
verb() {
	local round pid
	for round in $(seq "$rounds"); do
		"$tool" "$@" > /dev/null 2>&1 & pid=$!
		moment
		kill -STOP $pid 2> /dev/null || true
		gawk -v pid=$pid -F '\t' '$2 == pid { found = 1 } END { exit !found }' sessions &&
			live=$((live + 1))
		kill -9 $pid 2> /dev/null && killed=$((killed + 1))
		wait $pid 2> /dev/null || true
	done
	echo "$rounds of $*: $killed killed so far, $live of them in a session"
}
verb count read_zero by comm
verb count 'vfs_r*' by func -i 50ms
verb count read_zero by comm,stack -- sh -c 'dd if=/dev/zero of=/dev/null bs=1 count=2000 status=none'
verb lat read_zero by comm
verb lat vfs_read -- sleep 0.3
verb trace read_zero by arg3
verb trace vfs_read by ret -- sleep 0.3
verb check read_zero 'vfs_w*'
verb list
verb find 'vfs_r*'
kill $other
wait $other || true
kill $load
wait $load || true
if ! within 60 nothing_left; then
	diff <(echo "$before") <(left)
	exit 1
fi
at_least 'killed' $((rounds * 5)) $killed
at_least 'killed in a session' $((rounds * 2)) $live
# What comes after them works.
"$tool" count read_zero by comm -- dd if=/dev/zero of=/dev/null bs=1 count=9 status=none > /tmp/out
has /tmp/out 'counted 9.*; none lost; cost [0-9.]*% of CPU$'
