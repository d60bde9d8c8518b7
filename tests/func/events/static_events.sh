#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: static_events: who defines and removes them, texts, errors; records beside the kernel's own
# needs: tracefs
# not: debug: has no type data, which the arguments are found by
# tier: 6.12-cloud 6.1-cloud
# seconds: 15

set -eu
cd "$PROBES"
# shellcheck source=tests/func/lib/stock_lib.sh
. /host/stock_lib.sh
# shellcheck source=tests/func/lib/events_lib.sh
. /host/events_lib.sh
evidence+=(static_events dynamic_events kprobe_losses error_log)

static() { append "$1" static_events; }

# Where a kernel keeps them
cpu=thread_info.cpu state='$arg4:b7@0/32' raw=prev_state
case $(uname -r) in
5.10.*) cpu=cpu state='prev->state:b7@0/32' raw='prev->state' ;;
esac

# Names, and the only file that has them.
static 't:sched/sched_switch sched_switch prev_comm=prev->comm:string prev_pid=prev->pid prev_prio=prev->prio prev_state='$state' raw='$raw':x32 next_comm=next->comm:string next_pid=next->pid next_prio=next->prio print "prev_comm={prev_comm} prev_pid={prev_pid} prev_prio={prev_prio} prev_state={raw:0=R,1=S,0x2001=S,0x6001=S,2=D,0x102=D,0x2002=D,0x2102=D,0x80=X} ==> next_comm={next_comm} next_pid={next_pid} next_prio={next_prio}"'
static 't:sched/sched_process_fork sched_process_fork parent_comm=parent->comm:string parent_pid=parent->pid child_comm=child->comm:string child_pid=child->pid   print "comm={parent_comm} pid={parent_pid} child_comm={child_comm} child_pid={child_pid}"  '
static 't:sched/sched_wakeup_new sched_wakeup_new comm=p->comm:string pid=p->pid prio=p->prio target_cpu=p->'$cpu':s32 print "comm={comm} pid={pid} prio={prio} target_cpu={target_cpu:03d}"'
static 'p:syscalls/sys_enter_kill __x64_sys_kill __syscall_nr=+120(%di):s32 pid=+112(%di):x64 sig=+104(%di):x64 line "sys_kill(pid: {pid:x}, sig: {sig:x})"'
static 'r:syscalls/sys_exit_kill __x64_sys_kill __syscall_nr=+120($arg1):s32 ret=$retval:s64 line "sys_kill -> 0x{ret:x}"'
static 'p:plain/zero read_zero count=%dx:u64'
is 'static_events' 6 "$(count . static_events)"
has static_events '^p:plain/zero read_zero count=%dx:u64$'
has static_events '^t:sched/sched_process_fork .* child_pid=child->pid print "comm={parent_comm} pid={parent_pid} child_comm={child_comm} child_pid={child_pid}"$'
holds dynamic_events ''
holds kprobe_events ''
has available_events '^sched:sched_switch$'

# What others define and reset is not theirs, and the other way round.
echo 'p:mine/e read_zero' > kprobe_events
echo > dynamic_events
echo > kprobe_events
refused 'No such file' append '-:sched/sched_switch' dynamic_events
refused 'No such file' append '-:zero' kprobe_events
refused 'No such file' append '!p:plain/zero' dynamic_events
refused 'File exists' append 'p:plain/zero read_null count=%dx:u64' dynamic_events
has error_log 'already used by another event'
echo 'p:mine/e read_zero' > kprobe_events
refused 'File exists' static 'p:mine/e read_zero'
refused 'No such file' static '-:mine/e'
is 'static_events' 6 "$(count . static_events)"

# An enabled event stays, and what is shown defines it again.
echo 1 > events/plain/zero/enable
refused 'Device or resource busy' eval ': > static_events'
read_zeros 2 3
has trace ' zero: (read_zero+0x[04]/0x[0-9a-f]*) count=3$'
echo 0 > events/plain/zero/enable
cat static_events > /tmp/static
echo > static_events
holds static_events ''
missing events/sched
holds dynamic_events 'p:mine/e read_zero'
cat /tmp/static > static_events
cmp static_events /tmp/static
static '-:plain/zero'
missing events/plain

