#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: two CPUs that hit the same probe at once: each in its own ring and counters, to the last hit
# modes: default
# tier: 6.12-cloud bare
# seconds: 1
# machine: -c 2
#
# It switches compiling itself.

set -eu
cd "$PROBES"
# shellcheck source=tests/func/lib/events_lib.sh
. /host/events_lib.sh
evidence+=(kprobe_losses per_cpu/cpu0/stats per_cpu/cpu1/stats)
counts=(3000 4100)

# reader CPU: waits for /tmp/go, then makes exactly its count of hits
reader() {
	# shellcheck disable=SC2016	# for the other shell
	taskset -c "$1" bash -c 'echo $$ > /tmp/pid.$0; until [ -e /tmp/go ]; do :; done
		exec dd if=/dev/zero of=/dev/null bs=1 count=$1 status=none' "$1" "${counts[$1]}"
}
written() { [ -s /tmp/pid.0 ] && [ -s /tmp/pid.1 ]; }
all_of() { echo $(($(stat_of "$1" entries) + $(stat_of "$1" overrun))); }

# round TEXT: both at once
round() {
	local cpu

	rm -f /tmp/go /tmp/pid.*
	reader 0 & reader 1 &
	within 30 written
	echo "common_pid == $(< /tmp/pid.0) || common_pid == $(< /tmp/pid.1)" > events/own/e/filter
	echo > trace
	echo 1 > events/own/enable
	touch /tmp/go
	wait
	echo 0 > events/own/enable
	for cpu in 0 1; do
		is "$1: records in the ring of CPU $cpu" "${counts[cpu]}" "$(all_of $cpu)"
		is "$1: lost on CPU $cpu" 0 "$(stat_of $cpu 'dropped events')"
	done
	sums
}

echo 'p:own/e read_zero' > kprobe_events
round compiled
is 'records' $((counts[0] + counts[1])) "$(value own/e records)"
[ ! -e kprobes/compile ] || echo 0 > kprobes/compile
round interpreted
is 'records of both rounds' $((2 * (counts[0] + counts[1]))) "$(value own/e records)"
echo > kprobe_events
