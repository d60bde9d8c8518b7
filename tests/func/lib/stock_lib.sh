# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# shellcheck shell=bash
#
# The kernel's own tracefs, at $stock, beside ours: the same is done in both, and what is
# printed and answered has to be equal.

# shellcheck source=tests/func/lib/check_lib.sh
. /host/check_lib.sh

stock=/tmp/stock
mkdir -p $stock
mount -t tracefs none $stock
# Each change waits for RCU several times.
echo 1 > /sys/kernel/rcu_expedited
trap 'echo 0 > /sys/kernel/rcu_expedited' EXIT

# in_dir DIRECTORY COMMAND: its output and status. In a shell of its own, which is forked and
# not started: there are hundreds.
in_dir() {
	set +eEu
	trap - ERR
	cd "$1" && eval "$2" 2>&1
	echo "status $?"
}

# same WHAT COMMAND: run in both directories, with equal output and status. $n counts.
same() {
	local ours theirs

	ours=$(in_dir "$PROBES" "$2")
	theirs=$(in_dir $stock "$2")
	[ "$ours" = "$theirs" ] ||
		fail "$1: $2"$'\nours:\n'"$ours"$'\nthe kernel:\n'"$theirs"
	n=$((n + 1))
	echo "$SECONDS s: $1"		# shown if the next one hangs
}
n=0

# apart WHAT OURS THEIRS COMMAND: a row of Differences in kprobe-events.md: the words that it prints,
# and "status N", in each directory
apart() {
	is "$1, ours" "$2" "$(in_dir "$PROBES" "$4" | paste -sd ' ')"
	is "$1, the kernel's" "$3" "$(in_dir $stock "$4" | paste -sd ' ')"
	n=$((n + 1))
}

# first_error: the first entry of error_log, without its time and what we say in brackets; nothing if
# it is one that the kernel does not log.
first_error() {
	sed '/error: \(No such command\|Place is not specified\|Event is not found\|Cannot be defined here\|Refused\)/,$d
		4,$d; s/^\[.*\] trace/trace/; 1s/ (.*)$//' error_log
}
