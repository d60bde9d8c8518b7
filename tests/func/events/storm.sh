#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: hits from every context while probes come and go: every one is accounted for
# tier: 6.12-cloud 6.12-rt 5.10-cloud 7.3-cloud bare 6.12-cloud@toggled 6.12-cloud@plain bare@toggled debug@toggled
# seconds: 4 debug=11
#
# pe_stress calls one function from threads, softirq, hard interrupts and NMIs on
# every CPU and counts the calls itself.  Two events stay on the function all the
# time, one at its entry and one in its middle; others are added, enabled,
# disabled and removed beside them and on the same addresses; a reader drains.
# At the end, for both, calls = hits and hits = records + losses.
#
# SECONDS_LONG (default 10, the long run 60) is how long it lasts.

set -eu
cd "$PROBES"
# shellcheck source=tests/func/lib/events_lib.sh
. /host/events_lib.sh
duration=${SECONDS_LONG:-$(length 10 60)}
par=/sys/module/pe_stress/parameters
insmod /modules/pe_stress.ko
site=$(cat $par/site)
fn=pe_stress:pe_stress_target

# losses EVENT: "hits records sum-of-losses"
losses() {
	awk -v e="$1" 'NR == 1 { for (i = 1; i <= NF; i++) col[$i] = i; next }
		$1 == e { s = 0; for (i = col["records"] + 1; i <= NF; i++) s += $i
			  print $(col["hits"]), $(col["records"]), s }' kprobe_losses
}

churn() {
	local n=0 place

	while [ ! -e /tmp/stop ]; do
		for place in "" "+$site"; do
			echo "p:churn/c$((n % 4)) $fn$place a=%di" >> kprobe_events
			echo 1 > events/churn/enable
			n=$((n + 1))
		done
		echo "p:churn/other $fn+$site s=%si c=\$comm" >> kprobe_events
		echo 1 > events/churn/other/enable
		echo 0 > events/churn/enable
		grep -o '^p:churn/[^ ]*' kprobe_events | sed 's/^p/-/' >> kprobe_events
	done
	echo $n > /tmp/churned
}

echo "p:keep/entry $fn context=%di n=%si" > kprobe_events
echo "p:keep/middle $fn+$site context=%di c=\$comm" >> kprobe_events
echo 1 > events/keep/enable
rm -f /tmp/stop
cat trace_pipe > /tmp/drained &
reader=$!
churn &
churner=$!
echo 1 > $par/run
sleep "$duration"
within 300 stress_saw 1 irq nmi
within 300 test -s /tmp/drained
echo 0 > $par/run
touch /tmp/stop
wait $churner
kill $reader 2>/dev/null || true
wait $reader 2>/dev/null || true
echo 0 > events/enable

calls=$(sed 's/.*total=//' $par/calls)
echo "calls: $(cat $par/calls)"
cat kprobe_losses
echo "$(wc -l < /tmp/drained) lines drained, $(cat /tmp/churned) probes came and went"
has $par/calls 'irq=[1-9]'
has $par/calls 'nmi=[1-9]'
evidence+=("$par/calls" kprobe_losses)
for e in keep/entry keep/middle; do
	read -r hits records lost < <(losses $e)
	is "hits of $e" "$calls" "$hits"
	is "records and losses of $e" "$hits" $((records + lost))
done
at_least 'probes that came and went' 1 "$(cat /tmp/churned)"
at_least 'lines drained' 1 "$(wc -l < /tmp/drained)"
echo > kprobe_events
rmmod pe_stress
