#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# The cost of a hit in guest instructions: the kernel's own probes and ours, the same
# definitions, in one run.  For `tests/vm/run --icount`; tests/bench/run starts it.
#
# Prints a line "@@ KEY STOCK OURS TEXT" for each case, in hundredths of instructions above
# the cost of the call without a probe.  STOCK is - where the kernel has nothing like it, and with
# "ours" as the second argument, when the kernel's own are not measured.  A third argument is the only
# KEY that is measured.

set -eu
calls=${1:-20000}
only=${2:-}
row=${3:-}
par=/sys/module/pe_bench/parameters
stock=/sys/kernel/tracing
optimise=/proc/sys/debug/kprobes-optimization

insmod /modules/pe_bench.ko
echo none > "$PROBES/limits"	# hits are all that is done
[ "$only" = ours ] || mountpoint -q $stock || mount -t tracefs tracefs $stock
site=+$(cat $par/site)
long_site=+$(cat $par/long_site)
target=pe_bench:pe_bench_target
echo "# $calls calls, Linux $(uname -r)"

fail() { echo "hit_cost: $*" >&2; exit 1; }

ticks() {
	echo "$calls" > $par/run
	cat $par/ticks
}

# per_call COMMAND...: what a call costs more after COMMAND; in hundredths of instructions
per_call() {
	local before after

	plain
	echo 1000 > $par/run		# warm: pages, caches of names
	before=$(ticks)
	"$@"
	echo 1000 > $par/run
	after=$(ticks)
	echo $(((after - before) * 100 / calls))
}

# optimised: wait until the breakpoint has been replaced by a jump.
optimised() {
	local tries

	for ((tries = 0; tries < 100; tries++)); do
		[ "$(cat $par/jumps)" = 0 ] || return 0
		sleep 0.1
	done
	fail 'there is no jump'
}

# plain: wait until the kernel has taken its jumps out; they stay for a while after its probes.
plain() {
	local tries

	for ((tries = 0; tries < 100; tries++)); do
		[ "$(cat $par/jumps)" != 0 ] || return 0
		sleep 0.1
	done
	fail 'there is still a jump'
}

# Probes are breakpoints, except in rows of "jump".
jumps=0
# The histogram trigger of the event "e": the event is only counted, or with $recorded both.
trigger='' recorded=0
switch_on() {
	[ -z "$trigger" ] || echo "$trigger" > "$1/events/bench/e/trigger"
	[ "$trigger" ] && [ $recorded = 0 ] || echo 1 > "$1/events/bench/enable"
	[ $jumps = 0 ] || optimised
	# Reading it waits until what can be compiled is.
	[ ! -e "$1/kprobes/compiled" ] || cat "$1/kprobes/compiled" > /tmp/compiled
}

# event_cost DIR DEFINITION...: of events in the group "bench"; the first one is e.  $prepare is
# run with DIR in between.
prepare=:
event_cost() {
	local dir=$1 cost
	shift

	# The kernel of 6.1 has no arguments of return events.
	printf '%s\n' "$@" 2> /tmp/refused > "$dir/kprobe_events" || { echo -; return; }
	$prepare "$dir"
	cost=$(per_call switch_on "$dir")
	echo 0 > "$dir/events/bench/enable"
	[ -z "$trigger" ] || drop_trigger "$dir" >&2 || return 1
	echo 1 > "$dir/tracing_on"
	echo > "$dir/kprobe_events"
	echo "$cost"
}

# drop_trigger DIR: also, our table has each hit
drop_trigger() {
	local hits all=$((calls + 1000))

	hits=$(awk '$1 == "Hits:" || $1 == "Dropped:" { n += $2 } END { print n }' "$1/events/bench/e/hist")
	case $trigger in
	*' if '*) all=0 ;;
	esac
	[ "$1" = $stock ] || [ "$hits" = $all ] || fail "$trigger: $hits hits are in the table, not $all"
	echo "!$trigger" > "$1/events/bench/e/trigger"
}

