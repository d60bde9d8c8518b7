#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: load and unload again and again with probes armed and hitting
# modes: default breakpoints
# tier: 6.12-cloud bare
# seconds: 5
# tools: ktext
#
# It says when hits must be compiled.
#
# Each round loads both modules, arms probes that are being hit (an entry and an
# instruction in the middle of a function that is called from every context, and
# a system call), and takes them away again under fire.  The kernel's text is the
# same at the end.

set -eu
rounds=${ROUNDS:-$(length 2 200)}
par=/sys/module/pe_stress/parameters
cd /
# shellcheck source=tests/func/lib/events_lib.sh
. /host/events_lib.sh

unload_both() {
	umount "$PROBES"
	rmmod probe_events
	rmmod probe_core
}

load_both() {
	insmod /modules/probe_core.ko
	insmod /modules/probe_events.ko limits=none
	mount_ours
}

all_hit() { [ "$(awk '$1 ~ /^[abc]$/ && $2 > 0' "$PROBES/kprobe_profile" | wc -l)" = 3 ]; }

is_compiled() { grep -q '^x/d .* compiled$' "$PROBES/kprobes/compiled"; }

insmod /modules/pe_stress.ko
site=$(cat $par/site)
unload_both
/host/ktext save /tmp/text
echo 1 > $par/run
for ((i = 1; i <= rounds; i++)); do
	load_both
	{
		echo "p:a pe_stress:pe_stress_target context=%di"
		echo "p:b pe_stress:pe_stress_target+$site c=\$comm"
		echo "p:c do_sys_openat2 file=+0(%si):ustring"
		echo "p:x/d ksys_write n=%dx"
	} > "$PROBES/kprobe_events"
	echo 1 > "$PROBES/events/kprobes/enable"
	# One is compiled for an instance, which unloading removes as well.
	mkdir "$PROBES/instances/i"
	echo 1 > "$PROBES/instances/i/events/x/d/enable"
	within 60 all_hit
	# Without ftrace, the breakpoint has to become a jump first.
	[ ! -e "$PROBES/kprobes/compiled" ] || within 60 is_compiled
	# Odd rounds remove by hand, even ones leave it all to the unloading.
	if ((i % 2)); then
		echo 0 > "$PROBES/events/enable"
		rmdir "$PROBES/instances/i"
		echo > "$PROBES/kprobe_events"
	fi
	unload_both
done
echo 0 > $par/run
/host/ktext diff /tmp/text
rmmod pe_stress
load_both
