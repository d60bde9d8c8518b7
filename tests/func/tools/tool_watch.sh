#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: probe-events watch: what was before a slow call is kept, once or several times; nothing is left
# tier: 6.12-cloud 6.1-cloud
# seconds: 8
# needs: network
# tools: probe-events
set -eu
# shellcheck source=tests/func/lib/tool_lib.sh
. /host/tool_lib.sh
cd /tmp
ready() { grep -qs '^snapshot:count=1 ' "$PROBES"/instances/*/events/*/lat/trigger; }
watching() {
	"$tool" watch "$@" > /tmp/out 2> /tmp/err & pid=$!
	within 200 ready
}
watched() {
	local status=0

	wait $pid || status=$?
	cat /tmp/out /tmp/err
	is 'status' "$1" $status
	cd "$PROBES"
	within 20 tool_nothing_left
	cd /tmp
}

# As it is asked in an incident: no quotes, few letters. sleep is a call that is slow. It may take longer than it is
# told, when the machine stands still, and short ones may, too: so these are far shorter than what is slow.
line='probe-events watch hrtimer_nanosleep -L 900ms'
at_most 'characters' 45 ${#line}
read -ra words <<< "$line"
watching "${words[@]:2}" -o /tmp/kept
sleep 0.05
sleep 1 & slow=$!
wait $slow
watched 0
has /tmp/out "^[0-9:.]* hrtimer_nanosleep of sleep-$slow took [1-9][.0-9]*s; /tmp/kept$"
has /tmp/out '^  [0-9,]* records, [0-9.]*m*s'
has /tmp/out '^  the task was off its CPU for [0-9.]*m*s$'
has /tmp/out '^hrtimer_nanosleep: [0-9,]* calls, longest [1-9][.0-9]*s; 1 kept'
has /tmp/out '^calls [0-9,]* = counted [0-9,]*.*; [0-9,]* hits beside them; none lost; cost [0-9.]*% of CPU$'
# It was off its CPU for nearly all of the time, as the records say as well.
has /tmp/kept " sched_waking: .* pid=$slow "
has /tmp/kept " sched_switch: .* next=$slow next_name=\"sleep\""
has /tmp/kept "^ *sleep-$slow .* lat: .* ns=[1-9][0-9]\{9,\}$"
lacks /tmp/kept ' lat: .* ns=[0-9]\{8\}$'
# Only what is asked for: nothing is older than two seconds before the end.
gawk -F'[][]' '/^#/ { next } { sub(/^ *[^ ]+ +/, "", $3); t = $3 + 0; if (!first) first = t; last = t }
	END { exit !(last - first < 2.3) }' /tmp/kept || fail 'there is more than was asked for'

# Twice, beside other functions, each with a file of its own; calls in between are not kept.
watching hrtimer_nanosleep -L 1s --times 2 --before 200ms --with 'vfs_rea[d]' -o /tmp/twice
dd if=/dev/zero of=/dev/null bs=1 count=3 status=none
sleep 1.1
within 60 test -e /tmp/twice
within 200 ready
sleep 1.6
watched 0
is 'files' '/tmp/twice /tmp/twice.1' "$(echo /tmp/twice*)"
has /tmp/out '; 2 kept'
has /tmp/twice.1 ' lat: .* ns=\(1[6-9]\|[2-9][0-9]\|[0-9]\{3\}\)[0-9]\{8\}$'

# No such call: an ordinary end, and no file.
watching hrtimer_nanosleep -L 100s -o /tmp/none
sleep 0.05
kill -QUIT $pid
within 20 has_lines /tmp/out 1 '^hrtimer_nanosleep: [0-9,]* calls, .*; 0 kept$'
kill -INT $pid
watched 0
missing /tmp/none
# A command ends it, with its own status.
"$tool" watch hrtimer_nanosleep -L 100s -- sh -c 'sleep 0.1; exit 7' > /tmp/out 2> /tmp/err & pid=$!
watched 7
# What else ends it before leaves the command alone, as of other verbs.
"$tool" watch hrtimer_nanosleep -L 100s -d 1 -- sh -c 'echo $$ > /tmp/command; exec sleep 1000' > /tmp/out 2> /tmp/err & pid=$!
watched 0
within 20 test -s /tmp/command
kill "$(cat /tmp/command)"
# Killed: nothing is left, neither events nor buffers.
watching hrtimer_nanosleep -L 100s
kill -9 $pid
watched 137
# What cannot be is said before anything is done.
cd "$PROBES"
tool_run 2 watch hrtimer_nanosleep
has /tmp/err 'which calls?'
tool_run 2 watch hrtimer_nanosleep -L 1 --before no
tool_run 1 watch no_such_function -L 1
tool_run 1 watch hrtimer_nanosleep -L 1ms --before 1ms -o /no/such/dir/file -- sleep 0.5
has /tmp/err '/no/such/dir/file: No such file'
tool_run 0 watch hrtimer_nanosleep -L 500ms --dry-run
has /tmp/out '^t:sched_switch sched_switch prev='
for event in sched_waking block_rq_issue block_rq_complete irq_handler_entry irq_handler_exit; do
	has /tmp/out "^enable $event$"
done
has /tmp/out '^trigger lat snapshot:1 if ns > 500000000$'

# What is waited for is told once, though there are two events for it.
tool_run 0 watch read_zero -L 1h -d 100ms --with no_module:no_function
is 'told' 1 "$(grep -c 'no loaded module has no_module:no_function: its hits count as soon as one has$' /tmp/err)"

# Each of its events has a limit, if nothing else is said.
unset PROBE_EVENTS_LIMIT
tool_run 0 watch read_zero -L 1ms --with 'write_nul[l]' --dry-run
for event in lat sched_switch sched_waking irq_handler_entry in out; do
	has /tmp/out "^limit $event cpu=2% one=25%$"
done
tool_run 0 watch read_zero -L 1ms --cpu 5 --rate 10k --ttl 90s --dry-run
has /tmp/out '^limit sched_switch cpu=5% one=25% rate=10k/s ttl=90$'
tool_run 0 watch read_zero -L 1ms --no-limit --dry-run
lacks /tmp/out '^limit'
# Too much: it ends by itself, and says which event it was. What came before that is told.
zeros() { while [ ! -e /tmp/stop ]; do dd if=/dev/zero of=/dev/null bs=1 count=3000 status=none; done; }
zeros & flood=$!
tool_run 4 watch read_zero -L 1h -d 120 --no-limit --cpu 0.1%
has /tmp/err '^probe-events: stopped by its limit: [a-z_]*: cpu [0-9.]*% of 0.1% after .*(--cpu P% allows more, '
has /tmp/out '^calls [0-9,]* = counted [0-9,]*.* hits beside them; .*; cost [0-9.]*% of CPU$'
tool_run 4 watch write_null -L 1h -d 120 --no-limit --ttl 1 --with 'read_zer[o]'
has /tmp/err 'stopped by its limit: .*: ttl 1s '
# What is left out is lost: of the calls, and of what is beside them.
tool_run 3 watch read_zero -L 1h -d 3 --no-limit --rate 10
has /tmp/out ' + lost [0-9,]*; .*; LOST [0-9,]*: limited of read_zero [0-9]'
tool_run 3 watch hrtimer_nanosleep -L 1h -d 3 --no-limit --rate 10 --with 'read_zer[o]'
has /tmp/out '; LOST [0-9,]*: .*limited of read_zer\[o\] [0-9]'
touch /tmp/stop
wait $flood
