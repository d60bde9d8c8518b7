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
target=pe_bench:pe_bench_target

ticks() {
	echo "$calls" > $par/run
	cat $par/ticks
}

# per_call COMMAND...: what a call costs more after COMMAND; in hundredths of instructions
per_call() {
	local before after

	echo 1000 > $par/run		# warm: pages, caches of names
	before=$(ticks)
	"$@"
	echo 1000 > $par/run
	after=$(ticks)
	echo $(((after - before) * 100 / calls))
}

switch_on() { echo 1 > "$1/events/bench/enable"; }

# cost DIR DEFINITION...: the events' group is "bench"
cost() {
	local dir=$1
	shift

	printf '%s\n' "$@" > "$dir/kprobe_events"
	per_call switch_on "$dir"
	echo 0 > "$dir/events/bench/enable"
	echo > "$dir/kprobe_events"
}

set_raw() { echo "$1" > $par/raw; }

# raw_cost WHOSE: of a return probe without an event
raw_cost() {
	per_call set_raw "$1"
	[ "$(cat $par/returns)" = $((calls + 1000)) ] || echo "$1 kretprobe: returns are missing" >&2
	set_raw none
}

# row NAME STOCK OURS
row() {
	printf '%-44s %10s %10s %7s\n' "$1" "$(fmt "$2")" "$(fmt "$3")" "$(fmt $(($3 * 100 / $2)))"
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
		s=$(cost $stock "p:bench/b $target$place $args")
		o=$(cost "$PROBES" "p:bench/b $target$place $args")
		row "${place:+int3 }${place:-entry}${args:+, $args}" "$s" "$o"
		if [ -n "$place" ] && [ "$args" = "a=%di b=%si" ] && [ "$o" -gt "$s" ]; then
			echo "a two-argument breakpoint event costs more than the kernel's" >&2
			status=1
		fi
	done
done
for args in 'r=$retval:x64' 'a=$arg1:x64 r=$retval:x64'; do
	row "return, $args" "$(cost $stock "r:bench/r $target $args")" \
		"$(cost "$PROBES" "r:bench/r $target $args")"
done
both=("p:bench/p $target a=%di b=%si" "r:bench/r $target r=\$retval:x64")
row "entry a=%di b=%si + return r=\$retval" "$(cost $stock "${both[@]}")" "$(cost "$PROBES" "${both[@]}")"
row "kretprobe without event" "$(raw_cost stock)" "$(raw_cost ours)"
rmmod pe_bench
exit $status
