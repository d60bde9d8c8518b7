#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: the script kprobe of perf-tools, unmodified: trace, filter, pid, format, errors
# not: 6.12-rt 6.1-cloud: shows what 6.12-cloud does
# needs: tracefs
# seconds: 9 debug=29
# packages: perf-tools-unstable
# tools: probe-events
#
# It works in /sys/kernel/debug/tracing, which a kernel without tracing does not have, and looks
# for the function in available_filter_functions.

set -eu
# shellcheck source=tests/func/lib/tracing_lib.sh
. /host/tracing_lib.sh
mkdir -p /var/tmp
cd "$PROBES"

running() { pgrep -f "^$1\$" > /dev/null; }
shown_zeros() { [ "$(count ' zero: ' < /tmp/out)" -ge "$1" ]; }

# traced WAITS-IN SHOWN HIT-COMMAND ARGS...: run kprobe with these arguments; when it waits in that
# command, hit; when it has shown so many, Ctrl-C. Its text is in /tmp/out.
traced() {
	# What is started with & ignores SIGINT.
	on_ours env --default-signal=INT kprobe-perf "${@:4}" > /tmp/out 2> /tmp/err &
	local script=$!

	within 60 running "$1"
	eval "$3"
	within 60 shown_zeros "$2"
	pkill -INT -f "^$1\$"
	wait $script || fail "kprobe: status $?, $(cat /tmp/err)"
	is 'complaints' '' "$(cat /tmp/err)"
	is 'the probe is gone' '' "$(cat kprobe_events)"
	head -n 5 /tmp/out
	is 'nothing is left in trace' 0 "$(count zero < trace)"
}

def='p:zero read_zero bytes=%dx:u32 a=%si'
traced 'sleep 601' 0 'read_zeros 30 7; read_zeros 12 9' -d 601 "$def"
is 'buffered' 30 "$(count 'dd-.* zero: (read_zero+0x[04]/.*) bytes=7 a=0x' < /tmp/out)"
is 'buffered' 12 "$(count 'dd-.* zero: (read_zero+0x[04]/.*) bytes=9 a=0x' < /tmp/out)"
traced 'sleep 601' 0 'read_zeros 3 7' -H -d 601 "$def"
is 'with a header' 1 "$(count 'TASK-PID .*FUNCTION$' < /tmp/out)"
traced 'cat trace_pipe' 20 'read_zeros 30 7; read_zeros 20 9' "$def" 'bytes == 9'
is 'live, filtered' 20 "$(count ' zero: (read_zero+0x[04]/.*) bytes=9 a=0x' < /tmp/out)"
is 'live, filtered' 0 "$(count ' bytes=7 ' < /tmp/out)"
sh -c 'until [ -e /tmp/go ]; do sleep 0.1; done; exec dd if=/dev/zero of=/dev/null bs=5 count=25 status=none' &
one=$!
traced 'sleep 602' 0 'read_zeros 30 7; touch /tmp/go; wait $one' -d 602 -p $one "$def"
is 'one process' 25 "$(count ' zero: ' < /tmp/out)"
traced 'sleep 601' 0 'read_zeros 3 7' -s -d 601 "$def"
is 'stacks' 3 "$(count '<stack trace>' < /tmp/out)"
is 'callers' 3 "$(count '^ *=> vfs_read$' < /tmp/out)"
is 'the option is off again' 0 "$(cat options/stacktrace)"
traced 'cat trace_pipe' 5 'read_zeros 5 7' 'r:zero read_zero ret=$retval:s32'
is 'returns' 5 "$(count ' zero: (.* <- read_zero) ret=7$' < /tmp/out)"

on_ours kprobe-perf -v "$def" > /tmp/out 2>&1 || true	# it leaves with 1
has /tmp/out 'field:u32 bytes;'

refused 'not in .*available_filter_functions' on_ours kprobe-perf 'p:zero no_such_function'
refused 'ERROR: adding kprobe' on_ours kprobe-perf -F 'p:zero no_such_function'
is 'nothing is left' '' "$(cat kprobe_events)"
