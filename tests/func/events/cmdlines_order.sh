#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: a task's name is known before its record can be read
# needs: kprobes
# modules: pe_stock
#
# A kprobe of the kernel at our function that saves names stops CPU 1 there. This script runs on
# CPU 0. Each command is a task whose name is not known yet.

set -eu
cd "$PROBES"
# shellcheck source=tests/func/lib/events_lib.sh
. /host/events_lib.sh
P=/sys/module/pe_stock/parameters
insmod /modules/pe_stock.ko
taskset -pc 0 $$ > /dev/null

# named_first PATTERN COMMAND...: COMMAND makes one record, which PATTERN matches
named_first() {
	echo > trace
	echo pe_cmdline_save > $P/stall
	taskset -c 1 "${@:2}" &
	within 20 text_is $P/stall 1
	cat trace > /tmp/early
	is 'calls that spin' 1 "$(cat $P/stall)"
	is 'records without a name' '' "$(grep -e "$1" /tmp/early)"
	echo > $P/stall
	wait $!
	has trace "$1"
	lacks trace '<\.\.\.>'
}

echo 'p:t/zero read_zero' > kprobe_events
echo 1 > events/t/zero/enable
named_first ' zero: ' dd if=/dev/zero of=/dev/null bs=1 count=1 status=none
named_first ' marked' bash -c 'echo marked > trace_marker'
rmmod pe_stock
