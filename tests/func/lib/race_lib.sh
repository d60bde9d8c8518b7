# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# shellcheck shell=bash
#
# Many at once: every command may fail at any time, because another was faster.
# shellcheck disable=SC2034	# used by the tests

stop=/tmp/stop
duration=${SECONDS_LONG:-$(length 10 60)}
fn=pe_stress:pe_stress_target
exec 2>/dev/null

# worker NAME COMMAND: run the command until told to stop; say how often it worked. The first
# time it leaves a file in /tmp/worked.
worker() {
	local n=0

	while [ ! -e $stop ]; do
		eval "$2" && { ((n++)) || : > /tmp/worked/$BASHPID; }
	done
	echo "$1: $n"
}

# enough WORKERS KEPT: each worker has worked, and both probes of group keep are what KEPT, a
# condition of awk about their lines in kprobe_losses, says
enough() {
	local worked=(/tmp/worked/*)

	[ ${#worked[@]} = "$1" ] && [ -e "${worked[0]}" ] &&
		[ "$(awk "/^keep/ && $2" kprobe_losses | wc -l)" = 2 ]
}

# race SECONDS KEPT COMMAND...: run all for so long, and until they have done enough, which
# takes a slow machine longer
race() {
	local duration=$1 kept=$2 command

	shift 2
	mkdir /tmp/worked
	for command; do
		worker "${command%% *}" "$command" &
	done > /tmp/done
	sleep "$duration"
	within 300 enough $# "$kept"
	touch $stop
	wait
	cat /tmp/done
}
