#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: compiled hits count as interpreted ones do: keys, values, filters, pauses; what is not compiled says why
# modes: default
# tier: 6.12-cloud 6.1-cloud
# needs: ftrace
# modules: pe_bench
#
# It switches compiling itself.
set -eu
export LC_ALL=C
cd "$PROBES"
# shellcheck source=tests/func/lib/events_lib.sh
. /host/events_lib.sh
# shellcheck source=tests/func/lib/compiled_lib.sh
. /host/compiled_lib.sh
evidence+=(kprobes/compiled)
insmod /modules/pe_bench.ko
par=/sys/module/pe_bench/parameters
target=pe_bench:pe_bench_target
calls=2500		# the first argument counts to 999 and begins again; the second one is 2

balance() { awk -F '\t' -v k="$2" '$1 == "#balance" { for (i = 2; i < NF; i += 2) if ($i == k) v = $(i + 1) } END { print v }' "events/c/$1/table"; }
rows() { grep -v '^#[tbe]' "events/c/$1/table" | sort; }
set_to() { echo "$2" > "events/c/$1/trigger"; }
taskset -pc 0 $$ > /tmp/taskset
run_calls() { echo $calls > $par/run; }
state() { is "$1: $2" "$3" "$(compiled_state "c/$1")"; }

# one_table EVENT TRIGGER FILE: its rows, and how many hits it has filtered
one_table() {
	set_to "$1" "$2"
	state "$1" "$2" "$4"
	run_calls
	is "$1, $2: all hits" $calls $(($(balance "$1" rows) + $(balance "$1" other) + $(balance "$1" filtered)))
	rows "$1" > "$3"
	echo "filtered $(balance "$1" filtered)" >> "$3"
	set_to "$1" "!$2"
}

# whole_table: one_table with a row for each key. Each table has a secret of its own; for one in some
# thousands, eight places are not enough for a key though the bank is nearly empty.
whole_table() {
	local i

	for i in 1 2 3; do
		one_table "$@"
		grep -q '^#other' "$3" || return 0
	done
	wrong "$1, $2: three tables without a row for each key"
}

# counts_like EVENT TRIGGER: the same calls make the same table with compiled hits and without
counts_like() {
	whole_table "$1" "$2" /tmp/compiled compiled
	echo 0 > kprobes/compile
	whole_table "$1" "$2" /tmp/interpreted 'interpreted: kprobes/compile is 0'
	echo 1 > kprobes/compile
	diff /tmp/compiled /tmp/interpreted > /tmp/diff || wrong "$1, $2: $(head -n 4 /tmp/diff)"
}

printf '%s\n' "p:c/e $target a=%di b=%si s=+0(%dx):string m=+5(%dx):u32 n=+1(%dx):s8" "r:c/r $target v=\$retval w=\$arg1 t=\$elapsed" \
	'p:c/other pe_bench:pe_bench_boosted' > kprobe_events
for trigger in hist:keys=common_cpu hist:keys=common_comm hist:keys=common_pid.execname hist:keys=a.log2 hist:keys=a.buckets=7:vals=b \
	hist:keys=common_tgid,b hist:keys=b.hex,a.buckets=9,common_cpu:vals=a,a.max,a.min hist:keys=common_comm:vals=a.dist \
	hist:keys=b,__probe_ip.sym:vals=hitcount,a.dist,b.max hist:keys=common_caller \
	hist:keys=m.hex:vals=n,n.max hist:keys=common_comm,n:vals=m.dist; do
	counts_like e $trigger
done
for trigger in hist:keys=common_comm hist:keys=v.log2:vals=w.dist,v.max hist:keys=common_caller,__probe_ret_ip \
	hist:keys=w.buckets=100:vals=v.min; do
	counts_like r $trigger
done
counts_like e 'hist:keys=common_cpu:vals=a.dist if a > 300 && a <= 400'
counts_like e 'hist:keys=common_cpu if b == 5'
counts_like r 'hist:keys=w.log2 if w > 300 || v < 5'
sums

# More keys than places: each hit is in a row, or in that of all others.
one_table e hist:keys=a:size=128 /tmp/many compiled
at_least 'hits without a row' 1000 "$(sed -n 's/^#other\t//p' /tmp/many)"

# A return's time: C code makes the row of the time that the code has found, so all hits find one.
set_to r hist:keys=common_comm:vals=t.dist
state r elapsed compiled
run_calls
is "distribution of \$elapsed" $calls "$(balance r rows)"
set_to r '!hist:keys=common_comm:vals=t.dist'

# Counted and recorded, with a string; the event's filter keeps records away, and no count.
set_to e hist:keys=common_cpu:vals=a
echo 'a < 10' > events/c/e/filter
echo 1 > events/c/e/enable
state e 'enabled' compiled
echo > trace
run_calls
is 'records' 30 "$(records e trace)"
is 'counted' $calls "$(balance e rows)"
echo 0 > tracing_on
run_calls
is 'recording off' $((2 * calls)) "$(balance e rows)"
echo 1 > tracing_on
echo 0 > events/c/e/enable
echo 0 > events/c/e/filter
sums

# Pauses count; the code stays.
set_to e hist:keys=common_cpu:vals=a:pause
run_calls
state e paused compiled
is 'paused' "$calls $((2 * calls))" "$(balance e paused) $(balance e rows)"
set_to e hist:keys=common_cpu:vals=a:cont
run_calls
is 'goes on' "$calls $((3 * calls))" "$(balance e paused) $(balance e rows)"

# What is not compiled says why.
set_to e hist:keys=b
state e 'two tables' 'interpreted: it has several tables'
run_calls
is 'two tables' "$((4 * calls)) $calls" "$(awk -F '\t' '$1 == "#balance" { printf "%s%d", s, $5; s = " " }' events/c/e/table)"
set_to e '!hist:keys=b'
state e 'one table' compiled
set_to e snapshot:1
state e 'another trigger' 'interpreted: it has triggers'
set_to e '!snapshot:1'
set_to other enable_event:c:e
state e 'it is enabled by hits' 'interpreted: triggers enable and disable it'
set_to other '!enable_event:c:e'
set_to e '!hist:keys=common_cpu:vals=a'
while IFS='|' read -r trigger why; do
	set_to e "$trigger"
	state e "$trigger" "interpreted: $why"
	run_calls
	is "$trigger: all hits" $calls $(($(balance e rows) + $(balance e other)))
	set_to e "!$trigger"
done <<-END
	hist:keys=s|a key of its table is a text
	hist:keys=common_stacktrace|a key of its table is a stack
	hist:keys=common_timestamp|a key or value of its table is a time
	hist:keys=common_comm,common_comm,common_comm|the key of its table is long
	hist:keys=common_cpu:vals=common_flags|a key or value of its table is no number of the probe
END
sums
echo > kprobe_events

# A word of the stack is no argument that code fetches, so none that it compares: it may be another
# one there, or beyond the stack, where C code finds 0.
echo "p:c/deep $target far=\$stack2000 near=\$stack1 a=%di" > kprobe_events
for filter in 'far == 0' 'near == 0'; do
	set_to deep "hist:keys=common_pid if $filter"
	state deep "$filter" 'interpreted: the filter compares a word of the stack'
	run_calls
	is "$filter: all hits" $calls $(($(balance deep rows) + $(balance deep filtered)))
	[ "$filter" = 'near == 0' ] || is 'beyond the stack' $calls "$(balance deep rows)"
	set_to deep "!hist:keys=common_pid if $filter"
done
sums
echo > kprobe_events
rmmod pe_bench
none_wrong
