#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: a group of return probes that is refused names the guilty one, also beside BPF
# needs: kprobes ftrace btf
# seconds: 3
# tools: bpfcount
# modules: pe_stock pe_direct
#
# Functions that BPF has entered are armed in another way than the others, and after them. A
# kprobe of the kernel's with a post_handler has the guilty function to itself; pe_direct is like
# BPF while that changes its programs.
set -eu
# shellcheck source=tests/func/lib/check_lib.sh
. /host/check_lib.sh
P=/sys/module/pe_stock/parameters
insmod /modules/pe_stock.ko
cd "$PROBES"

dir=$(mktemp -d)
mkfifo "$dir/in" "$dir/out"
/host/bpfcount vfs_mkdir entry < "$dir/in" > "$dir/out" &
exec {to}> "$dir/in" {from}< "$dir/out"
read -r answer <&$from
is 'BPF' attached "$answer"

# blamed ERROR REASON: vfs_rmdir, wherever it is among others
blamed() {
	local functions

	for functions in 'vfs_mkdir vfs_rmdir vfs_rename' 'vfs_rmdir vfs_mkdir vfs_rename' \
			 'vfs_rename vfs_mkdir vfs_rmdir'; do
		for f in $functions; do echo "r:g/$f $f"; done > kprobe_events
		echo > error_log
		refused "$1" put 1 events/g/enable
		is "$functions: blamed" '  Command: r:g/vfs_rmdir vfs_rmdir' "$(grep Command error_log)"
		has error_log " error: Failed to register probe event (ftrace refuses: $2)"
	done
}

echo 'vfs_rmdir!' > $P/add
blamed 'Device or resource busy' 'another user of ftrace diverts the function'
echo 'vfs_rmdir!' > $P/del
insmod /modules/pe_direct.ko function=vfs_rmdir
blamed 'Resource temporarily unavailable' 'BPF is changing its programs on the function'
rmmod pe_direct
echo 1 > events/g/enable
echo 0 > events/g/enable
echo > kprobe_events

exec {to}>&- {from}<&-
wait
rmmod pe_stock
