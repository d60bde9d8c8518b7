#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: return probes: values, $argN at entry, $elapsed, recursion, sleepers, losses
# tier: 6.12-cloud 6.12-rt 6.1-cloud bare debug
# seconds: 11 debug=23
# modules: pe_calls pe_stress
#
# pe_calls.ko knows how often its functions are called, with what, and how long they take:
# records are compared with that.

set -eu
cd "$PROBES"
# shellcheck source=tests/func/lib/events_lib.sh
. /host/events_lib.sh
par=/sys/module/pe_calls/parameters
insmod /modules/pe_calls.ko

evidence+=(error_log kprobe_events kprobe_losses kprobe_profile)

# sleeping N: so many are inside
sleeping() { within 60 grep -qx "$1" $par/asleep; }

listing() {
	printf '%s\n' 'r:t/a pe_calls_fast' 'r10:t/b pe_calls_fast r=$retval' \
		'p:t/c pe_calls_fast%return e=$elapsed' 'r4096 pe_calls:pe_calls_fast a=$arg1' > kprobe_events
	diff - kprobe_events <<-'END' || fail "the list"
		r:t/a pe_calls_fast
		r10:t/b pe_calls_fast r=$retval
		r:t/c pe_calls_fast e=$elapsed
		r4096:kprobes/r_pe_calls_pe_calls_fast_0 pe_calls:pe_calls_fast a=$arg1
	END
	cat kprobe_events > /tmp/again
	cat /tmp/again > kprobe_events
	diff /tmp/again kprobe_events || fail "the list, written back"
	sed 's/^ID.*/ID/' events/t/c/format > /tmp/format
	diff - /tmp/format <<-END || fail "the format"
		name: c
		ID
		format:
		$(printf '\t')field:unsigned short common_type;$(printf '\t')offset:0;$(printf '\t')size:2;$(printf '\t')signed:0;
		$(printf '\t')field:unsigned char common_flags;$(printf '\t')offset:2;$(printf '\t')size:1;$(printf '\t')signed:0;
		$(printf '\t')field:unsigned char common_preempt_count;$(printf '\t')offset:3;$(printf '\t')size:1;$(printf '\t')signed:0;
		$(printf '\t')field:int common_pid;$(printf '\t')offset:4;$(printf '\t')size:4;$(printf '\t')signed:1;

		$(printf '\t')field:unsigned long __probe_func;$(printf '\t')offset:8;$(printf '\t')size:8;$(printf '\t')signed:0;
		$(printf '\t')field:unsigned long __probe_ret_ip;$(printf '\t')offset:16;$(printf '\t')size:8;$(printf '\t')signed:0;
		$(printf '\t')field:u64 e;$(printf '\t')offset:24;$(printf '\t')size:8;$(printf '\t')signed:0;

		print fmt: "(%lx <- %lx) e=%Lu", REC->__probe_func, REC->__probe_ret_ip, REC->e
	END
}

# Every call of an exact number is a record with the right value, by two events of
# which one has two places, beside an entry probe on the same function.
exact() {
	printf '%s\n' 'p:t/in pe_calls_fast a=%di:u64' 'r:t/out pe_calls_fast a=$arg1:u64 r=$retval:u64' \
		'r:t/multi pe_calls_fast r=$retval:u64' 'r:t/multi pe_calls_clobber r=$retval:u64' > kprobe_events
	echo > trace
	echo 1 > events/t/enable
	echo 300 > $par/fast
	echo 1 > $par/clobber
	echo 0 > events/t/enable
	sums || fail "hits are not records and losses"
	value_is t/in records 300
	value_is t/out records 300
	value_is t/multi records 300 pe_calls_fast
	value_is t/multi records 1 pe_calls_clobber
	value_is t/out hits 300
	has kprobe_profile '^  out {41} +300 +0$' -E
	grep ' out: (' trace | sed 's/.*) a=//' > /tmp/got
	for ((i = 0; i < 300; i++)); do echo "$i r=$((3 * i))"; done > /tmp/want
	cmp -s /tmp/want /tmp/got || fail "values: $(diff /tmp/want /tmp/got | head)"
	is 'known callers' 300 "$(count ' out: (fast_set+0x[0-9a-f]*/0x[0-9a-f]* \[pe_calls\] <- pe_calls_fast) a=' trace)"
	is 'the other place' 1 "$(count ' multi: (clobber_set+.* <- pe_calls_clobber) r=18369614221190020847$' trace)"
	# One of the places goes, the other goes on.
	echo '-:t/multi pe_calls_fast' >> kprobe_events
	echo 1 > events/t/multi/enable
	echo 5 > $par/fast
	echo 1 > $par/clobber
	echo 0 > events/t/multi/enable
	value_is t/multi records 2
	echo > kprobe_events
}

