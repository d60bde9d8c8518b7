#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: short jumps by islands hit as often as breakpoints, come and go in a storm, and keep others away
# not: debug: hardly any site there becomes a jump by an island
# needs: kprobes
# modes: default
# seconds: 13
# tools: ktext sweep
# modules: pe_stock
#
# It switches jumps off itself.
set -eu
cd "$PROBES"
# shellcheck source=tests/func/lib/events_lib.sh
. /host/events_lib.sh
# shellcheck source=tests/func/lib/coverage_lib.sh
. /host/coverage_lib.sh

functions='ksys_read vfs_read rw_verify_area ksys_write vfs_write fdget_pos __fdget_pos read_iter_zero read_zero write_null'
read_all() { dd if=/dev/zero of=/dev/null bs=16 count=400 2> /dev/null; }

read_all
/host/ktext save /tmp/text

echo 'which sites become short jumps'
mkdir -p $cover
# shellcheck disable=SC2086
/host/ktext every 1 0 $functions | awk '{ print NR, $0 }' > $cover/all
at_least 'boundaries' 100 "$(wc -l < $cover/all)"
# A few at a time: they are close together.
: > $cover/short
for ((phase = 0; phase < 8; phase++)); do
	awk -v p=$phase 'NR % 8 == p' $cover/all > $cover/some
	/host/sweep define p $cover/armed $cover/refused < $cover/some
	/host/sweep enable $cover/armed $cover/refused
	within 600 jumps_settled
	join_how $cover/armed | grep '	jump by an island$' | cut -f1 >> $cover/short || true
	echo 0 > events/sw/enable
	echo > kprobe_events
	within 600 detours_forgotten
done
cat $cover/short
at_least 'short jumps' 5 "$(wc -l < $cover/short)"
/host/ktext diff /tmp/text

echo 'hits'
awk '{ print NR, $0 }' $cover/short > $cover/some
/host/sweep define p $cover/armed $cover/refused < $cover/some
holds $cover/refused ''
/host/sweep enable $cover/armed $cover/refused
within 600 jumps_settled
at_least 'short jumps together' 4 "$(grep -c 'jump by an island$' kprobes/optimized)"

echo 'padding that others leave'
# Each was a short jump. Beside the others its padding may be in use, but not for ever.
beside() { join_how $cover/armed > $cover/beside && grep -q '	jump' $cover/beside; }
left=$(wc -l < $cover/armed)
for ((rounds = 0; left; rounds++)); do
	within 60 beside
	for i in $(grep -n '	jump' $cover/beside | cut -d: -f1); do
		echo 0 > events/sw/e"$(sed -n "${i}s/ .*//p" $cover/armed)"/enable
	done
	left=$((left - $(grep -c '	jump' $cover/beside)))
	echo "$left wait"
	within 600 jumps_settled	# no detour is leaving, so the padding is free
done
at_least 'rounds' 2 $rounds	# or none has waited
echo 1 > events/sw/enable
within 600 jumps_settled

# counts: records of each event that the same process makes
counts() {
	echo > trace
	bash -c 'echo $$ > set_event_pid; exec dd if=/dev/zero of=/dev/null bs=16 count=400 2> /dev/null'
	awk '!/^#/ { sub(/:$/, "", $5); n[$5]++ } END { for (e in n) print e, n[e] }' trace | sort
}
echo 8192 > buffer_size_kb
counts > /dev/null	# the first time, files are looked at that are known later
by_jump=$(counts)
echo 0 > kprobes/optimization
lacks kprobes/optimized 'jump'
by_breakpoint=$(counts)
echo 1 > kprobes/optimization
within 600 jumps_settled
again=$(counts)
echo "$by_jump"
is 'hits' "$by_breakpoint" "$by_jump"
is 'hits of new jumps' "$by_breakpoint" "$again"
at_least 'sites that are hit' 2 "$(awk '$2 >= 400' <<< "$by_jump" | wc -l)"
echo > set_event_pid

echo 'others'
# What begins with a jump of five bytes is an island: the jumps at the sites are short. A later byte
# may be 0xe9 in any of ftrace's calls, too.
island=$(/host/ktext diff /tmp/text | awk '$3 ~ /->e9$/ { sub(/:$/, "", $2); print $2; exit }')
echo "island: $island"
matches 'an island' '*+0x*' "$island"
refused 'busy' append "p $island" kprobe_events
has error_log 'padding that a jump uses'
if [ -e /modules/pe_stock.ko ]; then
	insmod /modules/pe_stock.ko
	stock=/sys/module/pe_stock/parameters
	refused 'busy' put "$island" $stock/add
	# Without any breakpoint, as long as a task may be in the island.
	grace=synchronize_rcu_tasks
	grep -q " $grace\$" /proc/kallsyms || grace=synchronize_rcu	# of a kernel that is not preemptible
	echo $grace > $stock/hold
	echo 0 > events/sw/enable
	waits() { [ "$(cat $stock/hold)" -gt 0 ]; }
	within 60 waits
	lacks kprobes/list '\[INT3\]'
	refused 'busy' put "$island" $stock/add
	echo > $stock/hold
	within 600 detours_forgotten
	put "$island" $stock/add
	put "$island" $stock/del
	rmmod pe_stock
	echo 1 > events/sw/enable
	within 600 jumps_settled
fi
at_least 'short jumps' 4 "$(grep -c 'jump by an island$' kprobes/optimized)"

echo 'on and off in a storm'
pids=
for _ in 1 2 3; do while read_all; do :; done & pids+=" $!"; done
for ((i = $(length 4 40); i > 0; i--)); do
	echo 0 > kprobes/optimization
	sleep 0.2
	echo 1 > kprobes/optimization
	sleep 0.$((RANDOM % 9 + 1))
done
within 600 jumps_settled
at_least 'short jumps' 4 "$(grep -c 'jump by an island$' kprobes/optimized)"
# shellcheck disable=SC2086
kill $pids
wait || true
within 60 sums
echo 0 > events/sw/enable
echo > kprobe_events
within 600 detours_forgotten
/host/ktext diff /tmp/text
