#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: random instruction boundaries across kernel text survive being probed
# tier: 6.12-cloud 6.1-cloud bare
# seconds: 9
# tools: ktext
#
# COUNT random instruction boundaries or more (PE_SEED repeats a run): each is armed, hit
# where the workload reaches it and disarmed, or refused with a reason.  Afterwards
# the kernel's text is byte for byte what it was.  Addresses inside an
# instruction are all refused.

set -eu
cd "$PROBES"
# shellcheck source=tests/func/lib/check_lib.sh
. /host/check_lib.sh
# shellcheck source=tests/func/lib/random_lib.sh
. /host/random_lib.sh
count=${COUNT:-$(length 120 2000)}
seed=${PE_SEED:-$RANDOM$RANDOM}
batch=120
tmp=/tmp/boundaries
mkdir -p $tmp
echo "PE_SEED=$seed, $count boundaries"

workload() {
	local i
	for i in 1 2 3; do
		ls -lR /proc/self /sys/kernel >/dev/null 2>&1 || true
		(echo hello | cat | wc -c) >/dev/null
		cp /bin/true $tmp/copy.$i
		bash -c 'exit 0'
		sleep 0.01
	done
	rm -f $tmp/copy.*
	sync
}

: > $tmp/armed
: > $tmp/refused
workload
/host/ktext save $tmp/text
# More than are needed, for a run in which none of the first is hit.
/host/ktext sites $((3 * count)) "$seed" > $tmp/sites
split -l $batch $tmp/sites $tmp/batch.
hit=0 hits=0 tried=0
for b in $tmp/batch.*; do
	[ $tried -lt "$count" ] || [ $hit = 0 ] || break
	tried=$((tried + $(wc -l < "$b")))
	define_all "$b" 'p:rb/b%d %s'
	[ -e events/rb/enable ] || continue
	echo 1 > events/rb/enable
	workload
	echo 0 > events/rb/enable
	read -r more sum < <(awk '$2 + $3 { n++; s += $2 + $3 } END { print n + 0, s + 0 }' kprobe_profile)
	hit=$((hit + more)) hits=$((hits + sum))
	echo "$tried tried, $hit hit, $SECONDS s"
	echo > trace
	echo > kprobe_events
done
armed=$(wc -l < $tmp/armed) refused=$(wc -l < $tmp/refused)
echo "$armed armed, of which $hit were hit ($hits hits); $refused refused:"
all_decided $tried
# A run in which little is armed or hit has shown nothing.
at_least 'armed' $((tried * 8 / 10)) "$armed"
at_least 'hit' 1 "$hit"

: > $tmp/armed
: > $tmp/refused
/host/ktext inside "$(length 100 200)" "$seed" > $tmp/inside
define_all $tmp/inside 'p:rb/b%d %s'
holds $tmp/armed ''		# inside an instruction
is 'refused inside an instruction' "$(wc -l < $tmp/inside)" "$(wc -l < $tmp/refused)"
within 60 detours_forgotten
/host/ktext diff $tmp/text
