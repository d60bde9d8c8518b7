#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: what is enabled can't be removed; nothing changes when it is tried
# seconds: 2 debug=22

set -eu
cd "$PROBES"
# shellcheck source=tests/func/lib/check_lib.sh
. /host/check_lib.sh

# busy COMMAND: it fails with EBUSY and leaves everything as it was.
busy() {
	cat kprobe_events > /tmp/before
	refused 'Device or resource busy' eval "$1"
	diff /tmp/before kprobe_events || fail "after '$1'"
}

# enabled FILE...: what enable says in each, as one word
enabled() { cat "${@/%//enable}" | tr -d '\n'; }

printf '%s\n' 'p:g/a vfs_read' 'p:g/b vfs_write' 'p:h/c vfs_open' > kprobe_events
is 'enable' 000 "$(enabled events events/g events/h)"
echo 1 > events/g/a/enable
is 'enable' XX0 "$(enabled events events/g events/h)"

busy 'echo > kprobe_events'
busy 'echo > dynamic_events'
busy 'echo "-:g/a" >> kprobe_events'
busy 'echo "-:a" >> kprobe_events'
busy 'echo "-:a" >> dynamic_events'
# b alone could go, but the command says both.
busy 'echo "-:g/" >> kprobe_events'
busy 'echo "-:g/a vfs_read" >> kprobe_events'

# Others can come and go meanwhile.
echo 'p:g/d vfs_fsync' >> kprobe_events
echo '-:g/d' >> kprobe_events
echo '-:h/c' >> kprobe_events
holds events/enable X
echo 1 > events/g/enable
is 'enable' 111 "$(enabled events events/g events/g/b)"

# Writing what is so already is fine.
echo 1 > events/g/enable
echo 1 > events/g/a/enable

# A probe of several can go from under an enabled event, the last one can't.
echo 'p:g/a vfs_fsync' >> kprobe_events
echo '-:g/a vfs_read' >> kprobe_events
busy 'echo "-:g/a vfs_fsync" >> kprobe_events'
has kprobe_events '^p:g/a vfs_fsync$'

# Values that are none.
for v in 2 -1 x '' 01x 99999999999999999999; do
	refused 'Invalid argument\|out of range' put "$v" events/g/a/enable
done
holds events/g/a/enable 1

echo 0 > events/enable
is 'enable' 000 "$(enabled events events/g events/g/a)"

# by USER COMMAND: it is refused, and error_log says that g/a is in use by USER.
by() {
	: > error_log
	busy "$2"
	is "entries of '$2'" 1 "$(count 'error:' error_log)"
	has error_log "trace_kprobe: error: In use ($1)$"
	has error_log '^  Command: g/a$'
}

# Who it is: an instance, a trigger of it, or of another event. Whatever was to be removed.
mkdir instances/agent
echo 1 > instances/agent/events/g/a/enable
for command in 'echo "-:g/a" >> kprobe_events' 'echo "-:g/" >> kprobe_events' ': > kprobe_events' ': > dynamic_events'; do
	by 'enabled in instances/agent' "$command"
done
echo 0 > instances/agent/events/g/a/enable
echo 'traceoff if common_pid == 1' > instances/agent/events/g/a/trigger
by 'trigger traceoff of g/a in instances/agent' 'echo "-:g/a" >> kprobe_events'
echo '!traceoff' > instances/agent/events/g/a/trigger
echo 'enable_event:g:a if common_pid == 1' > events/g/b/trigger
by 'trigger enable_event of g/b' 'echo "-:g/a" >> kprobe_events'
echo '!enable_event:g:a' > events/g/b/trigger
echo 1 > events/g/a/enable
by enabled 'echo "-:g/a" >> kprobe_events'
echo 0 > events/g/a/enable
echo 'snapshot if common_pid == 1' > events/g/a/trigger
: > error_log
busy 'echo 0 > snapshot'
has error_log 'snapshot: error: Refused (trigger snapshot of g/a)$'
echo '!snapshot' > events/g/a/trigger
exec 7< instances/agent/events/g/a/id 8< instances/agent/trace
: > error_log
busy 'rmdir instances/agent'
has error_log 'instances: error: In use (2 of its files are open)$'
exec 7<&- 8<&-
rmdir instances/agent

echo > kprobe_events
holds events/enable '?'
echo 0 > events/enable
echo 1 > events/enable

# Files of an event that is gone say so; names can be used again.
echo 'p:g/a vfs_read' > kprobe_events
exec 7<> events/g/a/enable 8< events/g/a/format 9< events/g/enable
echo '-:g/a' >> kprobe_events
not eval "cat <&8 2>/dev/null"
not eval "cat <&9 2>/dev/null"
not eval "echo 1 >&7 2>/dev/null"
echo 'p:g/a vfs_write' > kprobe_events
not eval "echo 1 >&7 2>/dev/null"
holds events/g/a/enable 0
exec 7<&- 8<&- 9<&-
echo > kprobe_events
