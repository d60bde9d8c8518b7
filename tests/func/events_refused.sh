#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: enabling a group says which probe cannot be armed, and arms none
# tier: 6.12-cloud 6.1-cloud
# needs: kprobes ftrace
# seconds: 5
# modules: pe_stock
#
# A kprobe of the kernel's with a post_handler has the function's entry to itself as far
# as return probes go.
set -eu
cd "$PROBES"
P=/sys/module/pe_stock/parameters
insmod /modules/pe_stock.ko

functions=(read_null write_null read_zero vfs_fsync vfs_statfs vfs_getattr vfs_mkdir)
for f in "${functions[@]}"; do
	echo "r:g/$f $f"
	echo "p:g/p_$f $f"
done > kprobe_events

for f in "${functions[@]}"; do
	echo "$f!" > $P/add
	echo > error_log
	if { echo 1 > events/g/enable; } 2> /tmp/err; then
		echo "$f: enabled"
		exit 1
	fi
	grep -q 'Device or resource busy' /tmp/err
	[ "$(cat events/g/enable)" = 0 ]
	[ "$(grep -c ' error: Failed to register probe event (ftrace refuses: ' error_log)" = 1 ]
	grep -x "  Command: r:g/$f $f" error_log
	[ "$(grep -A 1 Command error_log | tail -n 1)" = "$(printf '%*s' $((${#f} + 11 + 5 + 1)) '^')" ]
	# Entry probes have nothing to do with it.
	echo 1 > "events/g/p_$f/enable"
	echo 0 > "events/g/p_$f/enable"
	echo "$f!" > $P/del
done

# All at once, switched off for a while: only what somebody else has taken stays unarmed.
echo 1 > events/g/enable
echo 0 > kprobes/enabled
echo 'read_zero!' > $P/add
echo > error_log
if { echo 1 > kprobes/enabled; } 2> /tmp/err; then
	echo 'nobody was told'
	exit 1
fi
grep -q 'Device or resource busy' /tmp/err
[ "$(cat kprobes/enabled)" = 1 ]
[ "$(grep -c ' error: Failed to register probe event (ftrace refuses: somebody else' error_log)" -ge 1 ]
grep -x "  Command: r:g/read_zero read_zero" error_log
not_armed() { grep '\[UNARMED\]' kprobes/list | awk '{ sub(/[+].*/, "", $3); print $3 }' | sort -u; }
[ "$(not_armed)" = read_zero ] || { cat kprobes/list; exit 1; }
[ "$(grep -c '\[FTRACE\]' kprobes/list)" -ge 12 ]
echo 'read_zero!' > $P/del
echo 1 > kprobes/enabled
[ -z "$(not_armed)" ]
echo 0 > events/g/enable

echo 1 > events/g/enable
dd if=/dev/zero of=/dev/null bs=1 count=5 status=none
echo 0 > events/g/enable
[ "$(grep -c ' read_zero: ' trace)" = 5 ]
[ "$(grep -c ' p_read_zero: ' trace)" = 5 ]
echo > kprobe_events
rmmod pe_stock
