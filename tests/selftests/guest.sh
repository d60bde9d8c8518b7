#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# Guest side of tests/selftests/run: lines "BEGIN WHERE CASE" and "RESULT WHERE CASE RESULT[,RESULT]" for
# each case, and the log of a case that does not pass.  ftracetest takes the first line of
# /proc/mounts that has "tracefs" in it, so for ours the file system is mounted once more with that
# as its source.
#
# Two cases probe what the kernel calls to make an event's directory.  Ours does so if new events are
# mirrored (kprobes/mirror).
#
# Cases about events, filters and triggers use the kernel's static events. Ours has some of those of
# tools/probe-events/static for them: of lines that define one event, the first that is accepted counts.
#
# usage: guest.sh stock|ours CASE...

set -u
where=$1
shift
self=/host/selftests
logs=/tmp/logs

release=$(uname -r)
mkdir -p "/lib/modules/$release/extra" $logs
cp $self/*.ko "/lib/modules/$release/extra/"
depmod -a 2>/dev/null || depmod

case $where in
stock) dir=/sys/kernel/tracing source=tracefs type=tracefs ;;
ours) dir=/tmp/tracefs source=tracefs type=probefs ;;
esac
mkdir -p $dir
mount -t $type $source $dir || exit 1

# define_static FILE...
define_static() {
	local line name done=
	cat "$@" | while read -r line; do
		name=${line%% *}
		[[ $line == [prt]:* && $name != "$done" ]] || continue
		printf '%s\n' "$line" 2>/dev/null >>$dir/static_events && done=$name
	done
}
cd $self/ftrace || exit 1
for case in "$@"; do
	if [ $where = ours ]; then
		[[ $case == kprobe/kprobe_args_@(char|string).tc ]] && mirror=1 || mirror=0
		echo $mirror > $dir/kprobes/mirror
		echo > $dir/static_events
		[[ $case != @(event/*|filter/*|trigger/*|00basic/basic4.tc) ]] ||
			define_static $self/static/{sched,kmem,irq,signal,raw_syscalls}.events
	fi
	rm -rf ${logs:?}/*
	echo "BEGIN $where $case"
	out=$(timeout 900 ./ftracetest --logdir $logs "test.d/$case" 2>&1)
	result=$(sed -n 's/.*\[\([A-Z]*\)\]$/\1/p' <<<"$out" | paste -sd,)
	echo "RESULT $where $case ${result:-LOST}"
	[[ $result =~ ^(PASS|XFAIL)(,(PASS|XFAIL))*$ ]] && continue
	tail -n 25 $logs/*log* 2>/dev/null | sed "s|^|LOG $where $case |"
done
cd /
[ $where = stock ] || echo > $dir/static_events
[ $where = stock ] || umount $dir
