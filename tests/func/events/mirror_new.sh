#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: kprobes/mirror: new events get a mirror at once, or are not defined
# tier: 6.12-cloud 6.1-cloud
# not: 5.10-cloud: modules can have no events of the kernel there
# seconds: 2
# timeout: 300
set -eu
cd "$PROBES"
# shellcheck source=tests/func/lib/events_lib.sh
. /host/events_lib.sh

if [ ! -e kprobes/mirror ]; then
	is 'mirrors of events' '' "$(find . -name mirror)"
	lacks /proc/filesystems 'probefs'
	exit
fi
stock=/tmp/stock
mkdir -p $stock
mount -t tracefs none $stock
is 'default' 0 "$(< kprobes/mirror)"
refused 'Invalid argument' put maybe kprobes/mirror

echo 'p:m/before vfs_read' > kprobe_events
is 'no mirror' 0 "$(< events/m/before/mirror)"

echo "the kernel's mutex is left alone while there is no mirror"
lock=$(awk '$3 ~ /^mutex_lock(_nested)?$/ { print $3; exit }' /proc/kallsyms)
append "p:w/lock $lock m=%di:x64" kprobe_events
echo "m == 0x$(awk '$3 == "event_mutex" { print $1; exit }' /proc/kallsyms)" > events/w/lock/filter
echo 1 > events/w/lock/enable
locks() { grep -c ' lock: ' trace || true; }
append 'p:m/gone vfs_write' kprobe_events
append '-:m/gone' kprobe_events
echo 0 > events/m/before/mirror
is 'no mirror' 0 "$(< events/m/before/mirror)"
is 'locks' 0 "$(locks)"

echo 1 > kprobes/mirror
is 'on' 1 "$(< kprobes/mirror)"
append 'p:m/one vfs_read a=%di' kprobe_events
append 'r:m/back vfs_read $retval' kprobe_events
append 'p:m/one vfs_write a=%di' kprobe_events
at_least 'locks' 2 "$(locks)"
echo 0 > events/w/lock/enable
for event in one back; do
	has events/m/$event/mirror '^1$'
	has $stock/events/m/$event/format '__probe_'
done
[ ! -e $stock/events/m/before ] || fail 'an earlier event has a mirror'
# user NAME: who holds m/one; the entry in error_log names it
user() {
	: > error_log
	refused 'busy' append '-:m/one' kprobe_events
	has error_log "mirror: error: The event's mirror is in use$"
	has error_log "^  Command: m/one $1$"
	is 'caret' "$(printf '%17s^' '')" "$(tail -n 1 error_log)"
}
echo 1 > $stock/events/m/one/enable
cat /proc/self/stat > /dev/null
user tracefs
echo 0 > $stock/events/m/one/enable	# before its reader makes hits
at_least 'hits that the kernel shows' 1 "$(grep -c ' one: ' $stock/trace)"

if [ -e $stock/events/m/one/trigger ]; then
	echo 'traceoff if common_pid == 1' > $stock/events/m/one/trigger
	user tracefs
	echo '!traceoff' > $stock/events/m/one/trigger
fi
if grep -qs 'e\[:' $stock/README; then
	# It names the event, and does not listen yet.
	echo 'e:x/x m.one' >> $stock/dynamic_events
	user trigger
	echo '-:x/x' >> $stock/dynamic_events
fi

echo 'a name that the kernel has'
if [ -e $stock/kprobe_events ]; then
	echo 'p:m/theirs vfs_write' >> $stock/kprobe_events
	refused 'File exists' append 'p:m/theirs vfs_open' kprobe_events
	has error_log 'mirror: error: '
	lacks kprobe_events theirs
	[ ! -e events/m/theirs ] || fail 'it has a directory'
	if [ -e available_filter_functions ]; then
		refused 'File exists' append 'f:m/theirs vfs_*' dynamic_events
		lacks dynamic_events theirs
		refused 'File exists' append 'f:m/theirs vfs_read|vfs_writ?' dynamic_events
	fi
	echo '-:m/theirs' >> $stock/kprobe_events
	append 'p:m/theirs vfs_open' kprobe_events
	has events/m/theirs/mirror '^1$'
fi

echo 'patterns'
if [ -e available_filter_functions ]; then
	append 'f:m/many vfs_*' dynamic_events
	has $stock/events/m/many/format '__probe_ip'
fi

echo 'off'
echo 0 > kprobes/mirror
append 'p:m/after vfs_read' kprobe_events
is 'no mirror' 0 "$(< events/m/after/mirror)"
echo > dynamic_events
[ ! -e $stock/events/m ] || fail 'mirrors are left'
umount $stock
