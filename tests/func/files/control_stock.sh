#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: set_event, pid lists, cpumask, markers and instances answer as in the kernel's own tracefs
# not: 5.10-cloud 6.1-cloud 7.3-cloud: their texts are of other versions
# not: 6.12-rt: the texts of 6.12-cloud
# needs: tracefs kprobes
# tools: leaderless
# seconds: 22

set -eu
# shellcheck source=tests/func/lib/stock_lib.sh
. /host/stock_lib.sh

for dir in "$PROBES" $stock; do
	printf '%s\n' 'p:g/a vfs_read' 'p:g/b vfs_write' 'p:h/a vfs_open' 'p:q/a read_zero' 'p:q/b write_null' 'p:q/c read_null' \
		> $dir/kprobe_events
	echo > $dir/error_log		# of an earlier test
done

# Names of events.
same 'available' "grep -E '^(g|h):' available_events | sort"
for word in g:a h a 'g:' 'g:*' '*:b' ':b' nope g:nope 'g:a nope h:a' 'g:a h:a' '*a' 'g:*a' '!' '!g:a' '  g:a  ' \
	'' '!!g:a' 'g:a:b' '*' '!*:*' '!:' 'g*' 'g:?' "$(printf 'x%.0s' {1..300})"; do
	same "> $word" "echo '$word' > set_event; sort set_event"
	in_turn 3 || continue
	same ">> $word" "echo '$word' >> set_event; sort set_event"
	same "g:b, then $word" "echo g:b > set_event; echo '$word' >> set_event; sort set_event"
	same "remove $word" "echo 'g:* h:*' > set_event; echo '!$word' >> set_event; sort set_event"
done
same 'lines' 'printf "g:a\nh:a\n" > set_event; sort set_event; cat events/{g,h}/enable events/g/*/enable'
same 'no newline' 'printf g:b > set_event; sort set_event'
same 'one descriptor' 'exec 5> set_event; echo g:a >&5; echo h >&5; sort set_event; echo "!g:a" >&5; cat set_event'
same 'words done' 'printf "g:a h:a nope h:a" > /tmp/words; dd if=/tmp/words of=set_event 2>&1 | grep -o "^[0-9]* bytes\|: Inv.*"; sort set_event'
same 'NUL' "printf 'g:a\\0h:a' > set_event; sort set_event"
same 'off' 'echo > set_event; cat set_event events/g/enable'

# Instances.
same 'make' 'mkdir instances/x; stat -c "%a %F" instances instances/x; mkdir instances/x'
same 'x: events' 'echo g:a >> instances/x/set_event; cat set_event instances/x/set_event;
	cat events/g/enable instances/x/events/{g,h,g/a}/enable; echo > instances/x/set_event'
same 'x: id' 'cmp events/g/a/id instances/x/events/g/a/id'
same 'x: files' 'cd instances/x; echo > trace; cat tracing_on trace_clock tracing_cpumask buffer_size_kb buffer_total_size_kb current_tracer trace'
same 'inherited' 'echo 0 > options/annotate; echo nooverwrite > trace_options; echo 0 > options/markers; echo 1 > options/event-fork
	echo mono > trace_clock; echo 0 > tracing_on; echo 1 > tracing_cpumask; mkdir instances/y
	cd instances/y; cat options/annotate options/overwrite options/markers options/event-fork trace_clock tracing_on tracing_cpumask
	cd ../..; echo 1 > options/annotate; echo overwrite > trace_options; echo 1 > options/markers; echo 0 > options/event-fork
	echo local > trace_clock; echo 1 > tracing_on; echo 3 > tracing_cpumask; rmdir instances/y; ls instances'
for f in trace trace_pipe tracing_on buffer_size_kb trace_clock trace_options options/overwrite events/enable events/g/enable \
	events/g/a/enable set_event set_event_pid current_tracer tracing_cpumask per_cpu/cpu0/stats timestamp_mode; do
	same "busy: $f" "exec 5< instances/x/$f; rmdir \$PWD/instances/x 2>&1 | sed 's/.*: //'"
done
same 'busy: marker' 'exec 5> instances/x/trace_marker; rmdir $PWD/instances/x 2>&1 | sed "s/.*: //"'
same 'error logs' 'echo > error_log; echo > instances/x/error_log; echo "p:g/a vfs_read x=%nothing" >> kprobe_events; grep -c error: error_log instances/x/error_log; echo > error_log; wc -c < error_log'
same 'inside' 'mkdir instances/x/y 2>&1 | sed "s/.*: //"'
same 'remove' 'rmdir instances/x; rmdir instances/x; ls instances'

