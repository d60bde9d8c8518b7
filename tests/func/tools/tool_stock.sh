#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: probe-events --engine kernel: the kernel's own tracefs, beside our modules and without them
# tier: 6.12-cloud 6.1-cloud debug
# needs: tracefs kprobes
# seconds: 35
# tools: probe-events jsonlines
# files: ../../../tools/probe-events/schema.json
set -eu
# shellcheck source=tests/func/lib/check_lib.sh
. /host/check_lib.sh
tool=/host/probe-events
tracing=/sys/kernel/tracing
cd /
# What is there belongs to others, and so does what they have set.
all_there() {
	cat $tracing/dynamic_events $tracing/error_log $tracing/tracing_on $tracing/trace_clock
	ls $tracing/instances
	[ ! -e $tracing/events/mine/x/trigger ] || cat $tracing/events/mine/x/trigger $tracing/events/mine/x/enable
}
# engine STATUS VERB WORDS...: nothing is left, and nothing of others has changed
engine() {
	local got=0 left

	left=$(all_there 2>&1)
	"$tool" "$2" --engine kernel "${@:3}" > /tmp/out 2> /tmp/err || got=$?
	head -c 2000 /tmp/out
	grep -v '^not promised' /tmp/err || true
	is "status of ${*:2}" "$1" "$got"
	[ "$1" = 1 ] || is "left after ${*:2}" "$left" "$(all_there 2>&1)"
	is "groups left after ${*:2}" '' "$(ls -d $tracing/events/pe_* $tracing/instances/pe_* 2> /dev/null || true)"
}
zero_reads() { dd if=/dev/zero of=/dev/null bs=3 "count=$1" status=none; }
nothing_left() { ! ls -d $tracing/events/pe_* $tracing/instances/pe_* 2> /dev/null; }
hit_lines() { grep -c '^[0-9][0-9]:[0-9][0-9]:' /tmp/out || true; }

# Not there, or ours in its place: it says so.
mountpoint -q $tracing && umount $tracing
engine 1 count read_zero -d 1
has /tmp/err 'mount -t tracefs tracefs /sys/kernel/tracing$'
mount -t tracefs tracefs $tracing
got=0
"$tool" exec "$tool" count read_zero -d 1 --engine kernel 2> /tmp/err || got=$?
is 'status where ours cover it' 1 $got
has /tmp/err "has the modules' files"

echo 'p:mine/x write_null' > $tracing/kprobe_events
echo 1 > $tracing/events/mine/x/enable
grep -q 'hist:keys=' $tracing/README && hist=1 || hist=
[ ! "$hist" ] || echo 'hist:keys=common_pid' > $tracing/events/mine/x/trigger

stock_traces() {
	engine 0 trace read_zero by arg3,cpu,caller -- dd if=/dev/zero of=/dev/null bs=3 count=20 status=none
	is 'lines' 20 "$(hit_lines)"
	is 'columns' '20 dd 3 vfs_read' "$(gawk '/^[0-9]/ { print $3, $4, $6 }' /tmp/out | uniq -c | sed 's/^ *//')"
	has /tmp/out '^shown 20 of 20 hits; none known to be lost$'
	has /tmp/err '^not promised with --engine kernel: after SIGKILL its events stay: '
	engine 0 trace read_zero by arg3 if arg3 eq 7 -M 3 -a -- sh -c 'for n in 9 7 7; do
		dd if=/dev/zero of=/dev/null bs=$n count=5 status=none; done'
	is 'lines of a filter' '3 7' "$(gawk '/^[0-9]/ { print $4 }' /tmp/out | uniq -c | xargs)"
	engine 0 trace vfs_read by ret -f json -g -- dd if=/dev/zero of=/dev/null bs=3 count=7 status=none
	/host/jsonlines /host/schema.json < /tmp/out > /tmp/types
	has /tmp/types '^note 5$'
	has /tmp/out '"args":{"ret":3},"stack":\['
	engine 0 trace do_sys_openat2 by ret --fail -q -- sh -c 'cat /no/such/file; true'
	has /tmp/out ' -ENOENT$'
	is 'quiet' '' "$(grep promised /tmp/err || true)"
}