# Texts: a further probe has the event's, or says nothing of it.
static 'p:t/e read_zero n=%dx:u64 print "n={n:d}"'
static 'p:t/e read_null n=%dx:u64'
static 'p:t/e write_null n=%dx:u64 print "n={n:d}"'
refused 'File exists' static 'p:t/e write_full n=%dx:u64 print "n={n:x}"'
has error_log 'error: Invalid text of an event (the event has another)$'
refused 'Invalid argument' static 'p:t/f   read_zero  n=%dx:u64  print "a {m} b"'
is 'error' 'trace_kprobe: error: Invalid text of an event (no such argument)
  Command: p:t/f read_zero n=%dx:u64 print "a {m} b"
                                               ^' "$(tail -n 3 error_log | sed 's/^\[.*\] trace/trace/')"
refused 'Invalid argument' static 'p:t/f read_zero print "100%"'
# Others have none.
refused 'No such file' append 'p:t/f read_zero print "a"' kprobe_events
missing events/t/f
static '-:t/e'

# Records, beside those of the kernel's own events.
cat > /tmp/worker <<'W'
mkfifo /tmp/begin /tmp/end
echo $$ > /tmp/worker.pid
read -r _ < /tmp/begin
kill -0 $$
kill -0 999999 2> /dev/null
(exit 3)
(exit 4)
: > /tmp/worked
read -r _ < /tmp/end
W
rm -f /tmp/worker.pid /tmp/worked
bash /tmp/worker &
worker=$!
within 60 test -s /tmp/worker.pid
within 60 asleep $worker

events=(sched/sched_switch sched/sched_process_fork sched/sched_wakeup_new syscalls/sys_enter_kill syscalls/sys_exit_kill)
for dir in "$PROBES" $stock; do
	echo > $dir/trace
	for event in "${events[@]}"; do
		echo "common_pid == $worker" > $dir/events/$event/filter
	done
	for event in "${events[@]}"; do
		echo 1 > $dir/events/$event/enable
	done
done
echo > /tmp/begin
within 60 test -e /tmp/worked
within 60 asleep $worker
for dir in "$PROBES" $stock; do
	for event in "${events[@]}"; do
		echo 0 > $dir/events/$event/enable
	done
done
echo > /tmp/end
wait $worker

# texts DIRECTORY: what follows the time
texts() { grep -v '^#' "$1/trace" | grep -- "-$worker *\[" | sed 's/^[^:]*: //'; }
texts "$PROBES" > /tmp/ours
texts $stock > /tmp/theirs
cat /tmp/ours
# What differs is said in kprobe-events.md: a preempted task is shown as running.
sed -i 's/prev_state=R+ /prev_state=R /' /tmp/theirs
[[ $(uname -r) != 7.* ]] || sed -i '/^sys_/s/: 0x/: /g' /tmp/theirs
# The task may be preempted between their record and ours.
diff <(sort /tmp/theirs) <(sort /tmp/ours) || fail 'records differ'
diff <(grep -v '^sched_switch' /tmp/theirs) <(grep -v '^sched_switch' /tmp/ours) || fail 'their order differs'
at_least 'forks' 2 "$(count '^sched_process_fork: comm=bash pid=' /tmp/ours)"
at_least 'switches' 2 "$(count "^sched_switch: prev_comm=bash prev_pid=$worker prev_prio=120 prev_state=S ==> " /tmp/ours)"
is 'kill' 1 "$(count "^sys_kill(pid: $(printf %x $worker), sig: 0)\$" /tmp/ours)"
is 'kill' 1 "$(count '^sys_kill -> 0xfffffffffffffffd$' /tmp/ours)"

# The format says the same.
has events/sched/sched_process_fork/format '^print fmt: "comm=%s pid=%d child_comm=%s child_pid=%d", __get_str(parent_comm), REC->parent_pid, __get_str(child_comm), REC->child_pid$'
sums

echo > static_events
echo > kprobe_events
no_groups
