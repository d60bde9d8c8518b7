#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: rmdir of an instance that has the only limits of events: what waits lets look-ups go on
# not: 6.12-rt: its mutexes begin with another word than the owner
# seconds: 2
#
# A probe in the kernel's function that waits for RCU records whose the mutex of names is at that
# moment. Look-ups take it, too, and must not wait while rmdir does.
set -eu
cd "$PROBES"
# shellcheck source=tests/func/lib/events_lib.sh
. /host/events_lib.sh
if ! grep -q ' pe_name_mutex\b' /proc/kallsyms; then
	echo 'the kernel does not know symbols of data'
	exit 4
fi

printf '%s\n' 'p:e/a vfs_read' 'p:e/b vfs_write' 'p:e/c vfs_open' >kprobe_events
mkdir instances/x
for event in a b c; do
	echo rate=1000000/s >instances/x/events/e/$event/limit
	echo 1 >events/e/$event/enable
done
echo 'p:w/wait synchronize_rcu owner=@pe_name_mutex:x64 task=$current comm=$comm' >>kprobe_events
echo 1 >events/w/wait/enable
echo >trace
rmdir instances/x
echo 0 >events/w/wait/enable
for event in a b c; do
	lacks events/e/$event/limit rate
	echo 0 >events/e/$event/enable
done
grep ' wait: .*comm="rmdir"' trace | sed 's/.*owner=/owner=/' >/tmp/waits || :
cat /tmp/waits
# A wait for each limit, and those for the instance itself.
at_least 'waits' 4 "$(wc -l </tmp/waits)"
# The low bits of a mutex's owner are flags.
while read -r owner task _; do
	owner=${owner#*=} task=${task#*=}
	[ $((owner & ~7)) != $((task)) ] || fail "waits with the mutex of names: $owner"
done </tmp/waits
