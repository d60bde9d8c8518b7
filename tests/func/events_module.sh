#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: probes of a module wait for it, survive it, and fire when it is back
# kernels: all
# tier: 6.12-cloud 6.1-cloud bare
# seconds: 7
# modules: pe_stress

set -eu
cd "$PROBES"
# shellcheck source=tests/func/check_lib.sh
. /host/check_lib.sh
fn=pe_stress:pe_stress_target
par=/sys/module/pe_stress/parameters

hits() { awk -v e="$1" '$1 == e { print $3 }' kprobe_losses; }

# run: let the module call its function.
run() { stress_run 50; }

# grew EVENT...: each has been hit since the last time.
declare -A last
grew() {
	local e h

	for e; do
		h=$(hits $e)
		[ "$h" -gt "${last[$e]:-0}" ] || { echo "$e: $h hits"; cat kprobe_losses kprobes/list; exit 1; }
		last[$e]=$h
	done
}

still() {
	local e

	for e; do
		[ "$(hits $e)" = "${last[$e]:-0}" ] || { echo "$e was hit"; cat kprobe_losses; exit 1; }
	done
}

# The module is not there: its symbols are taken on trust, others are not.
printf '%s\n' "p:m/wait $fn" "p:m/never pe_stress:no_such_function" \
	"p:m/other no_such_module:function" "p:m/multi $fn a=%di" > kprobe_events
echo 'p:m/multi vfs_read a=%di' >> kprobe_events
not eval 'echo "p:m/bad pe_stress_target" >> kprobe_events 2>/dev/null'
[ "$(wc -l < kprobe_events)" -eq 5 ]
echo 1 > events/m/enable
[ "$(cat events/m/enable)" = 1 ]
cat kprobe_losses > /dev/null
# listed PLACE MODULE FLAG: one such line
listed() {
	[ "$(awk -v p="$1" -v m="$2" -v f="$3" '$3 == p && $4 == m && $5 == f' kprobes/list | wc -l)" = 1 ] ||
		{ echo "no $*"; cat kprobes/list; exit 1; }
}
listed function+0x0 no_such_module '[WAITING]'
listed no_such_function+0x0 pe_stress '[WAITING]'

# It comes, and what can be armed is, before its own code runs.
insmod /modules/pe_stress.ko
run
grew m/wait
[ "$(hits m/never)" = 0 ] && [ "$(hits m/other)" = 0 ]
listed no_such_function+0x0 pe_stress '[REFUSED]'
listed function+0x0 no_such_module '[WAITING]'
awk -v p=$fn '$1 == "m/multi" && $2 == p && $3 > 0 { n++ } END { exit !n }' kprobe_losses
grep -q " wait: (pe_stress_target+0x[0-9a-f]*/0x[0-9a-f]* \[pe_stress\])" trace

# It is there: now its symbols are looked up.
not eval 'echo "p:m/bad pe_stress:no_such_function" >> kprobe_events 2>/dev/null'
site=$(cat $par/site)
echo "p:m/late $fn+$site \$comm" >> kprobe_events
echo 1 > events/m/late/enable
run
grew m/wait m/late
echo 0 > events/m/late/enable
run
grew m/wait
still m/late

# It goes: events stay, can be switched, and more can be defined.
rmmod pe_stress
listed "pe_stress_target+$(printf '0x%x' "$site")" pe_stress '[GONE]'
listed no_such_function+0x0 pe_stress '[WAITING]'
[ "$(cat events/m/wait/enable)" = 1 ]
grep -qx "p:m/wait $fn" kprobe_events
echo 0 > events/m/wait/enable
echo 1 > events/m/wait/enable
echo 1 > events/m/late/enable
echo "p:m/gone $fn" >> kprobe_events
echo 1 > events/m/gone/enable

# It is back, several times.
for i in 1 2 3; do
	insmod /modules/pe_stress.ko
	run
	grew m/wait m/late m/gone
	rmmod pe_stress
done

# What is off when it comes stays off and can be switched on then.
echo 0 > events/enable
insmod /modules/pe_stress.ko
run
still m/wait m/late m/gone
echo 1 > events/m/wait/enable
run
grew m/wait
still m/late

# Deleting what waits, what is armed and what is gone.
echo 0 > events/enable
echo '-:m/wait' >> kprobe_events
rmmod pe_stress
echo '-:m/late' >> kprobe_events
echo '-:m/never' >> kprobe_events
sums
echo > kprobe_events
insmod /modules/pe_stress.ko
[ -z "$(find events -mindepth 1 -maxdepth 1 -type d ! -name ftrace)" ]
rmmod pe_stress
