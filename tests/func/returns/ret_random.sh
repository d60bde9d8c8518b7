#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: return probes on random traceable functions, under a workload
# not: 6.12-rt 6.1-cloud: shows what 6.12-cloud does
# needs: tracefs ftrace
# timeout: 1500
# seconds: 23
# tools: ktext sockets
# modules: pe_probe
#
# COUNT functions (PE_SEED repeats a run) of those that the kernel says can be traced, half
# of them among those that the workload has been seen to run, get return events in batches, by
# address.  Each is armed or refused with a reason.  Calls that began (counted by the engine) are
# records and losses (counted by the events) and calls in progress.  Afterwards the kernel's text
# is byte for byte what it was.

set -eu
cd "$PROBES"
# shellcheck source=tests/func/lib/events_lib.sh
. /host/events_lib.sh
# shellcheck source=tests/func/lib/random_lib.sh
. /host/random_lib.sh
count=${COUNT:-$(length 240 5000)}
seed=${PE_SEED:-$RANDOM$RANDOM}
batch=${BATCH:-240}
T=/sys/kernel/tracing
tmp=/tmp/random
mkdir -p $tmp
echo "PE_SEED=$seed, $count functions"
mount -t tracefs tracefs $T
insmod /modules/pe_probe.ko
network=false
if [ -e /proc/net/tcp ]; then
	network=true
	ip link set lo up
else
	echo 'no sockets in the workload: this kernel has no network'
fi

workload() {
	local i
	for i in 1 2 3; do
		ls -lR /proc/self /sys/kernel/slab >/dev/null 2>&1 || true
		(echo hello | cat | wc -c) >/dev/null
		head -c 300000 /dev/urandom > $tmp/file
		cat < $tmp/file | dd of=$tmp/copy conv=fsync status=none
		cmp $tmp/file $tmp/copy
		mkdir $tmp/dir; mv $tmp/copy $tmp/dir/copy; ln -s x $tmp/dir/link; rm -r $tmp/dir
		sleep 10 & kill $!; wait $! || true
		(sleep 0.02 & wait)
		if $network; then /host/sockets 3; fi
	done
	sync
}

# "ADDRESS NAME [MODULE]" of each function, by name: with a dot some are parts of functions, some
# are whole ones, and several may have one name.
functions() {
	if [ -e $T/available_filter_functions_addrs ]; then
		sed 's/^/0x/' $T/available_filter_functions_addrs
	else	# the names that are one function's
		gawk 'NR == FNR { n[$3]++; where[$3] = $1; next }
			n[$1] == 1 { print "0x" where[$1], $0 }' /proc/kallsyms $T/available_filter_functions
	fi | sort -k2,2 -k1,1
}

# sample N FILE: N random lines
sample() { awk -v s="$seed" 'BEGIN { srand(s) } { print rand() "\t" $0 }' "$2" | sort -g | cut -f2 | head -n "$1"; }

# A good part of what the workload runs: as much as the function tracer keeps.
workload
echo 1500 > $T/buffer_size_kb
echo function > $T/current_tracer
workload
echo 0 > $T/tracing_on
awk '$NF ~ /^<-/ { seen[$(NF - 1)] = 1 } END { for (f in seen) print f }' $T/trace | sort > $tmp/run
echo nop > $T/current_tracer
echo 1 > $T/tracing_on
functions | grep -vE ' (pe_|probe_)' > $tmp/foreign
awk 'NR == FNR { run[$1] = 1; next } $2 in run' $tmp/run $tmp/foreign > $tmp/hot
sample $((count / 2)) $tmp/hot > $tmp/half
awk 'NR == FNR { taken[$1] = 1; next } !($1 in taken)' $tmp/half $tmp/foreign > $tmp/cold
{ cat $tmp/half; sample $((count - $(wc -l < $tmp/half))) $tmp/cold; } > $tmp/chosen
sample "$count" $tmp/chosen > $tmp/sites
echo "$(wc -l < $tmp/foreign) functions can be traced, $(wc -l < $tmp/hot) of them run; $(wc -l < $tmp/half) of these chosen"

# add_up: "EVENTS-HIT HITS RECORDS IN_FLIGHT MISSED"
add_up() {
	awk 'NR == 1 { for (i = 1; i <= NF; i++) col[$i] = i; next }
		{ hit += $col["hits"] > 0; h += $col["hits"]; r += $col["records"]
		  f += $col["in_flight"]; m += $col["recursion"] + $col["no_stack"]
		  ns += $col["no_stack"] }
		END { print hit + 0, h + 0, r + 0, f + 0, m + 0, ns + 0 }' kprobe_losses
}

: > $tmp/armed
: > $tmp/refused
cat $T/enabled_functions > $tmp/enabled
/host/ktext save $tmp/text
split -l "$batch" $tmp/sites $tmp/batch.
hit=0 hits=0 records=0 missed=0 no_stack=0 at=0
for b in $tmp/batch.*; do
	at=$((at + 1))
	define_all "$b" 'r:rr/e%d %s r=%%ax e=$elapsed'
	[ -e events/rr/enable ] || continue
	echo "batch $at at ${SECONDS} s" > /dev/kmsg
	if ! echo 1 > events/rr/enable; then
		# One that another tracer diverts: each on its own.
		for e in events/rr/*/enable; do
			echo 1 > "$e" || { echo "$e"; grep "/$(basename "$(dirname "$e")") " kprobe_events; }
		done
	fi
	workload
	echo 0 > events/rr/enable
	# Handlers run in between.
	within 60 sums
	read -r a c d f e g < <(add_up)
	echo "batch $at: $(grep -c . kprobe_events) armed, $a hit: $c calls, $d records, $f in progress, $e missed, ${SECONDS} s"
	hit=$((hit + a)) hits=$((hits + c)) records=$((records + d)) missed=$((missed + e))
	no_stack=$((no_stack + g))
	echo > trace
	echo > kprobe_events
done
dotted=$(awk '$2 ~ /\./' $tmp/armed | wc -l)
armed=$(wc -l < $tmp/armed) refused=$(wc -l < $tmp/refused)
echo "$armed armed ($dotted of names with a dot), of which $hit were hit ($hits calls, $records records, $missed within handlers, $no_stack without stack); $refused refused:"
all_decided "$count"
sort $tmp/refused
# A run in which little is armed or hit has shown nothing.
at_least 'armed' $((count * 8 / 10)) "$armed"
at_least 'hit' $((count / 20)) "$hit"
at_least 'records' 1 "$records"
[ "$count" -lt 480 ] || at_least 'armed of names with a dot' 1 "$dotted"
# What calls that have not returned still hold.
echo "functions, sets, calls that are still in progress: $(cat /sys/module/pe_probe/parameters/usage)"
diff $tmp/enabled $T/enabled_functions || fail "ftrace still calls one of ours"
umount $T
/host/ktext diff $tmp/text
rmmod pe_probe
