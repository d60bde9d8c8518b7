#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: tables: what the kernel has not: distributions, table, take, balance, callers, names, CPUs, memory
# seconds: 3
# tier: 6.12-cloud 6.12-rt 6.1-cloud 5.10-cloud debug bare
# modules: pe_compare
set -eu
export LC_ALL=C
run=/sys/module/pe_compare/parameters/run
insmod /modules/pe_compare.ko
cd "$PROBES"
# shellcheck source=tests/func/lib/events_lib.sh
. /host/events_lib.sh
printf '%s\n' 'p:t/a pe_cmp_target ctx=%dx:u32 n=%si:s64 w=+64(%di):s8 s=+88(%di):string' 'p:t/b pe_cmp_body ctx=%di:u32' \
	'r:t/r pe_cmp_target ns=$elapsed' >kprobe_events
a=events/t/a
balance() { awk -F '\t' -v k="$2" '$1 == "#balance" { for (i = 2; i < NF; i += 2) if ($i == k) v = $(i + 1) } END { print v }' "$1/table"; }
table() { grep -v '^#' "$1/table" || :; }
set_to() { echo "$2" >events/t/$1/trigger; }

# Nothing is counted yet.
is 'hist without a trigger' '' "$(cat $a/hist)"
is 'table without a trigger' '' "$(cat $a/table)"
has $a/trigger '# traceon traceoff snapshot stacktrace enable_event disable_event enable_hist disable_hist hist' -x

# What is refused: synthetic events; texts; what only the kernel has.
refused 'Operation not supported' append 'hist:keys=ctx:x=n:onmax($x).trace(e)' $a/trigger
has error_log 'hist:t:a: error: onmatch(), trace() and synthetic events are not supported'
is 'caret' "$(printf '%39s^' '')" "$(tail -n 1 error_log)"
refused . append 'hist:keys=ctx:x=s' $a/trigger
has error_log 'hist:t:a: error: A variable is a number'
refused . append 'hist:keys=ctx:vals=s' $a/trigger
has error_log "hist:t:a: error: String type can not be an operand in expression"
refused . append 'hist:keys=ctx:vals=n.dist,ctx.dist' $a/trigger
has error_log 'hist:t:a: error: Invalid field modifier'
refused . append 'hist:keys=common_timestamp:clock=nope' $a/trigger
has error_log "hist:t:a: error: Couldn't set trace_clock"
refused 'Operation not supported' append 'hist:keys=common_caller' events/ftrace/print/trigger
has error_log 'hist:ftrace:print: error: Refused (histograms of trace_marker have no callers)'
refused 'Operation not supported' append 'hist:keys=common_stacktrace' events/ftrace/print/trigger
refused . append 'hist:keys=buf' events/ftrace/print/trigger
holds events/ftrace/print/hist ''

# A distribution, the extremes, the sum; negative values are a step of their own.
set_to a 'hist:keys=s:vals=ctx.dist,n.dist2' 2>/dev/null && fail 'an unknown modifier'
set_to a 'hist:keys=common_comm:vals=ctx.dist,ctx.max,ctx.min'
set_to r 'hist:keys=common_comm:vals=ns.dist'
echo 1 >$run
echo 1 >$run
has $a/hist 'hitcount: *14  ctx: count 14 sum 42 min 0 p50 3 p90 6 p99 6 p99.9 6 max 6  ctx.max: *6  ctx.min: *0$'
is 'steps' '0 2,1 2,2 2,3 2,4 2,5 2,6 2' "$(table $a | cut -f 2,3 | awk '{ print $2, $1 }' | paste -sd ,)"
has events/t/r/hist 'ns: count 14 sum [1-9][0-9]* min [1-9][0-9]* p50 [1-9]'
set_to a '!hist:keys=common_comm:vals=ctx.dist,ctx.max,ctx.min'
set_to a 'hist:keys=ctx:vals=n.dist,w.min'
echo 1 >$run
has $a/hist 'ctx: *3 } hitcount: *1  n: count 0 sum -2 min 0 p50 0 p90 0 p99 0 p99.9 0 max 0 negative 1  w.min: 18446744073709551608$'
is 'row' '3 1 neg -2 -2 -8' "$(table $a | grep ^3 | tr '\t' ' ')"
set_to a '!hist:keys=ctx:vals=n.dist,w.min'

# take is a reading and a clearing, at one moment. The next one has what came since.
set_to a 'hist:keys=common_tgid,ctx:vals=n'
exec 7<>$a/table
echo 1 >$run
echo take >&7
is 'taken' 7 "$(grep -vc '^#' <&7)"
is 'left' '' "$(table $a)"
echo 1 >$run
echo 1 >$run
is 'not taken' 7 "$(table $a | wc -l)"
echo take >&7
first=$(grep -v '^#' <&7 | head -n 1)
is 'taken again' "$$ 0 2 -4" "$(echo $first)"
echo take >&7
is 'nothing came' '#end 0 rows' "$(tail -n 1 <&7)"
is 'cleared' '21 0 21' "$(balance $a hits) $(balance $a rows) $(balance $a cleared)"
# What has been taken is not thrown away unread.
echo 1 >$run
echo take >&7
echo 1 >$run
refused busy sh -c 'echo take >&7'
is 'taken, the others not' 7 "$(awk -F '\t' '!/^#/ { n += $3 } END { print n }' <&7)"
echo take >&7
is 'the others' 7 "$(awk -F '\t' '!/^#/ { n += $3 } END { print n }' <&7)"
refused . put give $a/table
exec 7>&-

