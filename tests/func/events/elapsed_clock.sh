#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: $elapsed and clocksources: one that can be probed, and calls in flight while it changes
# not: debug: shows what the others do
# modes: default
# needs: ftrace
# seconds: 2
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

# uptime_ms: of the clock that the kernel has
uptime_ms() {
	local up
	read -r up _ < /proc/uptime
	echo $((${up%.*} * 1000 + 10#${up#*.} * 10))
}

# nap FROM TO...: a call that takes a second and begins by one clock, and ends by another one
nap() {
	local to took begin end
	echo "$1" > $source/current_clocksource
	cat kprobes/compiled > /tmp/compiled	# from now on by this clock
	grep -q '^c/nap .* compiled$' /tmp/compiled || fail "$(< /tmp/compiled)"
	echo > trace
	begin=$(uptime_ms)
	sleep 1 &
	for to in "${@:2}"; do
		sleep 0.2
		echo "$to" > $source/current_clocksource
		cat kprobes/compiled > /tmp/compiled
	done
	wait $!
	end=$(uptime_ms)
	took=$(sed -n "s/^ *sleep-$! .* t=\([0-9]*\)$/\1/p" trace)
	at_least "nanoseconds by $*" 1000000000 "$took"
	# In steps of a hundredth of a second; and as long as the machine has let it take.
	at_most "nanoseconds by $*" $(((end - begin + 20) * 1000000)) "$took"
}

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
		within 20 sums		# the clock is read meanwhile
	done
	echo 1 > kprobes/compile
	echo 0 > events/c/$name/enable
	echo > kprobe_events
	tried=$name
done
if [ -n "${tried-}" ] && grep -qw tsc $source/available_clocksource; then
	# shellcheck disable=SC2016
	echo 'r:c/nap hrtimer_nanosleep t=$elapsed' > kprobe_events
	echo 1 > events/c/nap/enable
	nap tsc tsc
	nap tsc "$tried"
	nap "$tried" tsc
	nap tsc "$tried" tsc
	sums || fail 'sums of calls in flight'
	echo 0 > events/c/nap/enable
	echo > kprobe_events
fi
echo "$was" > $source/current_clocksource
[ -n "${tried-}" ] || fail "there is no clocksource but $(< $source/available_clocksource)"
