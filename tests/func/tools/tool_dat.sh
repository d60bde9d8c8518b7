#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: probe-events trace -f dat: trace-cmd report shows the records, their stacks and how many are missing
# tier: 6.12-cloud 7.3-cloud
# seconds: 14
# packages: trace-cmd libtracecmd1 libjson-c5 libbpf1 libtinfo6
# tools: probe-events probe-events-shared
set -eu
# shellcheck source=tests/func/lib/tracing_lib.sh
. /host/tracing_lib.sh
# shellcheck source=tests/func/lib/tool_lib.sh
. /host/tool_lib.sh
# shellcheck disable=SC2034	# of check_lib.sh
evidence=(/tmp/out /tmp/err /tmp/said)
cat > /tmp/sizes <<'END'
#!/bin/sh
for size in 1 7 512; do dd if=/dev/zero of=/dev/null bs=$size count=$size status=none; done
END
chmod +x /tmp/sizes
# The symbols are few, as for trace-cmd elsewhere: all of them take seconds.
cat > /tmp/tool <<END
#!/bin/sh
exec unshare -m /tmp/with_kallsyms /host/probe-events "\$@"
END
chmod +x /tmp/tool
tool=/tmp/tool
# reads FILE: what trace-cmd reads in it, without the system's plugins
reads() { trace-cmd report -N -t -i "$1" > /tmp/said 2> /dev/null || fail "trace-cmd report $1: $?"; }

# Each record once, with its CPU, task, time and fields: as in the JSON of the same hits.
tool_says 0 trace read_zero by arg3,ret -f dat -o /tmp/t.dat -w /tmp/t.json -- /tmp/sizes
has /tmp/out '^hits 520 = recorded 520; none lost; cost [0-9.]*% of CPU$'
tool_none_left 'a recording'
reads /tmp/t.dat
is 'records' 520 "$(count ': trace: ' < /tmp/said)"
gawk 'match($0, /-([0-9]+) *\[([0-9]+)\] *([0-9.]+): trace: .* arg3=(0x[0-9a-f]+) ret=([0-9]+)$/, m) {
	print m[3], m[2] + 0, m[1], strtonum(m[4]), m[5] }' /tmp/said > /tmp/by_trace_cmd
sed -n 's/.*"type":"hit".*"t":\([0-9.]*\),"cpu":\([0-9]*\),"tid":\([0-9]*\),.*"arg3":\([0-9]*\),"ret":\([0-9]*\).*/\1 \2 \3 \4 \5/p' \
	/tmp/t.json > /tmp/by_tool
is 'hits in the JSON' 520 "$(wc -l < /tmp/by_tool)"
# The JSON has microseconds.
paste -d ' ' /tmp/by_trace_cmd /tmp/by_tool | gawk '{ d = $1 - $6; if (d * d > 1.1e-12 || $2 != $7 || $3 != $8 || $4 != $9 || $5 != $10) {
	print; bad = 1 } } END { exit bad }' > /tmp/differ || fail "$(head -n 5 /tmp/differ)"
is 'tasks have names' 520 "$(grep -c '^ *dd-[0-9]' /tmp/said)"
# Another reader, by libtracecmd.
tool=/host/probe-events-shared
tool_says 0 report trace /tmp/t.dat by arg3 if arg3 eq 7
is 'lines' 7 "$(gawk '$3 == "dd" && $4 == 7' /tmp/out | wc -l)"
tool_says 0 report /tmp/t.dat by event,func
has /tmp/out '^s[0-9]*:trace  *.* 520$'
tool=/tmp/tool

# Stacks are records of their own, with names.
tool_says 0 trace read_zero -g -f dat -o /tmp/g.dat -- /tmp/sizes
has /tmp/out '^hits 520 = recorded 520; none lost'
reads /tmp/g.dat
is 'stacks' 520 "$(count 'kernel_stack: ' < /tmp/said)"
has /tmp/said '=> vfs_read$'
# So many, exactly.
tool_says 0 trace read_zero -M 9 -f dat -o /tmp/m.dat -a -- /tmp/sizes
reads /tmp/m.dat
is 'not more' 9 "$(count ': trace: ' < /tmp/said)"

