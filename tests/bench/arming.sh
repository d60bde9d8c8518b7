#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
#
# How long probe-events takes from Enter to armed, of one function and of many, and to the first table.
# The guest's part of tests/bench/arming: instructions are counted there, one is a nanosecond.
#
# Prints lines "@@ MICROSECONDS BOUND FUNCTIONS COMMAND". The bound is -, or what the least of the lines
# with this command may take.
set -eu
tool=/host/probe-events
cd "$PROBES"

# took COMMAND...: microseconds
took() {
	local begin end

	begin=$(date +%s%N)
	"$@" > /tmp/out 2>&1 || { cat /tmp/out; exit 1; }
	end=$(date +%s%N)
	echo $(((end - begin) / 1000))
}
# armed BOUND WORDS...: with -k the command returns when all is armed
armed() {
	local us nr bound=$1
	shift

	us=$(took "$tool" "$@" -k 1h)
	nr=$(grep -c . kprobes/list || true)
	"$tool" rm --all
	echo "@@ $us $bound $nr $*"
}
# first_table BOUND WORDS...: until its last line has come; each table of an interval ends with the total
first_table() {
	local begin end line bound=$1
	shift

	begin=$(date +%s%N)
	coproc "$tool" "$@" -i 1 2> /tmp/err
	while read -r line <&"${COPROC[0]}" && [[ $line != total* ]]; do :; done
	end=$(date +%s%N)
	[[ $line = total* ]] || { cat /tmp/err; exit 1; }
	kill "$COPROC_PID"
	wait "$COPROC_PID" || true
	echo "@@ $(((end - begin) / 1000)) $bound 1 $* -i 1"
}

nothing=$(took "$(type -P true)")
for _ in 1 2; do
	us=$(took "$(type -P true)")
	nothing=$((us < nothing ? us : nothing))
done
echo "@@ $nothing - 0 true"
echo "@@ $(took "$tool" --help) - 0 --help"
for _ in 1 2 3; do
	armed $((nothing + 30000)) count vfs_read by comm
	armed $((nothing + 30000)) lat vfs_read by comm
done
armed - lat @lock by lock,caller
armed - count 'vfs_*' by func
armed 1000000 count '[a-d]*' by func
for _ in 1 2 3; do
	first_table 1100000 count read_zero by comm
done
