#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: no memory while the engine is unloaded from under calls in progress
# tier: none
# needs: failures
# tools: inject
# modules: pe_probe
#
# Unloading with calls in progress, with its first allocation failing, the second, and so on:
# the calls go on as if nothing had been.

set -eu
# shellcheck source=tests/func/lib/engine_lib.sh
. /host/engine_lib.sh
# shellcheck source=tests/func/lib/inject_lib.sh
. /host/inject_lib.sh

# unload_failing N: one call ends by itself, one by a signal. $status: inject's
unload_failing() {
	local ends killed

	load pe_probe
	add r:hrtimer_nanosleep
	sleep 15 &
	ends=$!
	sleep 1000 &
	killed=$!
	within 20 in_sleep $ends
	within 20 in_sleep $killed
	rmmod pe_probe
	status=0
	INJECT_ONLY=$1 /host/inject unload rmmod probe_core || status=$?
	in_sleep $killed
	arena_stays
	kill $killed
	wait $ends
	not wait $killed
	arena_goes
}

cd /
umount "$PROBES"
rmmod probe_events probe_core
n=0 status=0
while [ $status = 0 ]; do
	n=$((n + 1))
	unload_failing $n
done
is 'status when there was no Nth' 3 $status
echo "$((n - 1)) failures"
