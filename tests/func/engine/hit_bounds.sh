#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: no case of a hit costs 5 % more guest instructions than Documentation/hit-cost.json says
# modes: default
# not: 6.12-rt 5.10-cloud debug: no bounds in hit-cost.json
# tier: 6.12-cloud 6.1-cloud
# needs: tracefs kprobes
# machine: --icount
# seconds: 20
# files: ../../bench/hit_cost.sh ../../../Documentation/hit-cost.json
# modules: pe_bench
#
# The bounds are those of hits that are compiled, and of jumps.
#
# The virtual machine counts instructions, so the numbers are the same in each run. If a case
# has become cheaper or dearer on purpose, `make bench` writes the file again.
set -eu
# shellcheck source=tests/func/lib/check_lib.sh
. /host/check_lib.sh

case $(uname -r) in
6.12.*) kernel=6.12-cloud ;;
6.1.*) kernel=6.1-cloud ;;
7.3.*) kernel=7.3-cloud ;;
*) fail "no bounds for $(uname -r)" ;;
esac

# Not even 5 % more, as hit-cost.md says.  The last one depends on a random number: how many of a
# thousand keys share a place.
declare -A most=([entry-comm]=12500 [return-elapsed]=16500 [count-full]=6600)

# bound KEY: hundredths of instructions, as the file has them for this kernel
bound() {
	sed -n "s/^ *{\"kernel\": \"$kernel\", \"key\": \"$1\", .*\"ours\": \([0-9]*\)\.\([0-9][0-9]\),.*/\1\2/p" \
		/host/hit-cost.json
}

# measure: into costs[KEY]; the least of what was measured
declare -A costs
measure() {	# CALLS
	local key ours
	bash /host/hit_cost.sh "$1" ours | tee /tmp/costs
	while read -r _ key _ ours _; do
		[ "${costs[$key]:-$ours}" -lt "$ours" ] || costs[$key]=$ours
	done < <(grep '^@@ ' /tmp/costs)
}

# dearer: the cases above their bounds
dearer() {
	local key known limit
	for key in "${!costs[@]}"; do
		known=$(bound "$key")
		limit=${most[$key]:-$((known + known / 20))}
		[ "${costs[$key]}" -le "$limit" ] ||
			echo "$key: ${costs[$key]} hundredths of instructions, was $known, may be $limit"
	done
}

# A breakpoint has been seen to take fifty instructions more in one measurement, for a reason
# that is not known. So what is too much is measured again, with as many calls as
# the file's numbers are of: with few, what else the kernel does shows (on 7.3, three instructions of a return).
measure 2000
[ -z "$(dearer)" ] ||
	measure "$(sed -n "s/.*\"kernel\": \"$kernel\".*\"calls\": \([0-9]*\).*/\1/p" /host/hit-cost.json | head -n 1)"
for key in "${!costs[@]}"; do
	[ -n "$(bound "$key")" ] || wrong "hit-cost.json has no bound of $key on $kernel"
done
at_least 'cases' "$(grep -c "\"$kernel\", \"key\"" /host/hit-cost.json)" "${#costs[@]}"
while read -r line; do wrong "$line"; done < <(dearer)
none_wrong
