#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: each allocation of set_event, pids, triggers, markers, masks and instances fails once
# modes: default interpreted breakpoints plain
# tier: none
# needs: failures
# seconds: debug=223
# tools: inject ktext
#
# The text must change at commands only, so nothing may toggle.

set -eu
cd "$PROBES"
echo 0 > kprobes/optimization	# text changes at commands only
# shellcheck source=tests/func/lib/inject_lib.sh
. /host/inject_lib.sh
taskset -p -c 0 $$ > /dev/null		# markers are counted per CPU

defined='p:t/a vfs_fallocate a=%di
p:t/b vfs_fsync_range a=%di
r:u/r vfs_fsync_range'
fresh() {
	local file

	for file in events/[tu]/*/trigger; do
		[ ! -e "$file" ] || grep -v '^#' "$file" | while read -r line; do echo "!$line" >> "$file"; done
	done
	echo > set_event
	echo > set_event_pid
	echo > set_event_notrace_pid
	echo 0 > options/event-fork
	rmdir instances/* 2> /dev/null || true
	echo > kprobe_events
	echo 16 > buffer_size_kb
	echo 0 > snapshot
	printf '%s\n' "$defined" > kprobe_events
}
fresh
/host/ktext save /tmp/text

# Events by name, and whose hits.
for words in t:a '*:*'; do
	sweep "set_event $words" append set_event "$words" -- clear set_event
done
echo 't:* u:*' > set_event
sweep 'set_event: some off' append set_event '!t:*' -- append set_event 't:* u:*'
sweep 'set_event: all off' clear set_event -- append set_event 't:* u:*'
echo > set_event
for file in set_event_pid set_event_notrace_pid; do
	sweep "$file" append $file '1 2 3' -- clear $file
	echo 5 > $file
	sweep "$file: empty it" clear $file -- append $file 5
	echo > $file
done
sweep 'follow forks' write options/event-fork 1 -- write options/event-fork 0
echo 1 > options/event-fork
sweep 'do not follow' write options/event-fork 0 -- write options/event-fork 1
sweep 'switch all probes off' write kprobes/enabled 0 -- write kprobes/enabled 1
echo 1 > events/enable
sweep 'switch all off, some on' write kprobes/enabled 0 -- write kprobes/enabled 1
echo 0 > kprobes/enabled
sweep 'switch all on' write kprobes/enabled 1 -- write kprobes/enabled 0
echo 1 > kprobes/enabled
echo 0 > options/event-fork
echo 0 > events/enable

# Triggers of every kind; the snapshot's memory comes with the first, and stays.
sweep 'trigger snapshot' append events/t/a/trigger snapshot -- \
	append events/t/a/trigger '!snapshot' -- write snapshot 0
echo 1 > snapshot
for trigger in 'snapshot:2 if a == 1' stacktrace 'stacktrace:5 if a > 2' enable_event:u:r 'traceoff if common_pid != 3'; do
	sweep "trigger $trigger" append events/t/b/trigger "$trigger" -- \
		append events/t/b/trigger "!${trigger%% *}"
done
echo 0 > snapshot
sweep 'option stacktrace' write options/stacktrace 1 -- write options/stacktrace 0
sweep "a group's filter" write events/t/filter 'a == 1' -- write events/t/filter 0

# What users write into the buffer, and where it may come from.
echo > trace
sweep 'a marker' append trace_marker hello -- clear trace
sweep 'a raw marker' append trace_marker_raw hello -- clear trace
sweep 'a long marker' append trace_marker "$(head -c 3000 /dev/zero | tr '\0' x)" -- clear trace
sweep 'cpumask' write tracing_cpumask 1 -- write tracing_cpumask 3
names=$(cat saved_cmdlines_size)
sweep 'remember more names' write saved_cmdlines_size 10000 -- write saved_cmdlines_size "$names"
sweep 'remember fewer names' write saved_cmdlines_size 5 -- write saved_cmdlines_size "$names"
sweep 'clock' write trace_clock mono -- write trace_clock local
sweep 'tracer' write current_tracer nop
sweep 'overwrite' write options/overwrite 0 -- write options/overwrite 1
sweep 'no room any more' clear free_buffer -- write buffer_size_kb 16

# The same in an instance; and making one with everything defined and enabled.
echo 1 > events/enable
sweep 'an instance beside events in use' mkdir instances/i -- rmdir instances/i
echo 0 > events/enable
mkdir instances/i
sweep 'set_event of an instance' append instances/i/set_event '*:*' -- clear instances/i/set_event
sweep 'its pids' append instances/i/set_event_pid '1 2 3' -- clear instances/i/set_event_pid
sweep 'it follows forks' write instances/i/options/event-fork 1 -- write instances/i/options/event-fork 0
sweep 'its trigger' append instances/i/events/t/a/trigger snapshot -- \
	append instances/i/events/t/a/trigger '!snapshot' -- write instances/i/snapshot 0
echo 16 > instances/i/buffer_size_kb
sweep 'its marker' append instances/i/trace_marker hello -- clear instances/i/trace
for line in stacktrace snapshot enable_event:t:b; do echo "$line" >> instances/i/events/t/a/trigger; done
echo 1 > instances/i/options/event-fork
echo 1 > instances/i/set_event_pid
echo 1 > instances/i/events/enable
sweep 'a new event beside it' append kprobe_events 'p:u/new vfs_fallocate' -- append kprobe_events '-:u/new'
# With a trigger and enabled events: it must have done nothing, or all.
mkdir instances/j
echo stacktrace > instances/j/events/t/a/trigger
echo 1 > instances/j/events/enable
sweep 'remove one, in use' rmdir instances/j -- mkdir instances/j -- \
	append instances/j/events/t/a/trigger stacktrace -- write instances/j/events/enable 1
rmdir instances/j instances/i

for file in set_event set_event_pid saved_cmdlines tracing_cpumask available_filter_functions kprobes/list \
	events/header_page per_cpu/cpu0/stats per_cpu/cpu0/snapshot; do
	sweep "open $file" open $file
	sweep "read $file" read $file
done
# A read takes the record away.
echo hello > trace_marker
for file in per_cpu/cpu0/trace_pipe per_cpu/cpu0/trace_pipe_raw trace_pipe; do
	sweep "read $file" read $file -- append trace_marker hello
done
echo > trace
sweep 'open per_cpu/cpu0/snapshot_raw' open per_cpu/cpu0/snapshot_raw

fresh
echo > kprobe_events
within 60 detours_forgotten
/host/ktext diff /tmp/text
swept 100
