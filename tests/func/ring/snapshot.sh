#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: snapshot: as the kernel's own in each step; under load no record is lost; instances
# seconds: 20 debug=27
# packages: trace-cmd
# tools: rawread probe-events

set -eu
cd "$PROBES"

# shellcheck source=tests/func/lib/events_lib.sh
. /host/events_lib.sh

# counts: what a tracefs shows after each of the same steps
counts() {
	gawk '/ zero: \(/ { n++ }
		/^# \* / { said = said $0 "\n" }
		ENDFILE { printf "%s %d\n%s", FILENAME, n, said; n = 0; said = "" }' \
		trace snapshot per_cpu/cpu0/snapshot per_cpu/cpu1/snapshot
}
# answer COMMAND...: its status and message
answer() {
	local status=0

	"$@" 2> /tmp/err || status=$?
	printf '%s: %s %s\n' "$*" $status "$(sed 's/.*: //' /tmp/err)"
}
steps() {
	cd "$1"
	echo 'p:t/zero read_zero' > kprobe_events
	echo 1 > events/t/zero/enable
	echo > trace
	counts
	read_zeros_on 0 5
	read_zeros_on 1 3
	answer put 2 snapshot; counts
	answer put 1 snapshot; counts
	read_zeros_on 1 7
	counts
	answer put 1 snapshot; counts		# the old snapshot is the buffer now
	answer put 0 per_cpu/cpu1/snapshot; counts
	# 5.10 is built to swap a single CPU's, too (CONFIG_RING_BUFFER_ALLOW_SWAP).
	[[ $(uname -r) = 5.* ]] || { answer put 1 per_cpu/cpu1/snapshot; counts; }
	answer put 2 per_cpu/cpu1/snapshot; counts
	# 7.3 forgets when it swaps: its snapshot then shows no record that is older than this.
	[[ $(uname -r) = 7.* ]] || { answer put 17 snapshot; counts; }
	read_zeros_on 0 2
	echo 0 > tracing_on
	answer put 1 snapshot; counts
	echo 1 > tracing_on
	answer put x snapshot; counts
	answer put '' snapshot; counts
	answer put 0 snapshot; counts
	answer put 0 snapshot; counts
	read_zeros_on 0 1
	answer put 1 snapshot; counts
	echo 0 > events/t/zero/enable
	answer put 0 snapshot
	echo > kprobe_events
	echo > trace
}
steps "$PROBES" > /tmp/ours
if [ "$PROBES" != /sys/kernel/tracing ]; then
	mount -t tracefs tracefs /sys/kernel/tracing
	(steps /sys/kernel/tracing) > /tmp/stock
	diff /tmp/stock /tmp/ours || fail "not as the kernel's"
fi
cd "$PROBES"
has /tmp/ours '^snapshot 8$'

# Size, clock and mode are those of both buffers.
echo 'p:t/zero read_zero' > kprobe_events
echo 1 > events/t/zero/enable
sizes() { cat per_cpu/cpu0/buffer_size_kb per_cpu/cpu1/buffer_size_kb | paste -sd ' '; }
echo 200 > buffer_size_kb
echo 300 > per_cpu/cpu1/buffer_size_kb
size=$(sizes)
for i in 1 2 3; do
	echo 1 > snapshot
	is 'size' "$size" "$(sizes)"
done
echo 100 > per_cpu/cpu0/buffer_size_kb
size=$(sizes)
echo 1 > snapshot
is 'size' "$size" "$(sizes)"
echo counter > trace_clock
read_zeros_on 0 3
echo 1 > snapshot
read_zeros_on 0 3
echo 1 > snapshot
is 'one counter' 6 "$(cat trace snapshot | sed -nE 's/.* ([0-9]+): zero: .*/\1/p' | sort -un | wc -l)"
echo local > trace_clock
is 'a clock empties both' '0 0' "$(records zero trace) $(records zero snapshot)"
echo 8 > buffer_subbuf_size_kb
read_zeros_on 0 500
echo 1 > snapshot
/host/rawread drain per_cpu/cpu0/snapshot_raw /tmp/out 8192
is 'raw' '500 0' "$(/host/rawread count /tmp/out 8192 | cut -d ' ' -f 2-)"
is 'raw consumes' 0 "$(records zero snapshot)"
/host/rawread read per_cpu/cpu0/snapshot_raw /tmp/out
is 'empty is the end' 0 "$(stat -c %s /tmp/out)"
echo 4 > buffer_subbuf_size_kb

