#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: enabling a group says which probe cannot be armed, and arms none
# tier: 6.12-cloud 6.1-cloud
# needs: kprobes ftrace
# seconds: 3
# modules: pe_stock
#
# A kprobe of the kernel's with a post_handler has the function's entry to itself as far
# as return probes go.
set -eu
cd "$PROBES"
# shellcheck source=tests/func/lib/events_lib.sh
. /host/events_lib.sh
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
	refused 'Device or resource busy' put 1 events/g/enable
	holds events/g/enable 0
	is "errors for $f" 1 "$(count ' error: Failed to register probe event (ftrace refuses: ' error_log)"
	has error_log "  Command: r:g/$f $f" -x
	is "caret for $f" "$(printf '%*s' $((${#f} + 11 + 5 + 1)) '^')" "$(grep -A 1 Command error_log | tail -n 1)"
	# A place that is an address: what who may not see addresses sees is what kprobe_events shows.
	if [ "$f" = read_null ]; then
		address=$(grep -m 1 " read_null$" /proc/kallsyms)
		echo "r:at/e 0x${address%% *}" >> kprobe_events
		echo > error_log
		refused 'Device or resource busy' put 1 events/at/e/enable
		has error_log "  Command: r:at/e 0x${address%% *}$"
		echo 2 > /proc/sys/kernel/kptr_restrict
		has error_log "  Command: r:at/e $(sed -n 's,^r:at/e ,,p' kprobe_events)$"
		lacks error_log "${address:0:12}"
		echo 0 > /proc/sys/kernel/kptr_restrict
		echo '-:at/e' >> kprobe_events
	fi
	# Entry probes have nothing to do with it.
	echo 1 > "events/g/p_$f/enable"
	echo 0 > "events/g/p_$f/enable"
	echo "$f!" > $P/del
done

# All at once, switched off for a while: only what another tracer has taken stays unarmed.
# Events that are disabled have no part in that: none is named, and one more may be defined.
echo 'p:off/zero read_zero' >> kprobe_events
echo 1 > events/g/enable
echo 0 > kprobes/enabled
echo 'read_zero!' > $P/add
echo > error_log
refused 'Device or resource busy' put 1 kprobes/enabled
holds kprobes/enabled 1
at_least 'errors' 1 "$(count ' error: Failed to register probe event (ftrace refuses: another user' error_log)"
has error_log '  Command: r:g/read_zero read_zero' -x
lacks error_log 'off/zero'
echo 'p:off/late read_zero' >> kprobe_events
echo 'r:off/late_return read_zero' >> kprobe_events
not_armed() { grep '\[UNARMED\]' kprobes/list | awk '{ sub(/[+].*/, "", $3); print $3 }' | sort -u; }
evidence+=(kprobes/list)
is 'not armed' read_zero "$(not_armed)"
at_least 'armed' 12 "$(count '\[FTRACE\]' kprobes/list)"
echo 'read_zero!' > $P/del
echo 1 > kprobes/enabled
is 'not armed' '' "$(not_armed)"
echo 0 > events/g/enable

echo 1 > events/g/enable
read_zeros 5
echo 0 > events/g/enable
is 'records of read_zero in trace' 5 "$(records read_zero)"
is 'records of p_read_zero in trace' 5 "$(records p_read_zero)"
echo > kprobe_events
rmmod pe_stock
