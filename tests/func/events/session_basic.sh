#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: a session owns what is written through its file; a write is all or nothing
# tier: 6.12-cloud 7.3-cloud debug
# needs: tracefs
# tools: session
# seconds: 20 debug=57

set -eu
cd "$PROBES"
# shellcheck source=tests/func/lib/session_lib.sh
. /host/session_lib.sh

refused 'Invalid argument' cat session
is 'mode' 600 "$(stat -c %a session)"
refused 'Permission denied\|not permitted' setpriv --reuid 1 --clear-groups sh -c 'exec 3<> session'
before=$(session_state)

# Everything that a line can be. The shell's file is the owner; group and events need no number.
exec 3<> session
read -r word nr <&3
is 'first line' session "$word"
is 'number in fdinfo' "$nr" "$(sed -n 's/^session:\t//p' /proc/$$/fdinfo/3)"
one_write <<END
# a comment of the file
comment count read_zero \$HOME
instance 64

p:zero read_zero n=%dx:u64     # a comment of the command
r:ret read_zero ret=\$retval:s64
filter zero n > 1
trigger zero stacktrace:1
enable zero
enable s$nr/ret
END
holds kprobe_events "p:s$nr/zero read_zero n=%dx:u64
r:s$nr/ret read_zero ret=\$retval:s64"
here=instances/s$nr
holds "$here/events/s$nr/zero/enable" '1*'
holds "$here/events/s$nr/zero/filter" 'n > 1'
holds "$here/events/s$nr/zero/trigger" 'stacktrace:count=1'
at_least 'KB of its buffer' 64 "$(cat "$here/buffer_size_kb")"
holds "events/s$nr/zero/enable" 0
read_zeros 3 1
read_zeros 2 7
is 'records of zero' 2 "$(records zero "$here/trace")"
is 'records of ret' 5 "$(records ret "$here/trace")"
is 'records in the top' 0 "$(records zero)"
has "$here/trace" '<stack trace>'
matches 'the list' "$nr	$$	*	[0-9]*.[0-9][0-9][0-9]	2	1[0-9]	-	live	count read_zero \$HOME	[0-9]*	[0-9.]*%" \
	"$(grep "^$nr	" sessions)"
# Its events' hits have cost what kprobes/cost says: nothing comes between the two.
is 'columns' 'id pid comm since events hits ttl state what ns cpu' "$(sed -n '1s/^# //p' sessions | tr '\t' ' ')"
cost=$(grep "^$nr	" sessions | cut -f 10)
at_least 'ns of its hits' 1 "$cost"
is 'ns of its hits' "$(gawk -F '\t' -v group="s$nr/" 'index($1, group) == 1 { n += $6 } END { print n }' kprobes/cost)" "$cost"

# No other writer changes it; no other writer's change takes it away.
# owned [INSTANCE]: its log says whose it is
owned() {
	has "${1:-.}/error_log" "error: Event belongs to a session (session $nr of .*-$$)"
	echo > "${1:-.}/error_log"
}
refused 'not permitted' append "-:s$nr/zero" kprobe_events; owned
refused 'not permitted' append "-:s$nr/zero" dynamic_events; owned
refused 'not permitted' append "p:s$nr/zero vfs_read n=%dx:u64" kprobe_events; owned
refused 'not permitted' put 0 "$here/events/s$nr/zero/enable"; owned "$here"
refused 'not permitted' put 0 "$here/events/s$nr/enable"; owned "$here"
refused 'not permitted' put 0 "$here/events/s$nr/zero/filter"; owned "$here"
refused 'not permitted' put traceoff "$here/events/s$nr/zero/trigger"; owned "$here"
refused 'not permitted' put "!s$nr:zero" "$here/set_event"; owned "$here"
refused 'busy' rmdir "$here"
has error_log "error: In use (a session's"
echo > error_log
echo 'p:mine vfs_read' > kprobe_events
echo > "$here/set_event"
echo 0 > events/enable
holds "$here/events/s$nr/zero/enable" '1*'
exec 4<> session
one_write 4 <<< "p:theirs vfs_read
instance 8"
read -r _ other <&4
err=$(one_write 4 <<< "enable s$nr/zero" 2>&1) || true		# in its own instance it may
is 'another session in its own instance' '' "$err"
refused_write 4 'not permitted' <<< "-:s$nr/zero"
owned
refused_write 4 'not permitted' <<< "-:kprobes/mine"
has error_log 'error: Event does not belong to the session (it belongs to no session)'
exec 4>&-
missing "instances/s$other"
holds "$here/events/s$nr/zero/enable" '1*'
has kprobe_events '^p:kprobes/mine vfs_read$'
echo > kprobe_events
holds kprobe_events "p:s$nr/zero read_zero n=%dx:u64
r:s$nr/ret read_zero ret=\$retval:s64"

