#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: functions that could not be taken out of ftrace's filter, without memory, are later
# tier: debug
# seconds: debug=30
# needs: failures tracefs ftrace
# modules: pe_probe
set -eu
# shellcheck source=tests/func/lib/engine_lib.sh
. /host/engine_lib.sh

load pe_probe
T=/sys/kernel/tracing
mountpoint -q $T || mount -t tracefs tracefs $T
failslab=/sys/kernel/debug/failslab
filtered() { grep -c "^$1 " $T/enabled_functions || true; }

echo Y > $failslab/task-filter
echo N > $failslab/ignore-gfp-wait
echo 0 > $failslab/verbose
echo 1 > $failslab/interval
echo -1 > $failslab/times
exec {fail}> /proc/self/make-it-fail {disable}> $P/disable

# disable PROBE BYTES: each allocation fails after those that have taken so many bytes
disable() {
	echo "$2" > $failslab/space
	echo 100 > $failslab/probability
	echo 1 >&$fail
	echo "$1" >&$disable
	echo 0 >&$fail
	echo 0 > $failslab/probability
	is 'mechanism' none "$(field "$1" 4)"
}

first=20	# sysfs's own, for what is written
for kind in '' r:; do
	for f in vfs_mkdir vfs_rmdir vfs_rename; do add $kind$f; done
	disable ${kind}vfs_mkdir $first
	is 'without memory' 1 "$(filtered vfs_mkdir)"	# or nothing has failed
	echo ${kind}vfs_rmdir > $P/disable
	is 'later' 0 "$(filtered vfs_mkdir)"
	is 'the others' '0 1' "$(filtered vfs_rmdir) $(filtered vfs_rename)"
	add vfs_unlink
	is 'those that stay, and new ones' '1 1' "$(filtered vfs_rename) $(filtered vfs_unlink)"
	for f in vfs_mkdir vfs_rmdir vfs_rename; do del $kind$f; done
	del vfs_unlink
	is 'all gone' 0 "$(filtered 'vfs_[a-z]*')"
done

# The change that tries again is without memory, too, from some point on. A copy of a filter
# takes more than 8192 bytes.
whole=0 part=0
for kind in '' r:; do
	for bytes in $first 8300 8450 8600 8800 9500 16700 16900 17200 40000; do
		for f in vfs_mkdir vfs_rmdir vfs_rename vfs_link; do add $kind$f; done
		disable ${kind}vfs_mkdir $first
		disable ${kind}vfs_rmdir $bytes
		left="$(filtered vfs_mkdir) $(filtered vfs_rmdir)"
		echo "$kind $bytes bytes: $left"
		is 'those that stay' '1 1' "$(filtered vfs_rename) $(filtered vfs_link)"
		case $left in 0\ 0) whole=$((whole + 1)) ;; *) part=$((part + 1)) ;; esac
		add ${kind}vfs_unlink
		is 'those that stay, and a new one' '1 1 1 of 3' \
			"$(filtered vfs_rename) $(filtered vfs_link) $(filtered vfs_unlink) of $(filtered 'vfs_[a-z]*')"
		for f in vfs_mkdir vfs_rmdir vfs_rename vfs_link vfs_unlink; do del $kind$f; done
	done
done
at_least 'without memory' 2 $part
at_least 'with enough' 2 $whole
is 'all gone' 0 "$(filtered 'vfs_[a-z]*')"
exec {fail}>&- {disable}>&-
rmmod pe_probe
