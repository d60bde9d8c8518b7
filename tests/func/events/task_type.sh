#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: type task: owners of locks, hostile pointers and names, filters, tables; trace-cmd reads it
# seconds: 3
# tier: 6.12-cloud 6.1-cloud
# not: debug: has no type data, which the owners are found by
# needs: tracefs
# packages: trace-cmd
# tools: probe-events

set -eu
export LC_ALL=C
# shellcheck source=tests/func/lib/tracing_lib.sh
. /host/tracing_lib.sh
cd "$PROBES"
evidence+=(kprobe_events kprobes/compiled error_log)

# Pointers of any kind. The owner of a directory's lock that a task takes before security_inode_rmdir() is the task.
# On RT that lock has another one inside.
mkdir -p /tmp/d/e
owner=owner.counter
[[ $(uname -v) != *PREEMPT_RT* ]] || owner=rwbase.rtmutex.owner
sed "s/OWNER/$owner/" > /tmp/defs <<'D'
p:k/w write_null me=$current:task comm=$comm pid=$current->pid zero=\0:task flags=\7:task wild=\0xdead000000000000:task user=\4096:task high=\-8:task hole=+0(\0xdead000000000000):task
p:k/d security_inode_rmdir owner=dir->i_rwsem.OWNER:task me=$current:task
r:k/r write_null me=$current:task file=$arg1:task
D
cat /tmp/defs > kprobe_events
holds kprobe_events "$(< /tmp/defs)"
has events/k/d/format 'field:__data_loc char\[\] owner;'
has events/k/d/format '^print fmt: "(%lx) owner=%s me=%s", REC->__probe_ip, __get_str(owner), __get_str(me)$'
echo 'owner ~ "rmdir-*"' > events/k/d/filter
echo 'hist:keys=me' > events/k/w/trigger
echo 1 > events/k/enable
has kprobes/compiled "^k/d .* interpreted: an argument is a task's name$"
printf x > /dev/null
rmdir /tmp/d/e
mkdir /tmp/d/e
rm -r /tmp/d/e
bash -c 'printf "ab\033 c" > /proc/$$/comm; printf x > /dev/null; echo $$ > /tmp/pid'
echo 0 > events/k/enable
has trace " w: .* me=\(.*\)-$$ comm=\"\1\" pid=$$ zero=- flags=- wild=(fault) user=(fault) high=(fault) hole=(fault)\$"
has trace " w: .* me=ab.x1b c-$(< /tmp/pid) comm="
is 'owners' "$(sed -n 's/^ *\(rmdir-[0-9]*\) .*/\1 \1/p' trace)" "$(sed -n 's/.* d: .* owner=\(.*\) me=\(.*\)$/\1 \2/p' trace)"
is 'by the filter' 1 "$(count ' d: ' trace)"
has trace ' r: .* me=.*-[0-9]* file='
is 'rows' 2 "$(grep -vc '^#' events/k/w/table)"
has events/k/w/hist "me: .*-$$ "
echo > trace

# Each task that leaves a CPU, as its fields have it.
echo 't:k/s sched_switch prev=$arg2:task next=$arg3:task pp=prev->pid pc=prev->comm:string np=next->pid nc=next->comm:string' >> dynamic_events
echo 1 > events/k/s/enable
switches() { [ "$(count ' s: ' trace)" -ge 10 ]; }
within 60 switches
echo 0 > events/k/s/enable
sed -n 's/.* s: (.*) prev=\(.*\) next=\(.*\) pp=\(.*\) pc="\(.*\)" np=\(.*\) nc="\(.*\)"$/\1 \2|\4-\3 \6-\5/p' trace > /tmp/switches
is 'told' "$(count ' s: ' trace)" "$(count . /tmp/switches)"
is 'others' '' "$(awk -F'|' '$1 != $2' /tmp/switches)"
echo > trace

# The library that trace-cmd reads records by.
tc record -q -e k:r -o /tmp/dat -- sh -c 'printf x > /dev/null'
report /tmp/dat > /tmp/report
has /tmp/report ' r: .* me=sh-[0-9]* file='
refused 'Invalid argument' append 'p write_null a=$comm:task' kprobe_events
refused 'Invalid argument' append 'p write_null a=%di:task[2]' kprobe_events
has error_log 'error: String accepts only memory argument'
echo '!hist:keys=me' > events/k/w/trigger
echo > dynamic_events
