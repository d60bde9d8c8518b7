#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: available_filter_functions is that of the kernel, follows modules, and can be probed
# tier: 6.12-cloud 6.1-cloud
# needs: tracefs ftrace
# seconds: 7 debug=13
# modules: pe_target

set -eu
# shellcheck source=tests/func/lib/check_lib.sh
. /host/check_lib.sh
stock=/tmp/stock
mkdir -p $stock
mount -t tracefs none $stock
cd "$PROBES"

# The kernel's own list has placeholders for what is left of weak functions that others replace.
same_list() {
	grep -v '^__ftrace_invalid_address__' $stock/available_filter_functions > /tmp/stock.list
	cat available_filter_functions > /tmp/ours.list
	cmp /tmp/stock.list /tmp/ours.list || fail "not the kernel's list: $(diff /tmp/stock.list /tmp/ours.list | head)"
}
same_list
at_least 'lines of /tmp/ours.list' 10001 "$(wc -l < /tmp/ours.list)"
has /tmp/ours.list vfs_read -x
lacks /tmp/ours.list '\[pe_target\]'
insmod /modules/pe_target.ko
same_list
has /tmp/ours.list '^pe_target_add \[pe_target\]$'

# It is of the moment it is opened; what has gone since is left out, without harm.
exec 5< available_filter_functions
rmmod pe_target
cat <&5 > /tmp/late
exec 5<&-
lacks /tmp/late '\[pe_target\]'
same_list

# In odd pieces, and from the middle.
dd if=available_filter_functions bs=777 of=/tmp/pieces status=none
cmp /tmp/pieces /tmp/ours.list
dd if=available_filter_functions bs=100000 skip=2 of=/tmp/tail status=none iflag=fullblock
tail -c +200001 /tmp/ours.list | cmp - /tmp/tail

# A probe can be put there, unless we refuse it for a reason of our own.
for f in $(shuf -n 20 --random-source=<(yes) /tmp/ours.list | grep -v '\['); do
	[ "$(grep -cx "$f" /tmp/ours.list)" = 1 ] || continue
	echo "p:t/e $f" > kprobe_events 2> /dev/null || { tail -3 error_log | head -1; continue; }
	echo 1 > events/t/e/enable
	has kprobes/list 'FTRACE'
	echo 0 > events/t/e/enable
	placed=$((${placed:-0} + 1))
done
echo > kprobe_events
echo "${placed:-0} of 20 random functions were probed"
at_least 'functions that were probed' 10 "${placed:-0}"
cd /
umount $stock
