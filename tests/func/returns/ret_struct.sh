#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: return probes on a function that returns a structure after ten parameters
# needs: btf
# seconds: 2
# modules: pe_zstd
#
# The last of five words on its stack is a size that it checks.  If that were not copied,
# there would be what the frame has above the others: with a probe that wants the third word
# of the entry the number of sequences, which is too small, and compression would fail.
set -eu
cd "$PROBES"
# shellcheck source=tests/func/lib/check_lib.sh
. /host/check_lib.sh
P=/sys/module/pe_zstd/parameters
f=ZSTD_buildSequencesStatistics
grep -q " [tT] $f\$" /proc/kallsyms || { echo "this kernel has no function $f"; exit 4; }
insmod /modules/pe_zstd.ko
echo 1 > $P/run
want=$(cat $P/result)
differs 'result without probes' '' "$want"

echo "r:g/one $f" > kprobe_events
echo "r:g/two $f \$retval" >> kprobe_events
echo "r:g/args $f \$arg3:x64" >> kprobe_events
for events in one args 'one two' 'one args' 'one two args'; do
	for e in $events; do echo 1 > events/g/$e/enable; done
	echo > trace
	echo 1 > $P/run
	is "with $events" "$want" "$(cat $P/result)"
	for e in $events; do has trace " $e: "; done
	echo 0 > events/g/enable
done
echo > kprobe_events
rmmod pe_zstd
