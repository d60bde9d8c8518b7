#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: sub-buffers of other sizes, also beside readers; free_buffer
# seconds: 7
# tools: rawread

set -eu
cd "$PROBES"
# shellcheck source=tests/func/lib/events_lib.sh
. /host/events_lib.sh

raw=per_cpu/cpu0/trace_pipe_raw

echo 'p:t/zero read_zero size=%dx comm=$comm' > kprobe_events
echo 1 > events/t/zero/enable

# The same answers as the kernel's file, where it has one.
[ "$PROBES" = /sys/kernel/tracing ] || mount -t tracefs tracefs /sys/kernel/tracing
stock=/sys/kernel/tracing/buffer_subbuf_size_kb
is 'default' 4 "$(cat buffer_subbuf_size_kb)"
# put_answer VALUE FILE: prints whether the write was refused, and what the file says then
put_answer() {
	local status=taken

	{ echo "$1" > "$2"; } 2> /dev/null || status=refused
	printf '%s %s\n' $status "$(cat "$2")"
}
for kb in 0 1 4 5 8 9 16 100 512 513 1000000 x 4; do
	got=$(put_answer $kb buffer_subbuf_size_kb)
	if [ -e $stock ] && [ "$PROBES" != /sys/kernel/tracing ]; then
		is "$kb" "$(put_answer $kb $stock)" "$got"
	fi
done

for kb in 4 8 64 512 4; do
	echo $kb > buffer_subbuf_size_kb
	is 'size' $kb "$(cat buffer_subbuf_size_kb)"
	has events/header_page "data;	offset:16;	size:$((kb * 1024 - 16));"
	at_least "$kb: buffer_size_kb" 1408 "$(cat per_cpu/cpu0/buffer_size_kb)"
	echo > trace
	read_zeros_on 0 5000
	is "$kb: text" 5000 "$(records zero)"
	/host/rawread drain $raw /tmp/out $((kb * 1024))
	is "$kb: raw" '5000 0' "$(/host/rawread count /tmp/out $((kb * 1024)) | cut -d ' ' -f 2-)"
	read_zeros_on 0 5000
	if [ $kb -le 32 ]; then
		is "$kb: splice" 65536 "$(/host/rawread splice-once $raw 65536)"
	fi
	has per_cpu/cpu0/stats '^entries:'
done

# While others read and write.
taskset -c 0 dd if=/dev/zero of=/dev/null bs=1 status=none &
load=$!
cat trace_pipe > /dev/null &
a=$!
/host/rawread splice $raw /tmp/out &
b=$!
(while :; do cat trace > /dev/null; done) &
c=$!
# rawread asks for 64 KB at a time, and must not get more.
for i in $(seq "$(length 6 30)"); do
	for kb in 8 4 64 16 4 32; do
		echo $kb > buffer_subbuf_size_kb
		cat per_cpu/cpu0/stats > /dev/null
	done
	echo $((100 + i)) > buffer_size_kb
done
alive $b || fail 'the raw reader has ended'
kill $load $a $b $c
wait 2> /dev/null || true
sums

# free_buffer: closing it gives the memory back, and stops tracing when that is wanted.
echo 4 > buffer_subbuf_size_kb
echo 1000 > buffer_size_kb
exec 5> free_buffer
is 'still there' 1000 "$(cat buffer_size_kb)"
exec 5>&-
at_most 'buffer_size_kb' 15 "$(cat buffer_size_kb)"
is 'goes on' 1 "$(cat tracing_on)"
is 'option' 0 "$(cat options/disable_on_free)"
echo disable_on_free > trace_options
: > free_buffer
is 'stops' 0 "$(cat tracing_on)"
