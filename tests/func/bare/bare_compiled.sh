#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: without ftrace, hits of jumps are compiled, at entries and inside functions: the same records
# needs: no-tracing
# tier: bare
# modes: default
# seconds: 20
# tools: ktext
#
# It switches compiling and jumps itself.

set -eu
cd "$PROBES"
# shellcheck source=tests/func/lib/events_lib.sh
. /host/events_lib.sh
# shellcheck source=tests/func/lib/compiled_lib.sh
. /host/compiled_lib.sh
evidence+=(kprobe_losses kprobes/list kprobes/compiled)

/host/ktext save /tmp/text
no_address() { sed -E 's/file=0x[0-9a-f]+//'; }
{
	echo 'p:c/zero read_zero file=%di n=%dx:u32 c=$comm'
	echo 'p:c/name do_sys_openat2 f=+0(%si):ustring m=+8(%dx):x32'
	echo 'r:c/ret write_null r=$retval'
} > kprobe_events
echo 1 > events/c/enable
within 60 eval '[ "$(compiled_state c/zero)" = compiled ]'
within 60 eval '[ "$(compiled_state c/name)" = compiled ]'
is 'state of a return' 'interpreted: a breakpoint at the entry of a function with return probes' "$(compiled_state c/ret)"
for filter in 0 'n == 7' 'n > 100'; do
	echo "$filter" > events/c/zero/filter
	within 60 eval '[ "$(compiled_state c/zero)" = compiled ]'
	compiled_like zero "filter $filter" no_address
done
echo 0 > events/c/zero/filter
within 60 eval '[ "$(compiled_state c/name)" = compiled ]'
compiled_but_faults name 'strings'
has /tmp/compiled 'f="/dev/zero"'

echo 0 > kprobes/optimization
is 'state of a breakpoint' 'interpreted: a breakpoint, which is not a jump' "$(compiled_state c/zero)"
compiled_like zero 'breakpoints' no_address
echo 1 > kprobes/optimization
within 60 eval '[ "$(compiled_state c/zero)" = compiled ]'
sums || fail 'sums'
echo 0 > events/c/enable
echo > kprobe_events
is 'bytes of code at the end' 0 "$(compiled_bytes)"
/host/ktext diff /tmp/text
