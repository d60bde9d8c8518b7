#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: _raw_spin_lock with cpu=1% while all CPUs take locks: stopped within 100 ms, then all is as fast as before
# modes: default
# not: 6.12-rt debug: few take this lock, or lockdep makes each dear
# machine: --steady
# seconds: 15
#
# The clock counts instructions, so a busy machine changes no time here. Records of the hits that were
# served say when the first one came, and when the last.

set -eu
cd "$PROBES"
# shellcheck source=tests/func/lib/events_lib.sh
. /host/events_lib.sh
dir=events/kprobes/e

# work N: opens and closes, which take locks, on each CPU at once; ms that this takes
work() {
	local from=${EPOCHREALTIME/./} cpu pids=()

	for cpu in 0 1; do
		taskset -c $cpu bash -c "for ((i = 0; i < $1; i++)); do : </dev/zero; done" &
		pids+=($!)
	done
	wait "${pids[@]}"
	echo $(((${EPOCHREALTIME/./} - from) / 1000))
}
# least N: of three times: what else the machine does only adds
least() {
	local turn ms best=0

	for turn in 1 2 3; do
		ms=$(work "$1")
		[ $best -gt 0 ] && [ $best -le "$ms" ] || best=$ms
	done
	echo $best
}
tripped() { grep -q '^tripped: ' $dir/limit; }
# served: when the first and the last hit were served, ms
served() {
	awk '/ e: \(/ { match($0, /[0-9]+\.[0-9]+: /); last = substr($0, RSTART, RLENGTH - 2)
			first = first ? first : last }
		END { printf "%d %d\n", first * 1000, last * 1000 + 0.5 }' trace
}
when() { sed -n 's/^tripped: .* at \([0-9]*\)\.\([0-9]*\)$/\1\2/p' $dir/limit; }
after() { sed -n 's/^tripped: .* after \([0-9]*\) of 100 ms at .*/\1/p' $dir/limit; }

n=4000
echo mono >trace_clock
before=$(least $n)
echo 'p:e _raw_spin_lock' >kprobe_events
echo 'cpu=1%' >$dir/limit
for turn in 1 2; do
	busy=()
	for cpu in 0 1; do
		taskset -c $cpu bash -c 'while :; do read -r line </proc/self/status; done' &
		busy+=($!)
	done
	sleep 0.3
	echo >trace
	# In the way of no other task: what is measured is not how long a shell waits.
	chrt -f -p 50 $BASHPID
	echo 1 >$dir/enable
	chrt -o -p 0 $BASHPID
	within 30 tripped
	kill "${busy[@]}"
	wait "${busy[@]}" || true
	cat $dir/limit
	has $dir/limit '^tripped: cpu [0-9.]*% of 1% after [0-9]* of 100 ms at '
	read -r first last < <(served)
	echo "turn $turn: gated $(($(when) - first)) ms after the first hit, $(after) ms into a window; last hit served after $((last - first)) ms"
	at_least 'ms to the gate' 0 $(($(when) - first))
	at_most 'ms to the gate' 100 $(($(when) - first))
	at_most 'ms to the last hit that was served' 100 $((last - first))
done
sleep 1
hits=$(value kprobes/e hits)
since=$(least $n)
echo "$n opens on each CPU: $before ms before, $since ms a second after"
at_least 'per cent of the throughput before' 95 $((before * 100 / since))
value_is kprobes/e hits "$hits"
sums
