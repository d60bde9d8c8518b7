#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: filters: answers, texts, carets and surviving records as the kernel's
# not: 5.10-cloud 6.1-cloud 7.3-cloud: their texts are of other versions
# not: 6.12-rt: the texts of 6.12-cloud
# needs: tracefs kprobes
# seconds: 11 debug=34
# files: filter_stock.defs
# modules: pe_compare
#
# Writes every expression of filter_stock.defs to the filter file of an event, first of
# the kernel, then of ours, and keeps what came of it: the errno, what the filter file
# and error_log say (without the time), and which records of a run of pe_compare.ko
# are there afterwards. The event has two probes, whose values differ, and is hit in
# seven contexts. One engine after the other: two cannot own the same instruction.
#
# Not asked, because the kernel looks after the text there: the end of comm, and
# strings that could not be read. Ours is asked about these at the end.
set -eu
only=${1:-}
# shellcheck source=tests/func/lib/compare_lib.sh
. "${HOST:-/host}/compare_lib.sh"
notice_name

define() {
	echo 'p:flt/ev pe_cmp_target ctx=%dx:u32 n=%si:s64 b=%cx:u8 w=\-3:s16 x=\-1:u64 bf=+0(%di):b4@2/8 s=+88(%di):string us=+u0(%r9):string e=+0(+120(%di)):string arr=+8(%di):u16[4] odd=+0(%di):u8[3] sarr=+112(%di):string[2] sym=+168(%di):symbol'
	echo 'p:flt/ev pe_cmp_body ctx=%di:u32 n=%si:s64 b=\200:u8 w=\300:s16 x=%si:u64 bf=@pe_cmp_values:b4@2/8 s=\"other":string us=\"else":string e=\"x":string arr=@pe_cmp_values:u16[4] odd=@pe_cmp_values:u8[3] sarr=@pe_cmp_text:string[2] sym=\1:symbol'
}

# With stderr in a variable, without a fork: everything has to be done by this process.
# errno of printf's complaint, "ok" without one.
try_write() {
	printf '%s' "$1" 2>$out/err >filter && answer=ok && return
	read -r answer <$out/err
	answer=${answer##*: }
}

survivors() {
	local line
	while IFS= read -r line; do
		case $line in
		*" ev: "*) echo "  ${line##* ev: }" ;;
		esac
	done <$1/trace
}

ask() {
	local dir=$1 expr line text
	cd $dir/events/flt/ev
	while IFS= read -r expr; do
		echo "=== $expr"
		: >$dir/error_log
		try_write "$expr"
		echo "answer: $answer"
		# In one read: the kernel's file answers no second one.
		text=$(<filter)
		echo "text: ${text//$'\n'/$'\n'text: }"
		while IFS= read -r line; do echo "log: ${line#*] }"; done <$dir/error_log
		: >$dir/trace
		echo 1 >$run
		survivors $dir
	done <$host/filter_stock.defs
	cd /
}

# define, ask, remove; the arguments that one kernel refuses are left out for both.
phase() {
	local dir=$1 name=$2 i
	while IFS= read -r i; do
		echo "$i" >>$dir/kprobe_events || fail "refused: $i, $(cat $dir/error_log)"
	done <$out/defs
	echo 1 >$dir/events/flt/enable
	ask $dir >$out/$name
	echo 0 >$dir/events/flt/enable
	echo >$dir/kprobe_events
	echo >$dir/trace
}

define >$out/defs
phase $stock stock
if [ "$only" = stock ]; then
	cat $out/stock
	exit
fi
phase $PROBES ours

n=$(grep -c '^===' $out/stock)
accepted=$(grep -c '^answer: ok' $out/stock)
if ! cmp -s $out/stock $out/ours; then
	wrong 'not as the kernel'
	diff --label kernel --label ours -U 8 $out/stock $out/ours | head -n 120
fi
at_least 'expressions' 200 $n
at_least 'accepted' 80 $accepted
at_least 'refused' 60 $((n - accepted))
# The run is worth something: some pass all, some none, most a part.
awk '/^===/ { if (n++) c[k]++; k = 0 } /^  / { k++ } END { c[k]++
	for (k in c) printf "%s of 14 records: %d expressions\n", k, c[k]
	exit !(c[0] > 5 && c[14] > 5 && length(c) > 6) }' $out/stock

# What the kernel does otherwise.
cd $PROBES
define | while IFS= read -r i; do echo "$i" >>kprobe_events; done
echo 1 >events/flt/enable
passes() {
	printf '%s' "$1" >events/flt/ev/filter
	: >trace
	echo 1 >$run
	is "records with $1" "$2" "$(count ' ev: ' trace)"
}
read -r comm </proc/$$/comm
passes "comm ~ \"*${comm: -3}\"" 14
passes "comm ~ \"*x${comm: -3}\"" 0
passes "comm ~ \"*${comm:1:3}*\"" 14
echo 0 >events/flt/enable
echo "$n expressions, $accepted accepted"
none_wrong
