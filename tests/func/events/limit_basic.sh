#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: limits of events: hits exactly, rates, times; what is told; only enabling brings it back
# tier: 6.12-cloud 6.12-rt 6.1-cloud debug bare
# tools: session
# modules: pe_stress
# seconds: 6

set -eu
cd "$PROBES"
# shellcheck source=tests/func/lib/session_lib.sh
. /host/session_lib.sh

# armed PATTERN: so many probes of the list
armed() { grep "$1" kprobes/list | grep -cv '\[DISABLED\]' || true; }
# tripped EVENT [PLACE]: it has been stopped, and disarmed; for within
tripped() { grep -q '^tripped: ' "events/$1/limit" && [ "$(armed "${2:-read_zero}")" = 0 ]; }
dir=events/kprobes/zero

echo 'p:zero read_zero n=%dx:u64' > kprobe_events
holds $dir/limit none

# What it is not.
bad() {
	refused 'Invalid argument' put "$1" $dir/limit
	has error_log "limit:kprobes:zero: error: Invalid limit ($2)"
	has error_log "^$(printf '%*s' $((11 + $3)) '')^\$"
	echo > error_log
	holds $dir/limit none
}
bad 'hits=0' 'hits=N, as 10k or 1e6' 5
bad 'hits=1 speed=2' 'cpu=, one=, hits=, rate=, ttl=, or none' 7
bad 'hits=1 ttl=5w' 'ttl=N, or N with s, m, h or d; 3650d at most' 11
bad '' 'cpu=, one=, hits=, rate=, ttl=, or none' 0

# Hits: the Nth is the last one. The next ones are counted, until it is disarmed.
echo 'hits=10' > $dir/limit
holds $dir/limit 'hits=10'
echo 1 > $dir/enable
has kprobes/compiled 'zero .*interpreted: '
read_zeros 9
is 'nine' 9 "$(records zero)"
holds $dir/limit 'hits=10'
read_zeros 30
within 10 tripped kprobes/zero
is 'records' 10 "$(records zero)"
value_is kprobes/zero records 10
# None, where the work that disarms it runs between two reads.
value_is kprobes/zero limited $(($(value kprobes/zero hits) - 10))
at_most 'limited' 29 "$(value kprobes/zero limited)"
sums
holds $dir/enable 0
matches 'its file' "hits=10
tripped: hits 10 of 10 at [0-9]*.[0-9][0-9][0-9]" "$(cat $dir/limit)"
has trace ': limit_reached: kprobes/zero: hits 10 of 10$'
has error_log 'limit: error: Stopped by its limit (hits 10 of 10)'
has error_log '  Command: kprobes/zero$'
within 5 eval 'dmesg | grep -q "probe_events: kprobes/zero has reached its limit: hits 10 of 10"'
hits=$(value kprobes/zero hits)
read_zeros 5
value_is kprobes/zero hits "$hits"

# Neither another limit nor a 0 brings it back: only a 1, and then it begins anew.
echo > trace
echo 'hits=3' > $dir/limit
echo 0 > $dir/enable
read_zeros 5
value_is kprobes/zero hits "$hits"
matches 'its file' 'hits=3
tripped: hits 10 of 10 at *' "$(cat $dir/limit)"
echo 1 > $dir/enable
holds $dir/limit 'hits=3'
read_zeros 2
echo 0 > $dir/enable		# the user, not the limit
echo 1 > $dir/enable
read_zeros 20
within 10 tripped kprobes/zero
is 'records' 3 "$(records zero)"
echo none > $dir/limit
echo 1 > $dir/enable
read_zeros 20
is 'without a limit' 23 "$(records zero)"
sums

# A write renews it.
echo 'hits=5' > $dir/limit
read_zeros 4
echo 'hits=5' > $dir/limit
read_zeros 4
is 'renewed' 31 "$(records zero)"
holds $dir/limit 'hits=5'
echo 0 > $dir/enable

# A rate: no more than that, and what may come at once. Hits beyond it are counted; it goes on.
echo > trace
echo 'rate=1k/s' > $dir/limit
served=$(value kprobes/zero records)
start=$(cut -d' ' -f1 /proc/uptime)
echo 1 > $dir/enable
within 30 eval 'read_zeros 3000; [ $(value kprobes/zero limited) -gt 5000 ]'
echo 0 > $dir/enable
end=$(cut -d' ' -f1 /proc/uptime)
served=$(($(value kprobes/zero records) - served))
most=$(awk -v s="$start" -v e="$end" 'BEGIN { print int((e - s + 0.02) * 1000) + 12 }')
at_least 'served' 11 "$served"
at_most 'served' "$most" "$served"
holds $dir/limit 'rate=1000/s'
sums
echo 'rate=1/s' > $dir/limit
served=$(value kprobes/zero records)
start=$(cut -d' ' -f1 /proc/uptime)
echo 1 > $dir/enable
read_zeros 1000
echo 0 > $dir/enable
end=$(cut -d' ' -f1 /proc/uptime)
at_most 'served, one in a second' "$(awk -v s="$start" -v e="$end" 'BEGIN { print int(e - s + 0.02) + 1 }')" \
	$(($(value kprobes/zero records) - served))