# Others may use it where it does not work, and that ends with it.
echo 1 > "events/s$nr/zero/enable"
echo "enable_event:s$nr:ret" > "events/s$nr/zero/trigger"
echo 'p:mine vfs_read' >> kprobe_events
echo "enable_event:s$nr:zero if common_pid == 0" > events/kprobes/mine/trigger

# The last close takes all of it away: of a child, which has the file, too.
sleep 1000 3<&3 &
child=$!
exec 3>&-
has sessions "^$nr	"
exists "$here"
kill -9 $child
wait $child || true
within 10 ended "$nr"
missing "$here"
holds kprobe_events 'p:kprobes/mine vfs_read'
lacks events/kprobes/mine/trigger enable_event:
holds events/kprobes/mine/enable 0
echo > kprobe_events
is 'what is left' "$before" "$(session_state)"

# All or nothing: each of these fails at its last line, and leaves what was before.
exec 3<> session
read -r _ nr <&3
one_write <<< 'p:old read_zero n=%dx:u64
filter old n == 3
enable old'
has sessions '	live	-	[0-9]*	[0-9.]*%$'
echo > error_log
before=$(session_state)
fails() {
	refused_write 3 "$1"
	is "after $1" "$before" "$(session_state)"
	has error_log "$2" -F
	has error_log "$3" -F
	echo > error_log
}
fails 'Invalid argument' 'session: error: Unknown session command' '  Command: enabel new' <<< 'p:new vfs_read
enable new
enabel new'
fails 'Invalid argument' 'session: error: Invalid session command' '           ^' <<< 'p:new vfs_read
enable'
fails 'Invalid argument' 'trace_kprobe: error: Invalid probed address' 'p:bad no_such_function' <<< 'comment nothing of this
keep ttl=1h
p:new vfs_read
enable new
filter old n == 4
trigger old traceon
p:bad no_such_function'
fails 'Invalid argument' 'session: error: Event is not found' 'enable nowhere' <<< 'p:new vfs_read
trigger old stacktrace
filter old n == 4
filter old 0
filter old n == 5
enable nowhere'
fails 'Invalid argument' 'error: Field not found' 'Command: m == 1' <<< 'p:new vfs_read
enable new
-:old
filter new m == 1'
fails 'Invalid argument' 'error: Unknown trigger' 'Command: nope' <<< "p:new vfs_read
trigger new traceoff if common_pid == 1
trigger new enable_event:s$nr:old
trigger new nope"
fails 'File exists' 'error: Argument type or name is different' 'p:old read_zero' <<< 'p:new vfs_read
p:old read_zero'
fails 'No such file' 'error: Event is not found' '-:nope' <<< 'p:new vfs_read
disable old
-:old
-:nope'
echo 'p:mine vfs_write' > kprobe_events
before=$(session_state)
fails 'not permitted' 'error: Event does not belong to the session' 'enable kprobes/mine' <<< 'p:new vfs_read
enable kprobes/mine'
printf 'p:new vfs_read\0\n' > /tmp/null
refused 'Invalid argument' write_to 3 /tmp/null
is 'after a NUL' "$before" "$(session_state)"
echo > kprobe_events
before=$(session_state)
# Nor is its instance there, in which all of it would have been.
exec 4<> session
before=$(session_state)
refused_write 4 'Invalid argument' <<< 'instance 16
p:new read_zero
filter new common_pid == 1
enable new
trigger new nope'
has error_log 'error: Unknown trigger'
refused_write 4 'Invalid argument' <<< 'instance 16
p:new read_zero
p:new read_zero n=%bad'
is 'after instance' "$before" "$(session_state)"
one_write 4 <<< 'instance 16'
refused_write 4 'File exists' <<< 'instance 16'
exec 4>&-
# It went on all the time.
echo > trace
read_zeros 2 3
is 'records of old' 2 "$(records old)"

