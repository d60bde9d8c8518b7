#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: $since: beside the records' times, in instances and tables, unwanted hits, arming, NMI, interrupts
# seconds: 6
# tier: 6.12-cloud 6.1-cloud bare debug
# modules: pe_stress pe_points

set -eu
export LC_ALL=C
cd "$PROBES"
# shellcheck source=tests/func/lib/events_lib.sh
. /host/events_lib.sh
evidence+=(dynamic_events kprobe_losses kprobes/compiled error_log)
taskset -pc 0 $$ > /dev/null
one() { printf x > /dev/null; }
null() { dd if=/dev/zero of=/dev/null bs=1 count="$1" status=none; }
# times [FILE]: of the records, nanoseconds since the first one, and their $since
times() { sed -n 's/^.* \([0-9]*\)\.\([0-9]*\): .* since=\([0-9]*\).*/\1 \2 \3/p' "${1:-per_cpu/cpu0/trace}" |
	awk 'NR == 1 { s = $1; us = $2 } { printf "%.0f %.0f\n", ($1 - s) * 1e9 + ($2 - us) * 1000, $3 }'; }

# The times add up: what a record is later than the time that all before it have told is what it took
# to be made. That is little in most of them, and so it is not any more if one of the times is wrong.
adds_up() {
	times > /tmp/times
	at_least 'records' "$2" "$(count . /tmp/times)"
	is "$1: the first one" 0 "$(head -n 1 /tmp/times | cut -d' ' -f2)"
	awk '{ sum += $2; printf "%.0f\n", $1 - sum }' /tmp/times | sort -n > /tmp/late
	awk '{ late[NR] = $1 } END { exit late[int((NR + 1) / 2)] - late[1] > 1e6 }' /tmp/late ||
		fail "$1: late by $(sed -n "1p;$(($(count . /tmp/late) / 2 + 1))p;\$p" /tmp/late | paste -sd' ')"
}
echo mono > trace_clock
# Inside of it: after the mark of a kernel that has them, or after the call of ftrace, or without both.
for inside in 4 5 3; do
	append "p:s/in write_null+$inside" kprobe_events 2> /dev/null || continue
	echo 1 > events/s/in/enable
	one
	echo 0 > events/s/in/enable
	hits=$(value s/in hits)
	echo > kprobe_events
	[ "$hits" = 0 ] || break
done
echo > trace
fns="p:s/p write_null
p:s/in write_null+$inside
r:s/r write_null
f:s/f write_nul*
f:s/fr write_null%return"
while read -r def; do
	echo "$def since=\$since n=\$since:u32" > dynamic_events
	echo 1 > events/s/enable
	null 200
	adds_up "$def" 200
	is "$def: twice" '' "$(sed -n 's/.* since=\([0-9]*\) n=\([0-9]*\)$/\1 \2/p' trace | awk '$1 % 4294967296 != $2')"
	has kprobes/compiled 'interpreted: '
	echo 0 > events/s/enable
	sums
	echo > trace
done <<< "$fns"
echo 'p:s/p write_null $since' > dynamic_events
echo local > trace_clock
echo 1 > events/s/p/enable
# Without ftrace the place is a breakpoint.
has kprobes/compiled '^s/p write_null interpreted: \(it has \$since\|a breakpoint, which is not a jump\)$'
has events/s/p/format 'field:u64 arg1;'
echo 0 > events/s/p/enable
echo mono > trace_clock

# At a tracepoint, where the kernel has any.
if [ -e /modules/pe_points.ko ]; then
	insmod /modules/pe_points.ko
	echo 't:s/t pe_point n=$arg1:u32 since=$since' > dynamic_events
	echo 1 > events/s/t/enable
	for i in {1..50}; do echo 1 > /sys/module/pe_points/parameters/run; done
	adds_up t 50
	echo 0 > events/s/t/enable
	echo > trace
fi

