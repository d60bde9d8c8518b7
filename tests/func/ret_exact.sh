#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: return probes on functions in assembler: all registers and flags, and under load
# kernels: all
# tier: 6.12-cloud 6.1-cloud bare
# seconds: 6
# modules: pe_exact pe_probe
set -eu
. /host/engine_lib.sh
# shellcheck source=tests/func/check_lib.sh
. /host/check_lib.sh

load
status=0
insmod /modules/pe_exact.ko || status=1
dmesg | grep 'pe_exact: ' | sed 's/^\[[^]]*\] //'
[ $status = 0 ]
rmmod pe_exact

# What the kernel calls all the time, with several of these probed at once.
work() {
	local i a=/tmp/work.$BASHPID
	for ((i = 1; i <= $(length 2 6); i++)); do
		find /usr/bin /etc -type f 2> /dev/null | head -n 200 |
			xargs cat 2> /dev/null | cksum > /dev/null
		head -c $((i * 100000)) /dev/urandom | tee $a | cksum > $a.sum
		cksum < $a | cmp - $a.sum || fail "data changed"
	done
}

load pe_probe
while read -r f; do
	case $f in
	__get_user_* | __put_user_* | __sw_hweight* | clear_page_* | rep_movs_alternative | \
	rep_stos_alternative | copy_user_* | __copy_user_nocache | clear_user_* | copy_mc_* | \
	csum_partial_copy_generic | __raw_callee_save_*) ;;
	*) continue ;;
	esac
	{ add "r:$f"; } 2> /dev/null || echo "$f: $(cat $P/reason)"
done < <(awk '$2 ~ /[tT]/ && NF == 3 { print $3 }' /proc/kallsyms | sort -u)
work &
other=$!
work
wait $other
cat $P/hits
# Where there is ftrace, nothing in assembler can be probed: some in C have such names.
hit=$(awk '$2 > 0' $P/hits | wc -l)
if grep -q ' ftrace_location$' /proc/kallsyms; then
	[ "$hit" -ge 1 ] || fail "no function was hit"
else
	[ "$(field r:__put_user_4 2)" -ge 1 ] || fail "no hits"
	[ "$hit" -ge 3 ] || fail "few functions were hit"
fi
rmmod pe_probe
