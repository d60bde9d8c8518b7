#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: hits from task, softirq, irq and NMI: each counted at its level, none lost
# kernels: all
# tier: 6.12-cloud 6.12-rt 6.1-cloud bare
# seconds: 4
# modules: pe_stress pe_probe
set -eu
# shellcheck source=tests/func/lib/engine_lib.sh
. /host/engine_lib.sh
# shellcheck source=tests/func/lib/events_lib.sh
. /host/events_lib.sh

load pe_stress pe_probe
S=/sys/module/pe_stress/parameters
site=$(cat $S/site)
for probe in pe_stress_target "pe_stress_target+$site"; do
	add $probe
done
before=$(cat $S/calls)
echo "before: $before"
echo 1 > $S/run
sleep 3
within 120 stress_saw 20 task softirq irq nmi
echo 0 > $S/run
after=$(cat $S/calls)
echo "after: $after"
cat $P/hits
total=${after##*total=}
for probe in pe_stress_target "pe_stress_target+$site"; do
	is "hits and misses of $probe" "$total" "$(( $(field $probe 2) + $(field $probe 3) ))"
	i=5
	for level in task softirq irq nmi; do
		want=${after##*$level=}; want=${want%% *}
		got=$(field $probe $i)
		[ "$level" != nmi ] || at_least 'NMIs' 1 "$want"
		[ "$(field $probe 3)" != 0 ] || is "hits of $probe in $level" "$want" "$got"
		i=$((i + 1))
	done
done
rmmod pe_probe pe_stress
