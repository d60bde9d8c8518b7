#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: t: definitions: arguments, modules that come and go, races, what is refused and listed
# needs: tracefs
# tier: 6.12-cloud 6.1-cloud
# seconds: 9 debug=21
# modules: pe_points

set -eu
cd "$PROBES"
# shellcheck source=tests/func/lib/events_lib.sh
. /host/events_lib.sh
evidence+=(dynamic_events kprobe_losses kprobes/list error_log)
par=/sys/module/pe_points/parameters
dynamic() { append "$1" dynamic_events; }
hit() { echo "$1" > $par/run; }
used() { is 'tracepoints that are in use' "$1" "$(< $par/used)"; }

# Names, and the only file that has them.
dynamic 't sched_switch'
dynamic 't:e kfree a=$arg1'
dynamic 't:g/ kfree x=$arg1:u64'
holds kprobe_events ''
holds dynamic_events 't:tracepoints/sched_switch sched_switch
t:tracepoints/e kfree a=$arg1
t:g/kfree kfree x=$arg1:u64'
refused 'Invalid argument' append 't kfree' kprobe_events
refused 'No such file' append '-:e' kprobe_events
dynamic '-:e kfree'
dynamic '!t:tracepoints/sched_switch'
echo > dynamic_events
holds dynamic_events ''

# Arguments, in registers and on the stack. The tracepoint has no user before the event is enabled.
insmod /modules/pe_points.ko
dynamic 't:m/a pe_point n=$arg1 text=+0($arg2):string third=$arg3:s32 thirty=$arg6:s32 last=$arg7'
used '0 0'
hit 2
echo 1 > events/m/a/enable
used '1 0'
hit 3
echo 0 > events/m/a/enable
used '0 0'
hit 2
value_is m/a hits 3
value_is m/a records 3
for n in 1 2 3; do
	has trace " a: (__traceiter_pe_point+0x[04]/0x[0-9a-f]* \[pe_points\]) n=0x$n text=\"text $n\" third=-$n thirty=30 last=0x28\$"
done
sums

# Another event, and another tracepoint of the same event, also while it is enabled.
dynamic 't:m/b pe_point last=$arg7:u64'
dynamic 't:m/c pe_point n=$arg1:u32'
echo 1 > events/m/enable
refused 'File exists' dynamic 't:m/c pe_point n=$arg1:u32'
has error_log 'trace_fprobe: error: There is already the exact same probe event$'
dynamic 't:m/c pe_other n=$arg1:u32'
used '1 1'
hit 7
dynamic '-:m/c pe_other'
used '1 0'
hit 7
value_is m/a hits 17
value_is m/b hits 14
value_is m/c hits 14
is 'records of pe_other' 1 "$(count ' c: (__traceiter_pe_other+0x[04]/.* n=7$' trace)"
refused 'Device or resource busy' dynamic '-:m/c'
echo 0 > events/m/a/enable
used '1 0'
echo 0 > events/m/enable
used '0 0'
for command in 'f:m/a vfs_read n=$arg1' 'f:m/b vfs_read last=$arg1:u64'; do
	refused 'File exists' dynamic "$command"
	has error_log 'trace_fprobe: error: Probe type is different from existing probe$'
done
refused 'File exists' dynamic 'p:m/a vfs_read n=$arg1'
has error_log 'trace_kprobe: error: Given group/event name is already used by another event$'

# Filters and triggers are those of all events.
echo 'n > 3' > events/m/c/filter
echo 'traceoff if n == 5' > events/m/c/trigger
echo > trace
echo 1 > events/m/c/enable
hit 9
is 'records with a filter' 2 "$(records c)"
holds tracing_on 0
echo 1 > tracing_on
echo '!traceoff' > events/m/c/trigger
echo 0 > events/m/c/filter

# Compiled hits are the same.
within 60 eval '! grep -q "^m/c .*it has just changed$" kprobes/compiled'
grep '^m/c ' kprobes/compiled
echo > trace
hit 100
is 'records' 100 "$(grep -o ' c: .* n=[0-9]*$' trace | sort -u | wc -l)"
sums