# wanted KEY: it is measured
wanted() { [ -z "$row" ] || [ "$row" = "$1" ]; }

# events KEY TEXT DEFINITION...: a row
events() {
	local key=$1 text=$2
	shift 2
	wanted "$key" || return 0
	theirs=-
	[ "$only" = ours ] || theirs=$(event_cost $stock "$@")
	ours=$(event_cost "$PROBES" "$@")
	echo "@@ $key $theirs $ours $text"
}

# counts KEY TEXT TRIGGER DEFINITION [STOCK-TRIGGER DEFINITION]: a row of an event that is counted;
# the kernel's trigger is -: it has none of this kind; or a function here that measures its own way
counts() {
	local key=$1 text=$2 ours
	wanted "$key" || return 0
	theirs=-
	if [ "$only" = ours ] || [ "${5:-}" = - ]; then
		:
	elif [ "$(type -t "${5:-}")" = function ]; then
		theirs=$("$5")
	else
		trigger=${5:-$3}
		theirs=$(event_cost $stock "${6:-$4}")
	fi
	trigger=$3
	ours=$(event_cost "$PROBES" "$4")
	trigger=''
	echo "@@ $key $theirs $ours $text"
}

# The kernel's own way from entry to return: a variable at the entry, onmatch() at the return, and
# the histogram of a synthetic event; steps are powers of 2.
begun='hist:keys=common_pid:begun=common_timestamp'
ended='hist:keys=common_pid:ns=common_timestamp-$begun:onmatch(bench.e).bench_took($ns)'
took='hist:keys=common_pid.execname,ns.log2'
latency_on() {
	echo "$begun" > $stock/events/bench/e/trigger
	echo "$ended" > $stock/events/bench/f/trigger
	echo "$took" > $stock/events/synthetic/bench_took/trigger
}
stock_latency() {
	local cost hits

	[ -e $stock/synthetic_events ] || { echo -; return; }
	printf '%s\n' "p:bench/e $target" "r:bench/f $target" > $stock/kprobe_events
	echo 'bench_took u64 ns' > $stock/synthetic_events
	cost=$(per_call latency_on)
	hits=$(awk '$1 == "Hits:" { print $2 }' $stock/events/synthetic/bench_took/hist)
	[ "$hits" = $((calls + 1000)) ] || fail "the kernel's histogram has $hits calls"
	echo "!$took" > $stock/events/synthetic/bench_took/trigger
	echo "!$ended" > $stock/events/bench/f/trigger
	echo "!$begun" > $stock/events/bench/e/trigger
	echo > $stock/synthetic_events
	echo > $stock/kprobe_events
	echo "$cost"
}

set_raw() {
	echo "$*" > $par/raw
	# Where we divert, there is a breakpoint.
	[ $jumps = 0 ] || [ "$1${3-}" = oursreturn ] || optimised
	# As above; and what was compiled for the row before has gone.  Without the pause, hits cost
	# up to 17 instructions more for a while.
	cat "$PROBES/kprobes/compiled" > /tmp/compiled
	sleep 0.1
}

# raw_cost WHOSE FUNCTION [return|both]: of a probe without an event
raw_cost() {
	local cost

	cost=$(per_call set_raw "$@")
	[ "$(cat $par/hits)" = $((calls + 1000)) ] || fail "$*: hits are missing: $(cat $par/hits)"
	echo none > $par/raw
	echo "$cost"
}

# raw KEY TEXT FUNCTION [return|both]: a row
raw() {
	local key=$1 text=$2
	shift 2
	wanted "$key" || return 0
	theirs=-
	[ "$only" = ours ] || theirs=$(raw_cost stock "$@")
	ours=$(raw_cost ours "$@")
	echo "@@ $key $theirs $ours $text"
}

reject() { echo 'a >= 0 && b == 5' > "$1/events/bench/e/filter"; }
switch_off() { echo 0 > "$1/tracing_on"; }

