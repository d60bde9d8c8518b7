#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: hits while a CPU goes and comes: counted, readers woken, unloading does not hang
# kernels: all
# tier: 6.12-cloud 6.12-rt 6.1-cloud bare debug
# seconds: 4 debug=27
#
# On its last way a CPU runs functions after the point from which no interrupt, and so no
# irq_work, reaches it.
#
# Where it is not online, on its very first and last steps, it serves no probe: RCU would not
# wait for its handlers. These calls are counted, and so is the return of one that was entered
# before.

set -eu
cd "$PROBES"
# shellcheck source=tests/func/check_lib.sh
. /host/check_lib.sh
online=/sys/devices/system/cpu/cpu1/online
[ -w $online ] || { echo 'this kernel has no CPU hotplug'; exit 4; }

# What runs there; not all of them are functions of every kernel.
n=0
for f in take_cpu_down native_cpu_disable cpu_disable_common stop_machine_park stop_machine_unpark \
	sched_cpu_activate; do
	if echo "p:go/$f $f" >> kprobe_events; then n=$((n + 1)); fi
done 2> /dev/null
echo "$n functions"
[ $n -ge 2 ]
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
hits() { awk '{ n += $2 } END { print n + 0 }' kprobe_profile; }
all_read() {
	[ "$(grep -c ': (' /tmp/all)" = "$(hits)" ] && [ "$(hits)" -gt "$1" ]
}
one_read() { [ "$(stat -c %s /tmp/one)" -gt "$1" ]; }
before=0
for i in 1 2 3; do
	bytes=$(stat -c %s /tmp/one)
	echo 0 > $online
	within 60 all_read "$before"
	before=$(hits)
	echo 1 > $online
	within 60 all_read "$before"
	within 60 one_read "$bytes"
	before=$(hits)
done
echo "$before hits"

# Entered before the CPU was taken off the list of those online, and not online afterwards.
for f in sched_cpu_dying hrtimers_cpu_dying sched_cpu_starting notify_cpu_starting; do
	echo "p:off/$f $f" >> kprobe_events || true
done 2> /dev/null
n=0
for f in take_cpu_down native_cpu_disable cpu_disable_common; do
	if echo "r:ret/$f $f" >> kprobe_events; then n=$((n + 1)); fi
done 2> /dev/null
echo 1 > events/off/enable
echo 1 > events/ret/enable
unwatched=$(cat kprobes/unwatched)
by_ftrace=$(awk '/\[FTRACE\]/ { sub(/[+].*/, "", $3); print $3 }' kprobes/list |
	grep -x 'sched_cpu_dying\|hrtimers_cpu_dying\|sched_cpu_starting\|notify_cpu_starting' || true)
echo 0 > $online
echo 1 > $online
echo 0 > events/off/enable
echo "unwatched: $unwatched, then $(cat kprobes/unwatched)"
for f in $by_ftrace; do
	[ ! -d "events/off/$f" ] || is "$f, not online" 0 "$(value "off/$f" hits)"
done
[ -z "$by_ftrace" ] || [ "$(cat kprobes/unwatched)" -gt "$unwatched" ]
if [ $n -gt 0 ]; then
	cat kprobe_losses
	lost=$(awk 'NR == 1 { for (i = 1; i <= NF; i++) col[$i] = i; next }
		$1 ~ /^ret\// { n += $col["dropped"]; left += $col["in_flight"] }
		END { print (n > 0), left + 0 }' kprobe_losses)
	is 'some returns were lost, none is in flight' '1 0' "$lost"
fi
kill "${pids[@]}"
wait "${pids[@]}" || true

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
insmod /modules/probe_events.ko
mount_ours