# What was before a slow call: all that was put aside.
# A short sleep is longer when the machine stands still, but hardly by so much.
watches=(watch hrtimer_nanosleep -L 900ms --before 200ms -f dat -o /tmp/w.dat -- sh -c 'sleep 0.01; sleep 1')
if [ "$PROBES" = /sys/kernel/probes ]; then	# the kernel has a tracefs, and so tracepoints
	tool_says 0 "${watches[@]}"
	has /tmp/out ' took [1-9][0-9.]*s; /tmp/w.dat: trace-cmd report -i /tmp/w.dat$'
	reads /tmp/w.dat
	is 'slow calls' 1 "$(count ' lat: ' < /tmp/said)"
	has /tmp/said ' sleep-[0-9].* lat: .*ns=[1-9][0-9]\{9,\}$'
	has /tmp/said ' sched_switch: .* prev_name="sleep" .* next='
else
	tool_run 1 "${watches[@]}"
	has /tmp/err 'this kernel has no tracepoints'
fi
tool_none_left 'a spike'
tool_run 2 watch hrtimer_nanosleep -L 300ms -f csv

# What was overwritten before it could be read is missing in the file, and so it says.
cat > /tmp/flood <<'END'
#!/bin/sh
kill -STOP $PPID
taskset -c 0 dd if=/dev/zero of=/dev/null bs=1 count=40000 status=none
kill -CONT $PPID
END
chmod +x /tmp/flood
tool_says 3 trace read_zero by arg1,arg2,arg3,ret -f dat -o /tmp/l.dat -- /tmp/flood
reads /tmp/l.dat
recorded=$(sed -n 's/^hits 40,000 = recorded \([0-9,]*\); LOST .*: overwritten [0-9,]*; cost .*/\1/p' /tmp/out | tr -d ,)
at_least 'recorded' 1000 "$recorded"
is 'recorded' "$recorded" "$(count ': trace: ' < /tmp/said)"
is 'lost' $((40000 - recorded)) "$(lost < /tmp/said)"

# The second of two signals ends the tool only when the recording is whole. Both are there before it hears one.
got=0
"$tool" trace read_zero -f dat -o /tmp/s.dat -- sh -c '/tmp/sizes
	for signal in STOP INT TERM CONT; do kill -$signal $PPID; done; exec sleep 3' \
	> /tmp/out 2> /tmp/err || got=$?
is 'ended by the second' 143 "$got"
reads /tmp/s.dat
is 'records' 520 "$(count ': trace: ' < /tmp/said)"
is 'left in /tmp' '' "$(find /tmp -name 'probe-events-*')"

# What cannot be is said before anything is armed.
tool=/host/probe-events
tool_run 2 trace read_zero -f dat
has /tmp/err '-f dat wants a file: -o FILE' -F
tool_run 2 trace read_zero if arg3 eq 7 -M 3 -f dat -o /tmp/no.dat
has /tmp/err '-M cannot end it' -F
for verb in count lat report "trace --engine kernel"; do
	# shellcheck disable=SC2086
	tool_run 2 $verb read_zero -f dat -o /tmp/no.dat
	has /tmp/err '-f dat is for records' -F
done
tool_run 1 trace read_zero -f dat -o /no/such/dir/file -d 60
mkdir /tmp/bin
printf '#!/bin/sh\nPATH=/tmp/bin exec /host/probe-events "$@"\n' > /tmp/poor
chmod +x /tmp/poor
tool=/tmp/poor
tool_run 1 trace read_zero -f dat -o /tmp/no.dat -d 60
has /tmp/err 'needs trace-cmd: apt-get install trace-cmd' -F
# A full disk: the records alone are more.
tool=/host/probe-events
mkdir /tmp/small
mount -t tmpfs -o size=8k tmpfs /tmp/small
tool_run 1 trace read_zero -f dat -o /tmp/small/t.dat -- /tmp/sizes
has /tmp/err 'No space left on device'
is 'beside the files' "$(echo /tmp/small/t.dat)" "$(find /tmp/small /tmp -maxdepth 1 \( -path '/tmp/small/*' -o -name '*probe-events-*' \))"
umount /tmp/small
