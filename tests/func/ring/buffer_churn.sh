#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: the ring buffer changes under hits from every context, and nothing goes uncounted
# seconds: 12 debug=28
#
# pe_stress hits one probe from threads, softirq, hard interrupts and NMIs on every
# CPU. Meanwhile the buffer is resized (all CPUs and one), emptied, given other
# clocks and modes, read with and without consuming. At the end hits = records +
# losses, and after a last emptying, written = in the buffer + overrun + read.
#
# SECONDS_LONG (default 6, the long run 60) is how long it lasts.

set -eu
cd "$PROBES"
# shellcheck source=tests/func/lib/events_lib.sh
. /host/events_lib.sh
duration=${SECONDS_LONG:-$(length 6 60)}
par=/sys/module/pe_stress/parameters
insmod /modules/pe_stress.ko
fn=pe_stress:pe_stress_target

cleanup() {
	touch /tmp/stop
	echo 0 > $par/run
	echo 0 > events/enable
	wait
	echo > kprobe_events
	rmmod pe_stress
}

change() {
	local n=0 sizes=(4 64 1 2000 300 9 1408 17) clocks=(local global counter mono boot perf x86-tsc)

	while [ ! -e /tmp/stop ]; do
		echo "${sizes[n % 8]}" > buffer_size_kb
		echo "${sizes[(n + 3) % 8]}" > per_cpu/cpu$((n % 2))/buffer_size_kb
		case $((n % 5)) in
		0) echo > trace ;;
		1) echo "${clocks[n / 5 % 7]}" > trace_clock ;;
		2) echo > per_cpu/cpu1/trace ;;
		3) echo 0 > options/overwrite ;;
		4) echo 1 > options/overwrite ;;
		esac
		cat per_cpu/cpu*/stats > /dev/null
		n=$((n + 1))
		echo $n > /tmp/changes
	done
}

echo "p:keep/entry $fn context=%di n=%si" > kprobe_events
echo 1 > events/keep/enable
trap cleanup EXIT
rm -f /tmp/stop
cat trace_pipe > /tmp/drained & reader=$!
change & changer=$!
while [ ! -e /tmp/stop ]; do head -n 2000 trace > /dev/null || exit 1; done & looker=$!
echo 1 > $par/run
sleep "$duration"
within 300 stress_saw 1000 total
within 300 eval '[ "$(cat /tmp/changes 2> /dev/null || echo 0)" -gt 5 ]'
touch /tmp/stop
wait $changer $looker
kill $reader
wait $reader || true
echo 1 > options/overwrite
echo local > trace_clock
echo 100 > buffer_size_kb
echo > trace
before=$(stress_calls total)
within 60 stress_saw $((before + 5000)) total
echo 0 > $par/run
echo 0 > events/keep/enable
awk 'NR == 1 { for (i = 1; i <= NF; i++) col[$i] = i; next }
	$1 ~ /entry/ { for (i = col["records"] + 1; i <= NF; i++) s += $i
		hits = $col["hits"]; records = $col["records"] }
	END { print hits, "hits,", records, "records,", s, "losses"
		exit !(hits > 1000 && hits == records + s) }' kprobe_losses

lines=$(grep -c pe_stress_target trace)
entries=$(($(stat_of 0 entries) + $(stat_of 1 entries)))
is 'lines of trace' "$entries" "$lines"
for cpu in 0 1; do
	read=$(stat_of $cpu 'read events') entries=$(stat_of $cpu entries) overrun=$(stat_of $cpu overrun)
	echo "cpu$cpu: $entries entries, $overrun overrun, $read read"
	cat per_cpu/cpu$cpu/trace_pipe > /tmp/piped & piper=$!
	within 60 has_lines /tmp/piped "$entries" pe_stress_target
	kill $piper
	wait $piper || true
	is "cpu$cpu: read events" $((read + entries)) "$(stat_of $cpu 'read events')"
	is "cpu$cpu: overrun" "$overrun" "$(stat_of $cpu overrun)"
	is "cpu$cpu: piped" "$entries" "$(count pe_stress_target /tmp/piped)"
done
echo "$(cat /tmp/changes) rounds of changes, $(wc -l < /tmp/drained) lines drained"
at_least 'rounds of changes' 6 "$(cat /tmp/changes)"
