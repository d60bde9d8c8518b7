#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: return probes beside the kernel's return probes and its tracers, in every order
# tier: 6.12-cloud 6.1-cloud
# seconds: 15 debug=73
# needs: tracefs kprobes ftrace
# modules: pe_target pe_probe pe_ret_test pe_calls
set -eu
# shellcheck source=tests/func/lib/engine_lib.sh
. /host/engine_lib.sh

load pe_target pe_probe
T=/sys/kernel/tracing
mount -t tracefs tracefs $T
SYM=pe_target:pe_target_add
OURS=r:$SYM

put_on() {
	case $1 in
	ours) add $OURS ;;
	entry) add $SYM ;;
	kret) echo "r:st $SYM ret=\$retval" >> $T/kprobe_events; echo 1 > $T/events/kprobes/st/enable ;;
	kprobe) echo "p:sp $SYM" >> $T/kprobe_events; echo 1 > $T/events/kprobes/sp/enable ;;
	graph) echo pe_target_add > $T/set_ftrace_filter; echo function_graph > $T/current_tracer ;;
	function) echo pe_target_add > $T/set_ftrace_filter; echo function > $T/current_tracer ;;
	esac
}

take_off() {
	case $1 in
	ours) del $OURS ;;
	entry) del $SYM ;;
	kret) echo 0 > $T/events/kprobes/st/enable; echo '-:st' >> $T/kprobe_events ;;
	kprobe) echo 0 > $T/events/kprobes/sp/enable; echo '-:sp' >> $T/kprobe_events ;;
	graph|function) echo nop > $T/current_tracer; echo > $T/set_ftrace_filter ;;
	esac
}

# saw WHO: what it has recorded since it was switched on
saw() {
	case $1 in
	ours) field $OURS 2 ;;
	entry) field $SYM 2 ;;
	kret) gawk '$1 == "st" { print $2 }' $T/kprobe_profile ;;
	kprobe) gawk '$1 == "sp" { print $2 }' $T/kprobe_profile ;;
	graph|function) grep -c 'pe_target_add' $T/trace || true ;;
	esac
}

# expect WHICH N
expect() {
	is "$order: calls that $1 saw" "$2" "$(saw $1)"
}

# Both on, in this order; each goes first, too.
pair() {
	for order in "$1 $2" "$2 $1"; do
		for last in $order; do
			# shellcheck disable=SC2086
			set -- $order
			put_on $1; put_on $2
			call add 50
			expect $1 50; expect $2 50
			take_off $last
			[ $last = $1 ] && shift
			call add 7
			expect $1 57
			take_off $1
		done
	done
}

# Before 5.16 (x86), the graph tracer is asked about where a call goes on, which a return probe changes: it
# does not take that for the function.
sees=graph
grep -q ' ftrace_graph_func$' /proc/kallsyms || sees=

for other in kret kprobe $sees function entry; do
	pair ours $other
done

# All at once: what stays sees every call while the others come and go.
put_on ours
others=(kret kprobe graph entry)
total=0
rounds=$(length 32 120)
RANDOM=${SEED:-$$}
echo "seed ${SEED:-$$}"
declare -A is_on
for ((i = 0; i < rounds; i++)); do
	who=${others[RANDOM % ${#others[@]}]}
	call add 400 &
	if [ -n "${is_on[$who]:-}" ]; then
		take_off $who; is_on[$who]=
	else
		put_on $who; is_on[$who]=1
	fi
	wait $!
	total=$((total + 400))
done
order=all
expect ours $total
is 'missed' 0 "$(field $OURS 3)"
lacks $P/hits BAD_IP
for who in "${others[@]}"; do
	[ -z "${is_on[$who]:-}" ] || take_off $who
done
take_off ours

# An entry stays while its function's return probes come and go: it is served elsewhere
# then. Alone, and with a tracer of the kernel's that makes ftrace ask each of us.
order='entry stays'
put_on entry
total=0
for ((i = 0; i < rounds; i++)); do
	case $i in
	$((rounds / 3))) put_on function ;;
	$((rounds * 2 / 3))) take_off function ;;
	esac
	call add 2000 &
	if [ $((i % 2)) = 0 ]; then put_on ours; else take_off ours; fi
	wait $!
	total=$((total + 2000))
	expect entry $total
done
is 'missed' 0 "$(field $SYM 3)"
lacks $P/hits BAD_IP
take_off entry

# Both at work where one probed function ends with a jump to another.
echo pe_target_add > $T/set_ftrace_filter
for f in ret_tail ret_sum; do
	echo "$f:mod:pe_ret_test" >> $T/set_ftrace_filter
done
echo function_graph > $T/current_tracer
loaded=
insmod /modules/pe_ret_test.ko && loaded=1 || dmesg | grep 'pe_ret_test: '
[ $loaded ] || fail "the test module, under the graph tracer"
[ -z "$sees" ] || has $T/trace ret_sum	# the name goes with the module
rmmod pe_ret_test
take_off graph

# A probed function that has been jumped to by another one reads the frame of that one within the
# hit: a probe on what reads misses these calls.
load pe_calls
echo 1 > /sys/module/pe_calls/parameters/unblock
READ=copy_from_kernel_nofault
for f in pe_calls_via pe_calls_block; do add r:pe_calls:$f; done
add $READ
missed=$(field $READ 3)
for ((i = 0; i < 20; i++)); do
	dd if=/proc/pe_calls_block count=1 status=none
done
at_least "missed of $READ" $((missed + 20)) "$(field $READ 3)"
for f in pe_calls_via pe_calls_block; do
	is "returns of $f" 20 "$(field r:pe_calls:$f 2)"
	del r:pe_calls:$f
done
del $READ
lacks $P/hits BAD_IP

umount $T
rmmod pe_probe pe_target pe_calls
