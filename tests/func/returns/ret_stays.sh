#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: a return probe that stays sees every call in a storm, while others come and go
# seconds: 2
# tier: 6.12-cloud bare
# modules: pe_stress pe_probe
#
# pe_stress.ko calls a function from tasks, softirqs, interrupts and NMIs and counts the calls.
# A return probe of the engine stays on it; another one and entry probes on the same function
# come, are switched off and on, and go.
set -eu
# shellcheck source=tests/func/lib/engine_lib.sh
. /host/engine_lib.sh
# shellcheck source=tests/func/lib/events_lib.sh
. /host/events_lib.sh
rounds=${ROUNDS:-$(length 8 400)}
load pe_stress pe_probe
run=/sys/module/pe_stress/parameters/run
stays=pe_stress:pe_stress_target
comes=pe_stress_target

# called_so_often N: the function has been called so often; for within
called_so_often() { [ "$(stress_calls total)" -ge "$1" ]; }
# Some calls go by in each state.
calls_go_by() { within 60 called_so_often $(($(stress_calls total) + 100)); }

add r:$stays
add $stays
echo 1 > $run
for ((i = 0; i < rounds; i++)); do
	calls_go_by
	add r:$comes
	calls_go_by
	case $((i % 4)) in
	0) echo r:$comes > $P/disable; calls_go_by; echo r:$comes > $P/enable; calls_go_by ;;
	1) add $comes; calls_go_by; del $comes ;;
	2) del $stays; calls_go_by; add $stays ;;
	3) ;;
	esac
	del r:$comes
done
within 60 stress_saw 100 task softirq irq nmi
echo 0 > $run
cat /sys/module/pe_stress/parameters/calls $P/hits
lacks $P/hits BAD_IP
is 'calls that returned' "$(stress_calls total)" "$(field r:$stays 2)"
is 'missed' 0 "$(field r:$stays 3)"
at=5
for kind in task softirq irq nmi; do
	is "returns in $kind" "$(stress_calls $kind)" "$(field r:$stays $at)"
	at=$((at + 1))
done
rmmod pe_probe pe_stress
