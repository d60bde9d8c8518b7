#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: probe-events exec --static: every definition, its fields beside the kernel's; opensnoop, killsnoop, execsnoop
# needs: tracefs
# not: debug: has no type data, which the arguments are found by
# not: 5.10-cloud: lacks the tracepoints of 23 events
# tier: 6.12-cloud 6.1-cloud
# seconds: 20
# packages: perf-tools-unstable
# tools: probe-events
# files: ../../../tools/probe-events/static

set -eu
# shellcheck source=tests/func/lib/tracing_lib.sh
. /host/tracing_lib.sh
mkdir -p /var/tmp /tmp/stock
mount -t tracefs none /tmp/stock
cd "$PROBES"
tool=/host/probe-events

# All of them, once; they stay.
# What a kernel does not have any more is left out.
gone='' these='>=6.5'
case $(uname -r) in
6.1.*) these='<6.5' ;;
7.*) gone=block/block_bio_bounce ;;
esac
left_out=${gone:+probe-events: left out 1 of 292 static events, which this kernel cannot have; the first is $gone: No such file or directory}
$tool exec --static true 2> /tmp/err
is 'complaints' "$left_out" "$(cat /tmp/err)"
cp static_events /tmp/static
at_least 'events' 285 "$(count . static_events)"
# Those of this kernel.
is 'events' "$(sed "s/^$these //" /host/static/*.events | grep '^[prt]' | cut -d' ' -f1 | sort -u | grep -vc ":$gone\$")" \
	"$(count . static_events)"
$tool exec --static cmp $tracing/static_events /tmp/static
holds kprobe_events ''
is 'enabled' 0 "$(cat events/enable)"

# Two at once.
echo > static_events
$tool exec --static true 2> /tmp/err.1 & first=$!
$tool exec --static true 2> /tmp/err.2
wait $first
is 'complaints of two' "$left_out${gone:+$'\n'}$left_out" "$(cat /tmp/err.1 /tmp/err.2)"
is 'events of two' "$(sort /tmp/static)" "$(sort static_events)"
cp static_events /tmp/static

# The kernel has each, with these fields and their sizes: EVENT NAME SIZE, or "text".
fields() {
	cd "$1"
	awk -F';' '/^\tfield:/ && !/[ *](common|__probe)_[a-z_]*;/ {
		n = split($1, word, " "); name = word[n]; sub(/^\*/, "", name); size = $3
		sub(/^\tsize:/, "", size)
		if ($1 ~ /__data_loc/ || sub(/\[[0-9]*\]$/, "", name)) size = "text"
		event = FILENAME; sub(/^events\//, "", event); sub(/\/format$/, "", event)
		print event, name, size
	}' $formats | sort
}
formats=$(cd events && find . -name format | sed '/ftrace/d; s|^\.|events|')
(fields "$PROBES") > /tmp/ours
(fields /tmp/stock) > /tmp/theirs
at_least 'fields' 800 "$(count . /tmp/theirs)"
comm -13 /tmp/ours /tmp/theirs > /tmp/lacking
cat /tmp/lacking
# As kprobe-events.md says.
known='^sched/sched_switch prev_state 8$|^kmem/[a-z_]* (accounted 1|pfn 8|gfp_flags 8)$|^raw_syscalls/sys_enter args text$'
if [[ $(uname -r) = 7.* ]]; then
	known+='|^net/[a-z_]* net_cookie 8$|^sched/sched_process_exit group_dead 1$'
	known+='|^syscalls/sys_enter_[a-z0-9_]* (__[a-z_]*_val text|[a-z_]*_common 8)$'
fi
is 'fields' '' "$(grep -vE "$known" /tmp/lacking || true)"

all_read() { [ "$(grep -vc '^#' trace)" = 0 ]; }

# snoop WAITS-IN LINE-PATTERN WORK COMMAND...: run it; when it waits there, do the work; when it has read
# all records, Ctrl-C, and it has shown the line. Its text is in /tmp/out.
snoop() {
	on_ours env --default-signal=INT "${@:4}" > /tmp/out 2> /tmp/err &
	local script=$!

	within 60 pgrep -f "^$1\$" > /dev/null
	eval "$3" > /dev/null 2>&1
	within 60 all_read
	within 60 asleep "$(pgrep -o -f "^$1\$")"	# it has passed it on
	pkill -INT -f "^$1\$"
	wait $script || fail "$4: status $?, $(cat /tmp/err)"
	is 'complaints' '' "$(grep -v '^gawk: .* warning: ' /tmp/err || true)"
	head -n 12 /tmp/out
	has /tmp/out "$2"
	cmp static_events /tmp/static
	is 'enabled' 0 "$(cat events/enable)"
}
echo text > /tmp/a_file
if [[ $(uname -r) = 7.* ]]; then	# which has no getname(): not on the kernel's own files, either
	refused 'ERROR: adding a kprobe for getname' on_ours opensnoop-perf a_file
	refused 'ERROR: adding a kprobe for getname' opensnoop-perf a_file
else
	snoop 'cat trace_pipe' '^cat  *[0-9]*  *0x3 /tmp/a_file$' 'cat /tmp/a_file' opensnoop-perf a_file
	snoop 'cat trace_pipe' '^cat  *[0-9]*  *-1 /tmp/no_file$' 'cat /tmp/no_file || true' opensnoop-perf -x
fi
snoop 'cat trace_pipe' "^bash  *$$  *$$  *0  *0 *\$" "kill -0 $$" killsnoop-perf

# On these kernels it finds no function with the arguments of execve: on the kernel's own files, either.
refused 'ERROR: adding a kprobe for execve' on_ours execsnoop-perf
refused 'ERROR: adding a kprobe for execve' execsnoop-perf
# Told where they are, it does.
sed -e 's/^makeprobe sys_execve$/makeprobe __x64_sys_execve/' \
	-e 's/(%si)):string/(+104(%di))):ustring/' "$(type -p execsnoop-perf)" > /tmp/execsnoop
chmod +x /tmp/execsnoop
snoop 'cat -v trace_pipe' "^ *[0-9]*  *$$ /bin/cat /tmp/a_file\$" '/bin/cat /tmp/a_file' /tmp/execsnoop
holds kprobe_events ''

# Other definitions: alternatives, what cannot be defined, what is no directory.
echo > static_events
mkdir /tmp/defs /tmp/none
refused 'no definitions of static events' $tool exec --static=/tmp/none true
cat > /tmp/defs/a.events <<'D'
# a comment
p:alt/one no_such_function	# refused
p:alt/one read_zero
p:alt/one read_null

p:alt/two no_such_function
p:alt/three read_null n=%dx:u64 print "n={n}"
D
$tool exec --static=/tmp/defs true 2> /tmp/err
has /tmp/err 'left out 1 of 3 static events, .*; the first is alt/two: Invalid argument$'
holds static_events 'p:alt/one read_zero
p:alt/three read_null n=%dx:u64 print "n={n}"'
refused 'with --mirror COMMAND finds' $tool exec --mirror --static true
# The others can have mirrors.
echo 'p:mine/zero read_zero' > kprobe_events
$tool exec --mirror test -e $tracing/events/mine/zero
missing /tmp/stock/events/alt
echo 0 > events/mine/zero/mirror
echo > kprobe_events
echo > static_events
no_groups
