#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: instances made and removed while events come, go, are switched, hit and read in them
# seconds: 5
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

# Without a subshell: as often as possible.
some() { i=$((RANDOM % 3)); e=$((RANDOM % 6)); on=$((RANDOM % 2)); }

make() { some; mkdir instances/i$i; }
remove() { some; rmdir instances/i$i; }

define() {
	some
	case $((RANDOM % 3)) in
	0) echo "p:race/e$e vfs_read a=%di" ;;
	1) echo "p:race/e$e $fn a=%di c=\$comm" ;;
	2) echo "p:race$e/x vfs_open s=+0(%si):ustring" ;;
	esac >> kprobe_events
}

delete() {
	some
	case $((RANDOM % 3)) in
	0) echo "-:race/e$e" ;;
	1) echo "-:race$e/" ;;
	2) echo "-:race/" ;;
	esac >> kprobe_events
}

switch() {
	some
	case $((RANDOM % 5)) in
	0) echo $on > instances/i$i/events/race/e$e/enable ;;
	1) echo $on > instances/i$i/events/race/enable ;;
	2) echo $on > instances/i$i/events/enable ;;
	3) echo $on > instances/i$i/events/race$e/x/enable ;;
	4) echo $on > events/race/enable ;;
	esac
}

# Files that are open while their event or instance may be going.
look() {
	some
	exec 7< instances/i$i/events/race/e$e/format 8< instances/i$i/trace
	cat <&7 > /dev/null
	head -n 50 <&8 > /dev/null
	exec 7<&- 8<&-
	cat instances/*/events/enable instances/*/events/*/*/{id,enable,format} instances/*/per_cpu/*/stats > /dev/null
	ls -R instances > /dev/null
	true
}

# In directories that may be going, and with what a user has changed in them.
stay() {
	some
	set -- instances/i$i/events/race*/*/
	(
		cd "$1" || exit
		chmod 60$on format
		chgrp $on .
		ls -l . .. > /dev/null
		cat id format > /dev/null
		true
	)
}

settings() {
	some
	case $((RANDOM % 4)) in
	0) echo mono > instances/i$i/trace_clock ;;
	1) echo $((4 + RANDOM % 64)) > instances/i$i/buffer_size_kb ;;
	2) echo $on > instances/i$i/tracing_on ;;
	3) echo $on > instances/i$i/options/overwrite ;;
	esac
}

# Hits in every context, but not so many that other tasks get nowhere.
short_storm() {
	echo 1 > $run
	sleep 0.05
	echo 0 > $run
	sleep 1
}

insmod /modules/pe_stress.ko || exit 1
run=/sys/module/pe_stress/parameters/run

# These stay.
printf '%s\n' "p:keep/read vfs_read" "p:keep/mod $fn c=\$comm" > kprobe_events || exit 1
echo 1 > events/keep/enable || exit 1
race "$duration" '$3 > 0 && $NF > 0' make make remove define delete switch switch look stay settings short_storm

for f in events/enable instances/*/events/enable; do
	[ ! -e "$f" ] || echo 0 > "$f" || exit 1
done
cat kprobe_losses
sums || exit 1
for i in instances/*; do
	[ ! -d "$i" ] || rmdir "$i" || exit 1
done
echo > kprobe_events || exit 1
rmmod pe_stress || exit 1
holds kprobe_events ''
no_groups
is 'instances' '' "$(ls instances)"
