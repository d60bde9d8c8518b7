#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: a call that comes when the engine has gone finds the function, by way of an ENDBR64
# kernels: all
# needs: ftrace
# modules: pe_calls pe_probe
#
# A BPF trampoline may have taken the address of an entry slot for that of the function, and
# sleep before it calls it. Here a thread does. When the engine goes, the word on its stack
# becomes an address that an indirect call may go to: where the kernel is made for IBT, an
# ENDBR64 is there. (QEMU does not enforce that, so the test looks.)
set -eu
# shellcheck source=tests/func/lib/engine_lib.sh
. /host/engine_lib.sh
# shellcheck source=tests/func/lib/events_lib.sh
. /host/events_lib.sh

calls=/sys/module/pe_calls/parameters
cd /
umount "$PROBES"
rmmod probe_events
load pe_calls pe_probe
slot=$(awk '$3 == "pe_entry_slots" { print $1 }' /proc/kallsyms)

add r:pe_calls:pe_calls_fast
echo 3 > $calls/fast
expect_hits r:pe_calls:pe_calls_fast 3
# It is the first function, so it has the first slot.
echo "$slot" > $calls/late
in_late() { cat /proc/[0-9]*/stack 2> /dev/null | grep -q pe_calls_late; }
within 60 in_late
del r:pe_calls:pe_calls_fast
rmmod pe_probe probe_core

echo 1 > $calls/wake
read -r addr word result ibt < $calls/late
echo "slot $slot became $addr: $word; IBT $ibt"
differs 'address' "$slot" "$addr"
is 'what the call returned' 15 "$result"
[ "$ibt" = 0 ] || is 'code there' fa1e0ff3 "$word"
rmmod pe_calls
load probe_core probe_events
mount_ours