# CPUs.
for mask in 0 ff zz 2 '' 0,3 1ffffffff 1 ',' 3; do
	same "cpumask $mask" "echo '$mask' > tracing_cpumask; cat tracing_cpumask"
done

# Pids. Numbers that no task can have are refused here; the kernel cuts some to others.
for pids in 5 x '7 x 8' -1 '' 0 32768 5,6 0x10 010 '1 2 3' ' 9 ' 4194303 99999999999999999999; do
	for f in set_event_pid set_event_notrace_pid; do
		in_turn 2 || continue
		same "$f > $pids" "echo '$pids' > $f; cat $f"
		same "$f: 77, then $pids" "echo 77 > $f; echo '$pids' >> $f; cat $f; echo > $f; cat $f"
	done
done
same 'pids in lines' 'printf "4\n5" > set_event_pid; cat set_event_pid'
apart 'pids that no task has' '5 status 0' '5 4194304 status 0' \
	'echo 5 > set_event_pid; echo 4194304 >> set_event_pid 2> /dev/null; cat set_event_pid; echo > set_event_pid'
same 'NUL in pids' 'for pids in "5\\0" "5\\0 6" "5\\0006\\n" "\\0" "\\0007" " \\0 8"; do printf "$pids" > set_event_pid; echo $?; cat set_event_pid; done; echo > set_event_pid'
same 'pids by one descriptor' 'exec 5>> set_event_pid; printf 77 >&5; printf 88 >&5; cat set_event_pid; exec 5> set_event_pid; cat set_event_pid'

# Forks. A thread joins with its own number; the first thread of a process stays in the list
# until the process is gone. The switch for all probes does not stop it.
cat > /tmp/group << 'END'
list=$1
until_() { for i in $(seq 200); do "$@" && return; sleep 0.1; done; echo "never: $*"; }
dead() { [ "$(awk '{ print $3 }' /proc/$1/stat)" = Z ]; }
unlisted() { ! grep -qx $1 $list; }
shown() { for p; do grep -cx $p $list; done; }
echo event-fork > trace_options
echo $$ > $list
rm -f /tmp/go /tmp/tids
mkfifo /tmp/go
/host/leaderless < /tmp/go > /tmp/tids &
exec 5> /tmp/go
until_ test -s /tmp/tids
read -r leader thread < /tmp/tids
until_ dead $leader
shown $leader $thread
exec 5>&-
wait $!
until_ unlisted $leader
until_ unlisted $thread
shown $leader $thread
enabled=kprobes/enabled
[ -e $enabled ] || enabled=/sys/kernel/debug/kprobes/enabled
echo q:a > set_event
echo 0 > $enabled
sleep 100 &
child=$!
until_ grep -qx $child $list
kill $child
wait $child
until_ unlisted $child
head -c 1 /dev/zero | wc -c
echo 1 > $enabled
grep -c ' a: ' trace
echo noevent-fork > trace_options
echo > set_event
echo > $list
END
for f in set_event_pid set_event_notrace_pid; do
	same "forks, $f" "echo > trace; bash /tmp/group $f"
done

