#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The cost of a hit in guest instructions: the kernel's own tracefs and ours, the
# same definitions, in one run.  For `tests/vm/run --icount`; see pe_bench.c.
#
# Exits with 1 when a two-argument breakpoint event costs more than the
# kernel's: the one target there is.

set -eu
calls=${CALLS:-20000}
par=/sys/module/pe_bench/parameters
stock=/sys/kernel/tracing

insmod /modules/pe_bench.ko
mountpoint -q $stock || mount -t tracefs tracefs $stock
site=$(cat $par/site)

ticks() {
	echo "$calls" > $par/run
	cat $par/ticks
}

# cost DIR PLACE ARGS: instructions per hit, in hundredths
cost() {
	local dir=$1 before after

	echo "p:bench/b pe_bench:pe_bench_target$2 $3" > "$dir/kprobe_events"
	echo 1000 > $par/run		# warm: pages, caches of names
	before=$(ticks)
	echo 1 > "$dir/events/bench/b/enable"
	echo 1000 > $par/run
	after=$(ticks)
	echo 0 > "$dir/events/bench/b/enable"
	echo > "$dir/kprobe_events"
	echo $(((after - before) * 100 / calls))
}

fmt() {
	printf '%d.%02d' $(($1 / 100)) $(($1 % 100))
}

printf '%-44s %10s %10s %7s\n' "guest instructions per hit, $calls calls" stock ours ratio
status=0
# Jump optimisation would hide the breakpoint of the kernel's own probes.
echo 0 > /proc/sys/debug/kprobes-optimization
for place in "" "+$site"; do
	for args in "" "a=%di b=%si" 'a=%di b=%si s=+0(%dx):string'; do
		s=$(cost $stock "$place" "$args")
		o=$(cost "$PROBES" "$place" "$args")
		printf '%-44s %10s %10s %7s\n' "${place:+int3 }${place:-entry}${args:+, $args}" \
			"$(fmt "$s")" "$(fmt "$o")" "$(fmt $((o * 100 / s)))"
		if [ -n "$place" ] && [ "$args" = "a=%di b=%si" ] && [ "$o" -gt "$s" ]; then
			echo "a two-argument breakpoint event costs more than the kernel's" >&2
			status=1
		fi
	done
done
rmmod pe_bench
exit $status
