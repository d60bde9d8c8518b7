#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: trace_pipe_raw: read, splice, poll, sizes, wake-ups, pages that outlive the module
# not: 7.3-cloud: the text of its header_page is another
# tier: 6.12-cloud 6.12-rt 6.1-cloud
# seconds: 4
# tools: rawread

set -eu
cd "$PROBES"
# shellcheck source=tests/func/lib/events_lib.sh
. /host/events_lib.sh

raw=per_cpu/cpu0/trace_pipe_raw
size() { stat -c %s "$1"; }
# raw_records FILE: of its pages; raw_records_are N: of /tmp/out, for within
raw_records() { /host/rawread count "$1" | awk '{ print $2 }'; }
raw_records_are() { [ "$(raw_records /tmp/out 2> /dev/null)" = "$1" ]; }

# What describes the pages is what the kernel says of its own.
if [ "$PROBES" != /sys/kernel/tracing ]; then
	mount -t tracefs tracefs /sys/kernel/tracing
	for f in events/header_page events/header_event events/ftrace/print/format \
		 events/ftrace/print/id; do
		diff "/sys/kernel/tracing/$f" "$f" || fail "$f"
	done
fi
is 'no formats' '' "$(cat printk_formats)"

echo 'p:t/zero read_zero size=%dx' > kprobe_events
echo 1 > events/t/zero/enable
echo > trace

# Empty: nothing to read, nothing to see, and no error where it may block.
is 'nothing' 'Resource temporarily unavailable' "$(/host/rawread splice-once $raw 4096)"
is 'nothing' timeout "$(/host/rawread poll $raw 200)"
/host/rawread drain $raw /tmp/out
is 'nothing' 0 "$(size /tmp/out)"

# A partly filled page is read at once, as a whole image, and spliced after a while.
read_zeros_on 0 3
/host/rawread drain $raw /tmp/out
is 'three records' '1 3 0' "$(/host/rawread count /tmp/out)"
read_zeros_on 0 5
is 'too short for a page' 'Invalid argument' "$(/host/rawread splice-once $raw 4095)"
# On a busy machine the while may be over before splice() is called: then again, with new
# records by the same process.
for i in $(seq 20); do
	out=$(taskset -c 0 /host/rawread splice-once $raw 65536 5)
	[ "$out" = 4096 ] || break
done
is 'no complete page' 'Resource temporarily unavailable' "$out"
is 'after a while' readable "$(/host/rawread poll $raw 60000)"
is 'after a while' 4096 "$(/host/rawread splice-once $raw 65536)"
is 'and then no more' timeout "$(/host/rawread poll $raw 300)"

# An epoll set that is only woken for what is new, by text and by pages.
for f in $raw per_cpu/cpu0/trace_pipe; do
	is "EPOLLET of $f" '5 0' "$(taskset -c 0 /host/rawread edge $f 5)"
done

# Small reads go on where the last one ended; the image stays whole.
read_zeros_on 0 300
/host/rawread drain $raw /tmp/out 1000
is 'small reads' '3 300 0' "$(/host/rawread count /tmp/out)"

# buffer_percent: any record, or a part of the buffer.
is 'default' 50 "$(cat buffer_percent)"
refused 'Invalid argument' put 101 buffer_percent
echo 0 > buffer_percent
read_zeros_on 0 1
is 'any record' readable "$(/host/rawread poll $raw 0)"
is 'any record' 4096 "$(/host/rawread splice-once $raw 65536)"
echo 100 > buffer_percent
echo 16 > buffer_size_kb
# 2 of 5 pages, once they come faster than they count for being old.
for i in $(seq 50); do
	echo > trace
	out=$(taskset -c 0 /host/rawread poll $raw 0 350)
	[ "$out" = readable ] || break
done
is 'not yet full' timeout "$out"
read_zeros_on 0 1000
is 'full' readable "$(/host/rawread poll $raw 0)"
echo > trace
echo 64 > buffer_size_kb
echo 50 > buffer_percent

# A blocking splice sleeps without records, gives them soon, and ends with tracing.
/host/rawread splice $raw /tmp/out &
reader=$!
within 20 test ! -s /tmp/out
within 20 asleep $reader
is 'nothing yet' 0 "$(size /tmp/out)"
read_zeros_on 0 7
within 20 raw_records_are 7
within 20 asleep $reader
read_zeros_on 0 9
echo 0 > tracing_on
within 20 gone $reader
wait $reader
is 'all' 16 "$(raw_records /tmp/out)"

