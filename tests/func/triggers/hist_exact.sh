#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: compiled hits in tables, 10^7 of them, or 10^8 at full length, while tables are taken, cleared, replaced and CPUs go: sums are exact
# not: 6.12-rt 6.1-cloud: shows what 6.12-cloud does
# tier: 6.12-cloud debug
# needs: ftrace
# seconds: 7 debug=60
# modules: pe_stress
#
# pe_stress.ko calls two functions from every context; its threads do nearly nothing else. One has
# two events, counted by CPU and by task and context, which are taken; and one whose table is
# cleared. The other's table is removed and defined anew with another size. What was taken, what was
# cleared and what is left is what was counted, hit by hit.

set -eu
cd "$PROBES"
# shellcheck source=tests/func/lib/events_lib.sh
. /host/events_lib.sh
par=/sys/module/pe_stress/parameters
online=/sys/devices/system/cpu/cpu1/online
hits=$(length 10000000 100000000)
[[ $(uname -r) != *-debug ]] || hits=$(length 3000000 100000000)	# each is far dearer there
evidence+=(kprobes/compiled kprobe_losses)
insmod /modules/pe_stress.ko burst=20000
printf 'p:x/%s pe_stress:%s ctx=%%di:u32 n=%%si:u64\n' cpu pe_stress_target task pe_stress_target \
	clear pe_stress_target size pe_stress_more >kprobe_events
tables=(cpu task)
echo 'hist:keys=common_cpu' >events/x/cpu/trigger
echo 'hist:keys=common_pid,ctx:vals=n' >events/x/task/trigger
echo 'hist:keys=ctx' >events/x/clear/trigger
echo 'hist:keys=common_pid:size=128' >events/x/size/trigger

# Until /tmp/stop is there.
taker() {
	exec 9<>"events/x/$1/table"
	while [ ! -e /tmp/stop ]; do
		echo take >&9
		cat <&9 >>"/tmp/x.$1"
		sleep 0.05
	done
}
clearer() {
	while [ ! -e /tmp/stop ]; do
		echo 'hist:keys=ctx:clear' >>events/x/clear/trigger
		sleep 0.05
	done
}
sizer() {
	local size=128
	while [ ! -e /tmp/stop ]; do
		echo "!hist:keys=common_pid:size=$size" >>events/x/size/trigger
		size=$((1152 - size))	# 128, 1024
		echo "hist:keys=common_pid:size=$size" >>events/x/size/trigger
		sleep 0.2
	done
}

rm -f /tmp/stop /tmp/x.*
cat kprobes/compiled >/tmp/compiled
is 'events whose hits are compiled' 4 "$(grep -c '^x/.* compiled$' /tmp/compiled)"
echo 1 >$par/run
pids=()
for event in "${tables[@]}"; do
	taker "$event" &
	pids+=($!)
done
clearer &
pids+=($!)
sizer &
pids+=($!)
counted() { awk '$1 ~ "^x/" { n += $3 } END { print n + 0 }' kprobe_losses; }
turns=0
while [ "$(counted)" -lt "$hits" ] || [ $turns -lt 2 ]; do
	if [ -w $online ]; then
		echo 0 >$online
		sleep 0.3
		echo 1 >$online
	fi
	# The threads go back to their CPUs.
	echo 0 >$par/run
	echo 1 >$par/run
	ms=$(length 300 3000)
	sleep "$((ms / 1000)).$(printf %03d $((ms % 1000)))"
	turns=$((turns + 1))
done
echo 0 >$par/run
touch /tmp/stop
wait "${pids[@]}"
for event in "${tables[@]}"; do
	exec 9<>"events/x/$event/table"
	echo take >&9
	cat <&9 >>"/tmp/x.$event"
	exec 9>&-
done
cat kprobe_losses
echo "$(counted) hits, $turns turns of CPU 1, $(stress_calls total) calls, $(grep -c '^#end' /tmp/x.cpu) takes"

# sum_of FILE: hits of all rows, and of all others; they are after the keys
sum_of() {
	awk -F '\t' '$1 == "#columns" { for (i = 2; i <= NF; i++) if ($i == "hits:u64") col = i - 1; next }
		$1 == "#other" { n += $2; next }
		/^#/ { next }
		{ n += $col } END { printf "%d\n", n }' "$1"
}
last_balance() { awk -F '\t' -v k="$2" '$1 == "#balance" { for (i = 2; i < NF; i += 2) if ($i == k) v = $(i + 1) } END { print v }' "$1"; }

sums
at_least 'hits' "$hits" "$(counted)"
for event in "${tables[@]}"; do
	is "$event: hits and calls" "$(stress_calls total)" "$(value "x/$event" hits)"
	is "$event: counted" "$(value "x/$event" hits)" \
		$(($(value "x/$event" counted) + $(value "x/$event" recursion)))
	is "$event: taken" "$(value "x/$event" counted)" "$(sum_of "/tmp/x.$event")"
	is "$event: balance" "$(value "x/$event" counted)" "$(last_balance "/tmp/x.$event" hits)"
	at_least "$event: takes" 3 "$(grep -c '^#end' "/tmp/x.$event")"
done
cat events/x/clear/table >/tmp/x.clear
is 'clear: rows, others and cleared' "$(value "x/clear" counted)" \
	$(($(sum_of /tmp/x.clear) + $(last_balance /tmp/x.clear cleared)))
at_least 'clear: cleared' 100 "$(last_balance /tmp/x.clear cleared)"
is 'contexts' '0 1 2 3' "$(grep -v '^#' /tmp/x.task | cut -f 2 | sort -u | paste -sd ' ')"