echo 0 > $optimise
echo 0 > "$PROBES/kprobes/optimization"
two='a=%di b=%si'
string="$two s=+0(%dx):string"
events entry 'function entry' "p:bench/e $target"
events entry-2 'function entry, 2 registers' "p:bench/e $target $two"
events entry-string 'function entry, 2 registers, a string of 17' "p:bench/e $target $string"
events entry-comm "function entry, \$comm" "p:bench/e $target c=\$comm"
prepare=reject
events entry-filter 'function entry, a filter of 2 comparisons rejects' "p:bench/e $target $two"
prepare=switch_off
events entry-off 'function entry, tracing_on is 0' "p:bench/e $target $two"
prepare=:
events entry-twice 'two events at one entry, 2 registers each' "p:bench/e $target $two" "p:bench/f $target $two"
events int3 'breakpoint' "p:bench/e $target$site"
events int3-2 'breakpoint, 2 registers' "p:bench/e $target$site $two"
events int3-string 'breakpoint, 2 registers, a string of 17' "p:bench/e $target$site $string"
events return 'return, $retval' "r:bench/e $target r=\$retval:x64"
events return-arg 'return, $arg1 and $retval' "r:bench/e $target a=\$arg1:x64 r=\$retval:x64"
events return-elapsed 'return, $elapsed' "r:bench/e $target t=\$elapsed"
events entry-return 'entry (2 registers) and return ($retval)' "p:bench/e $target $two" \
	"r:bench/f $target r=\$retval:x64"
prepare=switch_off
events return-off 'return, tracing_on is 0' "r:bench/e $target r=\$retval:x64"
prepare=:
one="p:bench/e $target $two"
counts count 'counted, by CPU' hist:keys=common_cpu "$one"
counts count-pid 'counted by pid' hist:keys=common_pid "$one"
counts count-comm 'counted by comm' hist:keys=common_comm "$one" \
	hist:keys=c "p:bench/e $target c=\$comm"
counts count-arg 'counted by an argument' hist:keys=b "$one"
counts count-log2 'counted by an argument, .log2' hist:keys=b.log2 "$one"
counts count-buckets 'counted by an argument, .buckets=10' hist:keys=b.buckets=10 "$one"
counts count-two 'counted by pid and an argument' hist:keys=common_pid,b "$one"
counts count-sums 'counted by pid, with two sums' hist:keys=common_pid:vals=a,b "$one"
counts count-dist 'counted by pid, with the distribution of an argument' \
	hist:keys=common_pid:vals=v.dist "$one v=\\1000" -
counts count-caller 'counted by caller' hist:keys=common_caller "$one" -
counts count-filter "counted, its trigger's filter of 2 comparisons rejects" \
	'hist:keys=common_pid if a >= 0 && b == 5' "$one"
counts count-full 'counted by 1,000 values, more than the table has rows' hist:keys=a:size=128 "$one"
counts count-stack 'counted by stack' hist:keys=common_stacktrace "$one" hist:keys=stacktrace
recorded=1
counts count-record 'counted by pid and recorded' hist:keys=common_pid "$one"
recorded=0
counts lat-comm 'return, the distribution of $elapsed by comm' hist:keys=common_comm:vals=t.dist \
	"r:bench/e $target t=\$elapsed" stock_latency
raw raw-entry 'no event: function entry' pe_bench_target
raw raw-return 'no event: return' pe_bench_target return
raw raw-both 'no event: return, with a handler at the entry, too' pe_bench_target both
raw k 'no event: instruction that the kernel single-steps' pe_bench_stepped
raw b 'no event: instruction that it executes from a copy (boosted)' pe_bench_boosted
raw r 'no event: return, entry single-stepped' pe_bench_stepped return
raw rb 'no event: return, entry boosted' pe_bench_boosted return
echo 1 > $optimise
echo 1 > "$PROBES/kprobes/optimization"
jumps=1
events jump-2 'where a jump fits, 2 registers' "p:bench/e $target$long_site $two"
raw o 'no event: where a jump fits (optimised)' pe_bench_jumped
raw ro 'no event: return, a jump fits at the entry' pe_bench_jumped return
rmmod pe_bench
