#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: snapshot: as the kernel's own in each step; under load no record is lost; instances
# kernels: all
# seconds: 31
# packages: trace-cmd
# tools: rawread probe-events

set -eu
cd "$PROBES"

# shellcheck source=tests/func/check_lib.sh
. /host/check_lib.sh
hits() { taskset -c "${2:-0}" dd if=/dev/zero of=/dev/null bs=1 count="$1" status=none; }
count() { grep -c ' zero: ' "$1" || true; }

# What a tracefs shows after each of the same steps.
state() {
	local f

	for f in trace snapshot per_cpu/cpu0/snapshot per_cpu/cpu1/snapshot; do
		printf '%s %s %s\n' $f "$(count $f)" "$(grep '^# \* ' $f || true)"
	done
}
try() {
	local status=0

	"$@" 2> /tmp/err || status=$?
	printf '%s: %s %s\n' "$*" $status "$(sed 's/.*: //' /tmp/err)"
}
put() { echo "$1" > "$2"; }
steps() {
	cd "$1"
	echo 'p:t/zero read_zero' > kprobe_events
	echo 1 > events/t/zero/enable
	echo > trace
	state
	hits 5 0
	hits 3 1
	try put 2 snapshot; state
	try put 1 snapshot; state
	hits 7 1
	state
	try put 1 snapshot; state		# the old snapshot is the buffer now
	try put 0 per_cpu/cpu1/snapshot; state
	try put 1 per_cpu/cpu1/snapshot; state
	try put 2 per_cpu/cpu1/snapshot; state
	try put 17 snapshot; state
	hits 2 0
	echo 0 > tracing_on
	try put 1 snapshot; state
	echo 1 > tracing_on
	try put x snapshot; state
	try put '' snapshot; state
	try put 0 snapshot; state
	try put 0 snapshot; state
	hits 1 0
	try put 1 snapshot; state
	echo 0 > events/t/zero/enable
	try put 0 snapshot
	echo > kprobe_events
	echo > trace
}
steps "$PROBES" > /tmp/ours
if [ "$PROBES" != /sys/kernel/tracing ]; then
	mount -t tracefs tracefs /sys/kernel/tracing
	(steps /sys/kernel/tracing) > /tmp/stock
	diff /tmp/stock /tmp/ours
fi
cd "$PROBES"
grep -q 'snapshot 8 ' /tmp/ours

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
hits 3
echo 1 > snapshot
hits 3
echo 1 > snapshot
is 'one counter' 6 "$(cat trace snapshot | sed -nE 's/.* ([0-9]+): zero: .*/\1/p' | sort -un | wc -l)"
echo local > trace_clock
is 'a clock empties both' '0 0' "$(count trace) $(count snapshot)"
echo 8 > buffer_subbuf_size_kb
hits 500
echo 1 > snapshot
/host/rawread drain per_cpu/cpu0/snapshot_raw /tmp/out 8192
is 'raw' '500 0' "$(/host/rawread count /tmp/out 8192 | cut -d ' ' -f 2-)"
is 'raw consumes' 0 "$(count snapshot)"
/host/rawread read per_cpu/cpu0/snapshot_raw /tmp/out
is 'empty is the end' 0 "$(stat -c %s /tmp/out)"
echo 4 > buffer_subbuf_size_kb

# A record is not shown with another event's name, in a snapshot either.
hits 3
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
hits 2
within 20 has /tmp/piped 2 ' zero: '
echo 1 > snapshot			# takes away what was shown already
hits 4
within 20 has /tmp/piped 6 ' zero: '
echo 1 > snapshot
hits 1
within 20 has /tmp/piped 7 ' zero: '
is 'nothing is left' '0 0' "$(count trace) $(count snapshot)"
kill $piped
wait $piped 2> /dev/null || true
is 'each is shown once' 7 "$(count /tmp/piped)"
echo > trace
echo 2 > snapshot
spliced() { [ "$(/host/rawread count /tmp/out 2> /dev/null | cut -d ' ' -f 2)" = "$1" ]; }
/host/rawread splice per_cpu/cpu0/trace_pipe_raw /tmp/out &
piped=$!
within 20 asleep $piped
echo 1 > snapshot
hits 9
within 20 spliced 9
echo 0 > tracing_on
wait $piped
is 'raw follows' 9 "$(/host/rawread count /tmp/out | cut -d ' ' -f 2)"
echo 1 > tracing_on

# A snapshot that a hit takes while poll() goes to sleep, before it is in the queue: it is in
# that of the buffer that is there then, and wakes up. In instances that nobody has waited in.
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
	within 20 has $dir/events/t/queue/trigger 1 'count=0'
	within 20 asleep $piped
	hits 1
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
hits 80000 0 &
a=$!
hits 80000 1 &
b=$!
total=0
add() {
	/host/rawread drain "$1" /tmp/out
	read -r _ n l < <(/host/rawread count /tmp/out)
	total=$((total + n + l))
}
for i in $(seq 25); do
	echo 1 > snapshot
	for cpu in 0 1; do add per_cpu/cpu$cpu/snapshot_raw; done
done
wait $a $b
echo 0 > events/t/zero/enable
for cpu in 0 1; do add per_cpu/cpu$cpu/snapshot_raw; add per_cpu/cpu$cpu/trace_pipe_raw; done
is 'under load' "$(awk '$1 == "t/zero" { print $3 }' kprobe_losses)" $total
awk 'NR == 1 { for (i = 1; i <= NF; i++) col[$i] = i; next }
	$1 == "t/zero" && $col["records"] != $col["hits"] { print; exit 1 }' kprobe_losses

# An instance has its own.
mkdir instances/i
echo 1 > instances/i/events/t/zero/enable
hits 4
echo 1 > instances/i/snapshot
is 'instance' '4 0' "$(count instances/i/snapshot) $(count instances/i/trace)"
is 'not the top' 0 "$(count snapshot)"
rmdir instances/i

# trace-cmd's words for it.
echo 1 > events/t/zero/enable
hits 6
/host/probe-events exec trace-cmd snapshot -s
/host/probe-events exec trace-cmd snapshot > /tmp/text
is 'trace-cmd' 6 "$(count /tmp/text)"
/host/probe-events exec trace-cmd snapshot -f
grep -q 'Snapshot is freed' snapshot
