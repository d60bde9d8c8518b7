#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: probe-events count, lat and trace: lists of functions, and events that exist (e:GRP/EVENT)
# tier: 6.12-cloud bare
# tools: probe-events
# files: ../../../tools/probe-events/static
set -eu
# shellcheck source=tests/func/lib/tool_lib.sh
. /host/tool_lib.sh
# row NAME: its fields after the name, in the answer
row() { gawk -v name="$1" '$1 == name { $1 = ""; sub(/^ /, ""); print; exit }' /tmp/out; }
bytes() { dd if="$1" of=/dev/null bs="$2" count="$3" status=none; }
export -f bytes

# Each function has its rows, and one answer has all.
tool_run 0 count read_zero,read_null by func -a -- bash -c 'bytes /dev/zero 1 5; bytes /dev/null 1 3'
is 'calls of read_zero' 5 "$(row read_zero)"
is 'calls of read_null' 1 "$(row read_null)"
is 'all calls' 6 "$(row total)"
has /tmp/out '^hits 6 = counted 6; none lost; cost '
tool_run 0 lat read_zero,read_null -a -- bash -c 'bytes /dev/zero 1 5; bytes /dev/null 1 3'
has /tmp/out '^read_zero,read_null, '
has /tmp/out '^calls 6 = counted 6; none lost; cost '
tool_run 0 count 'read_zer*,read_null' by func -a -- bash -c 'bytes /dev/zero 1 5; bytes /dev/null 1 3'
is 'calls of read_zero' 5 "$(row read_zero)"
is 'calls of read_null' 1 "$(row read_null)"
tool_run 0 trace read_zero,read_null by arg3:u32 -- bash -c 'bytes /dev/zero 7 2; bytes /dev/null 9 1'
has /tmp/out '^TIME  *TID  *COMM  *FUNC  *ARG3:U32$'
is 'lines of read_zero' 2 "$(grep -c ' dd  *read_zero  *7$' /tmp/out)"
is 'lines of read_null' 1 "$(grep -c ' dd  *read_null  *9$' /tmp/out)"
tool_run 0 trace read_zero,read_null -M 1 -f json -- bash -c 'bytes /dev/null 9 1'
has /tmp/out '"func":"read_null"'

# A place in a function, and one name of several functions: "NAME,2" is no list.
tool_run 0 count read_zero,read_null+0 by func -a -- bash -c 'bytes /dev/zero 1 2; bytes /dev/null 1 1'
is 'calls' 3 "$(row total)"
tool_run 0 count no_such,2 --dry-run
has /tmp/out '^p:count no_such,2$'
lacks /tmp/out '^p:count no_such$'

# All or nothing; what is wrong is said before anything is defined.
tool_run 1 count read_zero,no_such_function -a -- touch /tmp/was_run
[ ! -e /tmp/was_run ]
has /tmp/err 'no such symbol'
tool_run 2 count read_zero,
tool_run 2 count read_zero,t:sched_switch
has /tmp/err 'a list is of functions'
tool_run 2 lat read_zero,read_null --engine kernel
has /tmp/err 'one function, no list'

if [ -e /sys/kernel/btf/vmlinux ]; then
	# Parameters by name, each function's own; results of one type, and an error of either.
	tool_run 0 count vfs_read,vfs_write by func if count eq 3 -a -- bash -c 'bytes /dev/zero 3 4'
	is 'reads' 4 "$(row vfs_read)"
	is 'writes' 4 "$(row vfs_write)"
	tool_run 0 count vfs_read,do_sys_openat2 by errno --fail -- sh -c 'cat /no/such/file / 2> /dev/null; true'
	at_least 'failed opens' 1 "$(row ENOENT)"
	is 'reads of a directory' 1 "$(row EISDIR)"
fi

# An event of another user: neither enabled nor changed, and the question outlives it.
echo 'p:mine/zero read_zero buf=$arg2 n=$arg3:u32 comm=$comm' >> dynamic_events
echo 'r:mine/both read_zero n=$arg3:u32 ret=$retval:s32' >> dynamic_events
echo 'r:mine/both read_null n=$arg3:u32 ret=$retval:s32' >> dynamic_events
before=$(tool_left)
tool_run 0 count e:mine/zero by n,comm if n ge 2 -a -- bash -c 'bytes /dev/zero 2 5; bytes /dev/zero 4 3; bytes /dev/zero 1 9'
has /tmp/out '^2  *dd  *5$'
has /tmp/out '^4  *dd  *3$'
has /tmp/out '^hits 17 = counted 8 + not asked for 9; none lost; cost '
is 'hits of the event itself' 0 "$(gawk '/mine\/zero/ { print $3 }' kprobe_losses)"
is 'the event' 0 "$(cat events/mine/zero/enable)"
tool_run 0 trace e:mine/zero -- bash -c 'bytes /dev/zero 3 2'
is 'lines' 2 "$(grep -c ' dd  *buf=[0-9]*  n=3  its_comm=dd$' /tmp/out)"
tool_run 0 lat e:mine/both by func,ret -a -- bash -c 'bytes /dev/zero 6 2; bytes /dev/null 6 1'
has /tmp/out '^read_zero  *6  *2 '
has /tmp/out '^read_null  *0  *1 '
# Texts in a definition are what they look like. A # begins a remark, so none is in one.
echo 'p:mine/text read_zero n=$arg3:u32 s=\"it$1"' >> dynamic_events
before=$(tool_left)
tool_run 0 trace e:mine/text by s,n -- bash -c 'bytes /dev/zero 3 2'
is 'lines' 2 "$(grep -c ' dd  *it\$1  *3$' /tmp/out)"
tool_run 0 count e:mine/text by s if s eq 'it$1' -- bash -c 'bytes /dev/zero 3 2'
has /tmp/out '^it$1  *2$'
! echo 'p:mine/hash read_zero s=\"it#1"' 2> /dev/null >> dynamic_events || fail 'a remark is a part of a text'
echo '-:mine/text' >> dynamic_events
before=$(tool_left)
tool_run 2 lat e:mine/zero
has /tmp/err 'this event is none of returns'
tool_run 1 count e:mine/other
has /tmp/err 'no event is defined as mine/other'
tool_run 2 trace e:mine/zero --engine kernel

# Its own limit, and its end while the question is asked.
"$tool" count e:mine/zero by n -M 3 > /tmp/out 2> /tmp/err & pid=$!
armed() { grep ' read_zero' kprobes/list | grep -qv DISABLED; }
within 20 armed
echo '-:mine/zero' >> dynamic_events
bytes /dev/zero 8 7
wait $pid
has /tmp/out '^8  *3$'
echo '-:mine/both' >> dynamic_events
before=$(tool_left)

# What `exec --static` would define is known without it.
if [ -e /sys/kernel/btf/vmlinux ]; then
	tool_run 0 count e:sched/sched_process_fork by parent_comm -a -- bash -c 'printf parent > /proc/$$/comm; (:); (:); true'
	is 'forks' 2 "$(row parent)"
	grep -qs sched_process_fork static_events && fail 'it is defined' || true
fi
