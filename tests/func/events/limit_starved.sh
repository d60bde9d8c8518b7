#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: _raw_spin_lock with cpu=1% while real-time tasks have all CPUs: no task is needed for the gate to close and to hold
# modes: default
# not: 6.12-rt debug: few take this lock, or lockdep makes each dear
# not: bare: ordinary tasks have a share of each CPU there, and without debugfs it stays
# machine: --steady
# seconds: 12
#
# The clock counts instructions, so a busy machine changes no time here. Each CPU has a task that
# waits, takes its CPU without a system call, and from a given moment on takes locks, for two seconds. A
# mark in the trace says when it begins, and when it ends. The work that disarms and tells is a task
# as others: it comes after that.

set -eu
cd "$PROBES"
# shellcheck source=tests/func/lib/events_lib.sh
. /host/events_lib.sh
dir=events/kprobes/e
debugfs=/sys/kernel/debug
evidence+=("$dir/limit")

cat >/tmp/hog <<'END'
cpu=$1 go=$2
exec 9<>/tmp/never
read -r -t "$(((go - ${EPOCHREALTIME/./}) / 1000000 - 1))" _ <&9
while ((${EPOCHREALTIME/./} < go)); do :; done
[ -z "$PROBES" ] || echo "hog $cpu begins" >"$PROBES/trace_marker"
# How many in each half of a second, by the clock.
n=(0 0 0 0)
while ((at = (${EPOCHREALTIME/./} - go) / 500000, at < 4)); do
	: </dev/zero
	n[at]=$((n[at] + 1))
done
[ -z "$PROBES" ] || echo "hog $cpu ends" >"$PROBES/trace_marker"
echo "${n[*]}" >/tmp/hog.$cpu
END
mkfifo /tmp/never

# Real-time tasks may have all of the time. Newer kernels leave some to others in another way.
no_share_for_others() {
	local file

	echo -1 >/proc/sys/kernel/sched_rt_runtime_us
	mountpoint -q $debugfs || mount -t debugfs none $debugfs
	for file in $debugfs/sched/fair_server/cpu[01]/runtime; do
		# It is 0 where it has never begun.
		[ ! -e "$file" ] || [ "$(cat "${file%runtime}period")" = 0 ] || echo 0 >"$file"
	done
}
# hogs: they begin in 3 s; waits until they have ended
hogs() {
	local cpu go=$((${EPOCHREALTIME/./} + 3000000)) pids=()

	for cpu in 0 1; do
		taskset -c $cpu chrt -f 50 bash /tmp/hog $cpu $go &
		pids+=($!)
	done
	"$@"
	wait "${pids[@]}"
}
arm() { echo 1 >$dir/enable; }
# done_in HALF: opens of both CPUs in that half of a second
done_in() { cat /tmp/hog.0 /tmp/hog.1 | awk -v i=$(($1 + 1)) '{ n += $i } END { print n }'; }
# ms_of FIRST|LAST PATTERN: of the trace's records that match, when
ms_of() {
	awk -v which="$1" -v pattern="$2" '$0 ~ pattern { match($0, /[0-9]+\.[0-9]+: /)
		at = substr($0, RSTART, RLENGTH - 2); if (which == "last" || !n++) it = at }
		END { if (it == "") exit 1; printf "%d\n", it * 1000 + 0.5 }' trace
}
# What the gate has in its file, to the ms, by the clock of the trace.
gated_at() { sed -n 's/^tripped: .* at \([0-9]*\)\.\([0-9]*\)$/\1\2/p' $dir/limit; }
tripped() { grep -q '^tripped: ' $dir/limit && ! grep -v '\[DISABLED\]' kprobes/list | grep -q _raw_spin_lock; }

no_share_for_others
echo mono >trace_clock
hogs true
before=$(done_in 2)
echo 'p:e _raw_spin_lock' >kprobe_events
echo 'cpu=1%' >$dir/limit
echo >trace
hogs arm
within 10 tripped
cat $dir/limit
begin=$(ms_of first 'hog . begins')
end=$(ms_of first 'hog . ends')
last=$(ms_of last ' e: [(]')
told=$(ms_of first limit_reached)
gate=$(gated_at)
limited=$(value kprobes/e limited)
echo "from the first lock on: gated after $((gate - begin)) ms, last hit served after $((last - begin))," \
	"tasks came back after $((end - begin)), told after $((told - begin)); $limited hits not served"
echo "opens in half seconds: $(cat /tmp/hog.0 /tmp/hog.1 | paste -sd ,); before: $before"
has $dir/limit '^tripped: cpu [0-9.]*% of 1% after [0-9]* of 100 ms at '
at_least 'ms to the gate' 0 $((gate - begin))
at_most 'ms to the gate' 100 $((gate - begin))
at_least 'ms to the last hit that was served' 0 $((last - begin))
at_most 'ms to the last hit that was served' 100 $((last - begin))
at_least 'ms of starving' 1900 $((end - begin))
at_least 'ms when it is told' "$end" "$told"
at_least 'hits that were not served' 10000 "$limited"
# Hits at a gate cost little, and nothing when they are taken out.
at_least 'per cent of the throughput before, at the gate' 80 $(($(done_in 2) * 100 / before))
hits=$(value kprobes/e hits)
hogs true
at_least 'per cent of the throughput before, a second after' 95 $(($(done_in 2) * 100 / before))
value_is kprobes/e hits "$hits"
sums
