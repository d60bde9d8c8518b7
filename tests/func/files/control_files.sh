#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: effects of set_event, tracing_cpumask, markers and pid lists, also along forks
# tools: leaderless
# seconds: 4

set -eu
cd "$PROBES"
# shellcheck source=tests/func/lib/events_lib.sh
. /host/events_lib.sh

# of PATTERN [FILE]: lines that have it, of trace if no file is named
of() { count "$1" "${2:-trace}"; }

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
read_zeros_on 0 100
read_zeros_on 1 70
is 'only CPU 1' '0 70' "$(of '\[000\]') $(of '\[001\].*zero')"
is 'loss' 100 "$(value t/zero off)"
sums
echo 32 > buffer_size_kb		# must not switch it on again
echo > trace
read_zeros_on 0 100
is 'still only CPU 1' 0 "$(of '\[000\]')"
for i in 1 2 3; do			# nor may a snapshot, whichever buffer it is
	echo 1 > snapshot
	read_zeros_on 0 10
	read_zeros_on 1 10
	is "CPU 1 after snapshot $i" '0 10' "$(of '\[000\].*zero') $(of '\[001\].*zero')"
	echo > trace
done
echo 0 > snapshot
echo 1 > snapshot
read_zeros_on 0 10
is 'only CPU 1 in new memory' 0 "$(of '\[000\].*zero')"
echo 3 > tracing_cpumask
# All CPUs that go off wait for their writers together: one grace period, with the snapshot's.
mkdir instances/gp
echo 'p:gp/gp synchronize_rcu' >> kprobe_events
echo "common_pid == $$" > instances/gp/events/gp/gp/filter
echo 1 > instances/gp/events/gp/gp/enable
echo 0 > tracing_cpumask
is 'grace periods' 1 "$(records gp instances/gp/trace)"
echo 3 > tracing_cpumask
is 'none to go on' 1 "$(records gp instances/gp/trace)"
rmdir instances/gp
echo -:gp/gp >> kprobe_events
for i in 1 2; do
	echo 1 > snapshot
	echo > trace
	read_zeros_on 0 10
	is "both, after snapshot $i" 10 "$(of '\[000\].*zero')"
done
echo 0 > snapshot
echo > trace
echo 1408 > buffer_size_kb
read_zeros_on 0 100
is 'both' 100 "$(of '\[000\].*zero')"
sums

# Markers stand in time between records, on the CPU of their writer.
echo > trace
taskset -c 1 bash -c 'echo before > trace_marker; dd if=/dev/zero of=/dev/null bs=1 count=1 status=none; echo after > trace_marker'
is 'order' 'before zero: after' "$(grep -o 'before\| zero: \|after' trace | tr -d ' ' | paste -sd ' ')"
is 'CPU' 2 "$(of '\[001\] .*: tracing_mark_write: ')"
head -c 10000 /dev/zero | tr '\0' x > /tmp/long
echo > trace
dd if=/tmp/long of=trace_marker bs=10000 status=none
is 'long text' 10000 "$(grep -o 'x*$' trace | tr -d '\n' | wc -c)"
printf 'cut\0here' > trace_marker
is 'a NUL ends text' 1 "$(of 'tracing_mark_write: cut$')"
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
has /tmp/err 'Bad file descriptor'	# the buffer is full, the writer knows
is 'all that were taken' $((i - 1)) "$(of number)"
echo 1 > options/overwrite
echo 1408 > buffer_size_kb

# A reader of trace stops recording, if it is to.
echo 1 > options/pause-on-trace
echo > trace
read_zeros 10
exec 5< trace
read_zeros 10
is 'stopped' 10 "$(records zero /dev/fd/5)"
exec 5<&-
is 'again' 11 "$(read_zeros 1; records zero)"
echo 0 > options/pause-on-trace
exec 5< trace
read_zeros 5
exec 5<&-
is 'not stopped' 16 "$(records zero)"
echo 1 > options/pause-on-trace
exec 5< trace
echo 1 > snapshot
read_zeros 5
is 'stopped over a snapshot' 0 "$(records zero per_cpu/cpu0/trace)"
exec 5<&-
echo 0 > options/pause-on-trace
for i in 1 2; do
	echo > trace
	read_zeros 5
	is "both buffers record again, $i" 5 "$(records zero)"
	echo 1 > snapshot
done
echo 0 > snapshot
sums

# Pids. Every hit that was not recorded is counted.
echo > set_event
echo t:zero > set_event
echo > trace
bash -c 'echo $$ > set_event_pid; exec dd if=/dev/zero of=/dev/null bs=1 count=5 status=none'
hits=$(records zero)
is 'of one pid' 5 "$hits"
before=$(value t/zero pid)
read_zeros 50
is 'others' "$hits" "$(records zero)"
is 'counted' $((before + 50)) "$(value t/zero pid)"
sums
echo > set_event_pid
bash -c 'echo $$ > set_event_notrace_pid; exec dd if=/dev/zero of=/dev/null bs=1 count=9 status=none'
is 'not this one' "$hits" "$(records zero)"
read_zeros 50
is 'but others' $((hits + 50)) "$(records zero)"
sums
: > set_event_notrace_pid

