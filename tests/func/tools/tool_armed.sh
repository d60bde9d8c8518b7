#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: probe-events from Enter to armed: 30 ms more than true, 1 s for 4,000 functions; the first table after 1.1 s
# modes: default
# not: 6.12-rt debug 6.1-cloud 7.3-cloud: shows what 6.12-cloud does, or is slow by checkers
# not: 5.10-cloud: ftrace copies its filter for each address there, as README.md says
# needs: tracefs
# machine: --icount
# seconds: 12
# tools: probe-events
# files: ../../bench/arming.sh
#
# One instruction is a nanosecond, and there is one CPU, so a busy machine changes no time here. A
# command that is run several times may take longer at first, when programs and files are read for the
# first time, and wait a little more or less for RCU: the best counts.
set -eu -o pipefail
# shellcheck source=tests/func/lib/check_lib.sh
. /host/check_lib.sh
bash /host/arming.sh | tee /tmp/armed
declare -A best=() most=() functions=()
while read -r _ us bound nr command; do
	[ "$bound" != - ] || continue
	[ "${best[$command]:-$us}" -lt "$us" ] || best[$command]=$us
	most[$command]=$bound functions[$command]=$nr
done < <(grep '^@@ ' /tmp/armed)
is 'commands' 4 ${#best[@]}
for command in "${!best[@]}"; do
	[ "${best[$command]}" -le "${most[$command]}" ] ||
		wrong "$command: ${best[$command]} us, may take ${most[$command]}"
done
at_least 'functions of a pattern' 4000 "${functions[count \[a-d\]* by func]}"
none_wrong
