#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: unmodified trace-cmd: verbs on an instance and on one CPU, lists of filters and triggers, set, mem
# not: 6.12-rt 6.1-cloud: shows what 6.12-cloud does
# seconds: 5
# packages: trace-cmd
# tools: probe-events
# modules: pe_target

set -eu
# shellcheck source=tests/func/lib/tracing_lib.sh
. /host/tracing_lib.sh
target_probes
cd "$PROBES"
adds() { count ': add: (pe_target_add' < /tmp/tc.out; }

# What is set on an event.
echo 'a < 7 && b == 2' > events/tct/add/filter
echo 'traceoff:3 if n == 99' > events/tct/str/trigger
tc list -e tct:add -l
said 'a < 7 && b == 2'
tc list -e tct:str -R
said 'traceoff:count=3 if n == 99'
tc stat
said 'a < 7 && b == 2'
said 'traceoff:count=3 if n == 99'
echo 0 > events/tct/add/filter
echo '!traceoff' > events/tct/str/trigger
# Which functions there are, trace-cmd knows from ftrace only.
if [ -e available_filter_functions ]; then
	tc list -f pe_target_add
	is 'list -f' pe_target_add "$(awk '{ print $1 }' /tmp/tc.out)"
else
	refused 'No such file' on_ours trace-cmd list -f pe_target_add
fi

# An instance, without a recorder.
tc start -B in1 -e tct:add
tc list -B
said 'in1'
/tmp/work 9 4
tc show -B in1
is 'show -B' 9 "$(adds)"
is 'not in the top' 0 "$(count ' add: ' < trace)"
tc stat -B in1
said 'tct'
tc stop -B in1
/tmp/work 5 0
tc restart -B in1
/tmp/work 2 0
tc show -B in1
is 'stopped between' 11 "$(adds)"
echo 1 > instances/in1/snapshot
tc show -B in1
is 'taken away' 0 "$(adds)"
tc show -B in1 -s
is 'into the snapshot' 11 "$(adds)"
echo 0 > instances/in1/snapshot
tc clear -B in1
tc show -B in1
is 'clear -B' 0 "$(adds)"
/tmp/work 13 0
tc stop -B in1
tc extract -B in1 -o /tmp/x.dat
report /tmp/x.dat > /tmp/x 2>&1 || true
is 'extract -B' 13 "$(count ': add: ' < /tmp/x)"
[ ! -e instances/in1 ] || rmdir instances/in1

# One CPU's part, read and consumed.
tc start -e tct:add
taskset -c 1 /tmp/work 8 0
taskset -c 0 /tmp/work 3 0
tc show -c 1
is 'show -c' 8 "$(adds)"
tc stop
tc show -p -c 1
is 'show -p -c' 8 "$(adds)"
tc show -p
is 'the other CPU is left' 3 "$(adds)"
tc show
is 'consumed' 0 "$(adds)"
for what in tracing_on:1 buffer_size:1410 buffer_total_size:2820 cpumask:3 current_tracer:nop; do
	tc restart
	tc show --${what%:*}
	is "show --${what%:*}" "${what#*:}" "$(tail -n 1 /tmp/tc.out)"
done

# Sets without clearing what is there.
/tmp/work 2 2
tc set -e tct:str
/tmp/work 2 2
tc show
is 'set' '4 2' "$(adds) $(count ': str: ' < /tmp/tc.out)"
tc set -e tct -- /tmp/work 1 1
is 'set, with a command' '5 3' "$(count ' add: ' < trace) $(count ' str: ' < trace)"
tc reset
is 'reset' '' "$(cat kprobe_events)"
