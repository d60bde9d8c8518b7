#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: probe-events report: what was saved says what was seen; what trace-cmd recorded, too
# seconds: 19 debug=20
# packages: trace-cmd libtracecmd1 libjson-c5 libbpf1 libtinfo6
# tools: probe-events probe-events-shared jsonlines
# files: ../../../tools/probe-events/schema.json
# modules: pe_target
set -eu
# shellcheck source=tests/func/lib/tracing_lib.sh
. /host/tracing_lib.sh
# shellcheck source=tests/func/lib/tool_lib.sh
. /host/tool_lib.sh
zeros='dd if=/dev/zero of=/dev/null bs=1 count=40 status=none'
# reported NAME: the number in the row of this name
reported() { gawk -v name="$1" '$1 == name { gsub(",", "", $NF); print $NF; exit }' /tmp/out; }

# What was measured now, saved, and asked by fewer keys: alone, and with itself.
# shellcheck disable=SC2086
tool_says 0 count read_zero by comm,stack -f json -o /tmp/a.json -- $zeros
tool_says 0 report /tmp/a.json by comm
is 'calls' 40 "$(reported dd)"
has /tmp/out '^hits 40 = counted 40; none lost$'
tool_says 0 report /tmp/a.json -f html -o /tmp/a.html
tool_says 0 report /tmp/a.json /tmp/a.html by comm
is 'calls of both' 80 "$(reported dd)"
tool_says 0 report /tmp/a.json -f folded
has /tmp/out '^dd;.*;vfs_read;read_zero 40$'
# shellcheck disable=SC2086
tool_says 0 lat read_zero by comm -f json -o /tmp/l.json -- $zeros
# shellcheck disable=SC2086
tool_says 0 trace read_zero by arg3,ret,ns -f json -o /tmp/t.json -- $zeros
tool_says 0 report lat /tmp/t.json by comm,ret -f json
/host/jsonlines /host/schema.json < /tmp/out > /tmp/types 2>&1 || fail "no lines of the schema: $(cat /tmp/types)"
has /tmp/out '"type":"row".*"hits":40,"ns":{.*"key":{"comm":"dd","ret":1}}$'
tool_says 0 report /tmp/t.json if ret eq 2
has /tmp/out '^hits 40 = shown 0 + not shown 40; none lost$'
tool_says 1 report /tmp/l.json /tmp/a.json
tool_says 1 report /host/probe-events

# Records of trace-cmd, as it shows them itself.
tool=/host/probe-events-shared
target_probes
grep ' pe_target_' /proc/kallsyms >> /tmp/kallsyms	# it is loaded now
echo 'r:tct/ret pe_target:pe_target_string n=$retval:s32 ns=$elapsed' >> kprobe_events
tc record -e tct -o /tmp/r.dat -- /tmp/work 300 7
report /tmp/r.dat > /tmp/r
tool_says 0 report /tmp/r.dat by event,comm
is 'adds' "$(count ': add: ' < /tmp/r)" "$(reported tct:add)"
is 'adds, as called' 300 "$(reported tct:add)"
is 'strings' 7 "$(reported tct:str)"
is 'returns' 7 "$(reported tct:ret)"
has /tmp/out '^hits 314 = counted 314; none lost$'
tool_says 0 report /tmp/r.dat by func,b if event eq tct:add and a lt 100
has /tmp/out '^pe_target_add  *2  *100$'
tool_says 0 report trace /tmp/r.dat by cpu,s if event has str -M 3
is 'lines' 3 "$(gawk '$3 == "work" && $5 == "twelve"' /tmp/out | wc -l)"
tool_says 0 report lat /tmp/r.dat by n if event eq tct:ret
is 'timed calls' 7 "$(gawk '$1 == "total" { print $2 }' /tmp/out)"
tool_says 0 report trace /tmp/r.dat -f json
/host/jsonlines /host/schema.json < /tmp/out > /tmp/types 2>&1 || fail "no lines of the schema: $(cat /tmp/types)"
has /tmp/types '^hit 314$'
has /tmp/out '"comm":"work","func":"pe_target_string","event":"tct:str","args":{"s":"twelve chars","n":12}}'

# What was overwritten before it could be read is lost, as trace-cmd says it.
cat > /tmp/flood <<'END'
#!/bin/sh
recorders=$(pgrep -P $PPID -x trace-cmd)
kill -STOP $recorders
taskset -c 0 /tmp/work 9000 0
kill -CONT $recorders
sleep 1
exec taskset -c 0 /tmp/work 100 0
END
chmod +x /tmp/flood
tc record -b 64 -e tct -o /tmp/l.dat -- /tmp/flood
report /tmp/l.dat > /tmp/l || fail "trace-cmd report: status $?"
grep DROPPED /tmp/l || true
tool_says 3 report /tmp/l.dat by event
is 'recorded' "$(count ': add: ' < /tmp/l)" "$(reported tct:add)"
is 'lost' "$(lost < /tmp/l)" "$(sed -n 's/.*; LOST [0-9,]*: overwritten \([0-9,]*\)$/\1/p' /tmp/out | tr -d ,)"
tool=/host/probe-events
tool_says 1 report /tmp/r.dat
has /tmp/err 'without libtracecmd'
