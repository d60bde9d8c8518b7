#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: triggers: error_log, counts, instances, busy events, replacing under hits
# seconds: 5
# modules: pe_compare

set -eu
export LC_ALL=C
run=/sys/module/pe_compare/parameters/run
insmod /modules/pe_compare.ko
cd "$PROBES"
# shellcheck source=tests/func/lib/events_lib.sh
. /host/events_lib.sh

define() {
	echo 'p:tr/a pe_cmp_target ctx=%dx:u32 n=%si:s64 s=+88(%di):string' >>kprobe_events
	echo 'p:tr/b pe_cmp_body ctx=%di:u32' >>kprobe_events
}

# What the kernel does not say.
define
echo >error_log
refused . append 'enable_event:tr:nope' events/tr/a/trigger
is 'caret' "$(printf '%24s^' '')" "$(grep -A2 'error: Event not found' error_log | tail -n 1)"
refused . append 'traceon if nope == 1' events/tr/a/trigger
is 'command' '  Command: nope == 1' "$(grep -A1 'event filter parse error: error: Field not found' error_log | tail -n 1)"
has events/tr/a/trigger '# traceon traceoff snapshot stacktrace enable_event disable_event enable_hist disable_hist hist' -x

# Armed, hit and counted while the event is off; busy.
echo 'enable_event:tr:b:1 if ctx == 77' >events/tr/a/trigger
is 'enable' '0* 0*' "$(cat events/tr/a/enable events/tr/b/enable | paste -sd ' ')"
echo 1 >$run
is 'hits, soft' '7 7 7' "$(value tr/a hits) $(value tr/a soft) $(value tr/b soft)"
sums
refused 'Device or resource busy' append '-:tr/b' kprobe_events
refused . append '-:tr/a' kprobe_events
holds events/tr/a/trigger 'enable_event:tr:b:count=1 if ctx == 77'
echo '!enable_event:tr:b' >events/tr/a/trigger
is 'enable' '0 0' "$(cat events/tr/a/enable events/tr/b/enable | paste -sd ' ')"
echo 1 >$run
value_is tr/a hits 7

# What a trigger has enabled stays so when the trigger goes.
echo 'enable_event:tr:b if ctx == 2' >events/tr/a/trigger
echo 1 >$run
holds events/tr/b/enable "1*"
echo '!enable_event:tr:b' >events/tr/a/trigger
holds events/tr/b/enable 1
: >trace
echo 1 >$run
is 'records of b in trace' 7 "$(records b)"
echo 0 >events/tr/b/enable

# An instance goes with its triggers.
mkdir instances/one
echo 'enable_event:tr:b' >instances/one/events/tr/a/trigger
is 'enable' '0* 0' "$(cat instances/one/events/tr/b/enable events/tr/b/enable | paste -sd ' ')"
echo 1 >$run
is 'enable' '1* 0' "$(cat instances/one/events/tr/b/enable events/tr/b/enable | paste -sd ' ')"
rmdir instances/one
before=$(value tr/b hits)
echo 1 >$run
value_is tr/b hits "$before"

# An instance's snapshot is its own, and goes with it; two triggers keep one.
mkdir instances/two
echo 'snapshot:1 if ctx == 3' >instances/two/events/tr/a/trigger
echo 'snapshot if ctx == 77' >instances/two/events/tr/b/trigger
echo 1 >instances/two/events/tr/a/enable
has snapshot 'Snapshot is freed'
echo 1 >$run
is 'in the snapshot, in the buffer' '4 3' "$(records a instances/two/snapshot) $(records a instances/two/trace)"
holds instances/two/events/tr/a/trigger 'snapshot:count=0 if ctx == 3'
echo '!snapshot' >instances/two/events/tr/a/trigger
refused 'Device or resource busy' put 0 instances/two/snapshot
echo '!snapshot' >instances/two/events/tr/b/trigger
echo 0 >instances/two/snapshot
echo 'snapshot' >instances/two/events/tr/b/trigger
rmdir instances/two

# Snapshots at every seventh hit, from three tasks at once: no record is lost.
echo 1 >events/tr/enable
echo 4096 >buffer_size_kb
: >trace
echo 'snapshot if ctx == 4' >events/tr/a/trigger
before=$(($(value tr/a records) + $(value tr/b records)))
for i in 1 2 3; do
	(for n in $(seq 200); do echo 1 >$run; done) &
	pids="${pids:-} $!"
done
wait $pids
pids=
made=$(($(value tr/a records) + $(value tr/b records) - before))
is 'records made' $((3 * 200 * 14)) $made
is 'records in both buffers' $made $(($(count ' [ab]: ' trace) + $(count ' [ab]: ' snapshot)))
sums
echo '!snapshot' >events/tr/a/trigger
echo 0 >snapshot
echo 64 >buffer_size_kb
echo 0 >events/tr/enable

