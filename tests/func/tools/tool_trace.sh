#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: probe-events trace: each hit is a line, in order, or is told as lost; nothing is left over
# tier: 6.12-cloud bare
# seconds: 65
# tools: probe-events jsonlines
# files: ../../../tools/probe-events/schema.json
set -eu
# shellcheck source=tests/func/lib/tool_lib.sh
. /host/tool_lib.sh
# The lines of hits, without heading and balance.
hits() { gawk '/^[0-9][0-9]:[0-9][0-9]:/' /tmp/out; }

tool_run 0 trace read_zero by arg3,ret,cpu,caller -- dd if=/dev/zero of=/dev/null bs=3 count=20 status=none
is 'lines' 20 "$(hits | wc -l)"
is 'columns' '20 dd 3 3 vfs_read' "$(hits | gawk '{ print $3, $4, $5, $7 }' | uniq -c | sed 's/^ *//')"
is 'heading' 'TIME TID COMM ARG3 RET CPU CALLER' "$(head -n 1 /tmp/out | tr -s ' ')"
has /tmp/out '^hits 20 = shown 20; none lost; cost [0-9.]*% of CPU$'
is 'order' "$(hits | sort -s -k 1,1)" "$(hits)"

# A filter, results that are errors, the number of lines.
echo text > /tmp/file
tool_run 0 trace do_sys_openat2 by ret --fail -- sh -c 'cat /tmp/file /no/such/file; true'
at_least 'failed opens' 1 "$(hits | grep -c -- ' -ENOENT$')"
has /tmp/out '^hits [0-9,]* = shown [0-9,]* + not asked for [0-9,]*.*; none lost; cost [0-9.]*% of CPU$'
tool_run 0 trace read_zero by arg3 if arg3 eq 7 -M 3 -a -- sh -c 'dd if=/dev/zero of=/dev/null bs=9 count=5 status=none
	dd if=/dev/zero of=/dev/null bs=7 count=9 status=none'
is 'lines' 3 "$(hits | grep -c ' 7$')"
is 'all lines' 3 "$(hits | wc -l)"
tool_run 0 trace 'vfs_w*' -M 2 -- dd if=/dev/zero of=/dev/null bs=1 count=5 status=none
is 'lines of a pattern' 2 "$(hits | grep -c ' vfs_write$')"
if [ -e /sys/kernel/btf/vmlinux ]; then
	tool_run 0 trace vfs_read -M 1 -- cat /tmp/file
	hits | grep -q ' file=[0-9a-fx]*  buf=[0-9a-fx]*  count=[0-9]*  pos='
	tool_run 0 trace t:sched_process_fork by 'child->comm:string,child->pid' -M 1 -- sh -c '(true); true'
	is 'fork' 1 "$(hits | wc -l)"
fi
tool_run 1 trace no_such_function -- touch /tmp/was_run
[ ! -e /tmp/was_run ]

# Calls in progress when it ends are no loss, though they return before the counters are read; whatever ends it.
# Hits may be beyond a limit of time.
for i in 1 2; do
	dd if=/dev/zero of=/dev/null bs=4M status=none & busy[i]=$!
