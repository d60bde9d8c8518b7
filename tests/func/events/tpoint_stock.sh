#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: t: definitions give the same list, errors, formats, records and counts as the kernel's own
# not: 7.3-cloud: its texts are of another version
# not: 6.12-rt: the texts of 6.12-cloud
# needs: tracefs kprobes btf
# seconds: 7
# modules: pe_points

set -eu
# shellcheck source=tests/func/lib/stock_lib.sh
. /host/stock_lib.sh
grep -q ' t\[:' $stock/README || fail "the kernel has no t:"
insmod /modules/pe_points.ko

# ask COMMAND: errno, the first error without our brackets, its caret; the list and the format without
# its id.
ask() {
	: > error_log
	printf '%s\n' "$1" 2> /tmp/error >> dynamic_events || sed 's/.*: //' /tmp/error
	first_error
	cat dynamic_events
	[ ! -e events/e ] || sed '/^ID/d' events/e/e/format
	echo > dynamic_events
}

while IFS= read -r command; do
	same 'a command' "ask '$command'"
done << END
t kfree
t:e/e kfree
t:e/ kfree
t:e.e kfree \$arg*
t:e/e kfree \$arg1 \$arg2
t:e/e kfree \$arg2:symbol \$arg1:x8
t:e/e kfree x=\$arg1
t:e/e sched_switch \$arg*
t:e/e sched_switch prev->pid c=next->comm:string
t:e/e sched_switch prev->on_cpu next->policy u=next->mm->pgd
t:e/e sched_process_exec old=old_pid file=bprm->filename:string
t:e/e sched_switch \$comm \$stack0 \$stack
t:e/e sched_switch prev->nosuch
t:e/e sched_switch prev.pid
t:e/e sched_switch prev-pid
t:e/e sched_switch preempt->x
t:e/e sched_switch nosuch
t:e/e sched_switch __data
t:e/e sched_switch \$arg5
t:e/e sched_switch \$arg0
t:e/e sched_switch \$argx
t:e/e sched_switch \$arg1x
t:e/e sched_switch \$arg* \$arg*
t:e/e sched_switch a=@
t:e/e sched_switch a=\$arg1:nope
t:e/e sched_switch a=\$arg1 a=\$arg2
t:e/e sched_switch \$retval
t:e/e sched_switch a=+0(\$retval):u8
t:e/e sched_switch \$retvalx
t:e/e pe_point \$arg1 \$arg7
t:e/e no_such_tracepoint
t:e/e no_such_tracepoint \$arg1 +8(\$arg2):u32
t:e/e no_such_tracepoint \$arg*
t:e/e no_such_tracepoint name
t:e/e 9lives
t 9lives
t%return kfree
t kfree%return
t kfree%
t kf*
t pe_points:pe_point
t kfree|kmalloc
t kfree+4
t 0x10
t5 kfree
t0 kfree
t5000 kfree
t5000 kf*
t5 kfree \$retval
t:/x kfree
t:g/9 kfree
t:g-1/e kfree
t: kfree
t
t:x
-:nothing
END
at_least 'commands' 56 $n

# What is there already.  The kernel takes no second one at a tracepoint.
conflict() {
	printf '%s\n' 't:g/e kfree a=$arg2' 'f:g/f vfs_read a=$arg1' 'p:g/k vfs_read' > dynamic_events
	ask "$1"
}
for command in 't:g/e kfree a=$arg2' 't:g/e sched_switch b=$arg1' 'f:g/e vfs_write a=$arg1' \
	't:g/f kfree a=$arg2' 't:g/k kfree' 'p:g/e vfs_write' '-:e' '-:e kfree' '-:e kmalloc' '!t:g/e' '-:e kfree a=$arg2'; do
	same 'a conflict' "conflict '$command'"
done

# Records: those of one task, or with one number, without their place, which is ours.
values() { sed -n "s/^.*: \(e: \)(__[a-z]*_$1+0x[^)]*)\(.*$2\)\$/\1\2/p" trace; }
what_comes() {
	echo > trace
	echo "t:g/e $1" > dynamic_events
	echo 1 > events/g/e/enable
	eval "$2"
	echo 0 > events/g/e/enable
	values "${1%% *}" "$3"
	echo > dynamic_events
}
run='echo 3 > /sys/module/pe_points/parameters/run'
same 'arguments in registers' "what_comes 'pe_point n=\$arg1:u64 t=+0(\$arg2):string third=\$arg3:s32' '$run' ''"
same 'an argument alone' "what_comes 'pe_other n=\$arg1:u32' '$run' ''"
same 'fields' "what_comes 'sched_process_exec f=bprm->filename:string n=bprm->argc c=p->comm:string' '/bin/true 1 2' 'n=3 .*'"
at_least 'comparisons' 70 $n

# Both at once at the same tracepoint: each has all hits, once; and one of them goes.
both() { echo "$1" | tee $stock/dynamic_events > "$PROBES/dynamic_events"; }
switch() { echo "$2" > "$1/events/g/e/enable"; }
are() {
	is "the kernel's records" "$1" "$(grep -c ' e: (__probestub_pe_point+' $stock/trace)"
	is 'our records' "$2" "$(grep -c ' e: (__traceiter_pe_point+' "$PROBES/trace")"
}
echo > $stock/trace
echo > "$PROBES/trace"
both 't:g/e pe_point $arg1'
switch $stock 1
eval "$run"
are 3 0
switch "$PROBES" 1
eval "$run"
are 6 3
switch $stock 0
echo > $stock/dynamic_events		# it forgets all records then
eval "$run"
are 0 6
echo 't:g/e pe_point $arg1' > $stock/dynamic_events
switch $stock 1
eval "$run"
are 3 9
switch "$PROBES" 0
echo > "$PROBES/dynamic_events"			# so do we
eval "$run"
are 6 0
switch $stock 0
echo > $stock/dynamic_events
is 'tracepoints in use' '0 0' "$(< /sys/module/pe_points/parameters/used)"
rmmod pe_points
