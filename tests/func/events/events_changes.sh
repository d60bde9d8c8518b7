#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: whatever changes what a hit must do is in force when its write returns, under hits from every context
# tier: 6.12-cloud 6.12-cloud@toggled 6.12-cloud@interpreted
# seconds: 4 debug=12
# modules: pe_stress
#
# pe_stress calls one function from every context while each change is made. Once hits in
# progress are over, exactly those counters grow that should. At the end every hit is accounted
# for. variant.c has the table of changes.

set -eu
cd "$PROBES"
# shellcheck source=tests/func/lib/events_lib.sh
. /host/events_lib.sh
evidence+=(kprobe_losses)
insmod /modules/pe_stress.ko
fn=pe_stress:pe_stress_target
par=/sys/module/pe_stress/parameters
nobody=4000000		# no task has this pid

# calls: of the function so far, into nmi and total; without a process
calls() {
	read -r _ _ _ nmi total < $par/calls
	nmi=${nmi#*=} total=${total#*=}
}

# burst: calls from every context
burst() {
	local until from

	calls
	until=$((total + 200)) from=$nmi
	echo 1 > $par/run
	until calls; [ "$total" -ge $until ] && [ "$nmi" -gt "$from" ]; do :; done
	echo 0 > $par/run
}

# counters EVENT PLACE: into the array of that name. Not those of hits that meet another. Opening
# the file waits for hits in progress.
declare -A before after
counters() {
	local -n to=$3
	local -a line names
	local i

	to=()
	while read -ra line; do
		[ "${line[0]}" != event ] || names=("${line[@]}")
		[ "${line[0]}" = "$1" ] && [ "${2:-${line[1]}}" = "${line[1]}" ] || continue
		for ((i = 2; i < ${#line[@]}; i++)); do
			case ${names[i]} in
			full|recursion|no_stack|dropped|in_flight|unlinked) ;;
			*) to[${names[i]}]=${line[i]} ;;
			esac
		done
	done < kprobe_losses
}

# now EVENT COUNTERS [PLACE]: from now on these grow, and no others
now() {
	local name grown=''

	echo 0 > $par/run
	counters "$1" "${3:-}" before
	burst
	counters "$1" "${3:-}" after
	for name in hits records extra off filter soft pid; do
		[ "${after[$name]}" = "${before[$name]}" ] || grown+=" $name"
	done
	is "counters of $1 that grow" "$2" "${grown# }"
	echo 1 > $par/run
}

{
	echo "p:v/fixed $fn ctx=%di:u32"
	echo "p:v/text $fn ctx=%di:u32 c=\$comm"
	echo "r:v/ret $fn r=\$retval:x64"
	echo "p:v/other $fn ctx=%di:u32"
} > kprobe_events
echo 1 > $par/run

# Filter, option, lists of pids; for each kind of record.
for event in fixed text ret; do
	e=v/$event d=events/v/$event
	never='ctx == 99'
	[ $event != ret ] || never='r == 99'

	now $e ''
	echo 1 > $d/enable
	now $e 'hits records'
	echo "$never" > $d/filter
	now $e 'hits filter'
	echo 1 > options/stacktrace
	now $e 'hits filter'
	echo 0 > $d/filter
	now $e 'hits records extra'
	echo $nobody > set_event_pid
	now $e 'hits pid'
	echo nostacktrace > trace_options
	now $e 'hits pid'
	: > set_event_pid
	now $e 'hits records'
	echo 0 > $d/enable
done

# A group's filter; both lists.
e=v/fixed d=events/v/fixed never='ctx == 99'
echo 1 > $d/enable
echo "$never" > events/v/filter
now $e 'hits filter'
echo $nobody > set_event_notrace_pid
now $e 'hits filter'
echo $nobody > set_event_pid
now $e 'hits pid'
: > set_event_notrace_pid
now $e 'hits pid'
echo 0 > events/v/filter
: > set_event_pid
now $e 'hits records'

# Triggers that need not see the record, and that must.
echo traceon > $d/trigger
now $e 'hits records'
echo 0 > $d/enable
now $e 'hits soft'
echo 'stacktrace if ctx < 99' > $d/trigger
now $e 'hits records extra soft'
echo 1 > $d/enable
now $e 'hits records extra'
echo "$never" > $d/filter
now $e 'hits records extra filter'
echo '!stacktrace' > $d/trigger
now $e 'hits filter'
echo '!traceon' > $d/trigger
now $e 'hits filter'
echo 0 > $d/filter
now $e 'hits records'

# Soft mode of another event, by what triggers do.
o=v/other
echo "enable_event:v:other if $never" > $d/trigger
now $o 'hits soft'
echo '!enable_event:v:other' > $d/trigger
now $o ''
echo 'enable_event:v:other' > $d/trigger
burst
now $o 'hits records'
echo '!enable_event:v:other' > $d/trigger
now $o 'hits records'
echo 'disable_event:v:other' > $d/trigger
burst
now $o 'hits soft'
echo '!disable_event:v:other' > $d/trigger
now $o ''

# A second instance has its own switches, filter, pids and options.
mkdir instances/two
echo 1 > instances/two/$d/enable
now $e 'hits records extra'
echo 0 > $d/enable
now $e 'hits records'
echo "$never" > instances/two/$d/filter
now $e 'hits filter'
echo $nobody > instances/two/set_event_pid
now $e 'hits pid'
: > instances/two/set_event_pid
echo 0 > instances/two/$d/filter
echo 1 > options/stacktrace
now $e 'hits records'
echo 1 > instances/two/options/stacktrace
now $e 'hits records extra'
echo 0 > options/stacktrace
echo 0 > instances/two/$d/enable
now $e ''
echo 1 > $d/enable
echo traceon > instances/two/$d/trigger
now $e 'hits records extra soft'
rmdir instances/two
now $e 'hits records'

# A second probe on an event that has a filter and a trigger.
echo "$never" > $d/filter
echo "stacktrace if $never" > $d/trigger
place="$fn+$(cat $par/site)"
echo "p:v/fixed $place ctx=%di:u32" >> kprobe_events
now $e 'hits filter' "$place"
echo 0 > $d/filter
now $e 'hits records' "$place"
echo 0 > $d/enable
now $e 'hits soft' "$place"
echo '!stacktrace' > $d/trigger
now $e '' "$place"

echo 0 > $par/run
cat kprobe_losses
sums
echo > kprobe_events
rmmod pe_stress