# Each instance and each table has the same.
echo 'p:s/p write_null since=$since' > dynamic_events
mkdir instances/other
echo mono > instances/other/trace_clock
echo 'hist:keys=common_cpu:vals=since,since.max' > events/s/p/trigger
echo 1 > events/s/p/enable
echo 1 > instances/other/events/s/p/enable
null 200
echo 0 > events/s/p/enable
echo 0 > instances/other/events/s/p/enable
times > /tmp/times
times instances/other/per_cpu/cpu0/trace > /tmp/other
is 'in both instances' "$(cut -d' ' -f2 /tmp/times)" "$(cut -d' ' -f2 /tmp/other)"
want=$(awk '{ n++; sum += $2; if ($2 > max) max = $2 } END { printf "%d %.0f %.0f", n, sum, max }' /tmp/times)
is 'in the table' "0 $want" "$(grep -v '^#' events/s/p/table | tr '\t' ' ')"
rmdir instances/other
echo '!hist:keys=common_cpu:vals=since,since.max' > events/s/p/trigger
echo > trace

# What is not recorded is a hit: of a task, by a filter. B comes in between.
between() {
	one
	sleep 1
	bash -c 'printf x > /dev/null'	# B
	one
	times | awk 'NR == 2 { exit !($2 > 0 && $2 <= $1 - 9e8) } END { exit NR < 2 }' || fail "between: $(times)"
	echo 0 > events/s/p/enable
	echo > trace
}
echo $$ > set_event_pid
echo 1 > events/s/p/enable
between
echo > set_event_pid
echo "common_pid == $$" > events/s/p/filter
echo 1 > events/s/p/enable
between
echo 0 > events/s/p/filter

# After it was armed again, the first hit is the first; a switch in another instance arms nothing.
mkdir instances/other
echo 1 > instances/other/events/s/p/enable
one
sleep 0.2
echo 1 > events/s/p/enable
one
at_least 'still armed' 200000000 "$(times | cut -d' ' -f2)"
echo 0 > events/s/p/enable
echo 0 > instances/other/events/s/p/enable
rmdir instances/other
echo > trace
echo 1 > events/s/p/enable
one
is 'armed again' 0 "$(times | cut -d' ' -f2)"
echo 0 > events/s/p/enable
echo > trace

# A call in progress has none.
echo 'r:s/nap hrtimer_nanosleep since=$since mode=$arg2:u32' > kprobe_events
echo 1 > events/s/nap/enable
sleep 60 &
within 60 grep -q "^pid $! comm sleep .* args since=- mode=1\$" events/s/nap/inside
kill $!
wait $! || true
echo 0 > events/s/nap/enable

# A definition that joins; one that has none beside it.
echo 'p:s/j write_null a=%di:u64' > kprobe_events
echo 'p:s/j read_zero a=$since' >> kprobe_events
echo > trace
echo 1 > events/s/j/enable
null 3
is 'of the first definition' 3 "$(count 'j: (write_null' trace)"
is 'the first hit of the second' 0 "$(sed -n 's/.*j: (read_zero.* a=//p' trace | head -n 1)"
echo 0 > events/s/j/enable
echo > kprobe_events

# From all contexts, on all CPUs: no time is torn, and all add up.
insmod /modules/pe_stress.ko
echo 16000 > buffer_size_kb
echo > trace
echo "p:s/all pe_stress:pe_stress_target ctx=%di:u32 since=\$since" > kprobe_events
echo 1 > events/s/all/enable
echo 1 > /sys/module/pe_stress/parameters/run
within 120 stress_saw 20 nmi
echo 0 > /sys/module/pe_stress/parameters/run
echo 0 > events/s/all/enable
sums
is 'full' 0 "$(value s/all full)"
for cpu in per_cpu/cpu[0-9]*; do
	cat "$cpu/trace" > /tmp/trace
	count ' ctx=3 ' /tmp/trace >> /tmp/nmi
	times /tmp/trace > /tmp/times
	[ -s /tmp/times ] || continue
	awk '{ sum += $2; if ($1 > last) last = $1 } END { exit !(sum <= last + 5e8 && sum >= last - 5e8) }' /tmp/times ||
		fail "$cpu: $(awk '{ sum += $2 } END { printf "%.0f of %s", sum, $1 }' /tmp/times)"
done
at_least 'records in NMI' 20 "$(awk '{ n += $1 } END { print n }' /tmp/nmi)"
echo > kprobe_events
