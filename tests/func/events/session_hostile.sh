#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: sessions whose descriptors wander, whose things others use, that are many, that race
# needs: tracefs
# tools: session
# modules: pe_target
# seconds: 9

set -eu
cd "$PROBES"
# shellcheck source=tests/func/lib/session_lib.sh
. /host/session_lib.sh
mount -t tracefs tracefs /sys/kernel/tracing 2> /dev/null || true

last_session() { sed -n '$s/\t.*//p' sessions; }

# A descriptor in a message that no task has received keeps the session.
printf 'p:passed read_zero\nenable passed\n' > /tmp/batch
if [ -e /proc/net/unix ]; then
	child=$(/host/session pass /tmp/batch)
	has kprobe_events passed
	kill -9 "$child"
	within 20 text_is kprobe_events ''
fi

# In a namespace of pids its owner has another number there, and none for who may not see it.
if [ -e /proc/self/ns/pid ]; then
	unshare -pf --kill-child /host/session hold 1 /tmp/batch > /tmp/out &
	ns=$!
	within 20 grep -q ready /tmp/out
	inner=$(pgrep -P $ns)
	matches 'the owner' "[0-9]*	$inner	session	*" "$(tail -n 1 sessions)"
	matches 'the owner, from elsewhere' '[0-9]*	0	session	*' "$(unshare -pf tail -n 1 sessions)"
	kill -9 "$ns"
	wait $ns || true
	within 20 text_is kprobe_events ''
fi

# Two threads that define and delete through one descriptor: each write is one step.
printf 'p:victim read_zero\nenable victim\n' > /tmp/batch
read -r made again gone missed < <(/host/session threads /tmp/batch)
is 'writes' '200 200' "$((made + again)) $((gone + missed))"
at_least 'written' 1 "$made"
at_most 'deleted' "$made" "$gone"
holds kprobe_events ''

# Many. Each open file is one; there is a limit for all, and that of the process.
printf 'p:many read_zero\n' > /tmp/batch
not /host/session hold 1024 /tmp/batch > /tmp/out 2> /tmp/err
has /tmp/err 'Too many open files'
(ulimit -n 4096; exec /host/session hold 1024 /tmp/batch) > /tmp/out & many=$!
within 120 grep -q ready /tmp/out
is 'sessions' 1025 "$(grep -c . sessions)"
refused 'Too many users' /host/session write
kill -9 $many
wait $many || true
is 'sessions' 1 "$(grep -c . sessions)"
holds kprobe_events ''

# While it is open, the modules stay. A module that goes is told, once for each event.
insmod /modules/pe_target.ko
exec 3<> session
read -r _ nr <&3
one_write <<< 'instance 8
f:in pe_target:pe_target_*
p:add pe_target:pe_target_add
p:zero read_zero
enable in
enable add'
refused 'in use' rmmod probe_events
rmmod pe_target
read -r first <&3
read -r second <&3
is 'notices' "gone s$nr/in pe_target,gone s$nr/add pe_target" "$first,$second"
insmod /modules/pe_target.ko
holds "instances/s$nr/events/s$nr/add/enable" 1
# What no loaded module has is waited for, and that is told; not of a write that is undone.
refused_write 3 'Invalid argument' <<< 'p:never no_module:no_function
p:bad no_such_function'
one_write <<< 'p:later no_module:no_function
t:never no_such_tracepoint
t:typo sched_swicth
p:perf sched:sched_switch
p:there pe_target:pe_target_add'
read -r first <&3
read -r second <&3
read -r third <&3
read -r fourth <&3
is 'notices' "waiting s$nr/later no_module:no_function,waiting s$nr/never no_such_tracepoint" "$first,$second"
is 'notice with a name' "waiting s$nr/typo sched_swicth sched_switch" "$third"
is 'notice of a form of perf' "waiting s$nr/perf sched:sched_switch sched_switch" "$fourth"

