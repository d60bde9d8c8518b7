#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: probe-events check: hits of what can be probed, reasons for the rest, nothing left
# tier: 6.12-cloud bare
# seconds: 5 bare=2
# tools: probe-events jsonlines
# files: ../../../tools/probe-events/schema.json
set -eu
# shellcheck source=tests/func/lib/tool_lib.sh
. /host/tool_lib.sh
# field WHAT N: of its line
line_field() { gawk -v what="$1" -v n="$2" '$1 == what && NF == 5 { print $n }' /tmp/out; }

# check_beside N STATUS WORDS...: it goes on until there were so many reads
check_beside() {
	local got=0 pid

	"$tool" check "${@:3}" -d 1h > /tmp/out 2> /tmp/err & pid=$!
	within 20 grep -q live sessions
	within 20 grep -q check1 kprobe_losses
	dd if=/dev/zero of=/dev/null bs=1 count="$1" status=none
	kill -INT $pid
	wait $pid || got=$?
	cat /tmp/out /tmp/err
	is "status of check ${*:3}" "$2" $got
	tool_none_left "check ${*:3}"
}
check_beside 1234 0 write_null 'read_zer*'
is 'refused' 0 "$(line_field 'read_zer*' 2)"
at_least 'hits' 1234 "$(line_field 'read_zer*' 3 | tr -d ,)"
at_least 'hits of the other' 1234 "$(line_field write_null 3 | tr -d ,)"
is 'none refused' '' "$(grep refused: /tmp/out || true)"

# The reasons are those of the engine.
tool_run 1 check no_such_function read_zero -d 100ms
is 'refused' all "$(line_field no_such_function 2)"
is 'the other' 0 "$(line_field read_zero 2)"
has /tmp/out '    refused: .*no such symbol'
has /tmp/err 'no such symbol'
# What no loaded module has is not good; it would be waited for, and other verbs say that.
tool_run 1 check no_module:no_function read_zero -d 100ms
is 'waits' all "$(line_field no_module:no_function 2)"
is 'the other' 0 "$(line_field read_zero 2)"
has /tmp/out '    refused: no loaded module has no_module:no_function'
tool_says 0 count no_module:no_function -k 1h
has /tmp/err 'no loaded module has no_module:no_function: its hits count as soon as one has'
tool_run 0 rm --all
if [ "$PROBES" = /sys/kernel/probes ]; then	# the kernel has a tracefs, and so tracepoints
	tool_run 1 check t:no_such_tracepoint -d 100ms
	has /tmp/out '    refused: no loaded module has no_such_tracepoint'
	tool_run 0 count t:no_such_tracepoint -d 10ms
	has /tmp/err 'no loaded module has no_such_tracepoint:'
	tool_run 1 check t:sched_swich -d 100ms
	has /tmp/out '    refused: no loaded module has sched_swich (meant: t:sched_switch?)$'
	tool_run 0 count t:sched_swich -d 10ms
	has /tmp/err 'no loaded module has sched_swich (meant: t:sched_switch?): its hits'
fi
tool_run 0 check '*_nmi*' -d 10ms
at_least 'refused' 1 "$(line_field '*_nmi*' 2)"
is 'reasons' "$(line_field '*_nmi*' 2)" "$(grep -c '^    refused: [A-Za-z0-9_.]* [a-z]' /tmp/out)"
tool_run 2 check
tool_run 2 check vfs_read e:kprobes/x
has /tmp/err 'events are for count, lat, trace and top'
tool_run 2 check vfs_read -f html
# For programs.
check_beside 77 1 no_such,function read_zero -f json
/host/jsonlines /host/schema.json < /tmp/out > /tmp/types 2>&1 || fail "no lines of the schema: $(cat /tmp/types)"
has /tmp/out '"type":"checked".*"what":"no_such,function","refused":0,"hits":0,.*"error":"'
has /tmp/out '"type":"checked".*"what":"read_zero","refused":0,"hits":77,"seconds":[0-9.]*,"cost_percent":[0-9.e-]*}$'
tool_run 1 check no_such,function read_zero -d 1 -f json
has /tmp/out '"type":"checked".*"what":"read_zero",.*"seconds":[1-9][0-9.]*,'
tool_run 1 check no_such,function 'read_zer*' -d 100ms -f csv
is 'heading' 'what,refused,hits,seconds,cost_percent,error,stopped' "$(head -n 1 /tmp/out)"
has /tmp/out '^"no_such,function",0,0,[0-9.]*,0.0000,.*[a-z].*,$'
has /tmp/out '^read_zer\*,0,0,[0-9.]*,0.0000,,$'
tool_run 2 check -x

# Other verbs leave them out as well, and say how many, or with -v which ones and why.
number() { sed -n 's/.*; \([0-9,]*\) refused.*/\1/p' /tmp/out | tr -d ,; }
# watch records what the scheduler does, too, by its tracepoints.
for words in 'count *_nmi*' 'lat *_nmi* by func' 'trace *_nmi* -M 1' 'watch *_nmi* -L 1h --with *_nmi*'; do
	in_turn 2 || continue
	[[ $words != watch* || $PROBES = /sys/kernel/probes ]] || continue
	set -f
	# shellcheck disable=SC2086
	tool_run 0 $words -d 10ms --no-limit
	nr=$(number)
	at_least "refused: $words" 1 "$nr"
	has /tmp/out '; [0-9,]* refused (-v)'
	lacks /tmp/err 'refused:'
	# shellcheck disable=SC2086
	tool_run 0 $words -d 10ms --no-limit -v
	set +f
	has /tmp/out '; [0-9,]* refused\(;.*\)*$'
	is "reasons: $words" "$nr" "$(grep -c '^refused: [A-Za-z0-9_.]* [a-z]' /tmp/err)"
done
tool_run 0 inside '*_nmi*' -d 10ms
has /tmp/out '; [0-9]* refused (probe-events check)$'
for form in json csv; do
	tool_run 0 count '*_nmi*' by func -d 10ms -f $form
	[ $form = csv ] || has /tmp/out '"balance":{.*"refused":[1-9][0-9]*,'
	[ $form = json ] || has /tmp/err '; [0-9,]* refused (-v)'
done
# Armed for longer, it is told at once; the session of another program tells it, too.
tool_says 0 count '*_nmi*' -k 1h
has /tmp/err '; [0-9,]* refused (-v)$'
tool_says 0 list "$(sed -n 's/.* session \([0-9]*\);.*/\1/p' /tmp/err)"
has /tmp/out '; [0-9,]* refused\(;.*\)*$'
tool_run 0 rm --all
# A function alone has nothing to leave out.
tool_run 0 count read_zero -d 10ms
lacks /tmp/out refused

# kill -9 leaves nothing.
"$tool" check read_zero -d 1h > /tmp/out & pid=$!
within 20 grep -q check0 kprobe_losses
kill -9 $pid
wait $pid || true
within 20 tool_nothing_left
