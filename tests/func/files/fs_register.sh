#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: when the file system can be mounted, by whom, and who gets the module loaded
# kernels: 6.12-cloud 6.1-cloud bare
set -eu
# shellcheck source=tests/func/lib/check_lib.sh
. /host/check_lib.sh
release=$(uname -r)
type=$(findmnt -n -o FSTYPE "$PROBES")

cd /
umount "$PROBES"
rmmod probe_events probe_core
missing "$PROBES"

# Anybody may ask for the type of a file system; the kernel then looks for its module.
mkdir -p "/lib/modules/$release/extra" /tmp/there
cp /modules/probe_core.ko /modules/probe_events.ko "/lib/modules/$release/extra/"
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
fi

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
	umount $stock
	is 'order' 'place type untype unplace ' "$order"
fi
modprobe probe_events
mount -t "$type" none "$PROBES"
exists "$PROBES/kprobe_events"
