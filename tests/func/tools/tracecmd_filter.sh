#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: unmodified trace-cmd: filters, errors in them, triggers
# not: 6.12-rt 6.1-cloud: shows what 6.12-cloud does
# seconds: 7
# packages: trace-cmd
# tools: probe-events
# modules: pe_target

set -eu
# shellcheck source=tests/func/lib/tracing_lib.sh
. /host/tracing_lib.sh
target_probes

# A filter: trace-cmd adds its own pids to it.
tc record -e tct:add -f 'a >= 100 && a < 150 && b == 2' -e tct:str -o /tmp/f.dat -- /tmp/work 3000 7
report /tmp/f.dat > /tmp/f
grep ': add: ' /tmp/f | sed 's/.* a=\([0-9]*\) b=2$/\1/' > /tmp/got
seq 100 149 | diff - /tmp/got || fail 'what passed'
is 'not filtered' 7 "$(count ': str: ' < /tmp/f)"
is 'filter afterwards' none "$(cat "$PROBES/events/tct/add/filter")"

# A wrong one: trace-cmd shows why, and goes on without.
on_ours trace-cmd record -e tct:add -f 'nonsense > 1' -o /tmp/f.dat -- /tmp/work 3 0 > /tmp/tc.out 2>&1 || true
said 'error: Field not found'
has /tmp/tc.out '^ *Command: (nonsense > 1)'
is 'caret' '                     ^' "$(grep -m 1 '\^' /tmp/tc.out)"

# Histograms: set, and a wrong one is refused with the kernel's reason and caret, which trace-cmd shows.
cd "$PROBES"
for verb in start record; do
	echo > error_log
	set -- $verb -e tct:add -R hist:keys=nope
	[ $verb = start ] || set -- "$@" -o /tmp/x.dat -- /tmp/work 3 0
	on_ours trace-cmd "$@" > /tmp/tc.out 2>&1 || true
	said "hist:tct:add: error: Couldn't find field"
	is 'caret' '                     ^' "$(grep -A 1 -x '  Command: hist:keys=nope' /tmp/tc.out | tail -n 1)"
done
on_ours trace-cmd start -e tct:add -R hist:keys=a:vals=b
/tmp/work 3 0
is 'counted' 3 "$(sed -n 's/^    Hits: //p' events/tct/add/hist)"
echo '!hist:keys=a:vals=b' > events/tct/add/trigger
cd /tmp

# A trigger, with a condition.
tc record -e tct:add -R 'traceoff:1 if a == 20'  -o /tmp/r.dat -- /tmp/work 30 0
is 'traceoff' 21 "$(recorded add /tmp/r.dat)"
