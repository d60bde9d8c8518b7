#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: what empties or changes a ring waits for a slow reader, and no hit is lost meanwhile
# needs: kprobes
# seconds: 1
# modules: pe_stock
#
# A reader of per_cpu/cpu0/stats holds the reader's lock of CPU 0. A kprobe of the kernel's makes
# it wait there.

set -eu
cd "$PROBES"
# shellcheck source=tests/func/lib/events_lib.sh
. /host/events_lib.sh
hold=/sys/module/pe_stock/parameters/hold
insmod /modules/pe_stock.ko

echo 'p:t/zero read_zero' > kprobe_events
echo 1 > events/t/zero/enable
echo 1 > snapshot
held() { [ "$(cat $hold)" = 1 ]; }
waits_for_reader() { grep -q pe_buffer_hold "/proc/$1/stack"; }

# beside_reader FILE VALUE: written beside that reader
beside_reader() {
	local reader writer before

	echo pe_rb_stats > $hold
	cat per_cpu/cpu0/stats > /tmp/stats &
	reader=$!
	within 20 held
	(echo "$2" > "$1") &
	writer=$!
	within 20 waits_for_reader $writer
	before=$(value t/zero records)
	for cpu in 0 1; do read_zeros_on $cpu 20; done
	is "$1: recorded" $((before + 40)) "$(value t/zero records)"
	alive $writer
	echo > $hold
	wait $reader $writer
}

beside_reader trace ''
beside_reader per_cpu/cpu0/trace ''
beside_reader trace_clock global
beside_reader buffer_size_kb 100
beside_reader buffer_subbuf_size_kb 8
sums
is 'stats' 1 "$(grep -c '^entries: ' /tmp/stats)"
echo 0 > events/enable
rmmod pe_stock
