#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: each allocation in defining, enabling, filtering, resizing, mounting fails once
# modes: default interpreted breakpoints plain
# tier: debug
# needs: failures
# seconds: debug=28
# tools: inject ktext
#
# The text must change at commands only, so nothing may toggle.

set -eu
cd "$PROBES"
echo 0 > kprobes/optimization	# text changes at commands only
# shellcheck source=tests/func/lib/inject_lib.sh
. /host/inject_lib.sh
one_in=6
type=$(findmnt -n -o FSTYPE "$PROBES")

# An address inside the function, where no tracer's call is.
for offset in $(seq 9 40); do
	! { echo "p:t/x vfs_fallocate+$offset" > kprobe_events; } 2>/dev/null || break
done
inside=vfs_fallocate+$offset
entry=vfs_fsync_range
echo > kprobe_events
/host/ktext save /tmp/text

fresh() {
	local file

	for file in events/t/*/trigger; do
		[ ! -e "$file" ] || grep -v '^#' "$file" | while read -r line; do echo "!$line" >> "$file"; done
	done
	echo 0 > events/enable
	echo > kprobe_events
	rmdir instances/* 2>/dev/null || true
	echo 16 > buffer_size_kb
	[ -z "${defined:-}" ] || { printf '%s\n' "$defined" > kprobe_events; }
}
fresh

sweep_define() { sweep "define: $1" append kprobe_events "$1" -- clear kprobe_events; }
sweep_define "p:t/a $entry"
sweep_define "p:t/a $inside a=%di s=+0(%si):string c=\$comm"
sweep_define "p:t/a $inside x=@linux_banner:x8[4]"
sweep_define "r:t/a $entry ret=\$retval first=\$arg1"

defined="p:t/a $inside a=%di
p:t/b $entry a=%di
r:t/r $entry ret=\$retval"
printf '%s\n' "$defined" > kprobe_events
sweep 'one more place of an event' append kprobe_events "p:t/a $entry a=%di" -- \
	append kprobe_events "-:t/a $entry"
sweep 'delete all' clear kprobe_events -- append kprobe_events "$defined"

for event in a b r; do
	sweep "enable $event" write events/t/$event/enable 1 -- write events/t/$event/enable 0
done
sweep 'enable all' write events/enable 1 -- write events/enable 0
echo 1 > events/enable
for event in a b r; do
	sweep "disable $event" write events/t/$event/enable 0 -- write events/t/$event/enable 1
done
sweep 'disable all' write events/enable 0 -- write events/enable 1
echo 0 > events/enable

for expression in 'a == 1' 'a > 5 && (common_pid != 7 || !(a & 16))'; do
	sweep "filter $expression" write events/t/a/filter "$expression" -- write events/t/a/filter 0
done
echo 'a == 1' > events/t/a/filter
sweep 'another filter' write events/t/a/filter 'a == 2' -- write events/t/a/filter 'a == 1'
sweep 'no filter' write events/t/a/filter 0 -- write events/t/a/filter 'a == 1'
echo 0 > events/t/a/filter
for trigger in traceoff:3 'traceon if a > 5' enable_event:t:b 'disable_event:t:b:2 if a == 1'; do
	sweep "trigger $trigger" append events/t/a/trigger "$trigger" -- \
		append events/t/a/trigger "!$trigger"
done
echo traceoff:3 > events/t/a/trigger
sweep 'remove a trigger' append events/t/a/trigger '!traceoff:3' -- append events/t/a/trigger traceoff:3
echo '!traceoff:3' > events/t/a/trigger

sweep 'enlarge the buffer' write buffer_size_kb 24 -- write buffer_size_kb 16
sweep 'shrink the buffer' write buffer_size_kb 12 -- write buffer_size_kb 16
sweep "enlarge one CPU's buffer" write per_cpu/cpu0/buffer_size_kb 28 -- write buffer_size_kb 16
sweep 'larger pages' write buffer_subbuf_size_kb 8 -- \
	write buffer_subbuf_size_kb 4 -- write buffer_size_kb 16
sweep 'allocate the snapshot' write snapshot 1 -- write snapshot 0
echo 1 > snapshot
sweep 'enlarge the buffer and its snapshot' write buffer_size_kb 24 -- write buffer_size_kb 16
echo 0 > snapshot
sweep 'make an instance' mkdir instances/i -- rmdir instances/i
mkdir instances/i
sweep 'enable in an instance' write instances/i/events/t/a/enable 1 -- \
	write instances/i/events/t/a/enable 0
sweep 'filter in an instance' write instances/i/events/t/b/filter 'a == 1' -- \
	write instances/i/events/t/b/filter 0
sweep "define beside an instance" append kprobe_events "p:t/c $entry" -- append kprobe_events '-:t/c'
sweep 'remove an instance' rmdir instances/i -- mkdir instances/i
rmdir instances/i

for file in kprobe_events trace trace_pipe snapshot kprobe_profile events/t/b/format events/t/b/filter \
	events/t/b/trigger error_log per_cpu/cpu0/trace_pipe_raw per_cpu/cpu0/trace; do
	sweep "open $file" open $file
done
for file in kprobe_events trace events/t/b/format events/t/b/filter kprobe_losses; do
	sweep "read $file" read $file
done
fresh
mkdir /tmp/mnt
cd /tmp
sweep 'mount once more' mount "$type" /tmp/mnt -- umount /tmp/mnt
cd "$PROBES"

echo > kprobe_events
within 60 detours_forgotten
/host/ktext diff /tmp/text
swept 5