# Counts are exact.
echo 1 >events/tr/enable
echo 'traceoff:7 if ctx == 0' >events/tr/a/trigger
echo 'disable_event:tr:b' >events/tr/b/trigger
for i in 1 2 3 4 5 6 7 8 9; do
	echo 1 >tracing_on
	echo 1 >events/tr/b/enable
	echo 1 >$run
	is 'tracing_on' $((i > 7)) "$(cat tracing_on)"
	holds events/tr/b/enable "0*"
done
sums

# Set and removed all the time while both events are hit.
echo '!traceoff' >events/tr/a/trigger
echo '!disable_event:tr:b' >events/tr/b/trigger
for i in 1 2 3; do
	(while :; do echo 1 >$run; done) &
	pids="${pids:-} $!"
done
end=$((SECONDS + 6)) n=0
while [ $SECONDS -lt $end ]; do
	echo 'enable_event:tr:b if ctx < 3' >events/tr/a/trigger
	echo 'disable_event:tr:b if ctx > 4' >events/tr/b/trigger
	echo 'traceoff if s ~ "hello*"' >events/tr/a/trigger
	echo 'ctx != 3' >events/tr/a/filter
	echo 'traceon' >events/tr/b/trigger
	echo 'snapshot if ctx != 1' >events/tr/b/trigger
	echo 'stacktrace if ctx != 2' >events/tr/b/trigger
	echo $((n % 3 == 0)) >options/stacktrace
	echo 1 >snapshot
	echo $((64 + n % 2 * 64)) >buffer_size_kb
	echo $((n % 2)) >events/tr/enable
	echo '!enable_event:tr:b' >events/tr/a/trigger
	echo '!disable_event:tr:b' >events/tr/b/trigger
	echo '!traceoff' >events/tr/a/trigger
	echo '!traceon' >events/tr/b/trigger
	echo '!snapshot' >events/tr/b/trigger
	echo '!stacktrace' >events/tr/b/trigger
	echo 0 >snapshot
	echo 0 >events/tr/a/filter
	n=$((n + 1))
done
kill $pids
wait $pids 2>/dev/null || :
echo 0 >options/stacktrace
echo 0 >events/tr/enable
sums
before=$(value tr/a hits)
echo 1 >$run
value_is tr/a hits "$before"
echo "$n rounds; a: $before hits, $(value tr/a records) records, $(value tr/a soft) soft"

# However many triggers go with an instance, hits are waited for and disarmed as of one. Text is
# changed by ftrace, or by us.
costs=(synchronize_rcu text_poke_finish text_poke_sync)
grep -q ' text_poke_finish$' /proc/kallsyms || costs=(synchronize_rcu smp_text_poke_batch_finish smp_text_poke_sync_each_cpu)
for cost in "${costs[@]}"; do
	echo "p:cost/$cost $cost" >>kprobe_events
	echo 'comm == "rmdir"' >"events/cost/$cost/filter"
done
echo 1 >events/cost/enable
places=(vfs_read vfs_write vfs_open vfs_fsync vfs_getattr vfs_rename vfs_mkdir vfs_symlink)
for place in "${places[@]}"; do echo "p:many/$place $place" >>kprobe_events; done
costs_so_far() { for cost in "${costs[@]}"; do value "cost/$cost" records; done; }
# cost_rmdir NUMBER: how often rmdir of an instance with so many triggers waits, changes text
cost_rmdir() {
	local i before after

	mkdir instances/cost
	for ((i = 0; i < $1; i++)); do
		echo traceon >"instances/cost/events/many/${places[i]}/trigger"
	done
	mapfile -t before < <(costs_so_far)
	rmdir instances/cost
	mapfile -t after < <(costs_so_far)
	echo $((after[0] - before[0])) $((after[1] - before[1] + after[2] - before[2]))
}
one=$(cost_rmdir 1)
at_least 'waits of rmdir' 1 "${one% *}"
at_least 'changes of text by rmdir' 1 "${one#* }"
# Where ftrace changes an address by itself, that is a change for each.
[[ $(uname -r) != 5.10.* ]] || one="${one% *} $((8 * ${one#* }))"
is 'waits, changes of text by rmdir with eight triggers' "$one" "$(cost_rmdir 8)"
holds events/many/enable 0
echo 0 >events/cost/enable

# Left there: the module is unloaded after this test.
echo 1 >tracing_on
echo 'enable_event:tr:b' >events/tr/a/trigger
echo 'disable_event:tr:a' >events/tr/b/trigger
echo 'snapshot' >events/tr/b/trigger
