#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: probe-events count and lat: whose hits are counted, intervals, order, errors, files
# tier: 6.12-cloud bare
# seconds: 15 debug=37
# tools: probe-events
set -eu
# shellcheck source=tests/func/lib/tool_lib.sh
. /host/tool_lib.sh
# row NAME: its fields after the name, in the answer
row() { gawk -v name="$1" '$1 == name { $1 = ""; sub(/^ /, ""); print; exit }' /tmp/out; }
zeros() { dd if=/dev/zero of=/dev/null bs=1 count="$1" status=none; }

# A command and what it starts, while another process makes the same calls without end.
while :; do zeros 50; done & other=$!
tool_run 0 count read_zero by comm -- sh -c 'dd if=/dev/zero of=/dev/null bs=1 count=30 status=none; true'
is 'calls of the child' 30 "$(row dd)"
is 'all calls' 30 "$(row total)"
has /tmp/out '^hits [0-9,]* = counted 30.*; none lost; cost [0-9.]*% of CPU$'
tool_run 0 lat hrtimer_nanosleep -- sleep 0.05
has /tmp/out '^calls [0-9,]* = counted 1.*; none lost; cost [0-9.]*% of CPU$'
tool_run 7 count read_zero -- sh -c 'exit 7'
tool_run 127 count read_zero -- /no/such/command
# The process that was to become it repeats nothing of the answer.
for verb in count trace; do
	tool_run 127 $verb read_zero -f json -w /tmp/saved -- /no/such/command
	for file in /tmp/out /tmp/saved; do
		is "$verb: lines of $file" '1 1 1' "$(for type in start error end; do grep -c "^{\"type\":\"$type\"" $file; done | xargs)"
	done
done
tool_run 1 count no_such_function -- touch /tmp/was_run
[ ! -e /tmp/was_run ]

# The sum of the intervals is the total, and that is what the engine has counted.
tool_run 0 count read_zero by comm -i 300ms -d 3 -o /tmp/answer
is 'on the screen' '' "$(cat /tmp/out)"
gawk '/^total of / { last = 1 } /^total / { gsub(",", "", $2); n++; if (last) total = $2; else sum += $2 }
	END { print n, sum, total; exit !(n >= 4 && sum == total && total > 0) }' /tmp/answer
gawk '/^hits / { gsub(",", ""); sub(";.*", ""); sub("hits ", ""); sub(" = counted", ""); print }' \
	/tmp/answer > /tmp/balance
has /tmp/answer '^hits .*; none lost; cost [0-9.]*% of CPU$'
read -r hits counted rest < /tmp/balance
is 'hits and what became of them' "$hits" "$((counted + 0${rest//[a-z ]/}))"
kill $other

# Tasks, processes, CPUs.
sh -c 'while [ ! -e /tmp/stop ]; do sleep 0.02; done' & task=$!
tool_run 0 count hrtimer_nanosleep by comm -t 1 -d 2
has /tmp/out 'counted 0 + not asked for'
tool_run 0 count sched_exec by pid -p $task -d 300ms --dry-run
has /tmp/out "if (pid == $task)$"
if [ -e /sys/kernel/btf/vmlinux ]; then
	tool_run 0 count kernel_clone by pid -p $task -d 2
	at_least 'forks' 1 "$(row $task)"
	is 'forks of others' "$(row total)" "$(row $task)"
fi
touch /tmp/stop
wait $task
tool_run 0 count read_zero by cpu -C 1 -a -- sh -c 'taskset 1 dd if=/dev/zero of=/dev/null count=3 status=none; taskset 2 dd if=/dev/zero of=/dev/null count=4 status=none'
is 'calls on CPU 1' 4 "$(row 1)"
is 'calls' 4 "$(row total)"

# Order and number of rows.
asks='dd if=/dev/zero of=/dev/null bs=4 count=3 status=none; dd if=/dev/zero of=/dev/null bs=2 count=9 status=none
dd if=/dev/zero of=/dev/null bs=10 count=5 status=none'
order() { gawk '/^ARG3/ { rows = 1; next } $1 == "total" || $1 ~ /^\(/ { rows = 0 } rows { printf "%s ", $1 }' /tmp/out; }
tool_run 0 count read_zero by arg3 -- sh -c "$asks"
is 'by calls' '2 10 4 ' "$(order)"
tool_run 0 count read_zero by arg3 -r -- sh -c "$asks"
is 'by calls, reverse' '4 10 2 ' "$(order)"
tool_run 0 count read_zero by arg3 -s arg3 -n 2 -- sh -c "$asks"
is 'by a key, two rows' '2 4 ' "$(order)"
has /tmp/out '^(1 more)  *5$'
tool_run 0 lat read_zero by comm -s p99 -r -d 100ms
tool_run 2 lat read_zero by comm -s p98
tool_run 1 count read_zero -o /no/such/file -d 1
has /tmp/err '/no/such/file: No such file'

# Errors by name; saved beside what is shown; time of day; something has to be hit.
fails='cat /no/such/file 2> /dev/null; cat /etc 2> /dev/null; true'
tool_run 0 count do_sys_openat2 by ret -x ENOENT -w /tmp/saved -T -v -- sh -c "$fails"
at_least 'failed opens' 1 "$(row -2)"
is 'all of them' "$(row total)" "$(row -2)"
has /tmp/out '^[0-9][0-9]:[0-9][0-9]:[0-9][0-9] do_sys_openat2, [0-9.]* s$'
has /tmp/err '^r:count do_sys_openat2 ret=\$retval'
shown=$(row -2)
tool_run 0 report /tmp/saved
is 'saved' "$shown" "$(row -2)"
tool_run 5 count read_zero --expect -- true
tool_run 0 count read_zero --expect -- dd if=/dev/zero of=/dev/null count=1 status=none
tool_run 5 trace read_zero --expect -- true
tool_run 0 trace read_zero by arg3 -w /tmp/saved -- dd if=/dev/zero of=/dev/null bs=4 count=3 status=none
tool_run 0 report /tmp/saved by arg3
is 'saved hits' 3 "$(row 4)"
tool_run 1 count read_zero -w /no/such/file -d 1
has /tmp/err '/no/such/file: No such file'

# SIGQUIT asks what there is so far, and counting goes on.
"$tool" count read_zero by comm > /tmp/out & pid=$!
within 20 grep -q live sessions
within 20 sh -c 'grep -qs "hist" events/s*/count/trigger'
zeros 12
kill -QUIT $pid
within 20 grep -q '^dd  *12$' /tmp/out
zeros 5
kill -TERM $pid
wait $pid
has /tmp/out '^dd  *17$'
has /tmp/out '^hits 17 = counted 17; none lost; cost [0-9.]*% of CPU$'

# What is printed for a command can be written, too.
tool_run 0 count read_zero by comm --dry-run -- true
exec 3<> session
dd if=/tmp/out bs=64k status=none >&3
read -r _ nr <&3
is 'its instance' "s$nr" "$(ls instances)"
has "instances/s$nr/events/s$nr/count/table" '^#end 0 rows$'
exec 3>&-
tool_none_left 'the commands'
