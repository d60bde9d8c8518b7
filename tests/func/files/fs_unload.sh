#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: mounts and open files hold the module; unmounted it can go and come again
# seconds: 4

set -eu
# shellcheck source=tests/func/lib/events_lib.sh
. /host/events_lib.sh

type=$(findmnt -n -o FSTYPE "$PROBES")

in_use() { refused 'in use' rmmod probe_events; }

in_use
exec 5< "$PROBES/trace_pipe" 6<> "$PROBES/tracing_on"
refused busy umount "$PROBES"
umount -l "$PROBES"
in_use
read -r on <&6
is 'tracing_on, open' 1 "$on"
exec 5<&-
in_use
exec 6>&-
within 20 eval 'rmmod probe_events 2> /tmp/err'	# a lazy unmount ends a moment later
missing /sys/module/probe_events
missing "$PROBES"
lacks /proc/filesystems probefs -w

for i in $(seq "$(length 6 20)"); do
	insmod /modules/probe_events.ko limits=none
	exists "$PROBES"
	mount -t "$type" "$type" "$PROBES"
	holds "$PROBES/tracing_on" 1
	find "$PROBES" > /tmp/tree
	echo 'p:t/zero read_zero' > "$PROBES/kprobe_events"
	echo 1 > "$PROBES/events/t/zero/enable"
	head -c 10 /dev/zero > /dev/null
	has "$PROBES/trace" ' zero: '
	umount "$PROBES"
	# With an event that is armed, and records that were not read.
	rmmod probe_events
done

insmod /modules/probe_events.ko limits=none
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
is 'files' "$(wc -l < /tmp/tree)" "$(find "$PROBES" | wc -l)"
