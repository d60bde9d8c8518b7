#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: tables under hits from task, softirq, irq and NMI, while they are taken and cleared: sums are exact
# not: 6.12-rt 6.1-cloud: shows what 6.12-cloud does
# tier: 6.12-cloud debug
# seconds: 25 debug=10
# modules: pe_stress
#
# pe_stress.ko calls one function from every context. One table has a key that all of them hit, one
# that differs by context, one a distribution of values, and one is too small for its keys. Each is
# taken, or cleared, in a loop. At the end, what was taken and what is left is what was counted:
# by kprobe_losses, by the table's own balance, and by the hits of the event.

set -eu
cd "$PROBES"
# shellcheck source=tests/func/lib/events_lib.sh
. /host/events_lib.sh
par=/sys/module/pe_stress/parameters
insmod /modules/pe_stress.ko
fn=pe_stress:pe_stress_target
printf '%s\n' "p:h/one $fn ctx=%di:u32 n=%si:u64" "p:h/middle $fn+$(cat $par/site) ctx=%di:u32 n=%si:u64" \
	"r:h/ret $fn ns=\$elapsed" >kprobe_events
echo 'hist:keys=common_type:vals=n' >events/h/one/trigger
echo 'hist:keys=ctx,common_cpu:vals=n.max,n.dist' >events/h/middle/trigger
echo 'hist:keys=common_comm:vals=ns.dist' >events/h/ret/trigger
echo 'hist:keys=n:size=128' >>events/h/one/trigger

# taker EVENT: add what is taken to /tmp/EVENT, until /tmp/stop is there
taker() {
	exec 9<>events/h/$1/table
	while [ ! -e /tmp/stop ]; do
		echo take >&9
		cat <&9 >>/tmp/$1
	done
	exec 9>&-
}
clearer() {
	while [ ! -e /tmp/stop ]; do
		echo 'hist:keys=n:size=128:clear' >>events/h/one/trigger
		cat events/h/one/hist >/dev/null
		sleep 0.05
	done
}

rm -f /tmp/stop /tmp/one /tmp/middle /tmp/ret
echo 1 >$par/run
taker middle &
pids=$!
taker ret &
pids="$pids $!"
clearer &
pids="$pids $!"
for turn in 1 2 3; do
	within 120 stress_saw $(($(stress_calls nmi) + 30)) nmi
	echo $((turn % 2)) >events/h/enable	# recorded as well, or not
done
echo 0 >$par/run
touch /tmp/stop
wait $pids
echo 0 >events/h/enable
for event in middle ret; do
	exec 9<>events/h/$event/table
	echo take >&9
	cat <&9 >>/tmp/$event
	exec 9>&-
done
cat events/h/one/table >/tmp/one

# rows FILE: hits of all rows, and of all others; they are after the keys
rows() {
	awk -F '\t' '$1 == "#columns" { for (i = 2; i <= NF; i++) if ($i == "hits:u64") col = i - 1; next }
		$1 == "#other" { n += $2; next }
		/^#/ { next }
		{ n += $col } END { print n + 0 }' "$1"
}
balance() { awk -F '\t' -v k="$2" '$1 == "#balance" { for (i = 2; i < NF; i += 2) if ($i == k) v = $(i + 1) } END { print v }' "$1"; }

sums
for event in middle ret; do
	counted=$(value h/$event counted)
	at_least "$event: counted" 1000 "$counted"
	is "$event: taken" "$counted" "$(rows /tmp/$event)"
	is "$event: balance" "$counted" "$(balance /tmp/$event hits)"
	at_least "$event: takes" 3 "$(grep -c '^#end' /tmp/$event)"
done
# Two tables of one event: each has all of its hits, and one has lost none.
hits=$(value h/one hits)
is 'one: counted twice' $((2 * (hits - $(value h/one recursion)))) "$(value h/one counted)"
awk '/^#probe-events-table/ { n++ } { print > ("/tmp/one." n) }' /tmp/one
is 'one: first table' $((hits - $(value h/one recursion))) "$(rows /tmp/one.1)"
is 'one: second table' $((hits - $(value h/one recursion))) "$(balance /tmp/one.2 hits)"
is 'one: second table, rows and cleared' "$(balance /tmp/one.2 hits)" \
	$(($(balance /tmp/one.2 rows) + $(balance /tmp/one.2 other) + $(balance /tmp/one.2 cleared)))
at_least 'one: cleared' 100 "$(balance /tmp/one.2 cleared)"
# Every context has come.
is 'contexts' '0 1 2 3' "$(grep -v '^#' /tmp/middle | cut -f 1 | sort -u | paste -sd ' ')"