stock_counts() {
	engine 0 count read_zero by comm,tid -a -- dd if=/dev/zero of=/dev/null bs=3 count=20 status=none
	has /tmp/out '^dd  *[0-9]*  *20$'
	has /tmp/out '^hits 20 = counted 20; none lost$'
	engine 0 count read_zero by arg3,caller if arg3 eq 3 -a -f csv -- sh -c 'for n in 1 3; do
		dd if=/dev/zero of=/dev/null bs=$n count=9 status=none; done'
	has /tmp/out '^3,vfs_read,9.$'
	engine 0 count vfs_read by ret if ret eq 3 -a -- dd if=/dev/zero of=/dev/null bs=3 count=9 status=none
	has /tmp/out '^3  *9$'
	# Names that look like the file.
	cat > /tmp/odd <<-'END'
		printf 'a } hitcount: 7' > /proc/self/comm
		printf 1 > /dev/null
		printf 'Totals:\t\033[2J' > /proc/self/comm
		printf 1 > /dev/null
	END
	engine 0 count write_null by comm -a -- bash /tmp/odd
	has /tmp/out '^a } hitcount: 7  *1$'
	has /tmp/out '^Totals:\\x09\\x1b\[2J  *1$'
	engine 0 lat read_zero by comm -a -- dd if=/dev/zero of=/dev/null bs=3 count=50 status=none
	has /tmp/out '^dd  *50  *[0-9.]*[num]*s'
	has /tmp/out '^calls 50 = counted 50; none lost$'
	engine 0 lat read_zero -a -- sh -c "cat $tracing/instances/pe_*/events/pe_*/*/trigger > /tmp/triggers"
	is 'matches but for idle tasks' 2 "$(grep -c 'if common_pid != 0' /tmp/triggers)"
	engine 0 lat read_zero -a -- dd if=/dev/zero of=/dev/null bs=3 count=50 status=none
	has /tmp/out '^p50 .*(powers of 2)$'
	engine 0 lat read_zero by comm if comm eq nobody -L 1ms -a -f json -- dd if=/dev/zero of=/dev/null bs=3 count=5 status=none
	/host/jsonlines /host/schema.json < /tmp/out > /tmp/types
	has /tmp/types '^note 10$'
	engine 5 count read_zero by comm -d 1 --expect
}

ends() {
	local signal pid got verb

	for signal in INT TERM HUP; do
		for verb in $1; do
			"$tool" $verb read_zero by comm --engine kernel > /tmp/out 2> /tmp/err & pid=$!
			within 40 ls -d $tracing/instances/pe_$pid > /dev/null
			kill -$signal $pid
			got=0
			wait $pid || got=$?
			is "status of $verb and $signal" 0 $got
			nothing_left
		done
	done
	# A pipe that is closed.
	got=$( ("$tool" trace read_zero --engine kernel 2> /tmp/err; echo $? >&3) 3>&1 > >(head -n 2 > /tmp/out) & sleep 0.1
		until [ "$(wc -l < /tmp/out)" -ge 2 ]; do zero_reads 50; done
		while pgrep -f 'trace read_zero --engine' > /tmp/pids; do zero_reads 50; sleep 0.1; done
		wait)
	is 'status of a closed pipe' 141 "$got"
	nothing_left
	# What promises nothing: killed, it leaves what it has made, and says in the beginning what that is.
	"$tool" trace read_zero --engine kernel > /tmp/out 2> /tmp/err & pid=$!
	within 40 ls $tracing/events/pe_$pid > /tmp/ls
	within 40 grep -q TIME /tmp/out
	kill -9 $pid
	wait $pid || true
	has /tmp/err "its events stay: group and instance pe_$pid$"
	within 40 rmdir $tracing/instances/pe_$pid
	echo "-:pe_$pid/trace_$pid" >> $tracing/kprobe_events
	nothing_left
}

stock_refusals() {
	engine 1 count no_such_function
	has /tmp/err 'no_such_function'
	# What the instance's own error_log says.
	engine 1 trace read_zero if comm lt x
	has /tmp/err 'Illegal operation for field type'
	for words in 'count vfs_*' 'count t:sched_switch' 'count @pages' 'count read_zero by pid' 'count read_zero by stack' \
		'count read_zero -i 1' 'count read_zero -k 1h' 'count read_zero --cpu 5' 'count read_zero -p 1' \
		'count read_zero -M 5' 'count read_zero -L 1ms' 'lat read_zero by comm,tid,cpu' 'trace read_zero by ns' \
		'trace read_zero -f csv' 'top read_zero' 'watch read_zero -L 1ms'; do
		# shellcheck disable=SC2086
		engine 2 $words
	done
	engine 2 count read_zero -- true
	engine 0 lat read_zero by comm --dry-run
	has /tmp/out '^r1024:pe_[0-9]*/lat_[0-9]* read_zero comm=\$comm$'
}

all_of_it() {
	stock_traces
	if [ "$hist" ]; then
		stock_counts
		stock_refusals
		ends 'count lat trace'
	else
		engine 1 count read_zero -d 1
		has /tmp/err 'no histograms (CONFIG_HIST_TRIGGERS)'
		engine 1 lat read_zero -d 1
		ends trace
	fi
}
all_of_it
# The same without our modules.
umount "$PROBES"
rmmod probe_events probe_core
all_of_it
echo 0 > $tracing/events/mine/x/enable
[ ! "$hist" ] || echo '!hist:keys=common_pid' > $tracing/events/mine/x/trigger
echo > $tracing/kprobe_events
