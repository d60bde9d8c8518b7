#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: available_filter_functions is that of the kernel, follows modules, and can be probed
# kernels: all
# tier: 6.12-cloud 6.1-cloud
# needs: tracefs ftrace
# seconds: 9
# modules: pe_target

set -eu
stock=/tmp/stock
mkdir -p $stock
mount -t tracefs none $stock
cd "$PROBES"

# The kernel's own list has placeholders for what is left of weak functions that others replace.
same() {
	grep -v '^__ftrace_invalid_address__' $stock/available_filter_functions > /tmp/stock.list
	cat available_filter_functions > /tmp/ours.list
	cmp /tmp/stock.list /tmp/ours.list || { diff /tmp/stock.list /tmp/ours.list | head; exit 1; }
}
same
[ "$(wc -l < /tmp/ours.list)" -gt 10000 ]
grep -qx vfs_read /tmp/ours.list
if grep -q '\[pe_target\]' /tmp/ours.list; then echo 'not loaded yet'; exit 1; fi
insmod /modules/pe_target.ko
same
grep -q '^pe_target_add \[pe_target\]$' /tmp/ours.list

# It is of the moment it is opened; what has gone since is left out, without harm.
exec 5< available_filter_functions
rmmod pe_target
cat <&5 > /tmp/late
exec 5<&-
if grep -q '\[pe_target\]' /tmp/late; then echo 'unloaded, but listed'; exit 1; fi
same

# In odd pieces, and from the middle.
dd if=available_filter_functions bs=777 of=/tmp/pieces status=none
cmp /tmp/pieces /tmp/ours.list
dd if=available_filter_functions bs=100000 skip=2 of=/tmp/tail status=none iflag=fullblock
tail -c +200001 /tmp/ours.list | cmp - /tmp/tail

# A probe can be put there, unless we refuse it for a reason of our own.
for f in $(shuf -n 20 --random-source=<(yes) /tmp/ours.list | grep -v '\['); do
	if [ "$(grep -cx "$f" /tmp/ours.list)" != 1 ]; then continue; fi
	echo "p:t/e $f" > kprobe_events 2> /dev/null || { tail -3 error_log | head -1; continue; }
	echo 1 > events/t/e/enable
	grep -q 'FTRACE' kprobes/list
	echo 0 > events/t/e/enable
	placed=$((${placed:-0} + 1))
done
echo > kprobe_events
echo "$placed of 20 random functions were probed"
[ "$placed" -ge 10 ]
cd /
umount $stock
