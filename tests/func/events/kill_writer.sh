#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: kill -9 of writers and readers at random moments leaves a working system
# kernels: all
# tier: 6.12-cloud debug
# seconds: 8 debug=12

set -eu
cd "$PROBES"
# shellcheck source=tests/func/lib/check_lib.sh
. /host/check_lib.sh
seed=${PE_SEED:-$RANDOM}
RANDOM=$seed
echo "PE_SEED=$seed"

writer() {
	while :; do
		echo "p:k/open do_sys_openat2 dfd=%di file=+0(%si):ustring" >> kprobe_events
		echo "p:k/mid do_sys_openat2+$off a=%di" >> kprobe_events
		echo 1 > events/k/enable
		cat /etc/hostname > /dev/null
		echo 0 > events/k/enable
		echo "-:k/open" >> kprobe_events
		echo "-:k/mid" >> kprobe_events
	done
}

# The first offset after the entry that takes a probe.
off=
for ((i = 5; i < 40; i++)); do
	if echo "p:try do_sys_openat2+$i" > kprobe_events 2>/dev/null; then
		off=$i
		break
	fi
done
differs 'an offset that takes a probe' '' "$off"
echo > kprobe_events

for ((round = 1; round <= ${ROUNDS:-$(length 16 200)}; round++)); do
	writer 2>/dev/null &
	w=$!
	cat trace_pipe > /dev/null &
	r=$!
	sleep "0.$((RANDOM % 6))$((RANDOM % 10))"
	kill -9 $w $r
	wait $w $r 2>/dev/null || true
	# Whatever it left, the next person can look, stop and remove it.
	cat kprobe_events > /dev/null
	echo 0 > events/enable
	echo > kprobe_events
	holds kprobe_events ''
done
# And all of it still works.
echo "p:after do_sys_openat2 file=+0(%si):ustring" > kprobe_events
echo 1 > events/kprobes/after/enable
cat /etc/hostname > /dev/null
echo 0 > events/kprobes/after/enable
has trace 'after: (do_sys_openat2+.*file="/etc/hostname"'
echo > kprobe_events
