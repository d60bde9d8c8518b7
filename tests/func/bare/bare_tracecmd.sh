#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: where the kernel has no tracing, trace-cmd works as it is; counts are exact
# needs: no-tracing
# tier: bare
# packages: trace-cmd
# modules: pe_target
#
# No wrapper, not even a mount of ours: trace-cmd finds the type tracefs and mounts it.

set -eu
# shellcheck source=tests/func/lib/check_lib.sh
. /host/check_lib.sh
call=/sys/module/pe_target/parameters/call
insmod /modules/pe_target.ko
umount "$PROBES"

# plain ARGS...: trace-cmd as it is; shown when it fails
plain() {
	local status=0

	trace-cmd "$@" > /tmp/tc.out 2>&1 || status=$?
	[ $status = 0 ] || { echo "trace-cmd $*: status $status"; cat /tmp/tc.out; }
	return $status
}

plain list -e
plain check-events
mountpoint -q /sys/kernel/tracing
cd /sys/kernel/tracing
echo 'p:tct/add pe_target:pe_target_add a=%di:u64 b=%si:u32' > kprobe_events
echo 'r:tct/ret pe_target:pe_target_add sum=$retval' >> kprobe_events
plain list -e tct
is 'list' 'tct:add tct:ret' "$(grep -o 'tct:[a-z]*' /tmp/tc.out | sort | tr '\n' ' ' | sed 's/ $//')"

# All of them, in order, with their arguments.
plain record -e tct -o /tmp/a.dat sh -c "echo 'add 2000' > $call"
trace-cmd report -i /tmp/a.dat > /tmp/a
grep ': add: ' /tmp/a | sed 's/.* a=\([0-9]*\) b=2$/\1/' > /tmp/got
seq 0 1999 | cmp - /tmp/got
is 'returns' 2000 "$(count ': ret: .* <- ' /tmp/a)"
lacks /tmp/a DROPPED
is 'off again' 0 "$(cat events/enable)"
is 'profile' 'add 2000 0,ret 2000 0,' "$(awk '{ printf "%s %s %s,", $1, $2, $3 }' kprobe_profile)"

# Filtered.
plain record -e tct:add -f 'a < 10' -o /tmp/f.dat sh -c "echo 'add 2000' > $call"
is 'filtered' 10 "$(trace-cmd report -i /tmp/f.dat | grep -c ': add: ')"

# Into the buffer, shown, stopped, extracted.
echo > trace
plain start -e tct:add
echo 'add 30' > $call
plain stop
echo 'add 30' > $call
plain show
is 'show' 30 "$(grep -c ': add: ' /tmp/tc.out)"
plain extract -o /tmp/e.dat
is 'extract' 30 "$(trace-cmd report -i /tmp/e.dat | grep -c ': add: ')"
plain reset
is 'reset removes the probes' '' "$(cat kprobe_events)"