# Files of its instance that others have open keep that from being freed, and are of no use.
cat "instances/s$nr/trace_pipe" > /tmp/piped 3>&- & reader=$!
cat "instances/s$nr/per_cpu/cpu0/trace_pipe_raw" > /tmp/raw 3>&- & raw=$!
within 20 asleep $reader
within 20 asleep $raw
exec 5<> "instances/s$nr/set_event" 6< "instances/s$nr/trace" 7<> "instances/s$nr/events/s$nr/add/enable"
exec 3>&-
within 10 grep -q "^$nr	-	.*	dying	" sessions
holds kprobe_events ''
wait $reader $raw	# they are told that it is the end
refused 'No such device' cat "instances/s$nr/trace"
refused 'No such device' cat "instances/s$nr/events/enable"
echo 'p:mine read_zero' > kprobe_events
refused 'No such device' sh -c 'echo kprobes:mine >&5'
refused 'No such device' sh -c 'echo 1 >&7'
refused 'busy' rmdir "instances/s$nr"
exec 5>&- 7>&-
sleep 1
has sessions '	dying	'
exec 6<&-
within 10 ended "$nr"
missing "instances/s$nr"
echo > kprobe_events
rmmod pe_target

kernel=/sys/kernel/tracing

# An event that the kernel's tracing uses, through its mirror.
mirror_in_use() {
	exec 3<> session
	read -r _ nr <&3
	one_write <<< 'p:shown read_zero
p:other read_zero
enable other'
	echo 1 > "events/s$nr/shown/mirror"
	echo 1 > "events/s$nr/other/mirror"
	echo > $kernel/trace
	echo 1 > "$kernel/events/s$nr/shown/enable"
	read_zeros 3
	is 'records of the mirror' 3 "$(records shown $kernel/trace)"
	refused_write 3 'busy' <<< '-:shown'
	exec 3>&-
	within 10 grep -q "^$nr	-	.*	1	.*	dying	" sessions
	holds kprobe_events "p:s$nr/shown read_zero"
	missing "$kernel/events/s$nr/other"
	read_zeros 3
	is 'records of the mirror' 3 "$(records shown $kernel/trace)"
	refused 'No such device' put 1 "events/s$nr/shown/enable"
	refused 'No such device' put traceon "events/s$nr/shown/trigger"
	refused 'in use' rmmod probe_events
	echo 0 > "$kernel/events/s$nr/shown/enable"
	within 10 text_is kprobe_events ''
	ended "$nr"
	missing "$kernel/events/s$nr"
}
[ ! -e kprobes/mirror ] || mirror_in_use

# A session with a directory of its instance as a task's working directory.
exec 3<> session
read -r _ nr <&3
one_write <<< 'instance 8'
(cd "instances/s$nr" && exec sleep 1000 3>&-) &
sleeper=$!
exec 3>&-
within 10 ended "$nr"
missing "instances/s$nr"
kill $sleeper

# A group and an instance that have the name already: the number is passed over, the line is refused.
exec 3<> session
read -r _ nr <&3
echo "p:s$((nr + 1))/in_the_way vfs_read" > kprobe_events
exec 4<> session
read -r _ next <&4
is 'the next number' $((nr + 2)) "$next"
mkdir "instances/s$next"
refused_write 4 'File exists' <<< 'p:new read_zero
instance 8'
has error_log 'error: Invalid session command (instances/ has one)'
exec 3>&- 4>&-
rmdir "instances/s$next"
echo > kprobe_events

# New events get mirrors: then a write releases the lock of events meanwhile.
mirrors_of_new() {
	echo 1 > kprobes/mirror
	echo 'p:mine vfs_write' > kprobe_events
	exec 3<> session
	read -r _ nr <&3
	for ((i = 0; i < 20; i++)); do
		one_write <<< 'p:a read_zero
p:b read_zero
enable a
enable b'
		exists "$kernel/events/s$nr/a/enable"
		refused_write 3 'Invalid argument' <<< 'p:c read_zero
enable c
enable nope'
		missing "$kernel/events/s$nr/c"
		one_write <<< '-:a
-:b'
		missing "$kernel/events/s$nr/a"
	done
	exec 3>&-
	echo 0 > kprobes/mirror
}
[ ! -e kprobes/mirror ] || mirrors_of_new
echo > kprobe_events
