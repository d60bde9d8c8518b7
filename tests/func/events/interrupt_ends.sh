#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: threads that an interrupt wakes as it ends are hits like others, though it interrupted a handler
# tier: 6.12-cloud 6.12-rt
# not: 5.10-cloud: interrupts end on the task's stack, which does not tell them
# not: bare: does not count preemption, so records do not tell that a handler was interrupted
# machine: -a threadirqs
# seconds: 6 debug=20
set -eu
cd "$PROBES"
# shellcheck source=tests/func/lib/events_lib.sh
. /host/events_lib.sh

echo none > limits
# A handler that takes long, for the timer to interrupt it: the end of each of these interrupts wakes the
# thread of the softirqs. Preemption is off in the handler, and interrupts are at that end.
echo 'p:w/slow read_zero a=+0(%si):u8[64] b=+64(%si):u8[64]' > kprobe_events
echo 'p:w/wake wake_up_process' >> kprobe_events
echo 'hist:keys=common_stacktrace' > events/w/slow/trigger
echo 1 > events/w/enable
in_handler() {
	read_zeros 3000
	[ "$(grep -Ec ' dd-[0-9]+ .* d[^ ]{2}1[^ ]* .* wake: ' trace)" -ge 5 ]
}
within 120 in_handler
echo 0 > events/w/enable
grep ' dd-.* wake: ' trace | head -n 3
value_is w/wake recursion 0
value_is w/slow recursion 0
sums
