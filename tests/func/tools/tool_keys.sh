#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: probe-events: names of keys, KEY.enum and errno, and which calls have failed
# not: 5.10-cloud: has no reasons of dropped packets, and another function for signals
# tier: 6.12-cloud 6.1-cloud
# needs: tracefs kprobes
# seconds: 22
# tools: probe-events jsonlines
# modules: pe_target
# files: ../../../tools/probe-events/schema.json
set -eu
# shellcheck source=tests/func/lib/tool_lib.sh
. /host/tool_lib.sh
# row NAME: its calls
row() { gawk -v name="$1" '$1 == name { gsub(",", "", $2); print $2; exit }' /tmp/out; }
schema() { /host/jsonlines /host/schema.json < "$1" > /tmp/types 2>&1 || fail "no lines of the schema: $(cat /tmp/types)"; }
signals='for i in 1 2 3 4 5; do kill -URG $$; done'
opens='for i in 1 2 3 4 5 6 7; do : 2> /dev/null < /no/such/file; done; true'
[ -e /sys/kernel/btf/vmlinux ]

# A parameter, in all forms; what is written to the session knows no names.
tool_run 0 count send_signal_locked by type.enum if sig eq 23 -w /tmp/saved -- bash -c "$signals"
is 'signals to a process' 5 "$(row PIDTYPE_TGID)"
schema /tmp/saved
has /tmp/saved '"hits":5,"key":{"type.enum":{"number":1,"name":"PIDTYPE_TGID"}}}$'
tool_run 0 report /tmp/saved
is 'saved' 5 "$(row PIDTYPE_TGID)"
tool_run 0 report /tmp/saved if type.enum eq PIDTYPE_TGID and type.enum eq 1 -f csv
has /tmp/out '^PIDTYPE_TGID,5.$'
tool_run 0 report /tmp/saved --redact -f json
has /tmp/out '"name":"PIDTYPE_TGID"'
tool_run 0 count send_signal_locked by arg4.enum,stack if sig eq 23 -f folded -- bash -c "$signals"
has /tmp/out '^PIDTYPE_TGID;.*;send_signal_locked 5$'
tool_run 0 count send_signal_locked by type.enum if sig eq 23 -f openmetrics -- bash -c "$signals"
has /tmp/out '^probe_events_calls_total{what="send_signal_locked",type_enum="PIDTYPE_TGID"} 5$'
tool_run 0 count send_signal_locked by type.enum if sig eq 23 -f html -- bash -c "$signals"
has /tmp/out '<td class="key"><bdi>PIDTYPE_TGID</bdi></td>'
tool_run 0 trace send_signal_locked by sig,type.enum if sig eq 23 -w /tmp/saved -- bash -c "$signals"
is 'hits' 5 "$(grep -c ' 23  *PIDTYPE_TGID$' /tmp/out)"
schema /tmp/saved
has /tmp/saved '"names":{"type.enum":{"number":1,"name":"PIDTYPE_TGID"}}}*$'
tool_run 0 report /tmp/saved by type.enum
is 'saved hits' 5 "$(row PIDTYPE_TGID)"
tool_run 0 report trace /tmp/saved by type.enum
is 'saved hits, listed' 5 "$(grep -c ' PIDTYPE_TGID$' /tmp/out)"
tool_run 0 count send_signal_locked by type.enum,type if sig eq 23 -- bash -c "$signals"
has /tmp/out '^PIDTYPE_TGID  *1  *5$'
tool_run 0 count send_signal_locked by type.enum --dry-run
has /tmp/out '^trigger count hist:keys=type:size=65536$'
tool_run 0 count send_signal_locked by type.enum if sig eq 23 -s type.enum -i 300ms -- bash -c "$signals; sleep 0.5"
is 'intervals' 5 "$(gawk '/^total of/ { last = 1 } last && $1 == "PIDTYPE_TGID" { print $2 }' /tmp/out)"