# Triggers at the hits of tasks that are not wanted, and masked CPUs in snapshots.
for trigger in traceoff 'traceoff if common_pid > 0' traceoff:1 disable_event:q:b enable_event:q:c snapshot 'snapshot if common_pid > 0' 'traceoff if common_pid < 0' \
	stacktrace 'stacktrace if common_pid > 0'; do
	for f in set_event_pid set_event_notrace_pid; do
		for pids in 1 "1 \$BASHPID"; do
			same "$trigger, $f $pids" "echo > trace; echo 'q:a q:b' > set_event; echo \"$pids\" > $f; echo '$trigger' > events/q/a/trigger
				echo > /dev/null; head -c 1 /dev/zero | wc -c; echo > /dev/null
				grep -o ' [abc]: (\|<stack trace>' trace snapshot; cat tracing_on events/q/*/enable
				echo '!${trigger%%:1*}' > events/q/a/trigger; echo > $f; echo > set_event; echo 1 > tracing_on; echo > trace; echo 0 > snapshot"
		done
	done
done
same 'masked in snapshots' 'echo q:a > set_event; echo 2 > tracing_cpumask; for i in 1 2 3; do echo 1 > snapshot
	for cpu in 0 1; do taskset -c $cpu head -c 1 /dev/zero | wc -c; done; grep -c "\[000\]" trace snapshot; grep -c "\[001\]" trace snapshot; done
	echo 3 > tracing_cpumask; for i in 1 2; do echo 1 > snapshot; echo > trace; taskset -c 0 head -c 1 /dev/zero | wc -c
	grep -c "\[000\]" trace; done; echo > set_event; echo 0 > snapshot; echo > trace'

# Markers. The text of ours ends its line also when a NUL has cut it.
text="sed -E 's/ +[0-9]+\.[0-9]{6}: / TIME: /; s/^ +[^ ]+-[0-9]+ +.[0-9]{3}. [^ ]{5}/TASK/'"
same 'markers' "echo > trace; echo hello > trace_marker; printf 'no newline' > trace_marker; printf 'a\\nb\\n' > trace_marker
	printf '\\n' > trace_marker; printf '' > trace_marker; exec 5> trace_marker; echo one >&5; echo two >&5; $text trace"
same 'counts of markers' "echo > trace; for i in 1 2 3; do echo \$i > trace_marker; done; cat per_cpu/cpu*/stats | awk '/^entries/ { n += \$2 } END { print n }'"
same 'raw' "echo > trace; printf '\\1\\0\\0' > trace_marker_raw; printf '\\1\\2\\3\\4' > trace_marker_raw; echo \$?; printf '\\1\\0\\0\\0abcd' > trace_marker_raw
	grep -o '# [0-9a-f]* buf:\( 61 62 63 64\)*' trace"
same 'long' 'head -c 5000 /dev/zero | tr "\0" x > /tmp/long; dd if=/tmp/long of=trace_marker_raw bs=5000 status=none'
apart 'texts of 5000' '4046 954 status 0' '4054 946 status 0' \
	'echo > trace; dd if=/tmp/long of=trace_marker bs=5000 status=none; grep -o "x*$" trace | awk "{ print length }"; echo > trace'
apart 'long raw records' '0 1 1 1 status 0' '0 0 0 1 status 0' 'for i in 4056 4057 4060 4061; do
	dd if=/tmp/long of=trace_marker_raw bs=$i count=1 status=none 2> /dev/null; echo $?; done'
same 'off' 'echo 0 > tracing_on; echo off > trace_marker; printf "\1\0\0\0a" > trace_marker_raw; echo 1 > tracing_on'
same 'no markers' 'echo nomarkers > trace_options; echo off > trace_marker; printf "\1\0\0\0a" > trace_marker_raw; echo markers > trace_options'
same 'reading a marker' 'cat trace_marker; cat trace_marker_raw'
same 'markers in an instance' "echo > trace; mkdir instances/x; echo hello > instances/x/trace_marker; grep -c hello trace; $text instances/x/trace
	echo off > instances/x/options/markers; echo 0 > instances/x/options/markers; echo x > instances/x/trace_marker; echo x > trace_marker; rmdir instances/x"

# All options of the kernel, with its values, in order; modes. There are more here than in one kernel.
same 'options' 'grep -vx nobranch trace_options'
for dir in $stock "$PROBES"; do
	(cd $dir && for option in options/*; do echo "$(stat -c '%n %a' $option) $(< $option)"; done) > /tmp/options${dir////_}
done
is 'options that are missing or differ' '' "$(comm -23 /tmp/options${stock////_} /tmp/options${PROBES////_})"
for f in available_events set_event set_event_pid set_event_notrace_pid trace_marker trace_marker_raw tracing_cpumask \
	timestamp_mode options instances; do
	same "$f" "stat -c '%a %s %F' $f"
done
same 'time stamps' 'cat timestamp_mode'
for f in print raw_data; do
	same "format of $f" "cat events/ftrace/$f/format"
done

# Names that are refused here.
for word in p:n/filter p:n/enable r:ftrace/; do
	apart "$word" '1 0 status 0' '0 1 status 0' "echo > kprobe_events; echo '$word vfs_read' >> kprobe_events 2> /dev/null; echo \$?
		grep -c . kprobe_events; echo > kprobe_events"
done

for dir in "$PROBES" $stock; do
	echo > $dir/set_event
	echo > $dir/kprobe_events
done
cd /
umount $stock
echo "$n comparisons"
at_least 'comparisons' 150 "$n"