# Armed together or not at all; and then what takes something away, which needs no order.
one_write <<< 'disable old
-:old
p:next read_zero
trigger next traceoff:0
enable next'
holds kprobe_events "p:s$nr/next read_zero"
one_write <<< 'trigger next !traceoff
trigger next !traceoff'
lacks "events/s$nr/next/trigger" 'traceoff:'
refused_write 3 'busy' <<< 'instance 16'
# Used by others: not removed, but with its session.
mkdir instances/x
echo 1 > "instances/x/events/s$nr/next/enable"
refused_write 3 'busy' <<< '-:next'
has error_log 'error: In use (enabled in instances/x)'
exec 3>&-
within 10 ended "$nr"
holds instances/x/events/enable '?'
rmdir instances/x
holds kprobe_events ''

# Sizes.
/host/session big 65536
refused 'list too long' /host/session big 65537
has error_log 'error: Refused (64 KB in a write at most)'
for i in $(seq "$(length 1200 1200)"); do echo "p:e$i read_zero+0"; echo "enable e$i"; done | one_write_new > /tmp/out
is 'of many events in one write' 0 "$(grep -c . kprobe_events || true)"

# Another task ends it; its reader is told, and reads the end.
echo 'p:zero read_zero' | /host/session write > /tmp/notices &
client=$!
within 10 has_lines kprobe_events 1 zero
nr=$(sed -n 's/^\([0-9]*\)\t.*/\1/p' sessions)
refused 'Invalid argument' put "$nr" sessions
refused 'No such file' put -4000000 sessions
has error_log 'error: Refused (there is no such session)'
echo "-$nr" > sessions
wait $client
holds /tmp/notices "session $nr
end by $$"
holds kprobe_events ''

exec 3<> session
read -r _ nr <&3
echo "-$nr" > sessions
read -r last <&3
is 'the last line' "end by $$" "$last"
not read -r last <&3
refused_write 3 'No such device' <<< 'p:zero read_zero'
has error_log 'session: error: Refused (the session has ended)'
exec 3>&-

# Tracepoints and histograms, too. A trigger of a write that fails has not acted.
echo 'p:old read_zero' > kprobe_events
echo 'p:other read_zero' >> kprobe_events
echo 1 > events/kprobes/old/enable
exec 3<> session
read -r _ nr <&3
one_write <<< 't:switch sched_switch
p:zero read_zero
trigger zero hist:keys=common_comm
enable switch'
read_zeros 3 1
has "events/s$nr/zero/hist" 'hitcount: *3$'
refused_write 3 'Operation not supported' <<< 'trigger zero hist:keys=common_comm:clear'
mkdir instances/s
exec 4<> session
{
	echo 'instance 8'
	echo 'trigger kprobes/old enable_event:kprobes:other'
	for ((i = $(length 100 100); i > 0; i--)); do echo "p:x$i read_zero"; done
	echo 'p:bad no_such_function'
} > /tmp/failing
while :; do read_zeros 10 1; done & hits=$!
for ((i = 0; i < 5; i++)); do not write_to 4 /tmp/failing; done 2> /dev/null
kill $hits
wait $hits || true
exec 3>&- 4>&-
rmdir instances/s
holds events/kprobes/other/enable 0
echo 0 > events/enable
echo > kprobe_events

# Kept: it goes when its time is over, or when it is ended.
/host/session write < /dev/null > /tmp/out &
kill $!
wait $! || true
printf 'p:zero read_zero\nenable zero\nkeep ttl=20s\n' > /tmp/kept
one_write_new < /tmp/kept
has sessions '	kept	-	0	0%$'
holds events/enable 1
within 60 text_is kprobe_events ''
is 'sessions' 1 "$(grep -c . sessions)"
sed -i 's/20s/1d/' /tmp/kept
one_write_new < /tmp/kept
matches 'the list' '*	-	*	1	0	86[34]*	kept	-	*' "$(tail -n 1 sessions)"
echo "-$(cut -f 1 sessions | tail -n 1)" > sessions
holds kprobe_events ''
# What is kept does not keep the modules.
one_write_new < /tmp/kept