# Time: from the write, or from when it is armed, and nothing need come.
echo 'ttl=1s' > $dir/limit
sleep 1.5
holds $dir/limit 'ttl=1s'
start=$(cut -d' ' -f1 /proc/uptime)
echo 1 > $dir/enable
within 10 tripped kprobes/zero
has $dir/limit '^tripped: ttl 1s at '
# Not of the time before: a second later, or as late as the machine is.
sed -n 's/^tripped: ttl 1s at //p' $dir/limit | awk -v s="$start" '{ exit $1 < s + 0.98 }' ||
	fail "armed at $start: $(cat $dir/limit)"
has trace ': limit_reached: kprobes/zero: ttl 1s$'
echo > kprobe_events

# A hit in several instances, with a stack and a table, is one; the smallest limit counts.
mkdir instances/a instances/b
echo 'r:ret read_zero v=$retval' > kprobe_events
echo 'hits=7' > instances/a/events/kprobes/ret/limit
echo 'hits=9 rate=1G/s' > instances/b/events/kprobes/ret/limit
holds instances/a/events/kprobes/ret/limit 'hits=7
in force: hits=7 rate=1000000000/s'
holds events/kprobes/ret/limit 'none
in force: hits=7 rate=1000000000/s'
echo 'hist:keys=v' > events/kprobes/ret/trigger
echo 1 > instances/a/options/stacktrace
echo 1 > instances/a/events/kprobes/ret/enable
echo 1 > instances/b/events/kprobes/ret/enable
read_zeros 30
within 10 tripped kprobes/ret
for i in a b; do
	is "records in $i" 7 "$(records ret instances/$i/trace)"
	has instances/$i/trace 'limit_reached: kprobes/ret: hits 7 of 7$'
	holds instances/$i/events/kprobes/ret/enable 0
done
is 'stacks' 7 "$(count '<stack trace>' instances/a/trace)"
has events/kprobes/ret/hist '^    Hits: 7$'
holds events/kprobes/ret/enable '0*'
is 'armed' 0 "$(armed read_zero)"
sums
# What else had it armed does so again when it is enabled, and then without that.
echo 1 > events/kprobes/ret/enable
echo 0 > events/kprobes/ret/enable
read_zeros 2
has events/kprobes/ret/hist '^    Hits: 9$'
# Setting and removing what arms events leaves a stopped one alone.
read_zeros 30
within 10 tripped kprobes/ret
has events/kprobes/ret/hist '^    Hits: 14$'
echo 'stacktrace:1' >> events/kprobes/ret/trigger
echo '!stacktrace:1' >> events/kprobes/ret/trigger
echo '!hist:keys=v' >> events/kprobes/ret/trigger
is 'armed' 0 "$(armed read_zero)"
# An instance takes its limit along.
rmdir instances/a
holds events/kprobes/ret/limit "none
in force: hits=9 rate=1000000000/s
$(tail -n 1 events/kprobes/ret/limit)"
rmdir instances/b
matches 'no limit is left' 'none
tripped: *' "$(cat events/kprobes/ret/limit)"
echo 1 > events/kprobes/ret/enable
read_zeros 30
holds events/kprobes/ret/limit none
echo 0 > events/kprobes/ret/enable
echo > kprobe_events

# A trigger that enables a stopped event does not bring it back, and its files do not say so.
{
	echo 'p:zero read_zero n=%dx:u64'
	echo 'p:link vfs_symlink'
} > kprobe_events
echo 'enable_event:kprobes:zero' > events/kprobes/link/trigger
echo 'hits=1' > $dir/limit
echo 1 > $dir/enable
echo 1 > events/kprobes/link/enable
read_zeros 2
within 10 tripped kprobes/zero
ln -s nowhere /tmp/symlink
value_is kprobes/link records 1
holds $dir/enable '0*'
lacks set_event '^kprobes:zero$'
is 'stopped' 0 "$(armed read_zero)"
echo 0 > events/kprobes/link/enable
echo '!enable_event:kprobes:zero' > events/kprobes/link/trigger
echo > kprobe_events

