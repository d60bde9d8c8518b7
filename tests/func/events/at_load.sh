#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: parameters of the module define and enable events; what they cannot is in the log
# seconds: 3
set -eu
cd /
# shellcheck source=tests/func/lib/events_lib.sh
. /host/events_lib.sh

# load_with PARAMETER...: of probe_events; what it says goes to /tmp/said
load_with() {
	umount "$PROBES"
	rmmod probe_events
	marks=$((${marks:-0} + 1))
	echo "at_load $marks" > /dev/kmsg
	insmod /modules/probe_events.ko "$@"
	mount_ours
	dmesg | sed "1,/at_load $marks\$/d; s/^\[[^]]*\] //" | grep '^probe_events: ' > /tmp/said || true
}
evidence+=(/tmp/said)

# As on the kernel's command line; a bad one in the middle, and given twice.
load_with 'kprobe_event=p:a,read_zero,n=%dx;p:b,no_such_function;p:c,write_null' 'kprobe_event=r:t/d,read_zero,$retval;'
cd "$PROBES"
holds dynamic_events 'p:kprobes/a read_zero n=%dx
p:kprobes/c write_null
r:t/d read_zero arg1=$retval'
is 'enabled' 111 "$(cat events/kprobes/[ac]/enable events/t/d/enable | tr -d '\n')"
head -c 3 /dev/zero > /dev/null
is 'records' '1 1 1' "$(records a) $(records c) $(records d)"
is 'said' 1 "$(wc -l < /tmp/said)"
has /tmp/said '^probe_events: kprobe_event: .*, error [0-9]*: p:b no_such_function$'
has error_log 'no_such_function'
reason=$(sed -n 's/^\[.*\] trace_kprobe: error: //p' error_log)
has /tmp/said "kprobe_event: $reason, error" -F
cd /

# A file. Bad lines are named; the last has no newline; a line of 4,094 bytes is possible.
{
	echo '# what we want to know'
	echo
	echo 'p:a read_zero	# with a remark'
	echo 'p:b read_zero nosuch=%zz'
	printf 'p:long read_zero %4077s\n' 'n=%dx'
	printf 'p:longer read_zero %4076s\n' 'n=%dx'
	printf 'p:longest read_zero %9000s\n' 'n=%dx'
	printf 'p:nul read_zero \0\n'
	echo 'f:t/f write_null'
	printf 'p:end write_null'
} > /tmp/events
load_with kprobe_events_file=/tmp/events
cut -c 1-150 /tmp/said
cd "$PROBES"
is 'defined' 'a end f long' "$(sed 's,.*[:/]\([a-z]*\) .*,\1,' dynamic_events | sort | paste -sd ' ')"
is 'said about' '/tmp/events:4 /tmp/events:6 /tmp/events:7 /tmp/events:8' \
	"$(awk '{ sub(/:$/, "", $2); print $2 }' /tmp/said | paste -sd ' ')"
holds events/enable 1
cd /

# Nothing of this keeps the module from being loaded; a long parameter is none of it.
load_with kprobe_events_file=/tmp/no/such
has /tmp/said '^probe_events: /tmp/no/such cannot be opened, error 2$'
load_with kprobe_events_file=/tmp
has /tmp/said '^probe_events: /tmp cannot be read, error 22$'
: > /tmp/empty
load_with kprobe_events_file=/tmp/empty kprobe_event=
holds /tmp/said ''
holds "$PROBES/events/enable" '?'
load_with "kprobe_event=$(for i in $(seq 100); do printf 'p:many_%s,read_zero;' "$i"; done)"
is 'many' 100 "$(wc -l < "$PROBES/kprobe_events")"
holds /tmp/said ''

# The limit of all events: the usual one, none, and another; one that is wrong keeps it from being loaded.
load_with
holds "$PROBES/limits" 'cpu=25% one=60%'
load_with limits=none
holds "$PROBES/limits" none
load_with limits=hits=7,ttl=1h
holds "$PROBES/limits" 'hits=7 ttl=3600s'
umount "$PROBES"
rmmod probe_events
refused 'nvalid' insmod /modules/probe_events.ko limits=hits=x
dmesg | tail -n 5 > /tmp/said
has /tmp/said 'probe_events: limits=hits=x: hits=N, as 10k or 1e6$'
insmod /modules/probe_events.ko limits=cpu=25%,one=60%
mount_ours
holds "$PROBES/limits" 'cpu=25% one=60%'
