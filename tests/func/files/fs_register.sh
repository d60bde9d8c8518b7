#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: when the file system can be mounted, by whom, and who gets the module loaded
# not: 6.12-rt debug: shows what 6.12-cloud does
# seconds: 3
set -eu
# shellcheck source=tests/func/lib/check_lib.sh
. /host/check_lib.sh
release=$(uname -r)
type=$(findmnt -n -o FSTYPE "$PROBES")

cd /
umount "$PROBES"
rmmod probe_events probe_core probe_arena
missing "$PROBES"

# Anybody may ask for the type of a file system; the kernel then looks for its module.
mkdir -p "/lib/modules/$release/extra" /tmp/there
cp /modules/probe_arena.ko /modules/probe_core.ko /modules/probe_events.ko "/lib/modules/$release/extra/"
depmod -a 2> /dev/null
refused . mount -t "$type" none /tmp/there
missing /sys/module/probe_events

# In a namespace of his own he is root, but not of ours.
if unshare -U true 2> /dev/null; then
	inside="setpriv --reuid 65534 --regid 65534 --clear-groups unshare -U -r -m"
	refused . $inside mount -t "$type" none /tmp/there
	missing /sys/module/probe_events
	modprobe probe_events
	refused '[Pp]ermission denied' $inside mount -t "$type" none /tmp/there
	refused '[Pp]ermission denied' unshare -U -r -m mount -t "$type" none /tmp/there
	modprobe -r probe_events
	missing /sys/module/probe_core
	# modprobe tries what a module needs in an order in which this one is in use yet.
	modprobe -r probe_arena
	missing /sys/module/probe_arena
fi

# cost_unload NUMBER: how often rmmod waits and changes text, with so many triggers left
cost_unload() {
	local places=(vfs_read vfs_write vfs_open vfs_fsync vfs_getattr vfs_rename vfs_mkdir vfs_symlink) i

	modprobe probe_events
	mount -t probefs none /tmp/there
	for ((i = 0; i < 8; i++)); do
		echo "p:many/${places[i]} ${places[i]}" >> /tmp/there/kprobe_events
	done
	for ((i = 0; i < $1; i++)); do
		echo traceon > "/tmp/there/events/many/${places[i]}/trigger"
	done
	umount /tmp/there
	echo > $stock/trace
	rmmod probe_events
	echo "$(count ' synchronize_rcu: (' $stock/trace) $(count " $changed: (" $stock/trace)"
	rmmod probe_core
}

# The place is there before it can be mounted. The kernel's own probes look on.
stock=/tmp/stock
mkdir -p $stock
if [ "$type" = probefs ] && mount -t tracefs none $stock && [ -e $stock/kprobe_events ]; then
	printf '%s\n' 'p:order/place sysfs_create_mount_point' 'p:order/type register_filesystem' \
		'p:order/untype unregister_filesystem' 'p:order/unplace sysfs_remove_mount_point' \
		> $stock/kprobe_events
	echo 1 > $stock/events/order/enable
	modprobe probe_events
	modprobe -r probe_events
	echo 0 > $stock/events/order/enable
	order=$(grep -o '[a-z]*: (' $stock/trace | tr -d ':(\n')
	: > $stock/kprobe_events
	is 'order' 'place type untype unplace ' "$order"

	# However many triggers are set, unloading waits and disarms as with one.
	changed=text_poke_finish
	grep -q " $changed\$" /proc/kallsyms || changed=smp_text_poke_batch_finish
	for cost in synchronize_rcu $changed; do
		echo "p:cost/$cost $cost" >> $stock/kprobe_events
		echo 'comm == "rmmod"' > $stock/events/cost/$cost/filter
	done
	echo 1 > $stock/events/cost/enable
	one=$(cost_unload 1)
	at_least 'waits of rmmod' 1 "${one% *}"
	at_least 'changes of text by rmmod' 1 "${one#* }"
	is 'waits, changes of text by rmmod with eight triggers' "$one" "$(cost_unload 8)"
	echo 0 > $stock/events/cost/enable
	: > $stock/kprobe_events
	umount $stock
fi
modprobe probe_events
mount -t "$type" none "$PROBES"
exists "$PROBES/kprobe_events"
