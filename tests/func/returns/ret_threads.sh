#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: 2,000 threads at once in a function with return probes, half of them killed
# tier: 6.12-cloud 6.12-rt
# seconds: 2 debug=31
# tools: blockers
# modules: pe_calls pe_probe
#
# The function counts its calls and returns itself.  An event and a probe of the engine
# are on it all the time; a second event is deleted while all threads are inside.

set -eu
# shellcheck source=tests/func/lib/engine_lib.sh
. /host/engine_lib.sh
# shellcheck source=tests/func/lib/events_lib.sh
. /host/events_lib.sh
cd "$PROBES"
threads=${THREADS:-2000}
half=$((threads / 2))
par=/sys/module/pe_calls/parameters
load pe_calls pe_probe

evidence+=(kprobe_losses "$P/usage" "$par/blocks")

# like FILE PATTERN, for within
like() {
	# shellcheck disable=SC2053
	[[ $(cat "$1") = $2 ]]
}
wait_for() { within 200 like "$@"; }

ulimit -u unlimited
echo $((threads + 4000)) > /proc/sys/kernel/threads-max
printf '%s\n' 'r:t/block pe_calls_block i=$arg1:s64 r=$retval:s64 e=$elapsed' \
	'r:u/gone pe_calls_block r=$retval' > kprobe_events
echo 1 > events/t/enable
echo 1 > events/u/enable
add r:pe_calls_block
/host/blockers $half /proc/pe_calls_block &
spared=$!
/host/blockers $((threads - half)) /proc/pe_calls_block &
killed=$!
wait_for $par/blocks "$threads 0 0"
value_is t/block in_flight "$threads"
value_is u/gone in_flight "$threads"
echo 0 > events/u/enable
echo '-:u/gone' >> kprobe_events
has $P/usage "^1 [2-9] $threads\$"

kill -9 $killed
wait $killed && fail "it was not killed"
wait_for $par/blocks "$threads $((threads - half)) $((threads - half))"
wait_for $P/usage "1 [1-9] $half"
value_is t/block in_flight $half
value_is t/block records $((threads - half))

echo 1 > $par/unblock
wait $spared || fail "a thread that was spared"
wait_for $par/blocks "$threads $threads $((threads - half))"
echo 0 > events/t/enable
value_is t/block hits "$threads"
value_is t/block records "$threads"
for loss in recursion no_stack dropped in_flight off full filter unlinked limited; do
	value_is t/block $loss 0
done
expect_hits r:pe_calls_block "$threads"
is 'missed by the engine' 0 "$(field r:pe_calls_block 3)"
# Each call once, with its value.
awk -v n="$threads" -v killed=$((threads - half)) '/ block: \(/ {
		match($0, /i=[0-9]+/); i = substr($0, RSTART + 2, RLENGTH - 2) + 0
		match($0, / r=-?[0-9]+/); r = substr($0, RSTART + 3, RLENGTH - 3) + 0
		if (seen[i]++ || i >= n || (r != 1000 + i && r != -512)) { print; bad = 1 }
		calls++; dead += r == -512 }
	END { print calls + 0, "records,", dead + 0, "of killed threads"
	      exit bad || calls != n || dead != killed }' trace || fail "records"

# Nothing is left over.
echo > kprobe_events
del r:pe_calls_block
wait_for $P/usage "0 0 0"
rmmod pe_calls pe_probe
