#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: trace_pipe waits, polls, is interrupted, ends, and has one reader
# seconds: 4

set -eu
cd "$PROBES"
# shellcheck source=tests/func/lib/events_lib.sh
. /host/events_lib.sh

echo 'p:t/zero read_zero' > kprobe_events
echo 1 > events/t/zero/enable
echo > trace

# Blocking: sleeps while there is nothing, wakes at one record, goes on.
cat trace_pipe > /tmp/out &
reader=$!
within 20 asleep $reader
is 'nothing yet' 0 "$(wc -c < /tmp/out)"
read_zeros 1
within 20 has_lines /tmp/out 1 ''
read_zeros 1
within 20 has_lines /tmp/out 2 ''
within 20 asleep $reader

# One at a time: of all CPUs, or of each.
for f in trace_pipe per_cpu/cpu0/trace_pipe per_cpu/cpu1/trace_pipe; do
	refused busy cat $f
done

# kill -9 of a sleeping reader, and the file is free again.
kill -9 $reader
within 20 gone $reader
wait $reader 2> /dev/null || true
exec 5< per_cpu/cpu0/trace_pipe 6< per_cpu/cpu1/trace_pipe
refused busy cat trace_pipe
refused busy cat per_cpu/cpu1/trace_pipe
exec 5<&- 6<&-

# Two who share a description wait in the same way.
exec 5< trace_pipe
cat <&5 > /dev/null &
reader=$!
within 20 asleep $reader
cat <&5 > /dev/null &
second=$!
within 20 asleep $second
kill -9 $second
within 20 gone $second
kill -9 $reader
wait $reader $second 2> /dev/null || true
exec 5<&-

# Other signals, too: a handler runs, reading can go on.
bash -c 'trap "echo signal" USR1; echo > /tmp/armed; read -r line < trace_pipe; echo "$line"' > /tmp/out &
reader=$!
within 20 test -e /tmp/armed
within 20 asleep $reader
kill -USR1 $reader
within 20 grep -q signal /tmp/out
read_zeros 1
within 20 gone $reader
has /tmp/out ' zero: '
echo > trace

# O_NONBLOCK.
is 'nothing: EAGAIN' "Resource temporarily unavailable" \
	"$(dd if=trace_pipe iflag=nonblock bs=4096 count=1 status=none 2>&1 | sed 's/.*: //')"
read_zeros 3
is 'something' 3 "$(dd if=trace_pipe iflag=nonblock bs=4096 count=1 status=none | wc -l)"

# poll: readable exactly when there is something, read ahead or not.
exec 5< trace_pipe
not read -t 0 -u 5
read_zeros 2
read -t 0 -u 5 || fail 'not readable with records'
is 'first byte' ' ' "$(dd bs=1 count=1 status=none <&5)"
read -t 0 -u 5 || fail 'not readable with the rest of a line'
dd bs=4096 count=2 status=none <&5 > /dev/null	# the rest of the first line, the second
not read -t 0 -u 5
(sleep 1; read_zeros 1) &
read -t 60 -r -u 5 line || fail 'select did not wake up'
matches 'the line' '* zero: *' "$line"
wait
exec 5<&-

# Small reads lose nothing: a line is handed out in pieces.
read_zeros 20
cat trace | grep -v '^#' > /tmp/want
dd if=trace_pipe bs=5 count=100000 iflag=nonblock of=/tmp/out status=none 2> /dev/null || true
diff /tmp/want /tmp/out || fail 'small reads'

# tracing_on = 0: waits before the first record, ends after it.
echo 0 > tracing_on
cat trace_pipe > /tmp/out &
reader=$!
within 20 asleep $reader
echo 1 > tracing_on
read_zeros 4
within 20 has_lines /tmp/out 4 ''
within 20 asleep $reader
echo 0 > tracing_on
within 20 gone $reader
wait $reader
read_zeros 5
is 'tracing is off' 0 "$(records zero)"
is 'tracing is off' 0 "$(cat tracing_on)"
echo 1 > tracing_on

# What came before tracing went off is given out first.
read_zeros 2000
echo 0 > tracing_on
is 'all, then the end' 2000 "$(timeout 100 cat trace_pipe | wc -l)"
echo 1 > tracing_on

# Many readers killed at any moment, under load, on all CPUs.
dd if=/dev/zero of=/dev/null bs=1 status=none &
load=$!
for i in $(seq 30); do
	cat trace_pipe > /dev/null &
	a=$!
	cat trace > /dev/null &
	b=$!
	sleep "0.0$((RANDOM % 10))"
	kill -9 $a $b 2> /dev/null || true
	wait $a $b 2> /dev/null || true
done
kill $load
wait $load 2> /dev/null || true
sums
