#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: probes of a module wait for it, survive it, and fire when it is back
# tier: 6.12-cloud 6.1-cloud bare
# seconds: 7 debug=11
# modules: pe_stress pe_target pe_refuse

set -eu
cd "$PROBES"
# shellcheck source=tests/func/lib/events_lib.sh
. /host/events_lib.sh
fn=pe_stress:pe_stress_target
par=/sys/module/pe_stress/parameters

evidence+=(kprobe_losses kprobes/list)

# grew EVENT...: each has been hit since the last time.
declare -A last
grew() {
	local e h

	for e; do
		h=$(value $e hits)
		at_least "hits of $e" $((${last[$e]:-0} + 1)) "$h"
		last[$e]=$h
	done
}

# still EVENT...: none has been hit since then.
still() {
	local e

	for e; do
		is "hits of $e" "${last[$e]:-0}" "$(value $e hits)"
	done
}

# The module is not there: its symbols are taken on trust, others are not.
printf '%s\n' "p:m/wait $fn" "p:m/never pe_stress:no_such_function" \
	"p:m/other no_such_module:function" "p:m/multi $fn a=%di" > kprobe_events
echo 'p:m/multi vfs_read a=%di' >> kprobe_events
not eval 'echo "p:m/bad pe_stress_target" >> kprobe_events 2>/dev/null'
is 'lines of kprobe_events' 5 "$(wc -l < kprobe_events)"
echo 1 > events/m/enable
holds events/m/enable 1
cat kprobe_losses > /dev/null
# listed PLACE MODULE FLAG: one such line
listed() {
	is "lines of $*" 1 "$(awk -v p="$1" -v m="$2" -v f="$3" '$3 == p && $4 == m && $5 == f' kprobes/list | wc -l)"
}
listed function+0x0 no_such_module '[WAITING]'
listed no_such_function+0x0 pe_stress '[WAITING]'

# It comes, and what can be armed is, before its own code runs.
insmod /modules/pe_stress.ko
stress_run 50
grew m/wait
value_is m/never hits 0
value_is m/other hits 0
# Without the module's name as well: that no module had it is not remembered.
echo 'p:m/plain pe_stress_target' >> kprobe_events
echo '-:m/plain' >> kprobe_events
listed no_such_function+0x0 pe_stress '[REFUSED]'
listed function+0x0 no_such_module '[WAITING]'
at_least 'hits of m/multi in the module' 1 "$(value m/multi hits $fn)"
has trace " wait: (pe_stress_target+0x[0-9a-f]*/0x[0-9a-f]* \[pe_stress\])"

# It is there: now its symbols are looked up.
not eval 'echo "p:m/bad pe_stress:no_such_function" >> kprobe_events 2>/dev/null'
site=$(cat $par/site)
echo "p:m/late $fn+$site \$comm" >> kprobe_events
echo 1 > events/m/late/enable
stress_run 50
grew m/wait m/late
echo 0 > events/m/late/enable
stress_run 50
grew m/wait
still m/late

# It goes: events stay, can be switched, and more can be defined.
rmmod pe_stress
listed "pe_stress_target+$(printf '0x%x' "$site")" pe_stress '[GONE]'
listed no_such_function+0x0 pe_stress '[WAITING]'
holds events/m/wait/enable 1
has kprobe_events "p:m/wait $fn" -x
echo 0 > events/m/wait/enable
echo 1 > events/m/wait/enable
echo 1 > events/m/late/enable
echo "p:m/gone $fn" >> kprobe_events
echo 1 > events/m/gone/enable

# It is back, several times.
for i in 1 2 3; do
	insmod /modules/pe_stress.ko
	stress_run 50
	grew m/wait m/late m/gone
	rmmod pe_stress
done

# What is off when it comes stays off and can be switched on then.
echo 0 > events/enable
insmod /modules/pe_stress.ko
stress_run 50
still m/wait m/late m/gone
echo 1 > events/m/wait/enable
stress_run 50
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
no_groups
rmmod pe_stress

# A module that comes, and is refused after probes have been armed in it, when one is a jump: they are
# gone, and the next time its text can be probed as ever. With the module's name they would wait.
insmod /modules/pe_target.ko
insmod /modules/pe_refuse.ko
refuse=/sys/module/pe_refuse/parameters
mapfile -t mix < <(sed 's/ .*//' /sys/module/pe_target/parameters/mix)
rmmod pe_target
# probe_target: by events of each kind
probe_target() {
	printf '%s\n' 'p:n/entry pe_target_add' "p:n/jump pe_target_mix+${mix[6]}" 'r:n/ret pe_target_string' > kprobe_events
	echo 1 > events/n/enable
	exec 3<> session
	read -r _ nr <&3
	printf '%s\n' "p:own pe_target_mix+${mix[8]}" 'enable own' >&3
	is 'armed' 4 "$(in_target | wc -l)"
	within 60 is_jump
}
# in_target: probes that are armed there
in_target() { grep ' pe_target ' kprobes/list | grep -v 'GONE\|DISABLED\|REFUSED' || true; }
is_jump() { grep -q 'pe_target_mix+.*\(jump\|optimization is 0\)$' kprobes/optimized; }
echo 1 > $refuse/wait
echo pe_target > $refuse/name
insmod /modules/pe_target.ko 2> /tmp/refusal &
within 60 text_is $refuse/wait 2
probe_target
echo 0 > $refuse/wait
wait $! && fail 'the module was not refused'
has /tmp/refusal 'insmod: '
is 'armed in what was refused' '' "$(in_target)"
lacks kprobes/optimized pe_target
within 60 detours_forgotten
exec 3>&-
echo 0 > events/enable
echo > $refuse/name
insmod /modules/pe_target.ko
probe_target
for call in add mix string; do
	echo "$call 3" > /sys/module/pe_target/parameters/call
done
for event in n/entry n/jump n/ret "s$nr/own"; do
	value_is $event hits 3
done
rmmod pe_target pe_refuse
exec 3>&-
echo 0 > events/enable
sums
echo > kprobe_events
