#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: probe-events: what is wrong is shown in the line that was typed, also if the modules or the kernel say so
# seconds: 6
# needs: tracefs
# tools: probe-events
set -eu
# shellcheck source=tests/func/lib/tool_lib.sh
. /host/tool_lib.sh
# shellcheck disable=SC2034	# of check_lib.sh
evidence=(/tmp/err)

# points STATUS PART WORDS...: the line is shown as it was typed, and the caret is below PART of it
points() {
	local part=$2

	tool_run "$1" "${@:3}"
	is 'the line' "  ${*:3}" "$(sed -n 2p /tmp/err)"
	gawk -v part="$part" 'NR == 2 { line = $0 } NR == 3 { exit !($0 ~ /^ *\^$/ && substr(line, length, length(part)) == part) }
		END { if (NR < 3) exit 1 }' /tmp/err || wrong "the caret is not below $part"
}
meant() { [ "$(sed -n 4p /tmp/err)" = "  meant: $1" ] || wrong "not meant: $1"; }

# The modules have refused a command that the user has not seen.
points 1 vfs_fsyn lat vfs_fsyn by comm -d 3
meant vfs_fsync
lacks /tmp/err 'Command:'
# A preset of that name, and a tracepoint, are nearer than some function.
points 1 fsync lat fsync -d 3
meant @fsync
points 1 sched_switch count sched_switch -d 3
meant t:sched_switch
points 1 no_such_at_all count vfs_read,no_such_at_all,vfs_write by func -d 3
points 1 'zz_*' count 'zz_*' by func -d 3
points 1 no_such inside vfs_read no_such
points 1 vfs_read+65535 count vfs_read+65535 -d 3
has /tmp/err 'vfs_read is [0-9]* bytes long'
points 1 ustrng trace read_zero by arg1,arg3:ustrng -d 3
has /tmp/err 'string, ustring, symbol'
points 1 nofield count read_zero by comm if nofield eq 3 -d 3
points 1 4000% count read_zero by comm --one 4000% -d 3
# A key that the function has no parameter for may be one of those that all have.
points 1 cmm count read_zero by cmm -d 3
meant comm
points 1 stak count read_zero by arg1,stak -d 3
meant stack
points 1 cmm count read_zero by cpu if cmm eq bash -d 3
meant comm
points 1 cmm trace t:sched_switch by cmm -d 3
meant comm
points 1 nokey count read_zero by nokey -d 3
is 'keys' '  keys of all functions: comm pid tid cpu func caller stack ret errno' "$(sed -n 4p /tmp/err)"
points 1 nofield count read_zero by cpu if nofield eq 3 -d 3
is 'fields' '  all hits have: comm pid tid cpu ret ns' "$(sed -n 4p /tmp/err)"
if [ -e /sys/kernel/btf/vmlinux ]; then
	points 1 conut count vfs_read by conut -d 3
	meant count
	points 1 lenn count consume_skb by skb.lenn -d 3
	meant len
	points 1 f_flagz count vfs_read by comm if file.f_flagz eq 1 -d 3
	points 2 sk.sk_state.enum count tcp_close by comm,sk.sk_state.enum
fi
# A preset's commands were not typed.
echo 'p:mine/x read_zero a=%di' >> dynamic_events
before=$(tool_left)
points 1 mine/y count e:mine/y -d 3
echo '-:mine/x' >> dynamic_events
before=$(tool_left)
# The kernel has refused it.
mountpoint -q /sys/kernel/tracing || mount -t tracefs tracefs /sys/kernel/tracing
if [ -e /sys/kernel/tracing/events/sched/sched_switch/hist ]; then
	points 1 no_such_at_all count no_such_at_all --engine kernel -q -d 3
else
	tool_run 1 count no_such_at_all --engine kernel -q -d 3
	has /tmp/err 'no histograms (CONFIG_HIST_TRIGGERS)'
fi
points 2 -p count read_zero --engine kernel -p 3

# A name that is no number of this field: what would work is told.
points 1 ENOENT count read_zero if arg3 eq ENOENT -d 3
is 'advice' '  a number is wanted: the error ENOENT is -2' "$(sed -n 4p /tmp/err)"
points 1 SIGKILL count read_zero if arg3 eq SIGKILL -d 3
is 'advice' '  a number is wanted: the signal SIGKILL is 9' "$(sed -n 4p /tmp/err)"

# What is wrong with the words themselves.
points 2 = count read_zero if comm = bash
has /tmp/err 'a filter is FIELD lt|le|gt|ge|eq|ne|has VALUE: if ret lt 0'
points 2 comm=bash count read_zero if comm=bash
points 2 ENOENT count read_zero --fail ENOENT
has /tmp/err 'only some: -x ENOENT,EACCES'
points 2 no count read_zero -d no
points 2 d count read_zero by a,b,c,d
points 2 lt trace read_zero if comm lt
points 2 EFOO trace read_zero -x ENOENT,EFOO
points 2 -M count read_zero -p 3 -M 5
points 2 @nope count @nope
has /tmp/err 'there are @dir .* @spike (probe-events help @)'
tool_run 0 help count
has /tmp/out '^usage: probe-events count '
tool_run 2 help nope
points 2 t:x inside t:x
points 1 77 rm 77
points 1 kprobes/nope limit kprobes/nope
points 2 nope limit nope cpu=3%
points 1 hits=x limit all hits=x
points 1 qqqqqq find qqqqqq
none_wrong
