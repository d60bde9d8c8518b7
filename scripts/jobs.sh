# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# shellcheck shell=bash
#
# Shared by the runners of tests (scripts/test, tests/func/run, tests/sweep/run): the time limit, jobs
# that run side by side, a folder for output, and how a result is shown. Sourced, after lib.sh.

# time_left: seconds to the end of the time for everything, PE_UNTIL (since the epoch); 0 after it
time_left() {
	local seconds=$((${PE_UNTIL:-9999999999} - $(date +%s)))
	printf '%d\n' $((seconds > 0 ? seconds : 0))
}

too_late() { [ "$(time_left)" = 0 ]; }

# in_time COMMAND...: with all that it starts it ends with the time for everything, and with us.
in_time() { setpriv --pdeathsig TERM timeout $(($(time_left) + 1)) "$@"; }

running=()

# free_slot JOBS: wait until fewer than JOBS of those that start_job began still run
free_slot() {
	local gone
	[ ${#running[@]} -ge "$1" ] || return 0
	wait -n -p gone "${running[@]}" || true
	unset "running[$gone]"
}

# start_job COMMAND...: beside us; `wait` waits for all
start_job() {
	"$@" </dev/null &
	running[$!]=$!
}

# make_output KIND: the folder $out (a temporary one if it is empty) with an empty file `results`.
# An interrupt ends the jobs, too.
make_output() {
	[ -n "$out" ] || out=$(mktemp -d "${TMPDIR:-/var/tmp}/pe-$1.XXXXXX")
	mkdir -p "$out"
	out=$(realpath "$out")
	: >"$out/results"
	trap 'trap - INT TERM; kill $(jobs -p) 2>/dev/null; exit 130' INT TERM
}

# count pass|fail|skip: lines of $out/results that begin with that
count() { grep -c "^$1 " "$out/results" || true; }

# show_result pass|fail|skip WHAT SECONDS [REMARK]
show_result() {
	local colour='' end=''
	if [ -t 1 ]; then
		end=$'\e[0m'
		case $1 in pass) colour=$'\e[32m' ;; fail) colour=$'\e[31m' ;; *) colour=$'\e[33m' ;; esac
	fi
	printf '%s%s%s  %s (%s s)%s\n' "$colour" "$1" "$end" "$2" "$3" "${4:+: $4}"
}

# show_counts PASSED FAILED SKIPPED: every runner's last line, which scripts/test adds up
show_counts() { printf '%d passed, %d failed, %d skipped\n' "$@"; }