# It sleeps on when it is stopped, and gets soon also what comes after an emptying.
echo 1 > tracing_on
/host/rawread splice $raw /tmp/out &
reader=$!
within 20 test ! -s /tmp/out
within 20 asleep $reader
kill -STOP $reader
within 20 in_state T $reader
kill -CONT $reader
within 20 asleep $reader
read_zeros_on 0 3
echo > trace		# before they were given, or after: then the next are not special
sleep 0.5
within 20 asleep $reader
before=$(raw_records /tmp/out)
read_zeros_on 0 5
within 20 raw_records_are $((before + 5))
echo 0 > tracing_on
within 20 gone $reader
wait $reader

# One that begins while tracing is off waits for it.
/host/rawread read $raw /tmp/out &
reader=$!
within 20 test ! -s /tmp/out
within 20 asleep $reader
is 'tracing is off' 0 "$(size /tmp/out)"
echo 1 > tracing_on
read_zeros_on 0 2
within 20 raw_records_are 2
within 20 asleep $reader
echo 0 > tracing_on
within 20 gone $reader
wait $reader
is 'read' 2 "$(raw_records /tmp/out)"
echo 1 > tracing_on

# ioctl(fd, 0) by another thread; a signal; kill -9.
is 'woken' 0 "$(timeout 60 /host/rawread wake $raw 500)"
for signal in TERM KILL; do
	for mode in read splice; do
		/host/rawread $mode $raw /tmp/out &
		reader=$!
		within 20 asleep $reader
		kill -$signal $reader
		within 20 gone $reader
		wait $reader 2> /dev/null || true
	done
done

# Readers that share a description wait in the same way. One that ends closes it, which
# tells the other to come back. So does each process that has inherited it: this script has not.
(
	exec 5< $raw
	cat <&5 > /dev/null &
	echo $! > /tmp/reader
	cat <&5 > /dev/null &
	echo $! > /tmp/second
	wait
) &
sharers=$!
within 20 test -s /tmp/second
reader=$(< /tmp/reader) second=$(< /tmp/second)
within 20 asleep $reader
within 20 asleep $second
kill -KILL $second
within 20 gone $second
within 20 gone $reader
wait $sharers

# Complete pages go as they are; a page that was read in part gives its rest; text
# readers that are in such a page go on.
echo > trace
read_zeros_on 0 1000
exec 5< trace
read -r -u 5 _
timeout 60 head -n 10 trace_pipe > /dev/null 2>&1
/host/rawread splice-once $raw 65536 > /dev/null
cat <&5 > /tmp/text
exec 5<&-
at_least 'records of zero in /tmp/text' 100 "$(records zero /tmp/text)"
echo > trace
has per_cpu/cpu0/stats '^read events: 0$'
read_zeros_on 0 1000
/host/rawread drain $raw /tmp/out
is 'stats' 'entries: 0 read events: 1000' \
	"$(grep -E '^(entries|read events)' per_cpu/cpu0/stats | paste -sd ' ')"
is 'no loss' 1000 "$(raw_records /tmp/out)"

# Names and thread groups of those who recorded; the table keeps them when it changes.
read_zeros_on 0 1
has saved_cmdlines ' dd$'
others=$(awk '$1 != $2' saved_tgids)
is 'tasks of another group' '' "$others"
before=$(sort saved_cmdlines)
is 'size' 4096 "$(cat saved_cmdlines_size)"
echo 5000 > saved_cmdlines_size
is 'size' 8192 "$(cat saved_cmdlines_size)"
is 'kept' "$before" "$(sort saved_cmdlines)"
for n in 0 32769 x; do
	refused 'Invalid argument' put $n saved_cmdlines_size
done
echo 1 > saved_cmdlines_size
is 'one slot' 1 "$(wc -l < saved_cmdlines)"
read_zeros_on 0 1
is 'one slot' 'dd' "$(cut -d ' ' -f 2 saved_cmdlines)"
echo 128 > saved_cmdlines_size

echo > trace

# What could not be copied was not given: who goes on waits for tracing to be switched on.
read_zeros_on 0 1
echo 0 > tracing_on
/host/rawread fault $raw > /tmp/out &
reader=$!
within 20 asleep $reader
echo 1 > tracing_on
read_zeros_on 0 1
wait $reader
is 'after a fault' 4096 "$(cat /tmp/out)"

# Pages in a pipe need neither the buffer nor the module.
echo > trace
read_zeros_on 0 500
/host/rawread drain $raw /tmp/want
read_zeros_on 0 500
mkfifo /tmp/go
(cd / && exec /host/rawread hold "$PROBES/$raw" /tmp/out) < /tmp/go > /tmp/said &
holder=$!
exec 6> /tmp/go
within 20 grep -q held /tmp/said
echo 0 > events/enable
echo > kprobe_events
cd /
umount "$PROBES"
rmmod probe_events
echo > /proc/sys/vm/drop_caches 2> /dev/null || echo 3 > /proc/sys/vm/drop_caches
echo go >&6
exec 6>&-
wait $holder
is 'records outlive the module' 500 "$(/host/rawread count /tmp/out | cut -d ' ' -f 2)"
