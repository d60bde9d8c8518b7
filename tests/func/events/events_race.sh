#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: events defined, switched, read and removed by many at once, a module coming and going
# tier: 6.12-cloud 6.12-rt
# seconds: 7 debug=16
# modules: pe_stress
#
# What counts is that nothing breaks, that every counter adds up at the end, and that all can
# be removed.

set -u
cd "$PROBES" || exit 1
# shellcheck source=tests/func/lib/events_lib.sh
. /host/events_lib.sh
# shellcheck source=tests/func/lib/race_lib.sh
. /host/race_lib.sh

define() {
	local i=$((RANDOM % 8))

	case $((RANDOM % 4)) in
	0) echo "p:race/e$i vfs_read a=%di" ;;
	1) echo "p:race/e$i vfs_write a=%di" ;;
	2) echo "p:race/m$i $fn a=%di c=\$comm" ;;
	3) echo "p:race$i/x vfs_open s=+0(%si):ustring" ;;
	esac >> kprobe_events
}

delete() {
	local i=$((RANDOM % 8))

	case $((RANDOM % 6)) in
	0) echo "-:race/e$i" ;;
	1) echo "-:race/e$i vfs_read" ;;
	2) echo "-:race/m$i" ;;
	3) echo "-:race$i/" ;;
	4) echo "-:race/" ;;
	5) echo "!p:race/e$i vfs_write a=%di" ;;
	esac >> dynamic_events
}

switch() {
	local i=$((RANDOM % 8)) on=$((RANDOM % 2))

	case $((RANDOM % 4)) in
	0) echo $on > events/race/e$i/enable ;;
	1) echo $on > events/race/enable ;;
	2) echo $on > events/enable ;;
	3) echo $on > events/race$i/x/enable ;;
	esac
}

# Files that are open while their event goes, and others.
look() {
	exec 7< events/race/e$((RANDOM % 8))/format
	cat kprobe_events kprobe_profile kprobe_losses events/*/enable events/*/*/{id,format} <&7 > /dev/null
	exec 7<&-
	ls -R events > /dev/null
	cat trace kprobes/list > /dev/null
	true
}

module() {
	insmod /modules/pe_stress.ko || return
	echo 1 > /sys/module/pe_stress/parameters/run
	sleep 0.1
	rmmod pe_stress
}

# These stay; switching all events switches them, too.
printf '%s\n' "p:keep/read vfs_read" "p:keep/mod $fn c=\$comm" > kprobe_events || exit 1
race "$duration" '$3 > 0' define define delete switch switch look module 'head -c 9 /proc/self/stat > /dev/null'

echo 0 > events/enable || exit 1
cat kprobe_losses
sums || exit 1
echo > kprobe_events || exit 1
holds kprobe_events ''
no_groups