# Through a typedef, of a tracepoint, a result; no name at all; a session that goes on.
udp='exec 3<> /dev/udp/127.0.0.1/9; echo >&3; sleep 0.1'
tool_run 0 count inet_release by sock.state.enum -- bash -c "$udp"
at_least 'sockets' 1 "$(row SS_UNCONNECTED)"
tool_run 0 count loopback_xmit by ret.enum -a -- bash -c "ip link set lo up 2> /dev/null || ifconfig lo up; $udp"
at_least 'packets' 1 "$(row NETDEV_TX_OK)"
tool_run 0 count t:kfree_skb by reason.enum -a -- bash -c "$udp"
at_least 'packets without a receiver' 1 "$(row SKB_DROP_REASON_NO_SOCKET)"
tool_run 0 count hrtimer_wakeup by ret.enum -a -- sleep 0.1
at_least 'timers' 1 "$(row HRTIMER_NORESTART)"
"$tool" count send_signal_locked by type.enum if sig eq 23 -k 60 2> /tmp/err
bash -c "$signals"
nr=$(sed -n 's/^armed as session \([0-9]*\).*/\1/p' /tmp/err)
tool_says 0 list "$nr"
at_least 'kept' 5 "$(row PIDTYPE_TGID)"
"$tool" rm "$nr"
tool_none_left 'rm'

# Of a module, which need not be named: two names of a number, one below 0, bits, a byte; and none.
insmod /modules/pe_target.ko
call=/sys/module/pe_target/parameters/call
if [ -e /sys/kernel/btf/pe_target ]; then
	tool_run 0 count pe_target_kind by kind.enum,kinds.bits.enum,kinds.byte.enum -- sh -c "echo kind 12 > $call"
	gawk '/^PE_KIND|^2/ { print $1, $2, $3, $4 }' /tmp/out | sort > /tmp/rows
	is 'kinds' '2 2 PE_BYTE_LAST 2
2 2 PE_BYTE_NONE 2
PE_KIND_BELOW PE_KIND_BELOW PE_BYTE_LAST 2
PE_KIND_BELOW PE_KIND_BELOW PE_BYTE_NONE 2
PE_KIND_ONE PE_KIND_ONE PE_BYTE_LAST 2
PE_KIND_ONE PE_KIND_ONE PE_BYTE_NONE 2' "$(cat /tmp/rows)"
	tool_run 0 trace pe_target:pe_target_kind by arg1.enum,kinds.bits.enum,kind -- sh -c "echo kind 12 > $call"
	is 'hits of a module' 4 "$(grep -c ' PE_KIND_BELOW  *PE_KIND_BELOW  *-2$' /tmp/out)"
	tool_run 0 count pe_target_kind by ret if ret lt 0 -- sh -c "echo kind 12 > $call"
	is 'results below 0' 4 "$(row -2)"
else
	tool_run 2 count pe_target_kind by kind.enum
	has /tmp/err 'the type data does not have pe_target_kind'
	tool_run 0 count pe_target_kind --fail -v -d 100ms
	has /tmp/err 'no type is known of what pe_target_kind returns: it is taken for an int'
fi

# An int's register has more above it.
tool_run 0 count pe_target_kind by errno -- sh -c "echo kind 12 > $call"
is 'errors of an int' 4 "$(row ENOENT)"
is 'others of an int' 8 "$(row ok)"
tool_run 0 count pe_target_kind by errno --fail -- sh -c "echo kind 12 > $call"
is 'failures of an int' 4 "$(row total)"
tool_run 0 trace pe_target_kind by ret,errno -- sh -c "echo kind 3 > $call"
is 'hits of an int' '-ENOENT ENOENT 1 ok 2 ok ' "$(gawk '$3 == "sh" { printf "%s %s ", $4, $5 }' /tmp/out)"
echo 'r:keys/full pe_target:pe_target_kind full=$retval:x64' >> kprobe_events
echo 1 > events/keys/full/enable
echo kind 1 > $call
echo 0 > events/keys/full/enable
has trace 'full=0x12345678fffffffe$'
echo > trace
echo '-:keys/full' >> kprobe_events

