#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: hits while a CPU goes and comes: counted, readers woken, unloading does not hang
# tier: 6.12-cloud 6.12-rt 6.1-cloud bare debug
# tools: polls
# seconds: 3
#
# On its last way a CPU runs functions after the point from which no interrupt reaches it. Their
# records are read soon, too.
#
# On its very first and last steps RCU does not wait for it, and it serves no probe. These
# calls are counted.

set -eu
cd "$PROBES"
# shellcheck source=tests/func/lib/events_lib.sh
. /host/events_lib.sh
online=/sys/devices/system/cpu/cpu1/online
[ -w $online ] || { echo 'this kernel has no CPU hotplug'; exit 4; }

# What runs there; not all of them are functions of every kernel.
n=0
for f in take_cpu_down native_cpu_disable cpu_disable_common stop_machine_park stop_machine_unpark \
	sched_cpu_activate; do
	if echo "p:go/$f $f" >> kprobe_events; then n=$((n + 1)); fi
done 2> /dev/null
echo "$n functions"
at_least 'functions' 2 $n
mkdir instances/x
trigger=instances/x/events/go/take_cpu_down/trigger
[ ! -e $trigger ] || echo snapshot > $trigger
echo 1 > events/go/enable
echo 1 > instances/x/events/go/enable

# One waits for all CPUs, one for that CPU.
cat trace_pipe > /tmp/all &
pids=($!)
cat instances/x/per_cpu/cpu1/trace_pipe > /tmp/one &
pids+=($!)
for pid in "${pids[@]}"; do
	within 60 asleep $pid
done

# all_read N: who sleeps has got what was hit, more than N; one_read BYTES: and the other one.
# What the snapshot takes away is not read.
all_hits() { awk '{ n += $2 } END { print n + 0 }' kprobe_profile; }
all_read() {
	[ "$(grep -c ': (' /tmp/all)" = "$(all_hits)" ] && [ "$(all_hits)" -gt "$1" ]
}
one_read() { [ "$(stat -c %s /tmp/one)" -gt "$1" ]; }
before=0
for i in 1 2 3; do
	bytes=$(stat -c %s /tmp/one)
	echo 0 > $online
	within 60 all_read "$before"
	before=$(all_hits)
	echo 1 > $online
	within 60 all_read "$before"
	within 60 one_read "$bytes"
	before=$(all_hits)
done
echo "$before hits"

# RCU waits for a CPU longer than it is online, when it goes; not so when it comes.
for f in sched_cpu_dying hrtimers_cpu_dying sched_cpu_starting notify_cpu_starting; do
	echo "p:off/$f $f" >> kprobe_events || true
done 2> /dev/null
for f in take_cpu_down native_cpu_disable cpu_disable_common; do
	echo "r:ret/$f $f" >> kprobe_events || true
done 2> /dev/null
echo 1 > events/off/enable
[ ! -d events/ret ] || echo 1 > events/ret/enable
unwatched=$(cat kprobes/unwatched)
echo 0 > $online
echo 1 > $online
echo 0 > events/off/enable
echo "unwatched: $unwatched, then $(cat kprobes/unwatched)"
cat kprobe_losses
for f in sched_cpu_dying hrtimers_cpu_dying; do
	[ ! -d "events/off/$f" ] || at_least "hits of $f" 1 "$(value "off/$f" hits)"
done
coming=0
for f in sched_cpu_starting notify_cpu_starting; do
	[ -d "events/off/$f" ] || continue
	coming=1
	is "$f, not online" 0 "$(value "off/$f" hits)"
done
[ $coming = 0 ] || at_least 'unwatched' $((unwatched + 1)) "$(cat kprobes/unwatched)"
is 'calls in flight' 0 "$(awk 'NR == 1 { for (i = 1; i <= NF; i++) col[$i] = i; next }
	$1 ~ /^ret\// { n += $col["in_flight"] } END { print n + 0 }' kprobe_losses)"
kill "${pids[@]}"
wait "${pids[@]}" || true

# Each session is told of each CPU that comes, and not of one that goes; who sleeps in poll() is woken.
told_is() { is "what session $1 is told" "$2" "$(sed 1d /tmp/told.$1 | paste -sd ' ')"; }
pids=()
for i in 1 2; do
	/host/polls session print now=in wait=in print wait=in print > /tmp/told.$i &
	pids+=($!)
done
once=
for turn in 1 2; do
	for pid in "${pids[@]}"; do within 60 asleep $pid; done
	echo 0 > $online
	for i in 1 2; do told_is $i "nothing$once"; done
	once+=' in cpu 1 online'
	echo 1 > $online
	for i in 1 2; do within 60 has_lines /tmp/told.$i $turn '^cpu 1 online$'; done
done
wait "${pids[@]}"
for i in 1 2; do told_is $i "nothing$once"; done

# With one gone, and back.
echo 0 > $online
echo 0 > events/go/enable
echo 0 > instances/x/events/go/enable
[ ! -e $trigger ] || echo '!snapshot' > $trigger
rmdir instances/x
cd /
umount "$PROBES"
rmmod probe_events
echo 1 > $online
insmod /modules/probe_events.ko limits=none
mount_ours
