#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: a kernel without any tracing: our files are tracefs, and entries take a breakpoint
# needs: no-tracing
# tier: bare

set -eu
# shellcheck source=tests/func/lib/events_lib.sh
. /host/events_lib.sh

# The kernel is what it says: nothing of the kind in it.
for symbol in register_kprobe register_ftrace_function tracefs_create_file trace_event_raw_init \
	bpf_prog_load jump_label_update; do
	lacks /proc/kallsyms " $symbol\$"
done

# What tools look for: the type, the place, the magic number of the kernel's tracefs.
is 'mounted at' /sys/kernel/tracing "$PROBES"
is 'type' tracefs "$(awk -v dir="$PROBES" '$2 == dir { print $3 }' /proc/self/mounts)"
is 'magic number' 74726163 "$(stat -f -c %t "$PROBES")"
lacks /proc/filesystems probefs -w

cd "$PROBES"
echo 'p:t/zero read_zero count=%dx' > kprobe_events
echo 1 > events/t/zero/enable
read_zeros 10 7
has kprobes/list 'read_zero+0x0'
lacks kprobes/list FTRACE
echo 0 > events/t/zero/enable
is 'profile' 'zero 10 0' "$(awk '{ print $1, $2, $3 }' kprobe_profile)"
evidence+=(trace)
is 'records' 10 "$(count 'zero: (read_zero+0x0/0x[0-9a-f]*) count=0x7$' trace)"
echo > kprobe_events
