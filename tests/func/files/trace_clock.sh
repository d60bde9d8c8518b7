#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: trace_clock, trace_options, current_tracer and tracing_on: texts and effects
# tier: 6.12-cloud 6.1-cloud 5.10-cloud
# seconds: 5

set -eu
cd "$PROBES"
# shellcheck source=tests/func/lib/events_lib.sh
. /host/events_lib.sh

# keeps FILE TEXT [ERROR]: the write is refused, and nothing changes
keeps() {
	local before

	before=$(cat "$1")
	refused "${3:-Invalid argument}" put "$2" "$1"
	holds "$1" "$before"
}

echo 'p:t/zero read_zero' > kprobe_events
echo 1 > events/t/zero/enable

# Clocks. No handler of an NMI could read TAI before 6.1.
tai=' tai'
grep -qw ktime_get_tai_fast_ns /proc/kallsyms || tai=''
is 'clocks' "[local] global counter uptime perf mono mono_raw boot$tai x86-tsc" "$(cat trace_clock)"
read_zeros 5
for clock in global counter uptime perf mono mono_raw boot $tai x86-tsc local; do
	echo $clock > trace_clock
	is "$clock is active" "[$clock]" "$(grep -o '\[.*\]' trace_clock)"
	is "$clock empties the buffer" 0 "$(records zero)"
	read_zeros 5
	case $clock in
	counter | x86-tsc | uptime) form=' [0-9]+: zero: ' ;;
	*) form=' [0-9]+\.[0-9]{6}: zero: ' ;;
	esac
	[ $clock = uptime ] && form=' ([0-9]+|[0-9]+\.[0-9]{6}): zero: '
	is "times of $clock" 5 "$(grep -cE "$form" trace)"
done
keeps trace_clock nonsense
[ -n "$tai" ] || keeps trace_clock tai
keeps trace_clock ''
keeps trace_clock "$(printf 'x%.0s' {1..100})"

# A clock means what its name says.
echo boot > trace_clock
a=$(cut -d' ' -f1 /proc/uptime)
read_zeros 1
b=$(cut -d' ' -f1 /proc/uptime)
t=$(grep -o '[0-9]*\.[0-9]*: zero' trace | sed 's/:.*//')
awk -v a="$a" -v b="$b" -v t="$t" 'BEGIN { exit !(t >= a - 0.02 && t <= b + 0.02) }' ||
	fail "boot: $t not in $a..$b"
echo counter > trace_clock
read_zeros 3
is 'counter counts' '1 2' "$(grep -o '[0-9]*: zero' trace | sed 's/:.*//' |
	awk 'NR > 1 { printf "%s%d", (NR > 2 ? " " : ""), $1 - first } NR == 1 { first = $1 }')"
echo local > trace_clock

# Tracers: there is one.
is 'tracer' nop "$(cat current_tracer)"
is 'tracers' nop "$(cat available_tracers)"
echo nop > current_tracer
keeps current_tracer function
keeps current_tracer ''

# Options: those that have an effect, and one of a tracer, in both places.
effective='annotate context-info norecord-tgid overwrite nodisable_on_free irq-info markers noevent-fork nopause-on-trace
	nostacktrace function-trace'
for word in $effective; do
	o=${word#no}
	[ $word = $o ] && want=1 || want=0
	has trace_options $word -x
	is "$o" $want "$(cat options/$o)"
	echo "no$o" > trace_options
	is "no$o" 0 "$(cat options/$o)"
	is "no$o" 1 "$(grep -cx "no$o" trace_options)"
	echo 1 > options/$o
	is "$o" 1 "$(grep -cx "$o" trace_options)"
	echo $want > options/$o
	keeps options/$o 2
	keeps options/$o x
done
keeps trace_options nonsense
keeps trace_options no
keeps trace_options nono

# context-info: without it there is only the event.
echo > trace
read_zeros 2
echo nocontext-info > trace_options
is 'bare' 2 "$(grep -cE '^zero: \(read_zero\+0x[0-9a-f]+/0x[0-9a-f]+\)$' trace)"
is 'bare header' "$(printf '# tracer: nop\n#')" "$(grep '^#' trace)"
echo context-info > trace_options

# annotate: where a CPU's buffer starts, when records were overwritten before.
echo 10 > buffer_size_kb
echo > trace
for cpu in 0 1; do
	read_zeros_on $cpu 5000
done
is 'annotated' 1 "$(grep -c '^##### CPU [01] buffer started ####$' trace)"
echo 0 > options/annotate
is 'not annotated' 0 "$(count '^#####' trace)"
echo 1 > options/annotate
echo 1408 > buffer_size_kb
is 'nothing lost once nothing is overwritten' 0 "$(echo > trace; read_zeros 9; count '^##### ' trace)"

# tracing_on: any number, anywhere in the file.
exec 5<> tracing_on
for pair in 0:0 1:1 0:0 7:1 00:0 1:1; do
	echo "${pair%:*}" >&5
	is "tracing_on ${pair%:*}" "${pair#*:}" "$(cat tracing_on)"
done
exec 5>&-
printf 0 > tracing_on
is 'without newline' 0 "$(cat tracing_on)"
echo > trace
read_zeros 5
is 'off' 0 "$(records zero)"
echo 1 > tracing_on
keeps tracing_on x
keeps tracing_on ''
keeps tracing_on -1
keeps tracing_on 99999999999999999999 'out of range'
