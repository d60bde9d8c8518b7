#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: triggers in NMI: snapshots that lose no record, stacks, switches; also while they come and go
# not: 6.12-rt 6.1-cloud: shows what 6.12-cloud does
# tier: 6.12-cloud bare
# seconds: 6
# modules: pe_stress
#
# pe_stress.ko calls one function from every context; each trigger's filter picks the calls
# from NMI. The kernel's own snapshot trigger does nothing there, with a warning. Ours
# exchanges two pointers, which any context may do, so it has to hold what it promises:
# hits = records + losses, and every record is in one of the two buffers.

set -eu
cd "$PROBES"
# shellcheck source=tests/func/lib/events_lib.sh
. /host/events_lib.sh
par=/sys/module/pe_stress/parameters
insmod /modules/pe_stress.ko
fn=pe_stress:pe_stress_target
nmi='ctx == 3'
printf '%s\n' "p:n/entry $fn ctx=%di:u32" "p:n/middle $fn+$(cat $par/site) ctx=%di:u32" > kprobe_events

storm() { echo 1 > $par/run; }
calm() { echo 0 > $par/run; }
more_nmis() { within 120 stress_saw $(($(stress_calls nmi) + $1)) nmi; }
used_up() { grep -q 'count=0' "events/n/$1/trigger"; }
# in_both EVENT: records in the two buffers
in_both() { cat trace snapshot | records "$1" -; }
start_anew() {
	echo 0 > events/enable
	echo > kprobe_events
	printf '%s\n' "p:n/entry $fn ctx=%di:u32" "p:n/middle $fn+$(cat $par/site) ctx=%di:u32" > kprobe_events
	echo > trace
}

# Snapshots, by every NMI: nothing is lost between the two buffers. Both places: the entry,
# and the breakpoint.
echo 8000 > buffer_size_kb
for event in entry middle; do
	start_anew
	echo 'ctx >= 2' > events/n/$event/filter
	echo "snapshot if $nmi" > events/n/$event/trigger
	echo 1 > events/n/$event/enable
	storm
	for i in 1 2 3; do
		more_nmis 20
		echo 1 > snapshot		# others take one meanwhile
	done
	calm
	echo '!snapshot' > events/n/$event/trigger
	is "$event: all records are there" "$(value n/$event records)" "$(in_both $event)"
	is "$event: only the filter kept any away" "$(value n/$event hits)" \
		$(($(value n/$event records) + $(value n/$event filter) + $(value n/$event recursion)))
	at_least "$event: records in NMI" 60 "$(cat trace snapshot | count ' ctx=3$')"
	sums
	echo 0 > snapshot
done

# A count is used up exactly: five exchanges, and the fifth leaves the first record after it
# in the one buffer, and all others in the other. Hits in NMI only.
start_anew
echo "$nmi" > events/n/entry/filter
echo "snapshot:5 if $nmi" > events/n/entry/trigger
echo 1 > events/n/entry/enable
storm
within 120 used_up entry
more_nmis 10
calm
is 'counted' "$(value n/entry records)" "$(in_both entry)"
# Each record is in the snapshot that it causes: 1, 3, 5 in the one, 2, 4 in the other, which
# goes on.
at_most 'records of entry in snapshot' 3 "$(records entry snapshot)"
echo '!snapshot' > events/n/entry/trigger
echo 0 > snapshot

# Stacks: one after each record of an NMI, and through it.
start_anew
echo "$nmi" > events/n/entry/filter
echo "stacktrace if $nmi" > events/n/entry/trigger
echo 1 > events/n/entry/enable
storm
more_nmis 20
calm
n=$(records entry)
at_least 'records' 20 "$n"
is 'a stack each' "$n" "$(grep -c '<stack trace>' trace)"
is 'from the function' "$n" "$(grep -A 1 '<stack trace>' trace | grep -c '^ => pe_stress_target')"
is 'through the NMI' "$n" "$(grep -cE '^ => (asm_exc_nmi|end_repeat_nmi)' trace)"
is 'its handler' "$n" "$(grep -c '^ => nmi_fn' trace)"
is 'in kprobe_losses' $((2 * n)) "$(value n/entry records)"
sums
echo '!stacktrace' > events/n/entry/trigger

# Switches: recording, and another event.
middle=events/n/middle/enable
start_anew
echo "traceoff:1 if $nmi" > events/n/entry/trigger
storm
within 120 text_is tracing_on 0
calm
used_up entry || fail "trigger: $(cat events/n/entry/trigger)"
echo '!traceoff' > events/n/entry/trigger
echo "traceon:1 if $nmi" > events/n/entry/trigger
storm
within 120 text_is tracing_on 1
calm
echo '!traceon' > events/n/entry/trigger
echo "enable_event:n:middle:1 if $nmi" > events/n/entry/trigger
holds $middle '0*'
storm
within 120 text_is $middle '1*'
calm
at_least 'records of n/middle' 1 "$(value n/middle records)"
echo '!enable_event:n:middle' > events/n/entry/trigger
echo 1 > events/n/middle/enable
echo "disable_event:n:middle:1 if $nmi" > events/n/entry/trigger
storm
within 120 text_is $middle '0*'
calm
sums
echo '!disable_event:n:middle' > events/n/entry/trigger

# All of them at once, while they come and go, the buffers change, and an instance with some
# of its own is removed.
start_anew
echo 64 > buffer_size_kb
storm
for i in $(seq "$(length 4 20)"); do
	echo 1 > events/n/enable
	mkdir instances/x
	for dir in . instances/x; do
		echo "snapshot if $nmi" > $dir/events/n/entry/trigger
		echo "stacktrace if $nmi" > $dir/events/n/entry/trigger
		echo "disable_event:n:middle if $nmi" > $dir/events/n/entry/trigger
		echo "enable_event:n:middle if ctx == 2" > $dir/events/n/middle/trigger
		echo "traceoff if $nmi" > $dir/events/n/middle/trigger
		echo "traceon if ctx == 1" >> $dir/events/n/entry/trigger
		echo "snapshot if $nmi" > $dir/events/n/middle/trigger
	done
	echo 1 > instances/x/events/n/enable
	more_nmis 10
	echo $((64 + i % 2 * 64)) > buffer_size_kb
	echo mono > trace_clock
	echo 2 > snapshot
	cat snapshot trace > /tmp/text
	echo local > trace_clock
	rmdir instances/x
	for event in entry middle; do
		grep -v '^#' events/n/$event/trigger | while read -r line _; do
			echo "!$line" > events/n/$event/trigger
		done
	done
	echo 0 > snapshot
	echo 1 > tracing_on
done
calm
sums
cat kprobe_losses
echo > set_event
echo > kprobe_events
