#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: a task's name is known before its record wakes a reader
# kernels: all
# needs: kprobes
# modules: pe_stock
#
# The kernel's own kprobes, at our functions, say which of them a hit has called last.

set -eu
cd "$PROBES"
# shellcheck source=tests/func/lib/events_lib.sh
. /host/events_lib.sh
P=/sys/module/pe_stock/parameters
insmod /modules/pe_stock.ko
calls_of() { awk -v f="$1" '$1 == f { print $2 }' $P/hits; }

echo 'p:t/zero read_zero' > kprobe_events
echo 1 > events/t/zero/enable
cat trace_pipe > /tmp/out &
reader=$!
within 20 asleep $reader
echo pe_cmdline_save > $P/add
echo pe_buffer_kick > $P/add

read_zeros 1
within 20 has_lines /tmp/out 1 ' zero: '
is 'a hit' '1 1 pe_buffer_kick' "$(calls_of pe_cmdline_save) $(calls_of pe_buffer_kick) $(cat $P/last)"
within 20 asleep $reader
echo marked > trace_marker
within 20 has_lines /tmp/out 1 ' marked'
is 'a marker' '2 2 pe_buffer_kick' "$(calls_of pe_cmdline_save) $(calls_of pe_buffer_kick) $(cat $P/last)"
is 'names' 0 "$(count '<\.\.\.>' /tmp/out)"
rmmod pe_stock
kill $reader
wait $reader || true
