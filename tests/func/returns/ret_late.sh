#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: a call that comes when the engine has gone, or has come back, by way of an entry slot
# seconds: 4 debug=14
# needs: ftrace
# modules: pe_calls pe_probe
#
# A BPF trampoline may have taken the address of an entry slot for that of the function, and
# sleep before it calls it. Here a thread does. The slot stays what it is: it leads to the
# function; and when that is probed again, the call is seen. An indirect call may go there: where
# the kernel is made for IBT, an ENDBR64 is there. (QEMU does not enforce that, so the test looks.)
set -eu
# shellcheck source=tests/func/lib/engine_lib.sh
. /host/engine_lib.sh
# shellcheck source=tests/func/lib/events_lib.sh
. /host/events_lib.sh

calls=/sys/module/pe_calls/parameters
fast=r:pe_calls:pe_calls_fast
cd /
umount "$PROBES"
rmmod probe_events
in_late() { cat /proc/[0-9]*/stack 2> /dev/null | grep -q pe_calls_late; }

for engine in gone back; do
	load pe_calls pe_probe
	slot=$(awk '$3 == "pe_entry_slots" { print $1 }' /proc/kallsyms)
	add $fast
	echo 3 > $calls/fast
	expect_hits $fast 3
	# It is the first function, so it has the first slot.
	echo "$slot" > $calls/late
	within 60 in_late
	del $fast
	rmmod pe_probe probe_core
	arena_stays
	if [ $engine = back ]; then
		load pe_probe
		add r:vfs_mkdir
		add $fast
	fi

	echo 1 > $calls/wake
	read -r addr word result ibt < $calls/late
	echo "engine $engine: slot $slot, found $addr: $word; IBT $ibt"
	is 'address' "$slot" "$addr"
	is 'what the call returned' 15 "$result"
	[ "$ibt" = 0 ] || is 'code there' fa1e0ff3 "$word"
	if [ $engine = back ]; then
		expect_hits $fast 1
		rmmod pe_probe probe_core
	fi
	rmmod pe_calls
	arena_goes
done
load probe_events
mount_ours
