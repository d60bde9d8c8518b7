#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: what the engine reads for a call under a breakpoint is no hit of the function it reads with
# modes: default interpreted breakpoints plain
# tier: 6.12-cloud bare
# seconds: 3
# modules: pe_target
#
# A call through memory under a breakpoint is performed by the engine, which reads the memory. Two instructions of
# pe_target_mix() are such calls. Under a jump the copy of a call reads by itself, and how soon one of the two becomes a
# jump depends on the kernel: so nothing becomes one here.

set -eu
cd "$PROBES"
# shellcheck source=tests/func/lib/events_lib.sh
. /host/events_lib.sh

[ ! -e kprobes/optimization ] || echo 0 > kprobes/optimization
insmod /modules/pe_target.ko
while read -r offset _; do
	echo "p:g/mix pe_target:pe_target_mix+$offset"
done < /sys/module/pe_target/parameters/mix > kprobe_events
times=$(awk '{ n += $2 } END { print n }' /sys/module/pe_target/parameters/mix)
echo 1 > events/g/enable
# Where ftrace does not serve the entry, no probe can be there: trap_path.sh.
if { echo 'p:r/reads copy_from_kernel_nofault' >> kprobe_events; } 2> /dev/null; then
	echo "common_pid == $$" > events/r/reads/filter
	echo 1 > events/r/reads/enable
	before=$(value r/reads records)		# arming reads as well
	echo 'mix 10' > /sys/module/pe_target/parameters/call
	is 'records of what the engine reads' "$before" "$(value r/reads records)"
	is 'and it did read' 20 "$(value r/reads recursion)"
	is 'hits of the breakpoints' $((10 * times)) "$(awk '$1 == "g/mix" { n += $4 } END { print n }' kprobe_losses)"
else
	has error_log 'on the breakpoint path'
fi
echo 0 > events/enable
sums			# others read, too, while it is enabled
echo > kprobe_events
rmmod pe_target
