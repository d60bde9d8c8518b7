#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: effects of set_event, tracing_cpumask, markers and pid lists, also along forks
# kernels: all
# tools: leaderless
# seconds: 13

set -eu
cd "$PROBES"
# shellcheck source=tests/func/check_lib.sh
. /host/check_lib.sh

count() { grep -c "$1" "${2:-trace}" || true; }
work() { dd if=/dev/zero of=/dev/null bs=1 count="$1" status=none; }

printf '%s\n' 'p:t/zero read_zero' 'p:t/null write_null' 'p:u/zero vfs_open' > kprobe_events

# set_event switches; a long list in one write.
echo t:zero > set_event
is 'enabled' 10 "$(cat events/t/zero/enable events/t/null/enable | tr -d '\n')"
echo 't/' >> set_event
is 'a slash does' 't:zero t:null' "$(paste -sd ' ' set_event)"
echo '!t:' >> set_event
{ for i in $(seq 3000); do printf 't:zero '; done; echo u:zero; } > /tmp/list
dd if=/tmp/list of=set_event bs=1M conv=notrunc oflag=append status=none
is 'long list' 't:zero u:zero' "$(paste -sd ' ' set_event)"
for i in $(seq 120); do
	echo "p:many_long_names_of_a_group/event_number_$i read_null"
done >> kprobe_events
echo many_long_names_of_a_group: >> set_event
is 'list over several reads' 122 "$(wc -l < set_event)"
is 'all' 123 "$(wc -l < available_events)"
mkdir instances/x
is 'nothing in an instance' '' "$(cat instances/x/set_event)"
echo '*:*' > instances/x/set_event
is 'all in an instance' 123 "$(wc -l < instances/x/set_event)"
is 'not here' 122 "$(wc -l < set_event)"
: > instances/x/set_event
: > set_event
is 'truncated' '' "$(cat set_event instances/x/set_event)"
sed -n 's/^p:\(many[^ ]*\) .*/-:\1/p' kprobe_events > /tmp/delete
cat /tmp/delete >> kprobe_events

# tracing_cpumask: hits elsewhere are losses.
echo t:zero > set_event
echo 2 > tracing_cpumask
echo > trace
taskset -c 0 dd if=/dev/zero of=/dev/null bs=1 count=100 status=none
taskset -c 1 dd if=/dev/zero of=/dev/null bs=1 count=70 status=none
is 'only CPU 1' '0 70' "$(count '\[000\]') $(count '\[001\].*zero')"
is 'loss' 100 "$(value t/zero off)"
sums
echo 32 > buffer_size_kb		# must not switch it on again
echo > trace
taskset -c 0 dd if=/dev/zero of=/dev/null bs=1 count=100 status=none
is 'still only CPU 1' 0 "$(count '\[000\]')"
for i in 1 2 3; do			# nor may a snapshot, whichever buffer it is
	echo 1 > snapshot
	taskset -c 0 dd if=/dev/zero of=/dev/null bs=1 count=10 status=none
	taskset -c 1 dd if=/dev/zero of=/dev/null bs=1 count=10 status=none
	is "CPU 1 after snapshot $i" '0 10' "$(count '\[000\].*zero') $(count '\[001\].*zero')"
	echo > trace
done
echo 0 > snapshot
echo 1 > snapshot
taskset -c 0 dd if=/dev/zero of=/dev/null bs=1 count=10 status=none
is 'only CPU 1 in new memory' 0 "$(count '\[000\].*zero')"
echo 3 > tracing_cpumask
# All CPUs that go off wait for their writers together: one grace period, with the snapshot's.
mkdir instances/gp
echo 'p:gp/gp synchronize_rcu' >> kprobe_events
echo "common_pid == $$" > instances/gp/events/gp/gp/filter
echo 1 > instances/gp/events/gp/gp/enable
echo 0 > tracing_cpumask
is 'grace periods' 1 "$(count ' gp: ' instances/gp/trace)"
echo 3 > tracing_cpumask
is 'none to go on' 1 "$(count ' gp: ' instances/gp/trace)"
rmdir instances/gp
echo -:gp/gp >> kprobe_events
for i in 1 2; do
	echo 1 > snapshot
	echo > trace
	taskset -c 0 dd if=/dev/zero of=/dev/null bs=1 count=10 status=none
	is "both, after snapshot $i" 10 "$(count '\[000\].*zero')"
