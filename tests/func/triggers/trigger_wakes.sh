#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: readers that wait come to their end when a trigger switches tracing off
# tier: 6.12-cloud 6.12-rt
# seconds: 1
# tools: rawread

set -eu
cd "$PROBES"
# shellcheck source=tests/func/lib/events_lib.sh
. /host/events_lib.sh

# The text of one instance, the pages of another; a third stays on.
printf '%s\n' 'p:t/zero read_zero' 'p:t/null write_null' > kprobe_events
mkdir instances/text instances/raw instances/on
for i in instances/*; do
	echo 1 > $i/events/t/zero/enable
done
echo traceoff > instances/text/events/t/null/trigger
echo traceoff > instances/raw/events/t/null/trigger

cat instances/text/trace_pipe > /tmp/text &
text=$!
/host/rawread splice instances/raw/per_cpu/cpu0/trace_pipe_raw /tmp/raw &
raw=$!
cat instances/on/trace_pipe > /tmp/on &
on=$!
# No write to /dev/null, which is probed.
taskset -c 0 dd if=/dev/zero of=/tmp/zeros bs=1 count=3 status=none
within 20 has_lines /tmp/text 3 ' zero: '
within 20 has_lines /tmp/on 3 ' zero: '
three_spliced() { [ "$(/host/rawread count /tmp/raw 2> /tmp/err | cut -d ' ' -f 2)" = 3 ]; }
within 20 three_spliced
for pid in $text $raw $on; do
	within 20 asleep $pid
done
is 'on' '1 1 1' "$(cat instances/*/tracing_on | paste -sd ' ')"

echo > /dev/null
is 'off' '0 0 1' "$(cat instances/{text,raw,on}/tracing_on | paste -sd ' ')"
within 20 gone $text
within 20 gone $raw
alive $on || fail 'its reader has ended'
echo 0 > instances/on/tracing_on
within 20 gone $on
wait
is 'all of it' '3 3' "$(records zero /tmp/text) $(records zero /tmp/on)"
rmdir instances/*
