#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: limits that are written, events that are deleted and sessions that are killed while limits are reached
# tier: 6.12-cloud debug
# not: 6.1-cloud: shows what 6.12-cloud does
# tools: session
# modules: pe_stress
# seconds: 40 debug=28

set -eu
cd "$PROBES"
# shellcheck source=tests/func/lib/session_lib.sh
. /host/session_lib.sh
insmod /modules/pe_stress.ko
par=/sys/module/pe_stress/parameters
fn=pe_stress:pe_stress_target
# quietly COMMAND...: it may be refused, as others do the same
quietly() { "$@" 2> /dev/null || true; }

# Many at one place: one call stops all of them.
for i in $(seq 300); do
	echo "p:m/e$i read_zero n=%dx:u64"
done > kprobe_events
for i in $(seq 300); do
	echo 'hits=1' > events/m/e$i/limit
done
echo 1 > events/m/enable
read_zeros 3
all_stopped() { [ -z "$(grep -L '^tripped: hits 1 of 1 ' events/m/*/limit)" ]; }
within 30 all_stopped
for i in 1 150 300; do
	value_is m/e$i records 1
done
sums
holds events/m/enable 0
echo > kprobe_events

# All at once, under hits of every context.
writer() {
	while [ ! -e /tmp/stop ]; do
		quietly put "hits=$((RANDOM % 500 + 1)) rate=1M/s ttl=1h" events/h/one/limit
		quietly put "hits=$((RANDOM % 50 + 1))" instances/i/events/h/one/limit
		quietly put none events/h/one/limit
	done
}
enabler() {
	while [ ! -e /tmp/stop ]; do
		quietly put 1 events/h/one/enable
		quietly put 1 instances/i/events/h/one/enable
		quietly append 'hist:keys=ctx' events/h/one/trigger
		quietly append '!hist:keys=ctx' events/h/one/trigger
		quietly put 0 events/h/enable
	done
}
deleter() {
	while [ ! -e /tmp/stop ]; do
		quietly put 0 instances/i/events/h/one/enable
		quietly put 0 events/h/one/enable
		quietly append '-:h/one' kprobe_events
		quietly append "p:h/one $fn ctx=%di:u32" kprobe_events
		quietly append "r:h/ret $fn" kprobe_events
	done
}
killer() {
	local i pid

	printf '%s\n' "p:mine $fn" 'limit mine hits=5' 'instance 8' 'limit h/ret hits=7' \
		'enable mine' 'enable h/ret' > /tmp/mine
	while [ ! -e /tmp/stop ]; do
		/host/session hold 2 /tmp/mine > /dev/null 2>&1 & pid=$!
		sleep "0.0$((RANDOM % 10))"
		kill -9 $pid
		wait $pid 2> /dev/null || true
	done
}
instances() {
	while [ ! -e /tmp/stop ]; do
		quietly mkdir instances/j
		quietly put "hits=3" instances/j/events/h/one/limit
		quietly put 1 instances/j/events/h/one/enable
		quietly rmdir instances/j
	done
}
# told N: so many are stopped, and told in the log: one in a second at most
told() { [ "$(dmesg | count ' has reached its limit: ')" -ge "$1" ]; }
mkdir instances/i
rm -f /tmp/stop
before=$(dmesg | count ' has reached its limit: ')
echo "r:h/ret $fn" > kprobe_events
echo 1 > $par/run
pids=
for who in writer enabler deleter killer instances; do
	$who & pids+=" $!"
done
within 240 stress_saw 200 nmi
sleep 5
within 60 told $((before + 3))
touch /tmp/stop
wait $pids
echo 0 > $par/run
rmdir instances/i
[ ! -d instances/j ] || rmdir instances/j
within 10 eval '[ "$(grep -c . sessions)" = 1 ]'
echo 0 > events/enable
sums
echo > kprobe_events
holds kprobe_events ''

# It works as on the first day.
echo "p:h/one $fn ctx=%di:u32" > kprobe_events
echo 'hits=100' > events/h/one/limit
echo 1 > events/h/one/enable
stress_run 3000
within 10 grep -q '^tripped: hits 100 of 100' events/h/one/limit
value_is h/one records 100
sums
echo > kprobe_events