# What has no names says what it is.
tool_run 2 count vfs_fadvise by advice.enum
has /tmp/err 'advice of vfs_fadvise is int, no enum'
tool_run 2 count send_signal_locked by sig.enum
has /tmp/err 'sig of send_signal_locked is int, no enum.*enums are type'
tool_run 2 count send_signal_locked by nothing.enum
has /tmp/err 'has no nothing'
tool_run 2 count 'group_send*' by type.enum
has /tmp/err 'have no types in common'
tool_run 2 count pe_no_such by type.enum
has /tmp/err 'does not have pe_no_such'
tool_run 2 count @kill by sig.enum
has /tmp/err 'a preset shows names by itself'

# Errors by name: with all that is none as one row, alone, and by the options' words.
tool_run 0 count do_sys_openat2 by errno -- bash -c "true"
without=$(row ENOENT)
tool_run 0 count do_sys_openat2 by errno -w /tmp/saved -- bash -c "$opens"
errors=$(row ENOENT) good=$(row ok)
is 'more errors' 7 $((errors - ${without:-0}))
at_least 'good ones' 1 "$good"
schema /tmp/saved
has /tmp/saved '"key":{"errno":{"number":-2,"name":"ENOENT"}}}$'
has /tmp/saved '"key":{"errno":{"number":0,"name":"ok"}}}$'
tool_run 0 report /tmp/saved if errno eq ENOENT
is 'saved errors' "$errors" "$(row ENOENT)"
tool_run 0 count do_sys_openat2 by errno --fail -v -- bash -c "$opens"
is 'failed' "$errors" "$(row ENOENT)"
is 'rows of failures only' '' "$(row ok)"
has /tmp/err '^trigger count hist:keys=ret:'
tool_run 0 count do_sys_openat2 by errno,ret --fail -- bash -c "$opens"
has /tmp/out "^ENOENT  *-2  *$errors\$"
tool_run 0 count do_sys_openat2 by errno -x ENOENT -- bash -c "$opens"
is 'ENOENT' "$errors" "$(row total)"
tool_run 0 lat do_sys_openat2 by errno -- bash -c "$opens"
is 'timed' "$errors" "$(row ENOENT)"
tool_run 0 trace do_sys_openat2 by errno,ret -f json -o /tmp/saved -- bash -c "$opens"
schema /tmp/saved
tool_run 0 report /tmp/saved by errno
is 'traced' "$errors" "$(row ENOENT)"
is 'traced good ones' "$good" "$(row ok)"

# In a filter, a name is the number that the kernel has; so it is in what was saved.
tool_run 0 count do_sys_openat2 by ret if ret eq ENOENT -- bash -c "$opens"
has /tmp/out "^-2  *$errors\$"
tool_run 0 count do_sys_openat2 by errno if errno ne ENOENT -- bash -c "$opens"
is 'all others' '' "$(row ENOENT)"
is 'good ones' "$good" "$(row ok)"
tool_run 0 trace do_sys_openat2 by errno if ret eq -ENOENT -- bash -c "$opens"
is 'traced by name' "$errors" "$(grep -c ' ENOENT$' /tmp/out)"
tool_run 0 report /tmp/saved by errno if ret eq -ENOENT
is 'reported by name' "$errors" "$(row total)"
tool_run 0 count send_signal_locked by sig if sig eq URG -- bash -c "$signals"
has /tmp/out '^23  *5$'
tool_run 0 count t:signal_generate by sig if sig eq SIGURG -- bash -c "$signals"
has /tmp/out '^23  *5$'
tool_run 0 count @kill by sig if sig eq URG -- bash -c "$signals"
has /tmp/out '^URG  *5$'
tool_run 2 count do_exit if ret eq ENOENT
has /tmp/err 'do_exit returns nothing, so no error'

