#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: unmodified trace-cmd: stream, stat, lists, clocks, hist
# not: 6.12-rt 6.1-cloud: shows what 6.12-cloud does
# seconds: 5
# packages: trace-cmd
# tools: probe-events
# modules: pe_target

set -eu
# shellcheck source=tests/func/lib/tracing_lib.sh
. /host/tracing_lib.sh
target_probes

# Live: what was hit is shown while the command goes on. When that ends, trace-cmd 3.1.6 does not
# wait for what its recorders have yet to move. So the command does.
cat > /tmp/wait <<'END'
#!/bin/sh
shown() {
	for i in $(seq 600); do
		[ "$(grep -c ': add: ' /tmp/stream)" != "$1" ] || return 0
		sleep 0.1
	done
	return 1
}
/tmp/work 30 0
shown 30 && echo > /tmp/live
/tmp/work 40 0
shown 70
END
chmod +x /tmp/wait
: > /tmp/stream
on_ours stdbuf -oL timeout 200 trace-cmd stream -e tct -- /tmp/wait > /tmp/stream 2> /tmp/err
is 'stream' 70 "$(count ': add: ' < /tmp/stream)"
[ "${ON:-}" = stock ] || exists /tmp/live	# or it is not live

# What is on, and what there is.
tc start -e tct
/tmp/work 5 0
tc stat
said 'tct'
said 'p:tct/add pe_target:pe_target_add a=%di:u64 b=%si:u32'
said 'Tracing is enabled'
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
has /tmp/tc.out 'tct:add' -x
tc list -e tct:add -F
has /tmp/tc.out 'field:u32 b;.offset:24;.size:4;.signed:0;'
tc list -t
has /tmp/tc.out nop -w
tc list -C
has /tmp/tc.out '\[[a-z]*\]'
tc list -o
said overwrite

# Other clocks are in the file, and every record later than the one before.
evidence+=(/tmp/tc.out /tmp/report.err)
for clock in mono x86-tsc counter; do
	tc record -C $clock -e tct -o /tmp/c.dat -- /tmp/work 100 0
	on_ours trace-cmd report -N -i /tmp/c.dat 2> /tmp/report.err | sed -n 's/.*\] *\([0-9.]*\): add: .*/\1/p' > /tmp/c
	is "$clock" 100 "$(wc -l < /tmp/c)"
	sort -n -c /tmp/c
done

# Parsed by the tool, not only recorded.
tc record -e tct -o /tmp/h.dat -- /tmp/work 30 10
on_ours trace-cmd hist -i /tmp/h.dat > /tmp/hist 2>&1
has /tmp/hist 'add #30'
has /tmp/hist 'str #10'
tc check-events
is 'events it could not parse' 0 "$(count 'tct' < /tmp/tc.out)"
