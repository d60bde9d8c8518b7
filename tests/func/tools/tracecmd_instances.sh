#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: unmodified trace-cmd: record into instances, of one process, snapshots, marks
# not: 6.12-rt 6.1-cloud: shows what 6.12-cloud does
# seconds: 13 debug=35
# packages: trace-cmd
# tools: probe-events
# modules: pe_target

set -eu
# shellcheck source=tests/func/lib/tracing_lib.sh
. /host/tracing_lib.sh
target_probes

# trace-cmd -B puts files where it is.
cd /tmp

# Each has its own events and buffer, and is gone afterwards.
tc record -B in1 -e tct:add -B in2 -e tct:str -o /tmp/b.dat -- /tmp/work 300 5
report /tmp/b.dat > /tmp/b
is 'in1' 300 "$(count '^in1: .*: add: ' < /tmp/b)"
is 'in2' 5 "$(count '^in2: .*: str: ' < /tmp/b)"
is 'no others' 305 "$(count ': \(add\|str\): ' < /tmp/b)"
is 'gone' '' "$(ls "$PROBES/instances")"
# And beside the top one, with a filter of its own.
tc record -e tct -B in1 -e tct:add -f 'a < 20' -o /tmp/b.dat -- /tmp/work 300 5
report /tmp/b.dat > /tmp/b
is 'filtered in1' 20 "$(count '^in1: .*: add: ' < /tmp/b)"
is 'the top one' 325 "$(count ': \(add\|str\): ' < /tmp/b)"

# Who: only what the command does; with -c also its children; or a process that is there.
while :; do /tmp/work 1 1; done &
other=$!
tc record -e tct -F -o /tmp/p.dat -- sh -c '/tmp/work 30 0; exec /tmp/work 10 0'
is 'of this command' '10 0' "$(recorded add /tmp/p.dat) $(recorded str /tmp/p.dat)"
tc record -e tct -F -c -o /tmp/p.dat -- sh -c '/tmp/work 30 0; (/tmp/work 5 0; true); exec /tmp/work 10 0'
is 'and of its children' '45 0' "$(recorded add /tmp/p.dat) $(recorded str /tmp/p.dat)"
is 'no list is left' '0' "$(cat "$PROBES/set_event_pid" | wc -w)"
kill $other
wait $other || true
sh -c 'until [ -e /tmp/go ]; do sleep 0.1; done; exec /tmp/work 20 0' &
one=$!
tc record -e tct -P $one -o /tmp/p.dat -- sh -c 'touch /tmp/go; /tmp/work 7 7; while [ -e /proc/'$one' ]; do sleep 0.1; done'
wait $one
is 'of that process' '20 0' "$(recorded add /tmp/p.dat) $(recorded str /tmp/p.dat)"

# Snapshots.
tc start -e tct
/tmp/work 7 0
tc snapshot -s
/tmp/work 5 0
tc snapshot
is 'snapshot' 7 "$(count ': add: ' < /tmp/tc.out)"
tc show -s
is 'show -s' 7 "$(count ': add: ' < /tmp/tc.out)"
is 'the buffer goes on' 5 "$(count ': add: ' < "$PROBES/trace")"
tc snapshot -f
has "$PROBES/snapshot" 'Snapshot is freed'

# A mark with the time of day.
tc record --date -e tct:add -o /tmp/d.dat -- /tmp/work 30 0
is 'with a date' 30 "$(recorded add /tmp/d.dat)"
