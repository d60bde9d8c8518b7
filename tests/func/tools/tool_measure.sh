#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: probe-events count and lat: what is counted, errors, signals, nothing is left over
# tier: 6.12-cloud bare
# seconds: 12
# tools: probe-events
set -eu
# shellcheck source=tests/func/lib/tool_lib.sh
. /host/tool_lib.sh
# row NAME: its fields after the name, in the answer
row() { gawk -v name="$1" '$1 == name { $1 = ""; sub(/^ /, ""); print; exit }' /tmp/out; }
zeros() { dd if=/dev/zero of=/dev/null bs=1 count="$1" status=none; }

tool_run 0 count read_zero by comm -a -- dd if=/dev/zero of=/dev/null bs=1 count=100 status=none
is 'calls of dd' 100 "$(row dd)"
is 'all calls' 100 "$(row total)"
has /tmp/out '^hits 100 = counted 100; none lost; cost [0-9.]*% of CPU$'
tool_run 7 count read_zero -a -- sh -c 'exit 7'
tool_run 127 count read_zero -a -- /no/such/command
tool_run 1 count no_such_function -a -- touch /tmp/was_run
[ ! -e /tmp/was_run ]

# A task's name is anybody's to choose.
cp "$(command -v dd)" '/tmp/#end 1'
cat > /tmp/names <<'END'
'/tmp/#end 1' if=/dev/zero of=/dev/null bs=1 count=3 status=none
dd if=/dev/zero of=/dev/null bs=1 count=4 status=none
exec 3< /dev/zero
printf '#columns' > /proc/self/comm
IFS= read -r -t 0.01 -u 3 -n 1 _ || :
END
tool_run 0 count read_zero by comm -a -- bash /tmp/names
is 'a name that looks like the end' '1 3' "$(row '#end')"
is 'beside it' 4 "$(row dd)"
at_least 'a name that looks like columns' 1 "$(row '#columns' | tr -d ,)"

# Without keys it is one row, whatever CPUs there are.
cat > /tmp/both <<'END'
taskset -c 0 dd if=/dev/zero of=/dev/null bs=1 count=5 status=none
taskset -c 1 dd if=/dev/zero of=/dev/null bs=1 count=10 status=none
END
tool_run 0 count read_zero -a -- sh /tmp/both
is 'one row' 'CALLS 15' "$(sed -n 2,4p /tmp/out | xargs)"
tool_run 0 count read_zero -f csv -a -- sh /tmp/both
is 'one row of csv' 'calls 15' "$(tr -d '\r' < /tmp/out | xargs)"
tool_run 0 count read_zero -f json -a -- sh /tmp/both
has /tmp/out '"type":"total",.*"hits":15,.*"rows":0,'
tool_run 0 count read_zero -f openmetrics -a -- sh /tmp/both
is 'one series' 15 "$(sed -n 's/^probe_events_calls_total.* //p' /tmp/out)"

# By the function that calls, by the stack, and with a filter.
tool_run 0 count read_zero by caller,stack -a -- dd if=/dev/zero of=/dev/null bs=1 count=7 status=none
has /tmp/out '^vfs_read  *read_zero <- vfs_read <- .* 7$'
tool_run 0 count read_zero by arg3 if arg3 ge 4 and comm eq dd -a -- \
	sh -c 'dd if=/dev/zero of=/dev/null bs=4 count=3 status=none; dd if=/dev/zero of=/dev/null bs=1 count=2 status=none'
is 'calls of 4 bytes' 3 "$(row 4)"
has /tmp/out '^hits 5 = counted 3 + not asked for 2; none lost; cost [0-9.]*% of CPU$'

tool_run 0 count do_sys_openat2 by ret --fail -- sh -c 'cat /no/such/file 2> /dev/null; true'
at_least 'failed opens' 1 "$(row -2)"

# Time: sleep sleeps for what it says. Its wake-up may be late on a busy machine.
tool_run 0 lat hrtimer_nanosleep by comm -u ms -a -- sleep 0.2
read -r calls p50 _ _ max _ < <(row sleep)
is 'calls' 1 "$calls"
at_least 'p50 in ms' 196 "${p50%%[.m]*}"
at_least 'maximum in ms' 200 "${max%%[.m]*}"
tool_run 0 lat hrtimer_nanosleep -a -- sleep 0.2
# One step, of those from 134.2 ms on.
is 'steps' 1 "$(grep -c '^[0-9.]*[num]*s  -  [0-9.]*[num]*s ' /tmp/out)"
has /tmp/out '^\(134\.2ms  -  268\.4ms\|268\.4ms  -  536\.9ms\|536\.9ms  -  1\.07[0-9]*s\|[0-9.]*s  -  [0-9.]*s\)  *1 '
tool_run 0 lat hrtimer_nanosleep by comm -L 10s -a -- sleep 0.1
has /tmp/out '^calls 1 = counted 0 + not asked for 1; none lost; cost [0-9.]*% of CPU$'

# A call that has not returned is neither lost nor in the table.
"$tool" lat hrtimer_nanosleep by comm > /tmp/out 2> /tmp/err & pid=$!
armed() { grep ' hrtimer_nanosleep' kprobes/list | grep -qv DISABLED; }
within 20 armed
sleep 300 & sleeper=$!
within 20 gawk '/hrtimer_nanosleep/ && $8 == 1 { found = 1 } END { exit !found }' kprobe_losses
kill -INT $pid
wait $pid
has /tmp/out ' + inside 1; none lost; cost [0-9.]*% of CPU$'
kill $sleeper
tool_none_left SIGINT
# timeout sends its signal to the process, and then to its group: no second one that would end all.
timeout 1h "$tool" count read_zero by comm > /tmp/out 2> /tmp/err & pid=$!
within 20 grep -q live sessions
zeros 3
kill -TERM $pid
wait $pid || true
within 20 tool_nothing_left
has /tmp/out '^dd  *3$'

# kill -9 leaves nothing, either.
"$tool" count read_zero by comm > /tmp/out 2> /tmp/err & pid=$!
within 20 grep -q live sessions
kill -9 $pid
wait $pid || true
within 20 sh -c '! grep -q read_zero dynamic_events'
tool_none_left 'kill -9'

# Another program ends it.
"$tool" count read_zero by comm > /tmp/out 2> /tmp/err & pid=$!
within 20 grep -q live sessions
echo "-$(tail -n 1 sessions | cut -f 1)" > sessions
wait $pid || true
has /tmp/err 'end by'

# Errors: the engine's own, with what may have been meant; nothing is measured.
tool_run 1 count no_such_function
has /tmp/err 'no such symbol'
has /tmp/err '^ *^$'
tool_run 2 count
tool_run 2 lat read_zero by a,b,c,d
tool_run 0 lat read_zero by comm --dry-run
has /tmp/out '^r:lat read_zero ns=\$elapsed$'
has /tmp/out '^trigger lat hist:keys=common_comm:vals=ns.dist:size=65536$'

# What it would write can be written.
exec 3<> session
read -r _ nr <&3
dd if=/tmp/out bs=64k status=none >&3
zeros 5
has "events/s$nr/lat/table" '^dd	'
exec 3>&-
tool_none_left 'the commands'
if [ -e /sys/kernel/btf/vmlinux ]; then
	tool_run 0 count vfs_read by file.f_flags.hex if count eq 3 -a -- dd if=/dev/zero of=/dev/null bs=3 count=4 status=none
	is 'calls by a field' 4 "$(row total)"
	tool_run 0 count t:sched_switch by cpu -d 300ms
	at_least 'switches' 1 "$(row total)"
fi
