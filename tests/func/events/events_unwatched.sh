#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: a call that can be no hit, because RCU does not watch, is counted all the same
# kernels: all
# tier: 6.12-cloud 6.12-rt 6.1-cloud bare
# seconds: 2
#
# The idle loop calls arch_cpu_idle() when RCU has stopped watching; that goes on while we
# sleep. Kernels that forbid instrumenting it have it refused.

set -eu
cd "$PROBES"
# shellcheck source=tests/func/lib/events_lib.sh
. /host/events_lib.sh
fn=arch_cpu_idle

if ! { echo "p:t/idle $fn" > kprobe_events; } 2> /dev/null; then
	grep "Failed to register probe event (.*\(RCU\|instrument\)" error_log
	is 'nothing to count' 0 "$(cat kprobes/unwatched)"
	exit
fi

# Hits, where a breakpoint's exception lets RCU watch, and calls that can be none.
seen() { echo $(($(value t/idle hits) + $(cat kprobes/unwatched))); }
some() { [ "$(seen)" -gt "$1" ]; }

echo 1 > events/t/idle/enable
within 20 some 20
echo 0 > events/t/idle/enable
echo "$(value t/idle hits) hits, $(cat kprobes/unwatched) unwatched"
sums
before=$(seen)
sleep 0.3
is 'when it is disabled' "$before" "$(seen)"
echo > kprobe_events
