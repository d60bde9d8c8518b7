#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: per_cpu: each CPU's records and counts, for every possible CPU
# seconds: 2

set -eu
cd "$PROBES"
# shellcheck source=tests/func/lib/events_lib.sh
. /host/events_lib.sh
possible=$(ls -d /sys/devices/system/cpu/cpu[0-9]* | wc -l)


is 'a directory for each possible CPU' "$possible" "$(ls -d per_cpu/cpu* | wc -l)"
for d in per_cpu/cpu*; do
	is "$d" 'buffer_size_kb snapshot snapshot_raw stats trace trace_pipe trace_pipe_raw ' "$(ls $d | tr '\n' ' ')"
	is 'keys' 'entries overrun commit overrun bytes oldest event ts now ts dropped events read events ' \
		"$(sed 's/:.*//' $d/stats | tr '\n' ' ')"
done

echo 'p:t/zero read_zero' > kprobe_events
echo 1 > events/t/zero/enable
echo > trace
read_zeros_on 0 30
read_zeros_on 1 70
is 'cpu0' 30 "$(records zero per_cpu/cpu0/trace)"
is 'cpu1' 70 "$(records zero per_cpu/cpu1/trace)"
is 'both' 100 "$(records zero trace)"
is 'only its own' 0 "$(grep ' zero: ' per_cpu/cpu1/trace | grep -vc ' \[001\] ' || true)"
is 'header counts all CPUs' 1 "$(grep -c '^# entries-in-buffer/entries-written: 100/100 ' per_cpu/cpu0/trace)"
is 'merged by time' "$(grep ' zero: ' trace | md5sum)" \
	"$(cat per_cpu/cpu*/trace | grep ' zero: ' | sort -s -k4,4n | md5sum)"
is 'entries' 30 "$(stat_of 0 entries)"
is 'entries' 70 "$(stat_of 1 entries)"
at_least 'bytes' $((70 * 16)) "$(stat_of 1 bytes)"
oldest=$(stat_of 0 'oldest event ts') now=$(stat_of 0 'now ts')
has <(echo "$oldest") '^[0-9]+\.[0-9]{6}$' -E
awk -v a="$oldest" -v b="$now" 'BEGIN { exit !(a > 0 && a < b) }' || fail "times: $oldest, $now"

# Consuming one CPU leaves the other; counts follow.
dd if=per_cpu/cpu1/trace_pipe iflag=nonblock bs=100k count=1 status=none > /tmp/out
n=$(wc -l < /tmp/out)
at_least 'lines read' 1 "$n"
is 'read events' "$n" "$(stat_of 1 'read events')"
is 'entries' $((70 - n)) "$(stat_of 1 entries)"
is 'the other' 30 "$(records zero per_cpu/cpu0/trace)"

# Clearing one clears one.
echo > per_cpu/cpu0/trace
is 'cleared' 0 "$(records zero per_cpu/cpu0/trace)"
is 'cleared' 0 "$(stat_of 0 entries)"
is 'not cleared' $((70 - n)) "$(records zero per_cpu/cpu1/trace)"

# Sizes: one differs, all is X, then all the same again.
# In whole pages of 4080 bytes.
is 'all' 1410 "$(cat buffer_size_kb)"
echo 100 > per_cpu/cpu1/buffer_size_kb
is 'one' 103 "$(cat per_cpu/cpu1/buffer_size_kb)"
is 'the other' 1410 "$(cat per_cpu/cpu0/buffer_size_kb)"
is 'all' X "$(cat buffer_size_kb)"
is 'sum' $((103 + 1410 * (possible - 1))) "$(cat buffer_total_size_kb)"
echo 50 > buffer_size_kb
is 'all' 51 "$(cat buffer_size_kb)"
is 'one' 51 "$(cat per_cpu/cpu1/buffer_size_kb)"
is 'sum' $((51 * possible)) "$(cat buffer_total_size_kb)"

# Overwriting: written = entries + overrun + read.
echo > trace
read_zeros_on 1 20000
at_least 'overrun' 10001 "$(stat_of 1 overrun)"
is 'sum' 20000 $(($(stat_of 1 entries) + $(stat_of 1 overrun) + $(stat_of 1 'read events')))
is 'shown' "$(stat_of 1 entries)" "$(records zero trace)"
is 'header' 1 "$(grep -c "^# entries-in-buffer/entries-written: $(stat_of 1 entries)/20000 " trace)"
is 'the newest are kept' 1 "$(grep -c ' zero: ' <(tail -n 1 per_cpu/cpu1/trace))"

# Without overwriting: the oldest are kept, the rest is refused and counted.
echo 0 > options/overwrite
echo > trace
read_zeros_on 0 20000
is 'no overrun' 0 "$(stat_of 0 overrun)"
is 'sum' 20000 $(($(stat_of 0 entries) + $(stat_of 0 'dropped events')))
sums
# Making room lets new ones in, after a line that says how many are missing.
lost=$(stat_of 0 'dropped events')
dd if=per_cpu/cpu0/trace_pipe iflag=nonblock bs=1M count=1000 status=none 2> /dev/null > /tmp/out || true
read_zeros_on 0 5
dd if=per_cpu/cpu0/trace_pipe iflag=nonblock bs=1M count=10 status=none 2> /dev/null > /tmp/out || true
is 'lost' 1 "$(grep -c "^CPU:0 \[LOST $lost EVENTS\]$" /tmp/out)"
is 'new' 5 "$(records zero /tmp/out)"
echo 1 > options/overwrite
echo 1408 > buffer_size_kb