# clear, pause, the filter: the balance has all hits.
echo 1 >$run
set_to a 'hist:keys=common_tgid,ctx:vals=n:clear'
set_to a 'hist:keys=common_tgid,ctx:vals=n:pause'
has $a/table '#state	paused'
echo 1 >$run
set_to a 'hist:keys=common_tgid,ctx:vals=n:cont'
echo 1 >$run
is 'balance' '56 7 0 7 42 0' "$(for k in hits rows other paused cleared filtered; do balance $a $k; done | paste -sd ' ')"
set_to a '!hist:keys=common_tgid,ctx:vals=n'
set_to a 'hist:keys=ctx if ctx > 4'
echo 1 >$run
is 'filtered' '7 2 5' "$(balance $a hits) $(balance $a rows) $(balance $a filtered)"
sums
is 'armed, and counted' 0 "$(value t/a records)"
before=$(value t/a counted) soft=$(value t/a soft)
echo 1 >$a/enable
echo 1 >$run
echo 0 >$a/enable
is 'recorded and counted' '7 2 2 0' "$(value t/a records) $(($(value t/a counted) - before)) $(value t/a extra) $(($(value t/a soft) - soft))"
sums
set_to a '!hist:keys=ctx if ctx > 4'

# Who has called: the function, and the place to which a return goes.
set_to a 'hist:keys=common_caller.sym'
set_to r 'hist:keys=common_caller.sym,__probe_ret_ip.sym'
echo 1 >$run
has $a/hist 'common_caller: \[[0-9a-f]*\] run_set \[pe_compare\]'
has events/t/r/hist 'common_caller: \[\([0-9a-f]*\)\] run_set \[pe_compare\] .*__probe_ret_ip: \[\1\] run_set'
set_to a '!hist:keys=common_caller.sym'
set_to r '!hist:keys=common_caller.sym,__probe_ret_ip.sym'
set_to r '!hist:keys=common_comm:vals=ns.dist'

# Stacks differ by all of their addresses; the depth cuts them.
set_to a 'hist:keys=common_stacktrace'
set_to a 'hist:keys=common_stacktrace.depth=1'
echo 1 >$run
is 'stacks' '7 1' "$(grep -c '} hitcount: *1$' $a/hist) $(grep -c '} hitcount: *7$' $a/hist)"
has $a/hist '^         pe_cmp_target+0x'
has $a/table '^0x[0-9a-f]*,0x[0-9a-f,x]*	1$'
set_to a '!hist:keys=common_stacktrace'
set_to a '!hist:keys=common_stacktrace.depth=1'

# One table for two events; either may go first.
set_to a 'hist:keys=ctx:name=both'
set_to b 'hist:keys=ctx:name=both'
echo 1 >$run
is 'shared' '2 2' "$(table $a | sed -n '1s/.*\t//p') $(table events/t/b | sed -n '1s/.*\t//p')"
set_to a '!hist:keys=ctx:name=both'
echo 1 >$run
is 'one is left' 3 "$(table events/t/b | sed -n '1s/.*\t//p')"
refused 'Device or resource busy' append '-:t/b' kprobe_events
set_to b '!hist:keys=ctx:name=both'

# More keys than rows: the rest is counted as others.
set_to b 'hist:keys=common_timestamp:size=128:clock=counter'
for i in $(seq 40); do echo 1 >$run; done
is 'rows and others' '280 128 152' "$(balance events/t/b hits) $(balance events/t/b rows) $(balance events/t/b other)"
has events/t/b/table '^#other	152$'
has events/t/b/hist '^    Dropped: 152$'
is 'hits of hist' 128 "$(sed -n 's/^    Hits: //p' events/t/b/hist)"
set_to b '!hist:keys=common_timestamp:size=128'

# Memory comes and goes with the tables; an instance takes its own away.
is 'no tables' 0 "$(awk '$1 == "tables" { print $2 }' kprobes/memory)"
mkdir instances/x
echo 'hist:keys=ctx' >instances/x/$a/trigger
echo 1 >$run
is 'in the instance' 7 "$(table instances/x/$a | wc -l)"
at_least 'memory' 10000 "$(awk '$1 == "tables" { print $2 }' kprobes/memory)"
rmdir instances/x
is 'no tables' 0 "$(awk '$1 == "tables" { print $2 }' kprobes/memory)"

# A CPU that goes and comes.
if [ -e /sys/devices/system/cpu/cpu1/online ]; then
	echo 0 >/sys/devices/system/cpu/cpu1/online
	set_to a 'hist:keys=common_cpu'
	echo 1 >/sys/devices/system/cpu/cpu1/online
	(taskset -p -c 1 $BASHPID >/dev/null; echo 1 >$run)
	is 'CPU 1' '1 7' "$(table $a | grep ^1 | tr '\t' ' ')"
	echo 0 >/sys/devices/system/cpu/cpu1/online
	is 'CPU 1, gone' '1 7' "$(table $a | grep ^1 | tr '\t' ' ')"
	echo 1 >/sys/devices/system/cpu/cpu1/online
	set_to a '!hist:keys=common_cpu'
fi
sums
echo >kprobe_events
