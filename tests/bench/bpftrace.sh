#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
#
# What bpftrace costs, for the same questions as the rows count- and lat- of hit_cost.sh, and the
# same function:
#
#     tests/vm/run -m 3G -t 1800 --icount -d bpftrace tests/bench/bpftrace.sh [CALLS]
#
# Prints "ROW INSTRUCTIONS" for each. Not a part of `make bench`: it unpacks 400 MB of LLVM, and
# takes minutes. Its answers are compared with the number of calls, so that no row is of a program
# that did not run.
set -eu
calls=${1:-20000}
par=/sys/module/pe_bench/parameters
insmod /modules/pe_bench.ko
mountpoint -q /sys/kernel/tracing || mount -t tracefs tracefs /sys/kernel/tracing

ticks() {
	echo "$calls" > $par/run
	cat $par/ticks
}

# cost ROW PROGRAM
cost() {
	local before after pid tries seen

	echo 1000 > $par/run
	before=$(ticks)
	bpftrace -e "$2 END { printf(\"end\\n\"); }" > /tmp/out 2> /tmp/err &
	pid=$!
	for ((tries = 0; tries < 600; tries++)); do
		! grep -q '^Attaching' /tmp/out || break
		sleep 0.5
	done
	sleep 2			# attaching may take as long
	echo 1000 > $par/run
	after=$(ticks)
	kill -INT $pid
	wait $pid || true
	# A count, one after a stack, one of a step of a distribution
	seen=$(sed -nE 's/^(@.*|\]): ([0-9]+)$/\2/p; s/^\[.*[])] +([0-9]+) \|.*/\1/p' /tmp/out |
		awk '{ n += $1 } END { print n + 0 }')
	[ "$seen" = $((calls + 1000)) ] || { echo "$1: saw $seen"; cat /tmp/out /tmp/err; exit 1; }
	awk -v row="$1" -v a="$after" -v b="$before" -v n="$calls" 'BEGIN { print row, (a - b) / n }'
}

bpftrace --version
cost count 'kprobe:pe_bench_target { @ = count(); }'
cost count-pid 'kprobe:pe_bench_target { @[pid] = count(); }'
cost count-comm 'kprobe:pe_bench_target { @[comm] = count(); }'
cost count-arg 'kprobe:pe_bench_target { @[arg0] = count(); }'
cost count-dist 'kprobe:pe_bench_target { @[pid] = hist(arg0); }'
cost count-stack 'kprobe:pe_bench_target { @[kstack] = count(); }'
cost lat-comm 'kprobe:pe_bench_target { @t[tid] = nsecs; }
	kretprobe:pe_bench_target /@t[tid]/ { @[comm] = hist(nsecs - @t[tid]); delete(@t[tid]); }'
