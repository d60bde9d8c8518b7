#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: unmodified trace-cmd: record, report, start, show, stop, extract; counts are exact
# tier: 6.12-cloud 6.1-cloud bare
# seconds: 4
# packages: trace-cmd
# tools: probe-events
# modules: pe_target
#
# pe_target counts for us: it is called exactly so often, by no other caller.

set -eu
# shellcheck source=tests/func/lib/tracing_lib.sh
. /host/tracing_lib.sh
target_probes
cd "$PROBES"

# Nothing that trace-cmd turned on or set stays.
left_clean() {
	is "$1: events" 0 "$(cat events/enable)"
	is "$1: tracing_on" 1 "$(cat tracing_on)"
	is "$1: trace" 0 "$(count ': add: ' < trace)"
}

# All of them, in order, with their arguments, and who it was.
tc record -e tct -o /tmp/a.dat -- /tmp/work 3000 7
report /tmp/a.dat > /tmp/a
grep ': add: ' /tmp/a | sed 's/.* a=\([0-9]*\) b=2$/\1/' > /tmp/got
seq 0 2999 | diff - /tmp/got || fail "arguments"
is 'the other event' 7 "$(count ': str: .*) s="twelve chars" n=12$' < /tmp/a)"
is 'lost' 0 "$(lost < /tmp/a)"
is 'whose' 3007 "$(count '^ *work-[0-9]* ' < /tmp/a)"
is 'and nothing else' 3008 "$(wc -l < /tmp/a)"
is 'cpus' "cpus=$(nproc)" "$(head -n 1 /tmp/a)"
left_clean record

# Without a recorder: into the buffer, shown, stopped, extracted.
tc start -e tct
/tmp/work 30 2
tc show
is 'show' 32 "$(count 'work-.*: \(add\|str\): (pe_target_' < /tmp/tc.out)"
tc stop
/tmp/work 30 2
is 'stopped' 32 "$(count ': \(add\|str\): ' < trace)"
tc restart
/tmp/work 8 0
tc stop
tc extract -o /tmp/e.dat
report /tmp/e.dat > /tmp/e
is 'extract' 40 "$(count ': \(add\|str\): ' < /tmp/e)"
is 'extract names its tasks' 40 "$(count '^ *work-[0-9]* ' < /tmp/e)"
echo 1 > tracing_on
left_clean extract

# Too much for a small buffer whose recorders stand still: every hit is recorded or reported as
# lost, and what comes after it is recorded again.
cat > /tmp/flood <<'END'
#!/bin/sh
recorders=$(pgrep -P $PPID -x trace-cmd)
kill -STOP $recorders
taskset -c 0 /tmp/work 20000 0
kill -CONT $recorders
sleep 1
exec taskset -c 0 /tmp/work 100 1
END
chmod +x /tmp/flood
tc record -b 64 -e tct -o /tmp/l.dat -- /tmp/flood
report /tmp/l.dat > /tmp/l
records=$(count ': add: ' < /tmp/l)
lost=$(lost < /tmp/l)
grep DROPPED /tmp/l || true
echo "flood on one CPU: 20100 hits, $records recorded, $lost lost"
differs 'reported lost' 0 "$lost"
is 'all accounted for' 20100 $((records + lost))
is 'afterwards' 1 "$(count ': str: ' < /tmp/l)"
# The newest stay, none is there twice.
got() { grep ': add: ' /tmp/l | sed 's/.* a=\([0-9]*\) b=2$/\1/'; }
{ seq $((20000 - records + 100)) 19999; seq 0 99; } | diff - <(got) || fail "arguments of the newest"

# A full disk: the tool stops recording, and leaves its events enabled.
mkdir /tmp/small
mount -t tmpfs -o size=64k none /tmp/small
refused 'No space left on device' on_ours trace-cmd record -e tct -o /tmp/small/a.dat -- /tmp/work 60000 1
is 'full disk: events, tracing_on' '1 0' "$(cat events/tct/enable) $(cat tracing_on)"
umount /tmp/small
echo 0 > events/tct/enable
echo 1 > tracing_on
echo > trace
tc record -e tct -o /tmp/n.dat -- /tmp/work 10 0
is 'after a full disk' 10 "$(recorded add /tmp/n.dat)"
left_clean 'after a full disk'

tc reset
is 'reset removes the probes' '' "$(cat kprobe_events)"
