#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: $elapsed of a function that reads the clock itself: recursion is counted, compiled or not
# kernels: 6.12-cloud 6.1-cloud 6.12-rt
# modes: default
# needs: ftrace
#
# It switches compiling itself. With another clocksource than the TSC, each reading of the time is a
# call of a function that can be probed.

set -eu
cd "$PROBES"
# shellcheck source=tests/func/lib/events_lib.sh
. /host/events_lib.sh
evidence+=(kprobe_losses kprobes/compiled)
source=/sys/devices/system/clocksource/clocksource0
was=$(< $source/current_clocksource)

for name in hpet acpi_pm; do
	grep -qw $name $source/available_clocksource || continue
	echo $name > $source/current_clocksource
	case $name in hpet) fn=read_hpet ;; *) fn=acpi_pm_read ;; esac
	# shellcheck disable=SC2016	# names of ours
	echo "r:c/$name $fn t=\$elapsed r=\$retval" > kprobe_events
	echo 1 > events/c/$name/enable
	for compile in 1 0; do
		echo $compile > kprobes/compile
		[ $compile = 0 ] || grep -q "^c/$name .* compiled$" kprobes/compiled || fail "$(< kprobes/compiled)"
		before=$(value c/$name records) missed=$(value c/$name recursion)
		sleep 1
		at_least "records by $name, compile $compile" 1 $(($(value c/$name records) - before))
		at_least "recursion by $name, compile $compile" 1 $(($(value c/$name recursion) - missed))
		sums || fail "sums by $name, compile $compile"
	done
	echo 1 > kprobes/compile
	echo 0 > events/c/$name/enable
	echo > kprobe_events
	tried=1
done
echo "$was" > $source/current_clocksource
[ -n "${tried-}" ] || fail "there is no clocksource but $(< $source/available_clocksource)"
