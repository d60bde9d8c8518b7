#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: stacks after records, by trigger and option: the same callers as the kernel's own
# tier: 6.12-cloud 6.1-cloud
# needs: tracefs
# seconds: 5
# packages: trace-cmd
# tools: probe-events
# modules: pe_compare
#
# pe_compare.ko hits probes at entries, at instructions and at returns in seven contexts.
# The kernel's tracefs with its option "stacktrace", which starts from the probed code's
# registers, is asked first; then ours with the option, and with the trigger.
#
# What lies below an interrupt's entry is left out: it interrupts what it finds. Of an
# instruction of one byte the kernel looks at the next one's stack; ours is compared with
# the callers that a longer one has in the same function.
set -eu
# shellcheck source=tests/func/lib/events_lib.sh
. /host/events_lib.sh
# shellcheck source=tests/func/lib/compare_lib.sh
. /host/compare_lib.sh
site=$(cat /sys/module/pe_compare/parameters/site)

define() {
	echo 'p:st/entry pe_cmp_target ctx=%dx:u32' >>kprobe_events
	echo "p:st/add pe_cmp_body+$((site + 3)) a=%di:u32" >>kprobe_events
	echo "p:st/push pe_cmp_body+$((site + 16)) a=%di:u32" >>kprobe_events
	echo "p:st/pop pe_cmp_body+$((site + 17)) a=%di:u32" >>kprobe_events
	echo 'p:st/leaf pe_cmp_leaf a=%di:u32 s=@pe_cmp_text:string' >>kprobe_events
	echo 'r:st/back pe_cmp_target' >>kprobe_events
	echo 'r:st/leafback pe_cmp_leaf' >>kprobe_events
	echo 'r:st/body pe_cmp_body' >>kprobe_events
}

# stacks: each record with its callers on one line
stacks() {
	awk '/^#/ { next }
	/^ => / { if (!below) line = line " " $2; if ($2 ~ /^asm_/) below = 1; next }
	/<stack trace>/ { line = line " |"; below = 0; next }
	{ if (line) print line; line = $0; sub(/.*[0-9]: /, "", line); sub(/ .*/, "", line) }
	END { print line }' trace
}

# run_with EVENT...: one run with these enabled, and the trigger set if $trigger says so
trigger=
run_with() {
	local e
	for e in "$@"; do
		echo 1 >events/st/$e/enable
		[ -z "$trigger" ] || echo $trigger >events/st/$e/trigger
	done
	: >trace
	echo 1 >$run
	echo 0 >events/st/enable
	for e in "$@"; do
		[ -z "$trigger" ] || echo "!$trigger" >events/st/$e/trigger
	done
	echo "== $*"
	stacks
}

scenario() {
	run_with entry
	run_with add
	run_with leaf
	run_with back
	run_with leafback
	run_with leaf body		# called from a function with return probes
	run_with leaf leafback body
	run_with entry back
}

cd $stock
define
echo 1 >options/stacktrace
scenario >$out/stock
echo 0 >options/stacktrace
echo >kprobe_events
cp events/ftrace/kernel_stack/format $out/format

cd "$PROBES"
define
is 'format' '' "$(diff $out/format events/ftrace/kernel_stack/format)"
is 'option' 0 "$(cat options/stacktrace)"
scenario >$out/none
lacks $out/none '|'
echo stacktrace >trace_options
scenario >$out/option
echo nostacktrace >trace_options
trigger=stacktrace
scenario >$out/trigger
grep -c '|' $out/stock
# 5.10's own end at a return probe of its kind: what is before that is compared.
if [[ $(uname -r) = 5.10.* ]]; then
	paste -d '\n' $out/stock $out/option > $out/pairs
	awk 'NR % 2 { theirs = $0; next }
		(end = index(theirs, "[unknown/kretprobe")) && substr(theirs, 1, end - 1) == substr($0, 1, end - 1) { theirs = $0 }
		{ print theirs }' $out/pairs > $out/stock
	at_least 'stacks that end' 1 "$(grep -c kretprobe $out/pairs)"
	at_least 'stacks that do not' 1 "$(awk 'NR % 2 && /[|]/ && !/kretprobe/' $out/pairs | wc -l)"
