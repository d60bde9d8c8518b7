#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: triggers: answers, texts, and what they do to which hit as the kernel's
# not: 5.10-cloud 6.1-cloud 7.3-cloud: their texts are of other versions
# not: 6.12-rt: the texts of 6.12-cloud
# needs: tracefs kprobes
# seconds: 31
# files: trigger_stock.defs
# modules: pe_compare
#
# Each line of trigger_stock.defs is done four times in the kernel's tracefs and in ours:
# with the two events on and off before and with recording on and off (in one of these
# ways, by turns, unless PE_LONG is set); after "# once", where most are refused, once. A line has steps separated by "|": a text for the trigger
# file of event a, or "filter TEXT", "delete EVENT", "disable EVENT", "free" (the
# snapshot). Compared are the answers, the files, and the records of two runs of
# pe_compare.ko, which hits both events in seven contexts, in the buffer and, where a line
# names it, in the snapshot.
#
# Not compared: error_log, where ours says more, the list of what is available, and
# freeing a snapshot that a trigger needs, which the kernel allows. Of stacks only that
# they are there: trigger_stack compares them.
set -eu
# shellcheck source=tests/func/lib/compare_lib.sh
. "${HOST:-/host}/compare_lib.sh"

define() {
	echo 'p:tr/a pe_cmp_target ctx=%dx:u32 n=%si:s64 s=+88(%di):string' >>kprobe_events
	echo 'p:tr/b pe_cmp_body ctx=%di:u32' >>kprobe_events
}

# attempt TEXT FILE: the answer
attempt() {
	printf '%s' "$1" 2>$out/err >>"$2" && echo "$1: ok" && return
	local line
	read -r line <$out/err
	echo "$1: ${line##*: }"
}

step() {
	case $1 in
	"filter "*)  attempt "${1#filter }" events/tr/a/filter ;;
	"delete "*)  attempt "-:tr/${1#delete }" kprobe_events ;;
	"disable "*) attempt 0 "events/tr/${1#disable }/enable" ;;
	free)        attempt 0 snapshot ;;
	*)           attempt "$1" events/tr/a/trigger ;;
	esac
}

state() {
	local file line
	for file in tracing_on events/tr/{a,b}/enable events/tr/a/{trigger,filter}; do
		while IFS= read -r line; do
			case $line in '#'*) ;; *) echo "$file: $line" ;; esac
		done <$file
	done
}

# texts FILE INDENT: of its records; read as a whole: the kernel loses its place after stacks
texts() {
	local line
	while IFS= read -r line; do
		case $line in
		*" a: "*) echo "$2 a ${line##* a: }" ;;
		*" b: "*) echo "$2 b ${line##* b: }" ;;
		"# * Snapshot is"*) echo "$2 $line" ;;
		*"<stack trace>") echo "$2 stack" ;;
		esac
	done < <(cat "$1")
}

one_run() {
	: >trace
	$snap && echo 2 >snapshot
	echo 1 >$run
	texts trace ' '
	! $snap || texts snapshot ' snapshot'
}

clean() {
	local line
	while IFS= read -r line; do
		case $line in '#'*) ;; *) printf '!%s' "$line" >events/tr/a/trigger ;; esac
	done <<<"$(<events/tr/a/trigger)"
	echo 0 >events/tr/a/filter
	echo 0 >events/tr/enable
	! $snap || echo 0 >snapshot
}

scenario() {
	local line a b on steps step set snap at=$1 sets=() all=("1 0 1" "0 0 1" "1 1 1" "1 1 0")
	while IFS= read -r line; do
		case $line in
		"# once") all=("1 0 1") && continue ;;
		*snapshot*) snap=true ;;
		*) snap=false ;;
		esac
		sets=("${all[@]}")
		if [ ${#all[@]} = 4 ] && [ -z "${PE_LONG:-}" ]; then
			sets=("${all[at % 4]}")
			at=$((at + 1))
		fi
		for set in "${sets[@]}"; do
			read -r a b on <<<"$set"
			echo "=== $line (a $a, b $b, recording $on)"
			echo $a >events/tr/a/enable
			echo $b >events/tr/b/enable
			echo $on >tracing_on
			IFS='|' read -r -a steps <<<"$line"
			for step in "${steps[@]}"; do
				step "$step"
			done
			state
			one_run
			state
			one_run
			clean
			echo "clean: $(<events/tr/a/enable) $(<events/tr/b/enable)"
		done
	done <$host/trigger_stock.defs
}

seed=${PE_SEED:-$RANDOM}
echo "# PE_SEED=$seed"
phase() {
	cd "$1"
	define
	scenario "$seed" >$out/$2
	echo 1 >tracing_on
	echo >kprobe_events
	echo >trace
	cd /
}

phase $stock stock
if [ "${1:-}" = stock ]; then
	cat $out/stock
	exit
fi
phase "$PROBES" ours
n=$(grep -c '^===' $out/stock)
echo "$n cases, $(grep -c '^  [ab]' $out/stock) records"
at_least 'cases' "$([ -n "${PE_LONG:-}" ] && echo 300 || echo 120)" "$n"
has $out/stock '^ snapshot [ab] '
cmp -s $out/stock $out/ours ||
	fail "not as the kernel: $(diff --label kernel --label ours -U 12 $out/stock $out/ours | head -n 150)"
