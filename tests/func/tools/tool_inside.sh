#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: probe-events inside: calls that have not returned, the oldest first; nothing left
# tier: 6.12-cloud bare
# seconds: 1
# tools: probe-events jsonlines
# files: ../../../tools/probe-events/schema.json
set -eu
# shellcheck source=tests/func/lib/tool_lib.sh
. /host/tool_lib.sh
armed() { grep ' hrtimer_nanosleep' kprobes/list | grep -qv DISABLED; }

mkfifo /tmp/never
exec 4<> /tmp/never
"$tool" inside hrtimer_nanosleep 'vfs_rea[d]' -d 1h > /tmp/out 2> /tmp/err & pid=$!
within 20 armed
sleep 1000 & first=$!
within 20 asleep $first
bash -c 'printf "two \033words" > /proc/$$/comm; read -r x < /tmp/never' & second=$!
within 20 asleep $second
has sessions '	inside hrtimer_nanosleep vfs_rea\[d\]	[0-9]*	[0-9.]*%$'
dd if=/dev/zero of=/dev/null bs=1 count=100 status=none
kill -INT $pid
wait $pid
cat /tmp/out /tmp/err
at() { grep -n "^ *$1 " /tmp/out | cut -d : -f 1; }
is 'the oldest is first' yes "$([ "$(at $first)" -lt "$(at $second)" ] && echo yes)"
has /tmp/out "^ *$first  sleep  *S  *-  *[0-9.]*m*s  hrtimer_nanosleep  "
has /tmp/out "^ *$second  two .x1bwords  *S  *-  *[0-9.]*m*s  vfs_read  "
has /tmp/out ' in progress by the counters, of 1 function'
lacks /tmp/out ' dd '
has /tmp/out ' shown; [0-9]* in progress by the counters'
within 20 tool_nothing_left
[ ! -s /tmp/err ] || fail 'messages'

# Calls from before are not seen; a function that cannot be probed is told.
"$tool" inside hrtimer_nanosleep -d 100ms > /tmp/out
is 'nobody' '0 shown; 0 in progress by the counters' "$(head -n 1 /tmp/out)"
status=0
"$tool" inside no_such_function -d 1h > /tmp/out 2> /tmp/err || status=$?
is 'status' 1 $status
has /tmp/err 'no_such_function'
status=0
"$tool" inside t:sched_switch 2> /tmp/err || status=$?
is 'status' 2 $status
tool_run 2 inside e:kprobes/x
has /tmp/err 'events are for count, lat, trace and top'
tool_run 2 inside vfs_read -f html

# A pattern of several functions: which one it is, and how many there are.
"$tool" inside 'hrtimer_nano*' 'vfs_readlin[k]' -d 1h > /tmp/out 2> /tmp/err & pid=$!
within 20 armed
nr=$(grep -c ' hrtimer_nano' kprobes/list)
at_least 'functions' 2 "$nr"
sleep 1000 & third=$!
within 20 asleep $third
kill -INT $pid
wait $pid
cat /tmp/out
has /tmp/out "^ *$third  sleep  *S  .*  hrtimer_nanosleep  "
has /tmp/out " in progress by the counters, of $((nr + 1)) functions"
kill $third

# For programs: the same calls, oldest first. A name is text there, whatever it has in it.
for form in json csv; do
	"$tool" inside hrtimer_nanosleep 'vfs_rea[d]' -d 1h -f $form > /tmp/out 2> /tmp/err & pid=$!
	within 20 armed
	sleep 1000 & third=$!
	within 20 asleep $third
	bash -c 'printf "two, \"words\"" > /proc/$$/comm; read -r x < /tmp/never' & fourth=$!
	within 20 asleep $fourth
	kill -INT $pid
	wait $pid
	cat /tmp/out
	if [ $form = json ]; then
		/host/jsonlines /host/schema.json < /tmp/out > /tmp/types 2>&1 || fail "no lines of the schema: $(cat /tmp/types)"
		has /tmp/out '"type":"start".*"verb":"inside","what":"hrtimer_nanosleep vfs_rea\[d\]"'
		has /tmp/out "\"pid\":$third,\"comm\":\"sleep\",\"state\":\"S\",\"ns\":[0-9]*,\"exact\":true,\"in\":\"hrtimer_nanosleep\""
		has /tmp/out "\"pid\":$fourth,\"comm\":\"two, .\"words.\"\","
		has /tmp/out '"type":"end".*"status":0,"inside":{"shown":[2-9],"in_flight":[0-9]*,"may_have_ended":[0-9]*,"refused":0}}$'
	else
		is 'heading' 'pid,comm,state,cpu,ns,exact,in,sleeps_in' "$(head -n 1 /tmp/out)"
		has /tmp/out "^$third,sleep,S,,[0-9]*,1,hrtimer_nanosleep,[a-z_0-9]*\$"
		has /tmp/out "^$fourth,\"two, \"\"words\"\"\",S,,[0-9]*,1,vfs_read,[a-z_0-9]*\$"
	fi
	within 20 tool_nothing_left
	kill $third $fourth
done
"$tool" inside no_such_function -d 1h -f json > /tmp/out 2> /tmp/err || true
/host/jsonlines /host/schema.json < /tmp/out > /tmp/types
has /tmp/out '"type":"error".*"command":"f:in0 no_such_function%return'
"$tool" inside vfs_read -d 1h > /tmp/out & pid=$!
within 20 grep -q in0 kprobe_losses
kill -9 $pid
wait $pid || true
within 20 tool_nothing_left
kill $first $second