done
echo 0 > snapshot
echo > trace
echo 1408 > buffer_size_kb
taskset -c 0 dd if=/dev/zero of=/dev/null bs=1 count=100 status=none
is 'both' 100 "$(count '\[000\].*zero')"
sums

# Markers stand in time between records, on the CPU of their writer.
echo > trace
taskset -c 1 bash -c 'echo before > trace_marker; dd if=/dev/zero of=/dev/null bs=1 count=1 status=none; echo after > trace_marker'
is 'order' 'before zero: after' "$(grep -o 'before\| zero: \|after' trace | tr -d ' ' | paste -sd ' ')"
is 'CPU' 2 "$(count '\[001\] .*: tracing_mark_write: ')"
head -c 10000 /dev/zero | tr '\0' x > /tmp/long
echo > trace
dd if=/tmp/long of=trace_marker bs=10000 status=none
is 'long text' 10000 "$(grep -o 'x*$' trace | tr -d '\n' | wc -c)"
printf 'cut\0here' > trace_marker
is 'a NUL ends text' 1 "$(count 'tracing_mark_write: cut$')"
printf '\1\0\0\0' | cat - /tmp/long | head -c 1000 > /tmp/raw
dd if=/tmp/raw of=trace_marker_raw bs=1000 status=none
is 'raw bytes' 996 "$(sed -n 's/.*# 1 buf://p' trace | grep -o ' 78' | wc -l)"
echo 'in time' > trace_marker
is 'pipe' 1 "$(timeout 60 grep -m1 -c 'in time' trace_pipe)"
echo 8 > buffer_size_kb
echo 0 > options/overwrite
echo > trace
for i in $(seq 3000); do
	echo "number $i" > trace_marker || break
done 2> /tmp/err
grep -q 'Bad file descriptor' /tmp/err	# the buffer is full, the writer knows
is 'all that were taken' $((i - 1)) "$(count number)"
echo 1 > options/overwrite
echo 1408 > buffer_size_kb

# A reader of trace stops recording, if it is to.
echo 1 > options/pause-on-trace
echo > trace
work 10
exec 5< trace
work 10
is 'stopped' 10 "$(count ' zero: ' /dev/fd/5)"
exec 5<&-
is 'again' 11 "$(work 1; count ' zero: ')"
echo 0 > options/pause-on-trace
exec 5< trace
work 5
exec 5<&-
is 'not stopped' 16 "$(count ' zero: ')"
echo 1 > options/pause-on-trace
exec 5< trace
echo 1 > snapshot
work 5
is 'stopped over a snapshot' 0 "$(count ' zero: ' per_cpu/cpu0/trace)"
exec 5<&-
echo 0 > options/pause-on-trace
for i in 1 2; do
	echo > trace
	work 5
	is "both buffers record again, $i" 5 "$(count ' zero: ')"
	echo 1 > snapshot
done
echo 0 > snapshot
sums

# Pids. Every hit that was not recorded is counted.
echo > set_event
echo t:zero > set_event
echo > trace
bash -c 'echo $$ > set_event_pid; exec dd if=/dev/zero of=/dev/null bs=1 count=5 status=none'
hits=$(count ' zero: ')
is 'of one pid' 5 "$hits"
before=$(value t/zero pid)
work 50
is 'others' "$hits" "$(count ' zero: ')"
is 'counted' $((before + 50)) "$(value t/zero pid)"
sums
echo > set_event_pid
bash -c 'echo $$ > set_event_notrace_pid; exec dd if=/dev/zero of=/dev/null bs=1 count=9 status=none'
is 'not this one' "$hits" "$(count ' zero: ')"
work 50
is 'but others' $((hits + 50)) "$(count ' zero: ')"
sums
: > set_event_notrace_pid

