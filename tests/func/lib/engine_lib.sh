# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# shellcheck shell=bash
#
# Probes of the engine without events, through pe_probe.ko.

# shellcheck source=tests/func/lib/check_lib.sh
. /host/check_lib.sh

P=/sys/module/pe_probe/parameters
evidence+=("$P/hits")

# load MODULE...: the engine and these, those that are not there yet
load() {
	local module
	for module in probe_arena probe_core "$@"; do
		[ -e "/sys/module/$module" ] || insmod "/modules/$module.ko"
	done
}

# run_cases MODULE [PARAMETER...]: its cases, which it runs when it is loaded (pe_cases.h), have all passed
run_cases() {
	local status=0

	insmod "/modules/$1.ko" "${@:2}" || status=1
	dmesg | grep "$1: " | sed 's/^\[[^]]*\] //'
	is 'status of insmod' 0 $status
	rmmod "$1"
}

# add PROBE, del PROBE
add() { echo "$1" > $P/add; }
del() { echo "$1" > $P/del; }

# field PROBE NUMBER: of its line in hits (2 hits, 3 missed, 4 mechanism, 5-8 by level)
field() {
	local rows row cells

	mapfile -t rows < $P/hits
	for row in "${rows[@]}"; do
		[[ $row = "$1"[[:blank:]]* ]] || continue
		read -ra cells <<< "$row"
		echo "${cells[$2 - 1]:-}"
	done
}

# expect_hits PROBE N
expect_hits() { is "hits of $1" "$2" "$(field "$1" 2)"; }

# expect_refusal PROBE ERRNO-TEXT REASON-PART
expect_refusal() {
	local message
	if message=$( { add "$1"; } 2>&1 ); then
		fail "$1 was accepted"
	fi
	case $message in *"$2"*) ;; *) fail "$1: $message, want $2" ;; esac
	has $P/reason "$3"
}

# call FUNCTION N: of pe_target.ko, so often
call() { echo "$1 $2" > /sys/module/pe_target/parameters/call; }

# mix N: the probe on the Nth instruction (from 1) of pe_target_mix
mix() { echo "pe_target:pe_target_mix+$(gawk -v n="$1" 'NR == n { print $1 }' /sys/module/pe_target/parameters/mix)"; }

# arena_stays: a task needs it. arena_goes: none does any more, which it sees some seconds later.
# The reader of our output may be in a probed function until the next line.
arena_stays() { refused 'in use' rmmod probe_arena; }
arena_gone() { rmmod probe_arena 2> /dev/null; }
arena_goes() {
	echo 'the arena goes'
	within 60 arena_gone
}

# in_sleep PID: where check_stack expects it
in_sleep() { grep -q hrtimer_nanosleep /proc/$1/stack; }

# check_stack PID WHEN: the whole way from the sleep to the system call. ret_traces looks for
# doubtful entries.
check_stack() {
	local stack
	stack=$(cat /proc/$1/stack)
	case $stack in
	*hrtimer_nanosleep*__x64_sys_clock_nanosleep*do_syscall_64*entry_SYSCALL_64*) ;;
	*) echo "$stack"; fail "stack of a sleeper ($2)" ;;
	esac
}