# The module goes under an enabled event and comes back. It hits the tracepoint when it comes and in
# its exit function.
hits=$(value m/c hits)
rmmod pe_points
value_is m/c hits $((hits + 1))
is 'probes that wait' 3 "$(grep -c '  k  pe_point+0x0  .*\[WAITING\]$' kprobes/list)"
echo 1 > events/m/b/enable
insmod /modules/pe_points.ko
used '1 0'
hit 4
value_is m/c hits $((hits + 6))
value_is m/b hits 19
has trace ' b: (__traceiter_pe_point+0x[04]/0x[0-9a-f]* \[pe_points\]) last=40$'
lacks kprobes/list WAITING
rmmod pe_points
echo 0 > events/m/enable
insmod /modules/pe_points.ko
used '0 0'
echo 1 > events/m/c/enable
hit 1
value_is m/c hits $((hits + 8))
# What waits for ever can be enabled and removed.
dynamic 't:w/none no_such_tracepoint x=$arg2'
echo 1 > events/w/enable
has kprobes/list '  k  no_such_tracepoint+0x0  .*\[WAITING\]$'
lacks error_log 'Waiting for its module'
dynamic 't:w/near sched_swich'
has error_log 'Waiting for its module (did you mean t sched_switch?)$'
dynamic '-:w/near'
dynamic 'p:w/perf sched:sched_switch'
has error_log 'Waiting for its module (did you mean t sched_switch?)$'
dynamic '-:w/perf'
echo 0 > events/w/enable
dynamic '-:w/none'
echo 0 > events/enable
sums
echo > dynamic_events
used '0 0'
no_groups

# Parameters by their names.
if [ -e /sys/kernel/btf/vmlinux ]; then
	dynamic 't:b/fork sched_process_fork who=parent->comm:string child=child->pid'
	dynamic 't:b/all sched_process_fork $arg*'
	dynamic 't:b/two sched_process_fork $arg2 $arg1:u8'
	is 'with types' 't:b/all sched_process_fork parent=parent child=child
t:b/two sched_process_fork child=child parent=parent:u8' "$(tail -n 2 dynamic_events)"
	echo 1 > events/b/enable
	sleep 0 &
	pid=$!
	wait $pid
	echo 0 > events/b/enable
	has trace " fork: (__traceiter_sched_process_fork+0x[04]/0x[0-9a-f]*) who=\"bash\" child=$pid\$"
	for bad in __data nosuch '$arg3' 'child->nosuch'; do
		refused 'No such file' dynamic "t:b/x sched_process_fork $bad"
	done
	sums
	echo > dynamic_events
fi

# What is refused, and where the caret is.
while IFS='|' read -r column text command; do
	: > error_log
	refused 'Invalid argument' dynamic "$command"
	has error_log "^\[.*\] trace_fprobe: error: $text\$"
	is "the caret of $command" "$(printf '%*s^' $((column + 11)) '')" "$(tail -n 1 error_log)"
done << 'END'
1|Maxactive is only for function exit|t5 kfree
1|Invalid maxactive number|t0 kfree
1|Maxactive is too big|t5000 kfree
7|Invalid probed address suffix|t kfree%return
4|Invalid character in tracepoint name|t kf*
3|Invalid character in tracepoint name|t m:kfree
8|\$retval is not available on probe|t kfree $retval
13|\$retval is not available on probe|t kfree a=+0($retval):u8
2|Group name is not specified|t:/x kfree
4|Event name must follow the same rules as C identifiers|t:g/9 kfree
END

# Events that are switched, defined and removed, and a module that comes and goes, all under fire.
dynamic 't:r/stay pe_point n=$arg1'
echo 1 > events/r/stay/enable
rounds=${ROUNDS:-$(length 15 200)}
end=$((SECONDS + 60))
fire() { while :; do { echo 200 > $par/run; } 2> /dev/null || sleep 0.01; done; }
change() {
	while :; do
		dynamic "t:r/$1 pe_point \$arg1 \$arg7" || true
		echo 1 > events/r/$1/enable || true
		echo 0 > events/r/$1/enable || true
		dynamic "-:r/$1" || true
	done 2> /dev/null
}
pids=()
fire & pids+=($!)
change x & pids+=($!)
change y & pids+=($!)
for ((i = 0; i < rounds && SECONDS < end; i++)); do
	within 20 eval 'rmmod pe_points 2> /dev/null'
	insmod /modules/pe_points.ko
done
kill -9 "${pids[@]}"
wait 2> /dev/null || true
at_least 'rounds' 2 $i
hits=$(value r/stay hits)
at_least 'hits under fire' 1 "$hits"
hit 10
value_is r/stay hits $((hits + 10))
echo 0 > events/enable
sums
echo > dynamic_events
used '0 0'

# A probe that is refused when its module comes does not use the tracepoint, whatever is enabled,
# removed or unloaded.
rmmod pe_points
dynamic 't:u/bad pe_point x=@no_such_symbol'
insmod /modules/pe_points.ko
has kprobes/list 'REFUSED'
echo 1 > events/u/bad/enable
used '0 0'
rmmod pe_points
echo 0 > events/u/bad/enable
insmod /modules/pe_points.ko
echo 1 > events/u/bad/enable

# Unloading leaves no tracepoint in use.
dynamic 't:u/a pe_point $arg1'
echo 1 > events/u/enable
used '1 0'
cd /
umount "$PROBES"
rmmod probe_events
used '0 0'
hit 5
insmod /modules/probe_events.ko limits=none
mount_ours
rmmod pe_points
