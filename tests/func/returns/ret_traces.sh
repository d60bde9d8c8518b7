#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: stacks that the kernel writes from inside probed functions: the callers, none doubtful
# tier: 6.12-cloud 6.1-cloud bare
# seconds: 3
# tools: blockers
# modules: pe_calls pe_probe
#
# The kernel's own traces, each taken without return probes and with them: dump_stack() in a
# probed function and in one that it calls, the list of all tasks (sysrq-t), /proc/PID/stack, and
# where there is tracefs its trigger "stacktrace". The second must be the first with one more
# entry, of the engine, for each probed function in progress; and none of those may be one that
# the unwinder has its doubts about ("?"). Leftovers on the stack, which have the mark on any
# kernel, are left out.
set -eu
# shellcheck source=tests/func/lib/engine_lib.sh
. /host/engine_lib.sh
load pe_calls pe_probe
calls=/sys/module/pe_calls/parameters
out=/tmp/traces
mkdir -p $out

# between NAME: what the kernel's log has between the marks of NAME, without times
between() { dmesg | sed 's/^\[[^]]*\] //' | awk -v n="$1" '$0 == "end " n { on = 0 } on; $0 == "begin " n { on = 1 }'; }

# certain: entries of stacks that are not leftovers, one a line: NAME+OFFS/SIZE [MODULE]
certain() { sed -nE 's/^ ([A-Za-z_][^ ?]*\+0x[0-9a-f]+\/0x[0-9a-f]+)( \[[a-z0-9_]+\])?$/\1\2/p'; }

# same_callers NAME N: $out/NAME.ours is $out/NAME.plain and N entries of the engine
same_callers() {
	[ -s $out/$1.plain ] || fail "$1: no stack"
	grep -v '\[probe_arena\]' $out/$1.ours | diff -u $out/$1.plain - || fail "$1: not the same callers"
	is "$1: entries of the engine" "$2" "$(count '\[probe_arena\]' $out/$1.ours)"
}

# dump KIND: by the functions themselves
dump() {
	echo "begin dump $1" > /dev/kmsg
	echo 1 > $calls/dump
	echo "end dump $1" > /dev/kmsg
	between "dump $1" | certain > $out/dump.$1
}

# block KIND: a process of that name that is in pe_calls_block()
entered() { [ "$(cut -d' ' -f1 $calls/blocks)" = "$1" ]; }
block() {
	cp /host/blockers /tmp/in_$1
	/tmp/in_$1 1 /proc/pe_calls_block &
	pids="${pids:-} $!"
	within 60 entered $2
	task=
	within 60 blocked $!
	sed 's/^\[<0>\] //' $task/stack > $out/proc.$1
}
# blocked PID: one of its threads sleeps in the function; it becomes $task
blocked() {
	for task in /proc/$1/task/*; do
		[ "$(awk '{ print $3 }' $task/stat)" = D ] && grep -q pe_calls_block $task/stack &&
			return
	done
	return 1
}

# tasks KIND: the stack of that one in the list of all tasks
tasks() {
	awk -v name="task:in_$1" '/^task:/ { if (has) exit; on = $1 == name; text = ""; next }
		on { text = text $0 "\n"; if (/pe_calls_block/) has = 1 }
		END { if (has) printf "%s", text }' $out/tasks | certain > $out/task.$1
}

# stock_trace KIND: by the trigger of the kernel's tracefs, at the entry of the inner function. It names
# no modules.
stock_trace() {
	echo > $T/trace
	echo 1 > $calls/dump
	# What comes before the function is that of the kernel's probe.
	sed -n 's/^ => //p' $T/trace | sed -n '/^pe_calls_inner/,$p' |
		sed 's/^pe_call_slots.*/& [probe_arena]/' > $out/stock.$1
}

T=/sys/kernel/tracing
tracefs=
if grep -qw probefs /proc/filesystems; then	# else tracefs is ours
	tracefs=1
	mount -t tracefs tracefs $T
	echo 'p:st pe_calls:pe_calls_inner' > $T/kprobe_events
	echo stacktrace > $T/events/kprobes/st/trigger
	stock_trace plain
fi
dump plain
block plain 1
for f in outer inner block via; do add r:pe_calls:pe_calls_$f; done
dump ours
[ -z "$tracefs" ] || stock_trace ours
block ours 2

# The first dump is made before the inner function is called.
same_callers dump 3
for f in outer inner; do has $out/dump.ours "^pe_calls_$f+"; done
# pe_calls_via() has jumped to pe_calls_block(): it has left nothing but the engine's frame.
same_callers proc 2
# The log has room for all tasks.
echo t > /proc/sysrq-trigger
dmesg | sed 's/^\[[^]]*\] //' > $out/tasks
tasks plain
tasks ours
same_callers task 2
has $out/task.ours '^pe_calls_block+'
if [ -n "$tracefs" ]; then
	same_callers stock 1
	echo '!stacktrace' > $T/events/kprobes/st/trigger
	echo > $T/kprobe_events
	umount $T
fi
cat $out/dump.ours $out/task.ours
# What the log has of this is no complaint; nothing else may go with it.
is 'complaints' '' "$(dmesg | grep -E 'WARNING: |BUG: |Oops|general protection|KASAN|UBSAN' || true)"
dmesg -C
echo 1 > $calls/unblock
# shellcheck disable=SC2086
wait $pids
expect_hits r:pe_calls:pe_calls_block 1
expect_hits r:pe_calls:pe_calls_via 1
rmmod pe_calls pe_probe
