#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: a call or return that can be no hit, because RCU does not watch, is counted all the same
# tier: 6.12-cloud 6.12-rt 6.1-cloud 5.10-cloud bare
# seconds: 1
# modules: pe_calls pe_probe
#
# The idle loop calls arch_cpu_idle() when RCU has stopped watching; that goes on while we
# sleep. Kernels that forbid instrumenting it have it refused.

set -eu
cd "$PROBES"
# shellcheck source=tests/func/lib/events_lib.sh
. /host/events_lib.sh

# Returns are losses of their probes, also of those that stay when another comes or goes.
back=pe_calls:pe_calls_unwatched
unwatched=/sys/module/pe_calls/parameters/unwatched
outcome() { echo "$(value "$1" hits) $(value "$1" dropped) $(value "$1" in_flight)"; }
# The engine keeps one set of probes, the one in use: those before have been freed.
settled() { [[ $(cat /sys/module/pe_probe/parameters/usage) = *" 1 0" ]]; }
insmod /modules/pe_calls.ko
insmod /modules/pe_probe.ko
printf 'r:t/%s '$back'\n' back other > kprobe_events
echo 1 > events/t/back/enable
echo 5 > $unwatched
is 'hits, dropped, in flight' '5 5 0' "$(outcome t/back)"
echo 1 > events/t/other/enable
echo 2 > $unwatched
is 'hits, dropped, in flight' '7 7 0' "$(outcome t/back)"
is 'hits, dropped, in flight of the other' '2 2 0' "$(outcome t/other)"
echo 0 > events/t/other/enable
echo 1 > $unwatched
within 60 settled
is 'hits, dropped, in flight' '8 8 0' "$(outcome t/back)"
sums
echo 0 > events/t/enable
echo > kprobe_events
rmmod pe_probe pe_calls

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
