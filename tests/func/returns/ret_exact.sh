#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: return probes on functions in assembler: all registers and flags, and under load
# tier: 6.12-cloud 6.1-cloud 7.3-cloud bare
# seconds: 19 debug=29
# modules: pe_exact pe_probe
set -eu
# shellcheck source=tests/func/lib/engine_lib.sh
. /host/engine_lib.sh

load
run_cases pe_exact

# What the kernel calls all the time, with several of these probed at once.
read_files() {
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
read_files &
other=$!
read_files
wait $other
cat $P/hits
# Where there is ftrace, nothing in assembler can be probed: some in C have such names.
hit=$(awk '$2 > 0' $P/hits | wc -l)
if grep -q ' ftrace_location$' /proc/kallsyms; then
	at_least 'functions hit' 1 "$hit"
else
	at_least 'hits of __put_user_4' 1 "$(field r:__put_user_4 2)"
	at_least 'functions hit' 3 "$hit"
fi
rmmod pe_probe