# What looks at limits runs while an event is armed. A trigger of trace_marker arms none.
looks() { grep -c pe_limit_look /proc/timer_list || true; }
no_looks() { [ "$(looks)" = 0 ]; }
limits=$(cat limits)
echo 'hits=1e12' > limits
within 10 no_looks
echo 'stacktrace' > events/ftrace/print/trigger
is 'with a trigger of trace_marker' 0 "$(looks)"
echo '!stacktrace' > events/ftrace/print/trigger
echo 'p:zero read_zero' > kprobe_events
echo 1 > $dir/enable
differs 'with an event' 0 "$(looks)"
echo 0 > $dir/enable
echo "$limits" > limits
echo > kprobe_events

# A session enables an event whose last hit has come, and which is about to be stopped: it begins
# anew, as it does through its file.
exec 4<> session
read -r _ nr <&4
one_write 4 <<-END
	p:zero read_zero
	limit zero hits=1
	enable zero
END
for i in $(seq 30); do
	dd if=/dev/zero of=/dev/null bs=1 count=1 status=none
	echo 'enable zero' >&4
done
read_zeros 1
is 'each was served' 31 "$(value s$nr/zero records)"
exec 4>&-

# Hits of all contexts, on all CPUs: exactly N.
insmod /modules/pe_stress.ko
echo "p:all pe_stress:pe_stress_target n=%si:u64" > kprobe_events
echo "p:inside pe_stress:pe_stress_target+$(cat /sys/module/pe_stress/parameters/site) n=%si:u64" >> kprobe_events
for event in all inside; do
	echo 'hits=1234' > events/kprobes/$event/limit
done
echo 1 > events/kprobes/enable
stress_run 20000
for event in all inside; do
	within 10 tripped kprobes/$event pe_stress_target
	value_is kprobes/$event records 1234
	at_least 'limited' 1 "$(value kprobes/$event limited)"
done
sums
echo > kprobe_events
rmmod pe_stress

# Sessions: a line, all or nothing; and who reads is told.
exec 3<> session
read -r _ nr <&3
one_write <<END
p:zero read_zero n=%dx:u64
limit zero hits=4
enable zero
END
holds events/s$nr/zero/limit 'hits=4'
before=$(session_state)
for bad in 'limit zero hits=x' 'limit zero' 'limit nowhere hits=1'; do
	refused_write 3 'Invalid argument' <<END
p:more read_zero
limit more ttl=1h
limit zero none
$bad
END
	is "after $bad" "$before" "$(session_state)"
	holds events/s$nr/zero/limit 'hits=4'
done
refused 'not permitted' put none events/s$nr/zero/limit
read_zeros 20
read -r told <&3
is 'told' "limit s$nr/zero hits 4 of 4" "$told"
value_is s$nr/zero records 4
one_write <<END
enable zero
limit zero none
END
read_zeros 20
value_is s$nr/zero records 24
exec 3>&-
within 10 ended "$nr"

# The top's event, in its own instance: the session is told, too.
echo 'p:zero read_zero' > kprobe_events
exec 3<> session
read -r _ nr <&3
one_write <<END
instance 64
limit kprobes/zero hits=2
enable kprobes/zero
END
read_zeros 9
read -r told <&3
is 'told' 'limit kprobes/zero hits 2 of 2' "$told"
exec 3>&-
within 10 ended "$nr"
matches 'what it leaves' 'none
tripped: *' "$(cat $dir/limit)"
echo > kprobe_events

# A write that fails in its last line: hits meanwhile do not meet the limit in its first.
echo 'p:zero read_zero' > kprobe_events
echo 1 > $dir/enable
while :; do read_zeros 1000; done & storm=$!
exec 3<> session
read -r _ nr <&3
one_write <<< 'instance 64'
refused_write 3 'Invalid argument' <<END
limit kprobes/zero hits=1
$(for i in $(seq 1500); do echo 'filter kprobes/zero common_pid != 1'; done)
enable kprobes/nowhere
END
hits=$(value kprobes/zero hits)
on() { [ "$(value kprobes/zero hits)" -gt $((hits + 2000)) ]; }
within 60 on
kill $storm
wait $storm 2> /dev/null || true
is 'its limit' none "$(cat $dir/limit)"
value_is kprobes/zero limited 0
holds $dir/enable 1
exec 3>&-
within 10 ended "$nr"
echo 0 > $dir/enable
echo > kprobe_events

# An event that its limit has stopped keeps its triggers, and is in use by them.
echo 'p:zero read_zero' > kprobe_events
echo 'hist:keys=common_cpu' > $dir/trigger
echo 'hits=2' > $dir/limit
echo 1 > $dir/enable
read_zeros 5
within 10 grep -q '^tripped' $dir/limit
refused 'busy' append '-:zero' kprobe_events
echo '!hist:keys=common_cpu' > $dir/trigger
echo '-:zero' >> kprobe_events
holds kprobe_events ''
