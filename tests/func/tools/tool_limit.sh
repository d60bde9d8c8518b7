#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: probe-events limit, and what each question may cost: stopped, told, all shown; hits exactly
# tier: 6.12-cloud bare
# seconds: 25 debug=53
# tools: probe-events jsonlines
# files: ../../../tools/probe-events/schema.json
set -eu
# shellcheck source=tests/func/lib/tool_lib.sh
. /host/tool_lib.sh
unset PROBE_EVENTS_LIMIT
zeros() { dd if=/dev/zero of=/dev/null bs=1 count="$1" status=none; }
flood() { while [ ! -e /tmp/stop ]; do zeros 3000; done; }
number() { sed -n "s/.*$1 \([0-9,]*\).*/\1/p" /tmp/out | tail -n 1 | tr -d ,; }

# What is typed has a limit, if nothing else is said.
tool_run 0 lat read_zero by comm --dry-run
has /tmp/out '^limit lat cpu=2% one=25%$'
tool_run 0 trace read_zero --cpu 5 --rate 10k --ttl 90s --dry-run
has /tmp/out '^limit trace cpu=5% one=25% rate=10k/s ttl=90$'
tool_run 0 trace read_zero --cpu 5 --ttl 90s -M 7 --dry-run
has /tmp/out '^limit trace cpu=5% one=25% ttl=90$'
# Lines are counted where hits are chosen, as its own are left out; of a recording all hits are.
tool_run 0 trace read_zero --cpu 5 --ttl 90s -M 7 -f dat -o /tmp/x.dat --dry-run
has /tmp/out '^limit trace cpu=5% one=25% ttl=90 hits=7$'
tool_run 0 count read_zero --no-limit --dry-run
lacks /tmp/out '^limit'
PROBE_EVENTS_LIMIT='one=70%' tool_run 0 count read_zero --dry-run
has /tmp/out '^limit count one=70%$'
tool_run 2 count read_zero --cpu much
tool_run 2 count read_zero --ttl
tool_run 2 count read_zero -M 5 if comm eq dd
tool_run 2 count read_zero -M 5 -- true
tool_run 2 count read_zero -M 5 --rate 10/s
tool_run 2 trace read_zero -M 5 --rate 10/s

# Too much: it ends by itself, and says why; what was counted is shown, what was not is lost.
flood & pid=$!
for verb in count lat trace; do
	tool_run 4 $verb read_zero -d 120 --cpu 0.1%
	has /tmp/err '^probe-events: stopped by its limit: cpu [0-9.]*% of 0.1% after [0-9]* of 100 ms (--cpu P% '
	has /tmp/out '^[a-z]* [0-9,]* = [a-z]* [0-9,]*.*; cost [0-9.]*% of CPU$'
done
tool_run 4 count read_zero by comm -f json -d 120 --cpu 0.1%
/host/jsonlines /host/schema.json < /tmp/out > /tmp/types
has /tmp/out '"type":"error",.*"stopped by its limit: cpu '
has /tmp/out '"type":"end",.*"status":4'
PROBE_EVENTS_LIMIT=cpu=0.02% tool_run 4 check read_zero write_null -d 30
has /tmp/out '^read_zero  *0  *[0-9,]*  *[0-9,]*  *[0-9.]*%$'
has /tmp/out '^    stopped by its limit after [0-9.]* s: \(cpu\|one\) [0-9.]*% of '
# By the time of a command, which has so many hits of its own.
many='dd if=/dev/zero of=/dev/null bs=1 count=3000 status=none'
# shellcheck disable=SC2086
tool_run 0 count read_zero by comm --no-limit -a -- $many
at_least 'counted' 3000 "$(number counted)"
lacks /tmp/out '; cost 0.00%'
# A rate leaves out the others, and says so.
# shellcheck disable=SC2086
tool_run 3 count read_zero --rate 10 --no-limit -a -- $many
at_least 'left out' 2900 "$(number limited)"
at_most 'counted' 60 "$(number counted)"
# A time, and that of all events.
tool_run 4 count read_zero --no-limit --ttl 1 -d 120
has /tmp/err 'stopped by its limit: ttl 1s '
echo 'cpu=0.1%' > limits
tool_run 4 count read_zero --no-limit -d 120
has /tmp/err 'stopped by its limit: limits: cpu [0-9.]*% of 0.1% .*(that of all events: probe-events limit)$'
echo none > limits
touch /tmp/stop
wait $pid

# So many hits, exactly: an ordinary end.
tool_run 0 count read_zero -M 50 -a -- dd if=/dev/zero of=/dev/null bs=1 count=90 status=none
has /tmp/out '^hits [0-9]* = counted 50.*; none lost; cost [0-9.]*% of CPU$'
tool_run 0 trace read_zero -M 4 -a -- dd if=/dev/zero of=/dev/null bs=1 count=90 status=none
is 'lines' 4 "$(grep -c '^[0-9][0-9]:[0-9][0-9]:' /tmp/out)"
has /tmp/out '^hits [0-9]* = shown 4.*; none lost; cost '

# The verb: shows and sets.
tool_says 0 limit
has /tmp/out '^all events: none$'
echo 'p:mine/x read_zero' > kprobe_events
tool_says 0 limit all cpu=10% one=40%
tool_says 0 limit mine/x hits=5 cpu=50%
holds limits 'cpu=10% one=40%'
holds events/mine/x/limit 'cpu=50% hits=5'
zeros 9
echo 1 > events/mine/x/enable
tool_says 0 limit
has /tmp/out '^all events: cpu=10% one=40%$'
has /tmp/out '^mine/x  *armed  *0  .* cpu=50% hits=5$'
zeros 9
within 10 grep -q '^tripped' events/mine/x/limit
tool_says 0 limit mine/x
has /tmp/out '^mine/x  *tripped  *[0-9]* '
has /tmp/out '^mine/x tripped: hits 5 of 5 at '
"$tool" count write_null -d 1h --ttl 2h > /dev/null 2>&1 & pid=$!
within 20 sh -c 'grep -q live sessions'
nr=$(sed -n 's/^\([0-9]*\)\t.*live.*/\1/p' sessions)
tool_says 0 limit "$nr"
has /tmp/out "^s$nr/count  *armed .* cpu=2% one=25% ttl=7200s$"
is 'lines' 2 "$(grep -c . /tmp/out)"
kill $pid
wait $pid || true
tool_says 1 limit mine/x hits=none
has /tmp/err 'limit: hits=none: Invalid limit (hits=N, as 10k or 1e6)$'
tool_says 1 limit mine/nothing hits=1
tool_says 1 limit mine/nothing
tool_says 1 limit 9999
tool_says 2 limit mine/../x none
tool_says 2 limit nothing
tool_says 0 limit mine/x none
tool_says 0 limit all none
holds limits none
echo > kprobe_events
tool_none_left 'limit'