# A record is not shown with another event's name, in a snapshot either.
read_zeros_on 0 3
echo 1 > snapshot
echo 0 > events/t/zero/enable
echo > kprobe_events
echo 'p:t/other write_null' > kprobe_events
is 'gone with their event' 0 "$(grep -c -v '^#' snapshot || true)"
echo 'p:t/zero read_zero' >> kprobe_events
echo 1 > events/t/zero/enable
echo 2 > snapshot
echo > trace

# Readers follow: a sleeping trace_pipe, and a raw one, see what comes after a snapshot.
cat trace_pipe > /tmp/piped &
piped=$!
within 20 asleep $piped
read_zeros_on 0 2
within 20 has_lines /tmp/piped 2 ' zero: '
echo 1 > snapshot			# takes away what was shown already
read_zeros_on 0 4
within 20 has_lines /tmp/piped 6 ' zero: '
echo 1 > snapshot
read_zeros_on 0 1
within 20 has_lines /tmp/piped 7 ' zero: '
is 'nothing is left' '0 0' "$(records zero trace) $(records zero snapshot)"
kill $piped
wait $piped 2> /dev/null || true
is 'each is shown once' 7 "$(records zero /tmp/piped)"
echo > trace
echo 2 > snapshot
spliced_so_many() { [ "$(/host/rawread count /tmp/out 2> /dev/null | cut -d ' ' -f 2)" = "$1" ]; }
/host/rawread splice per_cpu/cpu0/trace_pipe_raw /tmp/out &
piped=$!
within 20 asleep $piped
echo 1 > snapshot
read_zeros_on 0 9
within 20 spliced_so_many 9
echo 0 > tracing_on
wait $piped
is 'raw follows' 9 "$(/host/rawread count /tmp/out | cut -d ' ' -f 2)"
echo 1 > tracing_on

# A hit takes a snapshot while poll() goes to sleep, before it is in the queue. It wakes up for a
# record in the other buffer. In instances in which no reader has waited.
echo 'p:t/queue add_wait_queue comm=$comm' >> kprobe_events
polls() {
	local dir=instances/p

	mkdir $dir
	echo 64 > $dir/buffer_size_kb
	echo "$2" > $dir/buffer_percent
	echo 1 > $dir/events/t/zero/enable
	echo 'snapshot:1 if comm == "rawread"' > $dir/events/t/queue/trigger
	/host/rawread poll "$dir/$1" 3600000 > /tmp/out &
	piped=$!
	within 20 has_lines $dir/events/t/queue/trigger 1 'count=0'
	within 20 asleep $piped
	read_zeros_on 0 1
	within 60 gone $piped
	is "poll of $1" readable "$(cat /tmp/out)"
	rmdir $dir
}
polls trace_pipe 0
polls per_cpu/cpu0/trace_pipe 0
polls per_cpu/cpu0/trace_pipe_raw 0
polls per_cpu/cpu0/trace_pipe_raw 50
echo -:t/queue >> kprobe_events
echo > trace

# Under load: snapshots lose nothing. What the buffers hold at the end, and what was
# read from snapshots, is all.
echo 6000 > buffer_size_kb
echo 0 > events/t/zero/enable
echo > kprobe_events
echo 'p:t/zero read_zero' > kprobe_events
echo > trace
echo 2 > snapshot
echo 1 > events/t/zero/enable
hits=$(length 40000 80000)
read_zeros_on 0 "$hits" &
a=$!
read_zeros_on 1 "$hits" &
b=$!
total=0
drain() {
	/host/rawread drain "$1" /tmp/out
	read -r _ n l < <(/host/rawread count /tmp/out)
	total=$((total + n + l))
}
for i in $(seq "$(length 12 25)"); do
	echo 1 > snapshot
	for cpu in 0 1; do drain per_cpu/cpu$cpu/snapshot_raw; done
done
wait $a $b
echo 0 > events/t/zero/enable
for cpu in 0 1; do drain per_cpu/cpu$cpu/snapshot_raw; drain per_cpu/cpu$cpu/trace_pipe_raw; done
value_is t/zero hits $total
value_is t/zero records $total

# An instance has its own.
mkdir instances/i
echo 1 > instances/i/events/t/zero/enable
read_zeros_on 0 4
echo 1 > instances/i/snapshot
is 'instance' '4 0' "$(records zero instances/i/snapshot) $(records zero instances/i/trace)"
is 'not the top' 0 "$(records zero snapshot)"
rmdir instances/i

# trace-cmd's words for it.
echo 1 > events/t/zero/enable
read_zeros_on 0 6
/host/probe-events exec trace-cmd snapshot -s
/host/probe-events exec trace-cmd snapshot > /tmp/text
is 'trace-cmd' 6 "$(records zero /tmp/text)"
/host/probe-events exec trace-cmd snapshot -f
has snapshot 'Snapshot is freed'
