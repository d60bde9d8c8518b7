#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: no case of a hit costs 5 % more guest instructions than Documentation/hit-cost.json says
# kernels: 6.12-cloud 6.1-cloud
# tier: 6.12-cloud 6.1-cloud
# needs: tracefs kprobes
# machine: --icount
# seconds: 14
# files: ../../bench/hit_cost.sh ../../../Documentation/hit-cost.json
# modules: pe_bench
#
# The virtual machine counts instructions, so the numbers are the same in each run. If a case
# has become cheaper or dearer on purpose, `make bench` writes the file again.
set -eu
# shellcheck source=tests/func/lib/check_lib.sh
. /host/check_lib.sh

case $(uname -r) in
6.12.*) kernel=6.12-cloud ;;
6.1.*) kernel=6.1-cloud ;;
*) fail "no bounds for $(uname -r)" ;;
esac

bash /host/hit_cost.sh 4000 | tee /tmp/costs
# bound KEY: hundredths of instructions, as the file has them for this kernel
bound() {
	sed -n "s/^ *{\"kernel\": \"$kernel\", \"key\": \"$1\", .*\"ours\": \([0-9]*\)\.\([0-9][0-9]\),.*/\1\2/p" \
		/host/hit-cost.json
}

rows=0
while read -r _ key _ ours _; do
	known=$(bound "$key")
	[ -n "$known" ] || { wrong "hit-cost.json has no bound of $key on $kernel"; continue; }
	rows=$((rows + 1))
	[ "$ours" -le $((known + known / 20)) ] ||
		wrong "$key: $ours hundredths of instructions, the bound is $known and 5 %"
done < <(grep '^@@ ' /tmp/costs)
at_least 'cases' "$(grep -c "\"$kernel\", \"key\"" /host/hit-cost.json)" $rows
none_wrong
