#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: kprobe_profile and kprobe_losses: hits = records + losses, by reason
# kernels: all
# seconds: 16

set -eu
cd "$PROBES"
# shellcheck source=tests/func/check_lib.sh
. /host/check_lib.sh

work() { dd if=/dev/zero of=/dev/null bs=1 count=300 status=none; }

printf '%s\n' 'p:g/read vfs_read' 'p:g/str vfs_write $comm b=+0(%si):ustring' > kprobe_events
grep -qx '  read                                                       0               0' kprobe_profile
[ "$(value g/read hits)" = 0 ]

echo > trace
echo 1 > events/g/enable
work
echo 0 > events/g/enable
sums
hits=$(value g/read hits)
[ "$hits" -ge 300 ]
[ "$hits" = "$(value g/read records)" ]
[ "$(value g/str hits)" -ge 300 ]
[ "$(grep -c ' read: (' trace)" = "$hits" ]
grep -Eqx "  read {40} +$hits +0" kprobe_profile

# Nothing is counted, and nothing is lost, while the event is off.
work
[ "$(value g/read hits)" = "$hits" ]

# With recording off, hits are counted and lost.
echo 0 > tracing_on
echo 1 > events/g/read/enable
work
echo 0 > events/g/read/enable
echo 1 > tracing_on
sums
[ "$(value g/read records)" = "$hits" ]
off=$(value g/read off)
[ "$off" -ge 300 ]
[ "$(value g/read hits)" = $((hits + off)) ]

# Clearing the trace is no loss; a new event starts at 0.
echo > trace
[ "$(value g/read hits)" = $((hits + off)) ]
echo '-:g/read' >> kprobe_events
echo 'p:g/read vfs_read' >> kprobe_events
[ "$(value g/read hits)" = 0 ]

# Switching under fire: every hit is in one of the columns.
(while :; do work; done) &
one=$!
(while :; do cat /proc/self/stat > /dev/null; done) &
two=$!
switch() {
	echo 1 > events/g/enable
	echo 1 > tracing_on
	sleep 0.02
	echo 0 > tracing_on
	sleep 0.02
	echo 0 > events/g/enable
}
both() { [ "$(value g/read records)" -gt 0 ] && [ "$(value g/read off)" -gt 0 ]; }
again() { switch; both; }
for i in $(seq 20); do switch; done
both || within 60 again
echo 1 > tracing_on
kill $one $two
wait $one $two 2>/dev/null || true
sums
cat kprobe_losses

# Records of events that are gone can't be shown: the buffer is cleared.
echo > kprobe_events
[ "$(grep -cv '^#' trace)" = 0 ]