# Numbers are those of the writer's PID namespace; in records, and when read, of the first.
if [ -e /proc/self/ns/pid ]; then
	hits=$(records zero)
	unshare --pid --fork bash -c 'read -r pid rest < /proc/self/stat; echo $$ > set_event_pid
		echo "$$ $pid $(< set_event_pid)"; exec dd if=/dev/zero of=/dev/null bs=1 count=6 status=none' > /tmp/pids
	read -r inside pid shown < /tmp/pids
	is 'there' 1 "$inside"
	is 'read' "$pid" "$shown"
	is 'its records' $((hits + 6)) "$(records zero)"
	has trace "dd-$pid .* zero: "
	refused 'No such process' unshare --pid --fork bash -c 'echo $$ 4000 >> set_event_pid'
	is 'as before' "$pid" "$(< set_event_pid)"
	: > set_event_pid
fi

# Options: each can be put where it is. What cannot be elsewhere says so.
for option in options/*; do
	put "$(< $option)" $option
	word=${option#*/}
	[ "$(< $option)" = 1 ] || word=no$word
	! grep -qx $word trace_options || put $word trace_options
done
: > error_log
refused 'Invalid argument' put 1 options/sym-offset
has error_log ' trace_options: error: This option cannot be changed (the format of records is fixed)$'
has error_log '^  Command: sym-offset$'
is 'one entry' 1 "$(count 'error: ' error_log)"
refused 'Invalid argument' put norecord-cmd trace_options
has error_log '^  Command: norecord-cmd$'
is 'and one more' 2 "$(count 'error: ' error_log)"
refused 'Invalid argument' put nonsense trace_options
has error_log 'trace_options: error: .*read the file for the values it accepts'
refused 'Invalid argument' put 2 options/sym-offset
is 'one entry for each' 4 "$(count 'error: ' error_log)"
is 'as before' '0 1' "$(paste -d ' ' options/sym-offset options/record-cmd)"
: > error_log
# Those of tracers can be switched, as while there is none in the kernel.
put nofunction-trace trace_options
put 1 instances/x/options/funcgraph-proc
is 'switched' '0 1' "$(paste -d ' ' options/function-trace instances/x/options/funcgraph-proc)"
is 'not in the other' '1 0' "$(paste -d ' ' instances/x/options/function-trace options/funcgraph-proc)"
put 1 options/function-trace

# Triggers act at everybody's hits, unless one of them has to see the record.
echo 1 > set_event_pid
before=$(value t/zero pid)
echo 'enable_event:t:null' > events/t/zero/trigger
read_zeros 10
is 'enabled by an unwanted task' '1*' "$(cat events/t/null/enable)"
is 'but no record' $((before + 10)) "$(value t/zero pid)"
echo '!enable_event:t:null' > events/t/zero/trigger
echo 'traceoff if common_pid > 0' > events/t/zero/trigger
read_zeros 10
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
read_zeros 30
is 'no list here' 30 "$(records zero)"
is 'another there' 0 "$(records zero instances/x/trace)"
sums
echo > instances/x/set_event

# A fork is not followed unless asked for; then children and theirs are, until they end.
tree() { bash -c 'dd if=/dev/zero of=/dev/null bs=1 count=20 status=none; (dd if=/dev/zero of=/dev/null bs=1 count=3 status=none; true); true'; }
echo > trace
echo $$ > set_event_pid
tree
is 'no children' 0 "$(records zero)"
is 'only this' $$ "$(cat set_event_pid)"
echo event-fork > trace_options
has kprobes/list 'wake_up_new_task'
tree
read_zeros 7
is 'children' 30 "$(records zero)"
# Those that have ended are not there any more: this shell, and the cat that reads.
cat set_event_pid > /tmp/pids
is 'ended' 2 "$(wc -l < /tmp/pids)"
sleep 100 &
child=$!
has set_event_pid $child -x
kill $child
wait $child || true
lacks set_event_pid $child -x
echo noevent-fork > trace_options
lacks kprobes/list 'wake_up_new_task'
tree
is 'not any more' 30 "$(records zero)"
sums
echo > set_event_pid
echo $$ > set_event_notrace_pid
echo 1 > options/event-fork
tree
is 'children are not recorded' 30 "$(records zero)"
sums
for bad in 2 x '' -1; do
	refused 'Invalid argument' put "$bad" options/event-fork
done

# Threads are followed, too, each for itself; the first stays in the list until the process,
# with its number, is gone.
unlisted() { ! grep -qx "$1" set_event_notrace_pid; }
mkfifo /tmp/go
/host/leaderless < /tmp/go > /tmp/tids &
group=$!
exec 5> /tmp/go
within 20 test -s /tmp/tids
read -r leader thread < /tmp/tids
is 'the leader' $group "$leader"
differs 'the other thread' "$leader" "$thread"
within 20 in_state Z "$leader"
has set_event_notrace_pid "$leader" -x
has set_event_notrace_pid "$thread" -x
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
has set_event_notrace_pid $child -x
kill $child
wait $child || true
within 20 unlisted $child
is 'no hit' "$before" "$(value t/wake hits)"
is 'one of them is armed' 1 "$(grep 'wake_up_new_task' kprobes/list | grep -c '\[\(FTRACE\|INT3\|OPTIMIZED\)\]')"
echo 1 > kprobes/enabled
(true)
at_least 'hits of t/wake' $((before + 1)) "$(value t/wake hits)"
echo 0 > events/t/wake/enable
echo -:t/wake >> kprobe_events
echo > set_event_notrace_pid

# Following ends with the instance; the runner unloads while the top follows.
echo 1 > instances/x/options/event-fork
echo 0 > options/event-fork
has kprobes/list 'cgroup_(task_)?release|release_task' -E
rmdir instances/x
lacks kprobes/list 'cgroup_(task_)?release|release_task' -E
echo 1 > options/event-fork
