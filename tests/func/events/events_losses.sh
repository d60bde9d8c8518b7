#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: kprobe_profile and kprobe_losses: hits = records + losses, by reason
# seconds: 7 debug=20

set -eu
cd "$PROBES"
# shellcheck source=tests/func/lib/events_lib.sh
. /host/events_lib.sh

printf '%s\n' 'p:g/read vfs_read' 'p:g/str vfs_write $comm b=+0(%si):ustring' > kprobe_events
has kprobe_profile '  read                                                       0               0' -x
value_is g/read hits 0

echo > trace
echo 1 > events/g/enable
read_zeros 300
echo 0 > events/g/enable
sums
hits=$(value g/read hits)
at_least 'hits of g/read' 300 "$hits"
value_is g/read records "$hits"
at_least 'hits of g/str' 300 "$(value g/str hits)"
is 'records of read in trace' "$hits" "$(records read)"
has kprobe_profile "  read {40} +$hits +0" -Ex

# Nothing is counted, and nothing is lost, while the event is off.
read_zeros 300
value_is g/read hits "$hits"

# With recording off, hits are counted and lost.
echo 0 > tracing_on
echo 1 > events/g/read/enable
read_zeros 300
echo 0 > events/g/read/enable
echo 1 > tracing_on
sums
value_is g/read records "$hits"
off=$(value g/read off)
at_least 'off of g/read' 300 "$off"
value_is g/read hits $((hits + off))

# Clearing the trace is no loss; a new event starts at 0.
echo > trace
value_is g/read hits $((hits + off))
echo '-:g/read' >> kprobe_events
echo 'p:g/read vfs_read' >> kprobe_events
value_is g/read hits 0

# Switching under fire: every hit is in one of the columns.
(while :; do read_zeros 300; done) &
one=$!
(while :; do cat /proc/self/stat > /dev/null; done) &
two=$!
on_and_off() {
	echo 1 > events/g/enable
	echo 1 > tracing_on
	sleep 0.02
	echo 0 > tracing_on
	sleep 0.02
	echo 0 > events/g/enable
}
both_seen() { [ "$(value g/read records)" -gt 0 ] && [ "$(value g/read off)" -gt 0 ]; }
again() { on_and_off; both_seen; }
for i in $(seq 20); do on_and_off; done
both_seen || within 60 again
echo 1 > tracing_on
kill $one $two
wait $one $two 2>/dev/null || true
sums
cat kprobe_losses

# Records of events that are gone can't be shown: the buffer is cleared.
echo > kprobe_events
is 'lines that are no header' 0 "$(grep -cv '^#' trace || true)"
