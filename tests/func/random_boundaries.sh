#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: random instruction boundaries across kernel text survive being probed
# kernels: all
# timeout: 900
# tools: ktext
#
# COUNT random instruction boundaries (PE_SEED repeats a run): each is armed, hit
# where the workload reaches it and disarmed, or refused with a reason.  Afterwards
# the kernel's text is byte for byte what it was.  Addresses inside an
# instruction are all refused.

set -eu
cd "$PROBES"
count=${COUNT:-$(length 400 2000)}
seed=${PE_SEED:-$RANDOM$RANDOM}
batch=250
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

# The one line of error_log that says why the last command was refused.
reason() {
	grep ': error: ' error_log | tail -n 1 | sed 's/.*: error: //'
}

# define FILE: one event per line "ADDR SYM LEN" of it; refusals go to refused
define() {
	local addr sym len n=0

	while read -r addr sym len; do
		n=$((n + 1))
		if echo "p:rb/b$n $addr" >> kprobe_events 2>/dev/null; then
			echo "$addr $sym" >> $tmp/armed
		else
			echo "$(reason)	$addr $sym" >> $tmp/refused
		fi
	done < "$1"
}

: > $tmp/armed
: > $tmp/refused
workload
/host/ktext save $tmp/text
/host/ktext sites "$count" "$seed" > $tmp/sites
split -l $batch $tmp/sites $tmp/batch.
hit=0 hits=0
for b in $tmp/batch.*; do
	define "$b"
	[ -e events/rb/enable ] || continue
	echo 1 > events/rb/enable
	workload
	echo 0 > events/rb/enable
	read -r more sum < <(awk '$2 + $3 { n++; s += $2 + $3 } END { print n + 0, s + 0 }' kprobe_profile)
	hit=$((hit + more)) hits=$((hits + sum))
	echo > trace
	echo > kprobe_events
done
armed=$(wc -l < $tmp/armed) refused=$(wc -l < $tmp/refused)
echo "$armed armed, of which $hit were hit ($hits hits); $refused refused:"
cut -f1 $tmp/refused | sort | uniq -c | sort -rn
[ $((armed + refused)) -eq "$count" ]
if grep -q '^	' $tmp/refused; then
	echo "refused without a reason:"
	grep '^	' $tmp/refused | head
	exit 1
fi
# A run in which little is armed or hit has shown nothing.
[ "$armed" -ge $((count * 8 / 10)) ] && [ "$hit" -ge 1 ]

: > $tmp/armed
: > $tmp/refused
/host/ktext inside 200 "$seed" > $tmp/inside
define $tmp/inside
if [ -s $tmp/armed ]; then
	echo "armed inside an instruction:"
	cat $tmp/armed
	exit 1
fi
/host/ktext diff $tmp/text
