#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: unmodified trace-cmd: stream, stat, lists, clocks, hist
# kernels: 6.12-cloud bare debug
# seconds: 6
# packages: trace-cmd
# tools: probe-events
# modules: pe_target

set -eu
# shellcheck source=tests/func/tracing_lib.sh
. /host/tracing_lib.sh
target_probes

# Live: what was hit is shown while the command goes on.
cat > /tmp/wait <<'END'
#!/bin/sh
/tmp/work 30 0
for i in $(seq 600); do
	if [ "$(grep -c ': add: ' /tmp/stream)" = 30 ]; then echo > /tmp/live; break; fi
	sleep 0.1
done
/tmp/work 40 0
END
chmod +x /tmp/wait
: > /tmp/stream
on_ours stdbuf -oL timeout 200 trace-cmd stream -e tct -- /tmp/wait > /tmp/stream 2> /tmp/err
is 'stream' 70 "$(count ': add: ' < /tmp/stream)"
[ "${ON:-}" = stock ] || [ -e /tmp/live ] || { echo 'stream: not live'; exit 1; }

# What is on, and what there is.
tc start -e tct
/tmp/work 5 0
tc stat
grep -q 'tct' /tmp/tc.out
grep -q 'p:tct/add pe_target:pe_target_add a=%di:u64 b=%si:u32' /tmp/tc.out
grep -q 'Tracing is enabled' /tmp/tc.out
tc clear
is 'clear' 0 "$(count ': add: ' < "$PROBES/trace")"
tc stop
tc reset
is 'reset' '' "$(cat "$PROBES/kprobe_events")"
rmmod pe_target
target_probes
tc list -e tct
is 'list -e' 'tct:add tct:str' "$(tr '\n' ' ' < /tmp/tc.out | sed 's/ $//')"
tc list -e
grep -qx 'tct:add' /tmp/tc.out
tc list -e tct:add -F
grep -q 'field:u32 b;.offset:24;.size:4;.signed:0;' /tmp/tc.out
tc list -t
grep -qw nop /tmp/tc.out
tc list -C
grep -q '\[[a-z]*\]' /tmp/tc.out
tc list -o
grep -q 'overwrite' /tmp/tc.out

# Other clocks are in the file, and every record later than the one before.
for clock in mono x86-tsc counter; do
	tc record -C $clock -e tct -o /tmp/c.dat -- /tmp/work 100 0
	report /tmp/c.dat | sed -n 's/.*\] *\([0-9.]*\): add: .*/\1/p' > /tmp/c
	is "$clock" 100 "$(wc -l < /tmp/c)"
	sort -n -c /tmp/c
done

# Parsed by the tool, not only recorded.
tc record -e tct -o /tmp/h.dat -- /tmp/work 30 10
on_ours trace-cmd hist -i /tmp/h.dat > /tmp/hist 2>&1
grep -q 'add #30' /tmp/hist
grep -q 'str #10' /tmp/hist
tc check-events
is 'events it could not parse' 0 "$(count 'tct' < /tmp/tc.out)"