# $argN is what the caller gave, $ax and memory are what the function left.
at_entry() {
	echo 'r:t/clobber pe_calls_clobber b=$arg2 c=$arg3 d=$arg4 e=$arg5 f=$arg6 g=$arg7 h=$arg8' \
		'm=+0($arg1) low=$arg8:u8 bits=$arg3:b4@4/16 di=%di cx=%cx:x16 ax=%ax:x32 $comm' \
		'where=$arg1:symbol' > kprobe_events
	echo 1 > events/t/enable
	echo 1 > $par/clobber
	echo 0 > events/t/enable
	has trace ' clobber: (clobber_set+.* <- pe_calls_clobber) b=0x2222222222222222 c=0x3333333333333333 d=0x4444444444444444 e=0x5555555555555555 f=0x6666666666666666 g=0x7777777777777777 h=0x8888888888888888 m=0xabcd low=136 bits=3 di=0xdead cx=0xdead ax=0xcafebeef arg14="[^"]*" where=word'
	echo > kprobe_events
}

# Each level of a recursion: its argument, its value, and a time between that which the
# body itself has measured and that of the body around it.
recursion() {
	local deep=$1
	echo "r:t/rec pe_calls_recurse d=$2:u32 r=\$retval:u32 e=\$elapsed" > kprobe_events
	echo > trace
	echo 1 > events/t/enable
	echo "$deep" > $par/recurse
	echo 0 > events/t/enable
	sums || fail "hits are not records and losses"
	value_is t/rec hits $((deep + 1))
	value_is t/rec records $((deep + 1))
	value_is t/rec no_stack 0
	grep ' rec: (' trace | sed 's/.*) d=\([0-9]*\) r=\([0-9]*\) e=\([0-9]*\)$/\1 \2 \3/' > /tmp/levels
	awk 'NR == FNR { body[$1] = $2; next }
		$1 != n++ { print "not level " n - 1 ": " $0; bad = 1 }
		$2 != $1 * ($1 + 1) / 2 { print "value: " $0; bad = 1 }
		$3 < body[$1] { print "shorter than its body, " body[$1] ": " $0; bad = 1 }
		($1 + 1 in body) && $3 > body[$1 + 1] { print "longer than around it, " body[$1 + 1] ": " $0; bad = 1 }
		END { exit bad || !n }' $par/recurse /tmp/levels || fail "levels of the recursion"
	is 'callers in the recursion' "$deep" "$(count ' rec: (pe_calls_recurse+0x' trace)"
	echo > kprobe_events
}

# Switched off while calls sleep: they are dropped; switched on again: recorded.
# Deleted under them: nothing happens.  In each state the sum holds.
sleepers() {
	echo 'r:t/sleep pe_calls_sleep i=$arg1:s64 r=$retval:s64 e=$elapsed' > kprobe_events
	echo > trace
	echo 1 > events/t/enable
	echo 10 > $par/sleep
	sleeping 10
	sums || fail "hits are not records and losses"
	value_is t/sleep in_flight 10
	value_is t/sleep hits 10
	value_is t/sleep records 0
	echo 0 > events/t/enable
	sums || fail "hits are not records and losses"
	value_is t/sleep in_flight 10
	echo 1 > $par/wake
	sleeping 0
	sums || fail "hits are not records and losses"
	value_is t/sleep dropped 10
	value_is t/sleep in_flight 0
	value_is t/sleep hits 10

	echo 1 > events/t/enable
	echo 7 > $par/sleep
	sleeping 7
	echo 0 > events/t/enable
	echo 1 > events/t/enable
	sleep 0.3
	echo 1 > $par/wake
	sleeping 0
	echo 0 > events/t/enable
	sums || fail "hits are not records and losses"
	value_is t/sleep records 7
	value_is t/sleep dropped 10
	value_is t/sleep in_flight 0
	awk '/ sleep: \(/ { match($0, /i=-?[0-9]+/); i = substr($0, RSTART + 2, RLENGTH - 2) + 0
		match($0, /r=-?[0-9]+/); r = substr($0, RSTART + 2, RLENGTH - 2) + 0
		match($0, /e=[0-9]+/); e = substr($0, RSTART + 2, RLENGTH - 2) + 0
		if (r != 1000 + i || e < 300000000 || e > 60000000000 || seen[i]++) { print; bad = 1 }
		n++ }
		END { exit bad || n != 7 }' trace || fail "values of the sleepers"

	echo 5 > $par/sleep
	sleeping 5
	echo 1 > events/t/enable
	echo 3 > $par/sleep
	sleeping 8
	# Entered before: their returns are not ours.
	sums || fail "hits are not records and losses"
	value_is t/sleep in_flight 3
	echo 0 > events/t/enable
	echo > kprobe_events
	echo 'r:t/other pe_calls_sleep r=$retval' > kprobe_events
	echo 1 > events/t/enable
	echo 1 > $par/wake
	sleeping 0
	echo 0 > events/t/enable
	value_is t/other hits 0
	echo > kprobe_events
}

