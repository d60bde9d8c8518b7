#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: triggers of trace_marker (ftrace:print): answers, texts, snapshots, stacks as the kernel's; instances
# tier: 6.12-cloud debug
# seconds: 4
#
# Beside the kernel's own tracefs on 6.12-cloud; alone where there is none, and on the others.
set -eu
cd "$PROBES"
# shellcheck source=tests/func/lib/check_lib.sh
. /host/check_lib.sh

print=events/ftrace/print
n=0

# The same in the kernel's tracefs and in ours, if there is one.
stock=
case $(uname -r) in
6.12.*-cloud-*)
	# shellcheck source=tests/func/lib/stock_lib.sh
	. /host/stock_lib.sh ;;
esac
both() { [ -z "$stock" ] || same "$@"; }

marks='for i in 1 2 3 4 5 6; do echo "mark $i" > trace_marker; done'
shown="grep -o 'mark .' trace; echo snapshot; grep -o 'mark .' snapshot"
clean="echo 1 > tracing_on; echo > trace; grep -v '^#' $print/trigger"

echo 'answers'
both 'none set' "cat $print/trigger | grep -v '^# '; ls $print | grep -c trigger"
for text in traceoff:1 'traceoff:2 if common_pid > 0' 'traceoff if ip == 0' 'traceoff if buf == 3' \
	'traceoff if buf ~ "*3*"' 'traceoff if __probe_ip == 1' 'traceoff if common_flags < 99' \
	snapshot snapshot:2 'snapshot if common_preempt_count == 0' stacktrace:1 \
	enable_event:ftrace:print enable_event:none:none nonsense 'traceoff if' ; do
	both "$text" "echo '$text' > $print/trigger; cat $print/trigger | grep -v '^#'
		echo '!${text%%[ :]*}' > $print/trigger; cat $print/trigger | grep -v '^#'"
done

echo 'snapshots'
echo snapshot > $print/trigger
has snapshot 'Snapshot is allocated'
eval "$marks"
is 'trace' 'mark 1 mark 3 mark 5' "$(grep -o 'mark .' trace | xargs)"
is 'snapshot' 'mark 2 mark 4 mark 6' "$(grep -o 'mark .' snapshot | xargs)"
echo '!snapshot' > $print/trigger
echo 0 > snapshot
echo > trace
both 'in turn' "echo snapshot > $print/trigger; $marks; $shown; echo '!snapshot' > $print/trigger; echo 0 > snapshot; $clean"
both 'twice' "echo snapshot:2 > $print/trigger; $marks; $shown; cat $print/trigger
	echo '!snapshot' > $print/trigger; echo 0 > snapshot; $clean"

for text in 'traceoff if buf == "first"' 'traceoff if buf == "second"' 'traceoff if buf ~ "*con*"'; do
	both "$text" "echo '$text' > $print/trigger; printf first > trace_marker; cat tracing_on; echo second > trace_marker; cat tracing_on
		echo '!traceoff' > $print/trigger; $clean"
done

echo 'recording'
echo 'traceoff:1' > $print/trigger
echo first > trace_marker
is 'tracing_on' 0 "$(< tracing_on)"
refused 'Bad file descriptor' put second trace_marker
is 'marks' 1 "$(grep -c tracing_mark_write trace)"
is 'left' 'traceoff:count=0' "$(< $print/trigger)"
echo '!traceoff' > $print/trigger
echo 1 > tracing_on
echo > trace

echo 'an event'
echo 'p:m/open do_sys_openat2' > kprobe_events
echo 'enable_event:m:open:1' > $print/trigger
is 'armed' '0*' "$(< events/m/open/enable)"
echo now > trace_marker
is 'enabled' '1*' "$(< events/m/open/enable)"
refused 'busy' put '-:m/open' kprobe_events
echo '!enable_event:m:open' > $print/trigger
echo 0 > events/m/open/enable
echo > kprobe_events
refused 'Invalid argument' put 'enable_event:m:open' $print/trigger

echo 'stacks'
echo stacktrace > $print/trigger
echo > trace
echo deep > trace_marker
is 'first callers' 'vfs_write ksys_write' "$(awk '/^ => / { print $2 }' trace | head -n 2 | xargs)"
echo '!stacktrace' > $print/trigger
echo > trace
both 'stack' "echo stacktrace:1 > $print/trigger; echo deep > trace_marker; cat trace | sed -n 's/^ => \(vfs_write\|ksys_write\).*/\1/p'
	echo '!stacktrace' > $print/trigger; $clean"

echo 'histograms'
# hist TRIGGER: what it has counted of six marks, without what differs from file to file
hist() {
	both "$1" "echo '$1' > $print/trigger; $marks; sed -E 's/\\[[ 0-9a-fx]*\\]//g' $print/hist | grep -v '^#'
		grep -v '^#' $print/trigger; echo '!$1' > $print/trigger; cat $print/hist; $clean"
}
hist 'hist:keys=common_pid.execname'
hist 'hist:keys=ip.sym:vals=hitcount'
hist 'hist:keys=common_pid.execname:size=128 if common_pid > 0'
hist 'hist:keys=buf'
echo 'hist:keys=common_comm if buf ~ "*3*"' > $print/trigger
eval "$marks"
is 'counted' 1 "$(sed -n 's/.*} hitcount: *//p' $print/hist)"
has $print/table $'filtered\t5'
echo 'hist:keys=common_cpu:x=common_pid:onmax($x).save(common_pid)' > $print/trigger
echo again > trace_marker
has $print/hist "max: *$$  common_pid: *$$\$"
echo '!hist:keys=common_cpu:x=common_pid:onmax($x).save(common_pid)' > $print/trigger
echo '!hist:keys=common_comm if buf ~ "*3*"' > $print/trigger

echo 'instances'
mkdir instances/one
echo traceoff > instances/one/$print/trigger
echo there > trace_marker
is 'the top goes on' 1 "$(< tracing_on)"
echo here > instances/one/trace_marker
is 'the instance does not' 0 "$(< instances/one/tracing_on)"
lacks $print/trigger '^traceoff'
exec 5< instances/one/$print/trigger
refused 'busy' rmdir instances/one
exec 5<&-
rmdir instances/one

echo 'while markers are written'
while :; do echo x > trace_marker; done 2> /dev/null &
writer=$!
for ((i = $(length 8 300); i > 0; i--)); do
	echo "snapshot:$i" > $print/trigger
	echo stacktrace > $print/trigger
	mkdir instances/two
	echo snapshot > instances/two/$print/trigger
	echo 'hist:keys=common_pid' > instances/two/$print/trigger
	echo x > instances/two/trace_marker
	has instances/two/$print/hist 'hitcount: *1$'
	echo hist:keys=common_comm > $print/trigger
	echo take > $print/table
	rmdir instances/two
	echo '!hist:keys=common_comm' > $print/trigger
	echo '!snapshot' > $print/trigger
	echo '!stacktrace' > $print/trigger
done
kill $writer
wait $writer || true
# Those that are set go with the modules.
echo snapshot > $print/trigger
echo "$n compared with the kernel"
[ -z "$stock" ] || at_least 'compared' 23 $n
