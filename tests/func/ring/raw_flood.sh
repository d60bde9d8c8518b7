#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: flood on 2 CPUs: records read raw + losses they report == hits; trace-cmd agrees
# seconds: 7
# packages: trace-cmd
# tools: rawread

set -eu
cd "$PROBES"
# shellcheck source=tests/func/lib/events_lib.sh
. /host/events_lib.sh
hits=$(length 8000 20000)	# on each CPU, at a time

# sum_of COLUMN: of kprobe_losses
sum_of() { awk -v c="$1" '$1 ~ "^t/" { n += $c } END { print n }' kprobe_losses; }
column() { awk -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) print i }' kprobe_losses; }

# report_raw FILE...: trace-cmd makes a file of its own of our pages, without a mount.
report_raw() {
	trace-cmd restore -c -t "$PROBES" -k /dev/null -o /tmp/head.dat > /dev/null 2>&1
	trace-cmd restore -i /tmp/head.dat -o /tmp/flood.dat "$@" > /dev/null 2>&1
	trace-cmd report -i /tmp/flood.dat
}

# flood N: hits on each CPU
flood() {
	local cpu floods

	for cpu in 0 1; do
		read_zeros_on $cpu "$1" &
		floods[cpu]=$!
	done
	wait "${floods[@]}"
}

# drained CPU: nothing is left for its reader
drained() { grep -qx 'entries: 0' "per_cpu/cpu$1/stats"; }

# flood_read NAME MS: two readers by splice, MS between two calls. For the middle part of the flood
# they stand still, so that a small buffer overflows on any machine.
flood_read() {
	local cpu lost=0 got=0 n l

	echo 0 > events/enable
	echo > kprobe_events
	echo 'p:t/zero read_zero size=%dx' > kprobe_events
	echo 'p:t/string read_zero comm=$comm' >> kprobe_events
	echo > trace
	echo 1 > tracing_on
	echo 1 > events/t/enable
	for cpu in 0 1; do
		/host/rawread splice per_cpu/cpu$cpu/trace_pipe_raw /tmp/cpu$cpu "$2" &
		readers[cpu]=$!
	done
	flood "$hits"
	kill -STOP "${readers[@]}"
	flood "$hits"
	kill -CONT "${readers[@]}"
	flood "$hits"
	for cpu in 0 1; do within 60 drained $cpu; done
	# A hit that comes when there is room again says what was refused before it.
	for cpu in 0 1; do
		read_zeros_on $cpu 1
	done
	echo 0 > events/enable
	echo 0 > tracing_on
	wait "${readers[@]}"
	for cpu in 0 1; do
		read -r _ n l < <(/host/rawread count /tmp/cpu$cpu)
		got=$((got + n)) lost=$((lost + l))
		/host/rawread drain per_cpu/cpu$cpu/trace_pipe_raw /tmp/rest
		is "$1: nothing is left" 0 "$(stat -c %s /tmp/rest)"
	done
	echo "$1: hits $(sum_of 3), read $got, lost $lost"
	is "$1" "$(sum_of 3)" $((got + lost + $(sum_of "$(column recursion)")))
	at_least "$1: read" 501 "$got"		# more than one bufferful
	report_raw /tmp/cpu0 /tmp/cpu1 > /tmp/report
	is "$1: trace-cmd reads" $got "$(grep -cE ' (zero|string): ' /tmp/report)"
	is "$1: trace-cmd knows of losses" $lost \
		"$(awk '/EVENTS DROPPED/ { gsub(/.*\[/, ""); n += $1 } END { print n + 0 }' /tmp/report)"
	all_lost=$((${all_lost:-0} + lost))
}

# No loss with room enough.
echo 4096 > buffer_size_kb
flood_read roomy 0
is 'roomy' 0 "$all_lost"

echo 16 > buffer_size_kb
flood_read overwrite 20
at_least 'lost' 1 "$all_lost"

all_lost=0
echo 0 > options/overwrite
flood_read refuse 20
at_least 'lost' 1 "$all_lost"