# Pointers: the same calls, whose errors are addresses; results of all sizes are one row. Others come from exec.
by_name=do_filp_open
grep -qw $by_name /proc/kallsyms || by_name=do_file_open	# from 7 on
tool_run 0 count $by_name by errno -n bash -- bash -c "$opens"
is 'errors of pointers' "$errors" "$(row ENOENT)"
at_least 'pointers that are none' 2 "$(row ok)"
lacks /tmp/out '^[0-9-]'
tool_run 0 count $by_name by comm --fail -n bash -- bash -c "$opens"
failed=$(row bash)
at_least 'pointers that failed' "$errors" "$failed"
tool_run 0 trace $by_name by errno,ret --fail -n bash -- bash -c "$opens"
is 'traced pointers' "$errors" "$(grep -c ' ENOENT  *-ENOENT$' /tmp/out)"
tool_run 0 count $by_name by errno,comm -x ENOENT -n bash -- bash -c "$opens"
is 'pointers with ENOENT' "$errors" "$(row total)"
nobody='for i in 1 2 3; do kill -0 4100000 2> /dev/null; done; true'
tool_run 0 count find_vpid by errno -- bash -c "$nobody"
at_least 'NULL is no error' 3 "$(row ok)"
is 'errors of NULL' "$(row total)" "$(row ok)"
tool_run 0 count find_vpid --fail -- bash -c "$nobody"
has /tmp/out 'counted 0 + not asked for'
tool_run 0 count "${by_name%n}[n]" by comm --fail -n bash -- bash -c "$opens"
is 'a pattern' "$failed" "$(row bash)"
tool_run 0 count "${by_name%n}[n]" by func,errno -x ENOENT -n bash -- bash -c "$opens"
has /tmp/out "^$by_name  *ENOENT  *$errors\$"

# An int is as wide as it is; the kernel's own errors have names; nothing can fail that returns nothing.
tool_run 0 count send_signal_locked --fail --dry-run
has /tmp/out 'ret=\$retval:s32$'
tool_run 124 count hrtimer_nanosleep by errno -- timeout 2 sleep 100
is 'interrupted' 1 "$(row ERESTART_RESTARTBLOCK)"
tool_run 2 count do_exit --fail
has /tmp/err 'do_exit returns nothing, so no error'
tool_run 2 count do_exit by errno
has /tmp/err 'do_exit returns nothing'
tool_run 2 count capable --fail
has /tmp/err 'capable returns bool, which is never below 0'
tool_run 1 count pe_no_such --fail -v
has /tmp/err 'no type is known of what pe_no_such returns: it is taken for an int'

# The kernel's own probes; an int is recorded as one there, too.
mountpoint -q /sys/kernel/tracing || mount -t tracefs tracefs /sys/kernel/tracing
tool_run 0 count $by_name by errno --fail --engine kernel -q -a -- bash -c "$opens"
at_least 'stock errors' "$errors" "$(row ENOENT)"
tool_run 0 trace $by_name by errno --engine kernel -q -n bash -- bash -c "$opens"
is 'stock hits' "$errors" "$(grep -c ' ENOENT$' /tmp/out)"
tool_run 0 count send_signal_locked by arg4.enum if arg1 eq 23 --engine kernel -q -a -- bash -c "$signals"
at_least 'stock signals' 5 "$(row PIDTYPE_TGID)"
stats='for i in 1 2 3; do [ ! -e /no/such/file ]; done'
tool_run 0 count filename_lookup by errno --fail --engine kernel -q -n bash -a -- bash -c "$stats"
at_least 'stock errors of an int' 3 "$(row ENOENT)"
tool_run 0 lat filename_lookup by errno --fail --engine kernel -q -n bash -a -- bash -c "$stats"
at_least 'timed stock errors of an int' 3 "$(row ENOENT)"
tool_run 2 count $by_name by errno --engine kernel
has /tmp/err 'errno in tables with --fail or -x only'