# Calls that never return are in flight for ever, and are seen to be.
never() {
	echo 'r:t/never pe_calls_never' > kprobe_events
	echo 1 > events/t/enable
	echo 4 > $par/never
	echo 0 > events/t/enable
	sums || fail "hits are not records and losses"
	value_is t/never in_flight 4
	value_is t/never records 0
	value_is t/never hits 4
	echo > kprobe_events
}

# Other reasons: recording is off, and an event that is switched under fire, whose calls
# the module counts: each call from start to end of the switching is exactly one hit of
# the event that stays on.
came() { [ "$(value t/comes records)" -gt 0 ] && [ "$(value t/stays records)" -gt 0 ]; }
under_fire() {
	local i calls=0 state
	printf '%s\n' 'r:t/stays pe_calls_fast a=$arg1 e=$elapsed $comm' 'r:t/comes pe_calls_fast r=$retval' \
		'p:t/entry pe_calls_fast' > kprobe_events
	echo 1 > events/t/stays/enable
	echo 0 > tracing_on
	echo 50 > $par/fast
	echo 1 > tracing_on
	value_is t/stays off 50
	(
		while [ ! -e /tmp/stop ]; do
			echo 200 > $par/fast
			calls=$((calls + 200))
		done
		echo $calls > /tmp/calls
	) &
	for ((i = 0; i < 40; i++)); do
		state=$((i % 2))
		echo $state > events/t/comes/enable
		[ $((i % 3)) != 0 ] || echo $((!state)) > events/t/entry/enable
		[ $((i % 5)) != 0 ] || {
			echo 'r:t/more pe_calls_fast x=$retval' >> kprobe_events
			echo 1 > events/t/more/enable
			echo 0 > events/t/more/enable
			echo '-:t/more' >> kprobe_events
		}
	done
	echo 1 > events/t/comes/enable
	within 60 came
	touch /tmp/stop
	wait
	echo 0 > events/enable
	sums || fail "hits are not records and losses"
	cat kprobe_losses
	value_is t/stays hits $(($(cat /tmp/calls) + 50))
	# The buffer is held while it is cleared, when an event that was enabled goes: "off".
	for state in recursion no_stack dropped in_flight full filter unlinked limited; do
		value_is t/stays $state 0
	done
	echo > kprobe_events
}

# A module's function: the probe waits for it, and is there again when it is.
module() {
	local i last=0 hits
	printf '%s\n' 'r:m/wait pe_stress:pe_stress_target r=$retval e=$elapsed' \
		'r:m/never pe_stress:no_such_function' > kprobe_events
	echo 1 > events/m/enable
	for i in 1 2 3; do
		insmod /modules/pe_stress.ko
		stress_run 50
		rmmod pe_stress
		sums || fail "hits are not records and losses"
		hits=$(value m/wait records)
		at_least "records after load $i" $((last + 1)) "$hits"
		value_is m/wait in_flight 0
		last=$hits
	done
	value_is m/never hits 0
	echo 0 > events/enable
	echo > kprobe_events
}

listing
exact
at_entry
recursion 60 '$arg1'
recursion 200 @pe_calls_depth
sleepers
never
under_fire
module
rmmod pe_calls