done
for end in '0 -d 300ms' '0 -M 5' '4 --ttl 300ms'; do
	# shellcheck disable=SC2086
	tool_run ${end%% *} trace read_zero by ret ${end#* }
	has /tmp/out '^hits .* + inside [12]\( + .*\)\?; \(none lost\|LOST \([0-9]*\): limited \3\); '
done
kill "${busy[@]}"
wait "${busy[@]}" || true

tool_run 2 trace read_zero by stack
tool_run 2 trace read_zero -i 1
tool_run 127 trace read_zero -- /no/such/command
tool_run 0 trace read_zero by arg3 --dry-run
has /tmp/out '^enable trace$'
has /tmp/out '^# filter trace common_pid != PID || common_flags & 88$'

# What it does itself is left out, and told in the balance; but if tasks are named. Others are shown.
"$tool" trace vfs_read by comm -d 1h > /tmp/out & pid=$!
within 20 sh -c 'grep -qs 1 instances/s*/events/s*/trace/enable'
dd if=/dev/zero of=/dev/null bs=1 count=5 status=none
within 20 grep -q ' dd ' /tmp/out
kill -INT $pid
wait $pid
at_least 'others' 5 "$(hits | grep -c " dd ")"
# Its name is on each line already: no key is left, and its arguments are shown, if there are types.
[ ! -e /sys/kernel/btf/vmlinux ] || has /tmp/out '  dd  *[a-z0-9]*=0x[0-9a-f]*  '
lacks /tmp/out 'COMM .*COMM'
is 'its own' '' "$(hits | grep " $pid ")"
has /tmp/out '^hits .* + not asked for [0-9].*; none lost; '
tool_none_left it
tool_run 0 trace vfs_read by cpu if comm ne dd -M 3 -a -- sh -c 'for i in 1 2 3 4 5 6 7 8; do cat /proc/uptime; done > /dev/null'
is 'lines' 3 "$(hits | wc -l)"
lacks /tmp/out ' probe-events '
tool_run 0 trace vfs_read -n probe-events --dry-run
lacks /tmp/out 'common_pid'

# Each hit with its stack, interrupts between a hit and its stack included; for flame graphs, and saved.
tool_run 0 trace read_zero by arg3 -g -- dd if=/dev/zero of=/dev/null bs=3 count=20 status=none
is 'lines' 20 "$(hits | wc -l)"
is 'stacks' 20 "$(gawk '/^[0-9]/ { hit = NR } NR == hit + 1 && $1 == "read_zero" { first = NR }
	NR == first + 1 && $1 == "vfs_read" { n++ } END { print n }' /tmp/out)"
has /tmp/out '^ *do_syscall_64$'
has /tmp/out '^hits 20 = shown 20; none lost; cost [0-9.]*% of CPU$'
tool_run 0 trace read_zero by ret -g -f folded -w /tmp/saved -- dd if=/dev/zero of=/dev/null bs=3 count=20 status=none
is 'folded' 20 "$(grep -c '^dd;.*;do_syscall_64;.*;vfs_read 1$' /tmp/out)"
/host/jsonlines /host/schema.json < /tmp/saved > /tmp/types
is 'objects' 'hit 20' "$(grep hit /tmp/types)"
tool_says 0 report count /tmp/saved by stack -f folded
is 'reported' 20 "$(gawk '{ n += $NF } END { print n }' /tmp/out)"
if [ -e /sys/kernel/btf/vmlinux ]; then
	tool_run 0 trace hrtimer_interrupt -g -M 30 -d 100 -f folded
	is 'of interrupts' 30 "$(grep -c ';hrtimer_interrupt 1$' /tmp/out)"
fi
tool_run 2 trace read_zero -f folded
tool_run 2 count read_zero -g

# Names that would change the screen.
cat > /tmp/odd <<-'END'
	printf '\033[2Jx' > /proc/self/comm
	printf 1 > /dev/null
END
tool_run 0 trace write_null by arg3 -- bash /tmp/odd
is 'escaped' 1 "$(hits | grep -c '  \\x1b\[2Jx *1$')"
tool_run 0 trace write_null by arg3 -f json -- bash /tmp/odd
/host/jsonlines /host/schema.json < /tmp/out > /tmp/types
is 'objects' 'hit 1' "$(grep hit /tmp/types)"
has /tmp/out '"comm":"\\u001b\[2Jx","func":"write_null","args":{"arg3":1}}'

# The reader is stopped while more comes than there is room for, on one CPU: all is shown or told as lost.
for form in text json stacks; do
	words=(-f "$form") bare=0
	[ $form != stacks ] || words=(-g)
	"$tool" trace read_zero by arg3 "${words[@]}" > /tmp/out & pid=$!
	within 20 sh -c 'grep -qs 1 instances/s*/events/s*/trace/enable'
	kill -STOP $pid
	taskset -c 0 dd if=/dev/zero of=/dev/null bs=1 count=60000 status=none
	kill -CONT $pid
	kill -INT $pid
	got=0
	wait $pid || got=$?
	tail -n 1 /tmp/out
	is 'status when something was lost' 3 $got
	if [ $form != json ]; then
		shown=$(hits | wc -l)
		lost=$(sed -n 's/^hits 60,000 = shown .*; LOST [0-9,]*: overwritten \([0-9,]*\)\( (.* only a stack)\)\?; cost .*$/\1/p' /tmp/out)
		bare=$(sed -n 's/^hits .* (\([0-9,]*\) of them only a stack); cost .*$/\1/p' /tmp/out)
	else
		shown=$(grep -c '"type":"hit"' /tmp/out)
		lost=$(sed -n 's/.*"type":"loss".*"why":"overwritten","hits":\([0-9]*\)}$/\1/p' /tmp/out)
		/host/jsonlines /host/schema.json < /tmp/out > /tmp/types
	fi
	lost=${lost//,/}
	bare=${bare//,/}
	echo "$shown shown, $lost lost, ${bare:-0} of them only a stack"
	at_least 'lost' 1 "$lost"
	at_least 'shown' 1 "$shown"
	is 'shown and lost' 60000 $((shown + lost - ${bare:-0}))
	tool_none_left it
done

# kill -9 leaves nothing.
"$tool" trace read_zero > /tmp/out & pid=$!
within 20 sh -c 'grep -qs 1 instances/s*/events/s*/trace/enable'
kill -9 $pid
wait $pid || true
within 20 tool_nothing_left