# Triggers act at everybody's hits, unless one of them has to see the record.
echo 1 > set_event_pid
before=$(value t/zero pid)
echo 'enable_event:t:null' > events/t/zero/trigger
work 10
is 'enabled by an unwanted task' '1*' "$(cat events/t/null/enable)"
is 'but no record' $((before + 10)) "$(value t/zero pid)"
echo '!enable_event:t:null' > events/t/zero/trigger
echo 'traceoff if common_pid > 0' > events/t/zero/trigger
work 10
is 'not off by an unwanted task' 1 "$(cat tracing_on)"
bash -c 'echo $$ >> set_event_pid; exec dd if=/dev/zero of=/dev/null bs=1 count=1 status=none'
is 'off by a wanted one' 0 "$(cat tracing_on)"
echo '!traceoff' > events/t/zero/trigger
echo 1 > tracing_on
echo 0 > events/t/null/enable
: > set_event_pid
sums

# In an instance of its own, each for itself.
echo t:zero > instances/x/set_event
echo 1 > instances/x/set_event_pid
echo > trace
work 30
is 'no list here' 30 "$(count ' zero: ')"
is 'another there' 0 "$(count ' zero: ' instances/x/trace)"
sums
echo > instances/x/set_event

# A fork is not followed unless asked for; then children and theirs are, until they end.
tree() { bash -c 'dd if=/dev/zero of=/dev/null bs=1 count=20 status=none; (dd if=/dev/zero of=/dev/null bs=1 count=3 status=none; true); true'; }
echo > trace
echo $$ > set_event_pid
tree
is 'no children' 0 "$(count ' zero: ')"
is 'only this' $$ "$(cat set_event_pid)"
echo event-fork > trace_options
grep -q 'wake_up_new_task' kprobes/list
tree
work 7
is 'children' 30 "$(count ' zero: ')"
# Those that have ended are not there any more: this shell, and the cat that reads.
cat set_event_pid > /tmp/pids
is 'ended' 2 "$(wc -l < /tmp/pids)"
sleep 100 &
child=$!
grep -qx $child set_event_pid
kill $child
wait $child || true
not grep -qx $child set_event_pid
echo noevent-fork > trace_options
not grep -q 'wake_up_new_task' kprobes/list
tree
is 'not any more' 30 "$(count ' zero: ')"
sums
echo > set_event_pid
echo $$ > set_event_notrace_pid
echo 1 > options/event-fork
tree
is 'children are not recorded' 30 "$(count ' zero: ')"
sums
for bad in 2 x '' -1; do
	if echo "$bad" > options/event-fork; then echo "took '$bad'"; exit 1; fi 2> /dev/null
done

# Threads are followed, too, each for itself; the first stays in the list until the process,
# with its number, is gone.
listed() { grep -qx "$1" set_event_notrace_pid; }
unlisted() { not listed "$1"; }
mkfifo /tmp/go
/host/leaderless < /tmp/go > /tmp/tids &
group=$!
exec 5> /tmp/go
within 20 test -s /tmp/tids
read -r leader thread < /tmp/tids
is 'the leader' $group "$leader"
not test "$leader" = "$thread"
dead() { [ "$(awk '{ print $3 }' "/proc/$1/stat")" = Z ]; }
within 20 dead "$leader"
listed "$leader"
listed "$thread"
exec 5>&-
wait $group
within 20 unlisted "$thread"
within 20 unlisted "$leader"

# The switch for all probes is for those of users: following goes on, and a user's probe in
# the same place does not fire.
echo 'p:t/wake wake_up_new_task' >> kprobe_events
echo 1 > events/t/wake/enable
echo > set_event_notrace_pid
echo $$ >> set_event_notrace_pid
echo 0 > kprobes/enabled
before=$(value t/wake hits)
sleep 100 &
child=$!
listed $child
kill $child
wait $child || true
within 20 unlisted $child
is 'no hit' "$before" "$(value t/wake hits)"
is 'one of them is armed' 1 "$(grep 'wake_up_new_task' kprobes/list | grep -c '\[\(FTRACE\|INT3\)\]')"
echo 1 > kprobes/enabled
(true)
[ "$(value t/wake hits)" -gt "$before" ]
echo 0 > events/t/wake/enable
echo -:t/wake >> kprobe_events
echo > set_event_notrace_pid

# Following ends with the instance; the runner unloads while the top follows.
echo 1 > instances/x/options/event-fork
echo 0 > options/event-fork
grep -qE 'cgroup_release|release_task' kprobes/list
rmdir instances/x
not grep -qE 'cgroup_release|release_task' kprobes/list
echo 1 > options/event-fork
