#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: a kernel without any tracing: our files are tracefs, and entries take a breakpoint
# kernels: bare
# tier: bare

set -eu
fail() { echo "FAIL: $*"; exit 1; }

# The kernel is what it says: nothing of the kind in it.
for symbol in register_kprobe register_ftrace_function tracefs_create_file trace_event_raw_init \
	bpf_prog_load jump_label_update; do
	! grep -q " $symbol\$" /proc/kallsyms || fail "the kernel has $symbol"
done

# What tools look for: the type, the place, the magic number of the kernel's tracefs.
[ "$PROBES" = /sys/kernel/tracing ] || fail "mounted at $PROBES"
[ "$(awk -v dir="$PROBES" '$2 == dir { print $3 }' /proc/self/mounts)" = tracefs ] || fail "not tracefs"
[ "$(stat -f -c %t "$PROBES")" = 74726163 ] || fail "magic number $(stat -f -c %t "$PROBES")"
! grep -qw probefs /proc/filesystems || fail "two file systems"

cd "$PROBES"
echo 'p:t/zero read_zero count=%dx' > kprobe_events
echo 1 > events/t/zero/enable
dd if=/dev/zero of=/dev/null bs=7 count=10 status=none
[[ "$(<kprobes/list)" == *'read_zero+0x0'* ]] || fail "kprobes/list: $(<kprobes/list)"
! grep -q FTRACE kprobes/list || fail "an entry through ftrace?"
echo 0 > events/t/zero/enable
[ "$(awk '{ print $1, $2, $3 }' kprobe_profile)" = "zero 10 0" ] || fail "$(<kprobe_profile)"
[ "$(grep -c 'zero: (read_zero+0x0/0x[0-9a-f]*) count=0x7$' trace)" = 10 ] || fail "$(<trace)"
echo > kprobe_events
