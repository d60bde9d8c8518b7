#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: sysrq-z, an oops and a panic show the records that have not been read, once, and count the others
# not: debug: an oops switches lockdep off
# tier: 6.12-cloud bare
# modules: pe_oops
# seconds: 3
#
# An oops switches lockdep off: not on debug.
set -eu
cd "$PROBES"
# shellcheck source=tests/func/lib/events_lib.sh
. /host/events_lib.sh

switch=/proc/sys/kernel/ftrace_dump_on_oops
[ -e $switch ] || switch=/sys/module/probe_events/parameters/ftrace_dump_on_oops
holds $switch 0
echo 0 > /proc/sys/kernel/panic_on_oops
evidence+=(/tmp/dump)

# since COMMAND...: what it adds to the kernel's log, without times, goes to /tmp/dump
since() {
	marks=$((${marks:-0} + 1))
	echo "crash_dump $marks" > /dev/kmsg
	"$@"
	log > /tmp/dump
}
log() { dmesg | sed "1,/crash_dump $marks\$/d; s/^\[[^]]*\] //"; }
key() { echo z > /proc/sysrq-trigger; }
# Threads print where they die, and rmmod comes after that.
died() { log | grep -q 'end trace'; }
oops() {
	insmod /modules/pe_oops.ko how=oops "cpu=$1"
	within 60 died
	rmmod pe_oops
}
panic() {
	insmod /modules/pe_oops.ko how=panic
	rmmod pe_oops
}
dumps() { count 'probe_events: Dumping ftrace' /tmp/dump; }
shown() { count ' dz: (read_zero' /tmp/dump; }
# fresh ON0 ON1: nothing but that many records of the two CPUs is there
fresh() {
	echo > trace
	echo 1 > tracing_on
	read_zeros_on 0 "$1"
	read_zeros_on 1 "$2"
}

echo 'p:dz read_zero' > kprobe_events
echo 1 > events/kprobes/dz/enable

# The same lines as trace has, which keeps them.
fresh 3 4
since key
grep ' dz: (' trace > /tmp/trace
is 'records' 7 "$(shown)"
grep ' dz: (' /tmp/dump | diff /tmp/trace - || fail 'the lines differ'
has /tmp/dump '^probe_events: Dumping ftrace buffer:$'
is 'rulers' 2 "$(sed '/probe_events: Dumping/,$!d' /tmp/dump | sed '/^Dumping/,$d' | count '^------*$')"
holds tracing_on 0
# Once.
since key
is 'again' '1 0' "$(dumps) $(shown)"
has /tmp/dump '^   (ftrace buffer empty)$'
# Nothing was there to be kept: recording goes on.
echo 1 > tracing_on
since key
holds tracing_on 1

# What does not fit is counted.
echo 1 > buffer_size_kb
fresh 1000 0
since key
n=$(shown)
at_least 'of the ring' 100 "$n"
is 'lost' $((1000 - n)) "$(sed -n 's/^CPU:0 \[LOST \([0-9]*\) EVENTS\]$/\1/p' /tmp/dump)"
echo 1 > options/stacktrace
fresh 1 0
since key
has /tmp/dump '^ => '
echo 0 > options/stacktrace
echo 0 > options/overwrite
fresh 1000 0
since key
is 'first, then none' "$((1000 - $(shown)))" "$(sed -n 's/^CPU:0 \[LOST \([0-9]*\) EVENTS\]$/\1/p' /tmp/dump)"
echo 1 > options/overwrite

# In a crash only if the switch says so.
fresh 2 5
since oops 0
is 'switch 0' '0 0' "$(dumps) $(shown)"
echo 2 > $switch
since oops 1
is 'of the CPU' '1 5' "$(dumps) $(shown)"
echo 1 > $switch
since oops 1
is 'of all, once' '1 2' "$(dumps) $(shown)"
holds tracing_on 0
fresh 1 1
since panic
is 'panic' '1 2' "$(dumps) $(shown)"
echo 0 > $switch
fresh 1 1
since panic
is 'panic, switch 0' 0 "$(dumps)"

# Instances, where the switch is text.
if echo orig_cpu > $switch 2> /dev/null; then
	mkdir instances/x
	echo 1 > instances/x/events/kprobes/dz/enable
	fresh 1 1
	echo 'x=orig_cpu,nosuch' > $switch
	since oops 1
	is 'of x' '1 1' "$(dumps) $(shown)"
	has /tmp/dump '^probe_events: Dumping ftrace instance x buffer:$'
	has /tmp/dump '^probe_events: Instance nosuch not found$'
	holds tracing_on 1
	holds instances/x/tracing_on 0
	echo '1,x' > $switch
	since panic
	is 'of both' '2 3' "$(dumps) $(shown)"
	echo 0 > $switch
	rmdir instances/x
fi

# The key is the kernel's again, or has no use.
cd /
umount "$PROBES"
rmmod probe_events
since key
is 'without us' 0 "$(dumps)"
# The kernel's own dump has stopped its recording, which later tests in this machine look at.
if grep -qw tracefs /proc/filesystems; then
	mkdir -p /tmp/stock
	mount -t tracefs tracefs /tmp/stock
	echo 1 > /tmp/stock/tracing_on
	umount /tmp/stock
fi
# What the oopses said is no complaint; anything else would be.
echo 1 > /proc/sys/kernel/panic_on_oops
is 'complaints' 0 "$(dmesg | count 'WARNING: \|BUG: [^k]\|KASAN\|LOCKUP')"
dmesg -C
