#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: mounts and open files hold the module; unmounted it can go and come again
# kernels: all
# seconds: 16

set -eu
# shellcheck source=tests/func/check_lib.sh
. /host/check_lib.sh

type=$(findmnt -n -o FSTYPE "$PROBES")

busy() {
	if rmmod probe_events 2> /tmp/err; then
		echo "unloaded while $1"
		exit 1
	fi
	grep -q 'in use' /tmp/err || { cat /tmp/err; exit 1; }
}

busy mounted
exec 5< "$PROBES/trace_pipe" 6<> "$PROBES/tracing_on"
if umount "$PROBES" 2> /dev/null; then
	echo 'unmounted with open files'
	exit 1
fi
umount -l "$PROBES"
busy 'files are open'
read -r on <&6
[ "$on" = 1 ]
exec 5<&-
busy 'a file is open'
exec 6>&-
within 20 eval 'rmmod probe_events 2> /tmp/err'	# a lazy unmount ends a moment later
[ ! -d /sys/module/probe_events ]
[ ! -d "$PROBES" ]
if grep -qw probefs /proc/filesystems; then
	echo 'the type stayed'
	exit 1
fi

for i in $(seq 20); do
	insmod /modules/probe_events.ko
	[ -d "$PROBES" ]
	mount -t "$type" "$type" "$PROBES"
	[ "$(cat "$PROBES/tracing_on")" = 1 ]
	find "$PROBES" > /tmp/tree
	echo 'p:t/zero read_zero' > "$PROBES/kprobe_events"
	echo 1 > "$PROBES/events/t/zero/enable"
	head -c 10 /dev/zero > /dev/null
	grep -q ' zero: ' "$PROBES/trace"
	umount "$PROBES"
	# With an event that is armed, and records nobody read.
	rmmod probe_events
done

insmod /modules/probe_events.ko
# Walking while it comes and goes.
for i in $(seq 5); do
	mount -t "$type" "$type" "$PROBES"
	while find "$PROBES/events" > /dev/null 2>&1 && [ -d "$PROBES/per_cpu" ]; do :; done &
	walker=$!
	sleep 0.2
	umount -l "$PROBES"
	wait $walker || true
done
mount -t "$type" "$type" "$PROBES"
[ "$(find "$PROBES" | wc -l)" = "$(wc -l < /tmp/tree)" ]