fi
diff -U 3 $out/stock $out/option || fail "the option"
diff -U 3 $out/option $out/trigger || fail "the trigger"
has $out/trigger '^leaf: \| pe_cmp_leaf pe_cmp_body (call_all|run_set) ' -E
for e in add push pop; do
	run_with $e >$out/$e
	is $e "7 $(sed -n '/^add: /s/.*| //p' $out/add | cksum)" \
		"$(grep -c '| pe_cmp_body [a-z]' $out/$e) $(sed -n "/^$e: /s/.*| //p" $out/$e | cksum)"
done
! grep -E 'pe_call|pe_entry|pe_return|unknown' $out/trigger || exit 1

# Both: twice.
echo 1 >options/stacktrace
run_with entry >$out/both
trigger=
is 'both' 7 "$(grep -cE '^entry: (\| pe_cmp_target [^|]*){2}$' $out/both)"
echo 0 >options/stacktrace

# The event is off: its stacks alone.
echo stacktrace >events/st/entry/trigger
echo >trace
echo 1 >$run
is 'off' '0 7' "$(grep -c 'entry: ' trace || :) $(grep -c '=> pe_cmp_target$' trace)"

# COUNT and filter; removal.
echo '!stacktrace' >events/st/entry/trigger
echo 'stacktrace:2 if ctx > 2' >events/st/entry/trigger
run_with entry >$out/count
is 'count' 'entry: 2' "$(grep '| pe_cmp_target ' $out/count | cut -d ' ' -f 1 | uniq -c | awk '{ print $2, $1 }')"
is 'left' 'stacktrace:count=0 if ctx > 2' "$(cat events/st/entry/trigger)"
echo '!stacktrace' >events/st/entry/trigger

# An instance has its own option and triggers.
mkdir instances/i
echo 1 >instances/i/options/stacktrace
echo 1 >instances/i/events/st/leaf/enable
run_with leaf >$out/top
! grep '|' $out/top || exit 1
is 'instance' 7 "$(grep -c '=> pe_cmp_leaf$' instances/i/trace)"
rmdir instances/i

# No stack is lost in silence: hits + extra = records + losses, in a buffer that is full.
columns() {
	awk -v e="$1" 'NR == 1 { for (i = 1; i <= NF; i++) name[i] = $i; next }
		$1 == e { s = 0; for (i = 4; i < NF; i++) s += $i
			for (i = 3; i <= NF; i++) v[name[i]] = $i
			print v["hits"] + v["extra"] - s, v["records"], v["full"], v["extra"] }' kprobe_losses
}
echo >kprobe_events
define
echo 0 >options/overwrite
echo 16 >buffer_size_kb
echo >trace
echo stacktrace >events/st/entry/trigger
echo 1 >events/st/entry/enable
for i in $(seq 100); do echo 1 >$run; done
read -r rest records full extra < <(columns st/entry)
echo "full buffer: $records records, $full lost, $extra stacks wanted"
is 'balance' '0 700' "$rest $extra"
is 'all wanted' 1400 $((records + full))
at_least 'lost' 1 "$full"
is 'in the buffer' $records "$(grep -cE 'entry: |<stack trace>' trace)"
echo 0 >tracing_on
before=$full
echo 1 >$run
read -r rest records full extra < <(columns st/entry)
is 'off' "0 707 $before" "$rest $extra $full"
echo 1 >tracing_on
echo 0 >events/st/enable
echo '!stacktrace' >events/st/entry/trigger
echo 1 >options/overwrite
echo 1408 >buffer_size_kb

# trace-cmd sets it, and its report knows the callers.
cd /tmp
/host/probe-events exec trace-cmd record -q -o $out/dat -e st:entry -R stacktrace \
	sh -c "echo 1 >$run" >$out/log 2>&1 || fail "trace-cmd: $(cat $out/log)"
trace-cmd report -i $out/dat >$out/report 2>/dev/null
is 'report' 7 "$(count ' entry: ' $out/report)"
is 'report of callers' 7 "$(grep -c '=> pe_cmp_target ' $out/report)"
has $out/report '=> run_set '
