#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: what is refused for want of memory is blamed on no event, what ftrace refuses on the right one
# tier: debug
# needs: failures kprobes ftrace
# seconds: debug=16
# tools: inject
# modules: pe_stock
#
# To find the event that ftrace refuses, some are armed and disarmed again; that takes memory,
# too. A kprobe of the kernel's with a post_handler has one of the functions to itself.

set -eu
cd "$PROBES"
# shellcheck source=tests/func/lib/check_lib.sh
. /host/check_lib.sh
# shellcheck source=tests/func/lib/inject_lib.sh
. /host/inject_lib.sh
P=/sys/module/pe_stock/parameters
insmod /modules/pe_stock.ko
for f in vfs_mkdir vfs_rmdir vfs_rename; do echo "r:g/$f $f"; done > kprobe_events

# done_with N M: so many failures, as inject says it of a sweep
done_with() { echo "enable: $1 failures of $1 allocations, $2 refused" | tee -a /tmp/all; }

# attempt N: enables all with the Nth allocation failing; $status and $answer of inject, $log
attempt() {
	echo > error_log
	status=0
	answer=$(INJECT_ONLY=$1 /host/inject enable write events/g/enable 1) || status=$?
	log=$(< error_log)
}

# blames EVENT: alone
blames() { is "failure $n: blamed" "  Command: $1" "$(grep Command <<< "$log")"; }

# No event is to blame.
refused=0
for ((n = 1; ; n++)); do
	attempt $n
	[ $status != 3 ] || break
	if [ $status = 1 ]; then
		is 'refused' "enable, failure $n: Cannot allocate memory" "$answer"
		is "failure $n: log" '' "$log"
		refused=$((refused + 1))
	fi
	echo 0 > events/g/enable
done
echo 0 > events/g/enable
done_with $((n - 1)) $refused
at_least 'refusals' 5 $refused

# One is, if it can be told.
echo 'vfs_rename!' > $P/add
memory=0
for ((n = 1; ; n++)); do
	attempt $n
	is 'refused' 1 $status
	case $answer in
	*memory)
		is "failure $n: log" '' "$log"
		memory=$((memory + 1))
		;;
	*busy)
		[[ $answer != *'(of fewer)'* ]] || break
		# The memory that was missing may have been that of the log.
		[ -z "$log" ] || blames 'r:g/vfs_rename vfs_rename'
		;;
	*)
		fail "$answer"
		;;
	esac
done
blames 'r:g/vfs_rename vfs_rename'
done_with $((n - 1)) $memory
at_least 'refusals for want of memory' 5 $memory
echo 'vfs_rename!' > $P/del

echo > kprobe_events
rmmod pe_stock
swept 10
