#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: functions that could not be taken out of ftrace's filter, without memory, are later
# tier: debug
# seconds: debug=16
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

# Each allocation of this task fails but the first, sysfs's own for what is written.
echo Y > $failslab/task-filter
echo N > $failslab/ignore-gfp-wait
echo 0 > $failslab/verbose
echo 1 > $failslab/interval
echo -1 > $failslab/times
echo 20 > $failslab/space
exec {fail}> /proc/self/make-it-fail {disable}> $P/disable

for kind in '' r:; do
	for f in vfs_mkdir vfs_rmdir vfs_rename; do add $kind$f; done
	echo 20 > $failslab/space
	echo 100 > $failslab/probability
	echo 1 >&$fail
	echo ${kind}vfs_mkdir >&$disable
	echo 0 >&$fail
	echo 0 > $failslab/probability
	is 'mechanism' none "$(field ${kind}vfs_mkdir 4)"
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
exec {fail}>&- {disable}>&-
rmmod pe_probe
