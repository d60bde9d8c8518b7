#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: probe-events exec: where our files stand, who sees it, status, signals, errors
# seconds: 5 debug=66
# tools: probe-events
# shellcheck disable=SC2016	# expanded by the command that is run

set -eu
tool=/host/probe-events
tracing=/sys/kernel/tracing
type=$(findmnt -n -o FSTYPE "$PROBES")
cd /
# shellcheck source=tests/func/lib/check_lib.sh
. /host/check_lib.sh

# status WANTED COMMAND...: stderr goes to /tmp/err
status() {
	local got=0

	"${@:2}" 2> /tmp/err || got=$?
	is "status of ${*:2} ($(cat /tmp/err))" "$1" "$got"
}
says() { has /tmp/err "$1"; }

mounts() { cat /proc/self/mounts; }
# What a tool does: the first mount of type tracefs, whatever is there.
first='awk "\$3 == \"tracefs\" { print \$2; exit }" /proc/self/mounts'

# Ours: the probe defined through $PROBES, before it may be unmounted, is there.
echo 'p:exec_t/zero read_zero' > "$PROBES/kprobe_events"
wanted='p:exec_t/zero read_zero'

# ours_there WHAT: a command finds our files at every place; no other program sees a change.
ours_there() {
	local before dir

	before=$(mounts)
	dir=$(printf %b "$($tool exec sh -c "$first")")	# blanks are \040
	differs "$1: a tracefs in /proc/mounts" '' "$dir"
	is "$1: the first tracefs" "$wanted" "$($tool exec cat "$dir/kprobe_events")"
	is "$1: $tracing" "$wanted" "$($tool exec cat $tracing/kprobe_events)"
	# Every mount point of tracefs: none shows the kernel's own.
	is "$1: all places" '' "$($tool exec bash -c '
		awk "\$3 == \"tracefs\" { print \$2 }" /proc/self/mounts | while read -r d; do
			d=$(printf %b "$d")
			grep -qx "p:exec_t/zero read_zero" "$d/kprobe_events" || echo "$d"
		done')"
	is "$1: the others" "$before" "$(mounts)"
}

ours_there 'as the VM starts'

# A single file somewhere is no directory of traces.
: > /tmp/marker
mkdir -p /tmp/native
mount -t tracefs none /tmp/native
mount --bind /tmp/native/trace_marker /tmp/marker
is 'a file' "$wanted" "$($tool exec cat $tracing/kprobe_events)"
umount /tmp/marker /tmp/native

if [ "$type" = probefs ]; then
	# debugfs has the place older tools know.
	is 'in debugfs' "$wanted" "$($tool exec cat /sys/kernel/debug/tracing/kprobe_events)"
	umount -R /sys/kernel/debug
	ours_there 'no debugfs'
	is 'debugfs on demand' "$wanted" "$($tool exec cat /sys/kernel/debug/tracing/kprobe_events)"
	mount -t debugfs debugfs /sys/kernel/debug

	mount -t tracefs tracefs $tracing
	is "the kernel's own has no probe" '' "$(cat $tracing/kprobe_events)"
	ours_there 'tracefs mounted'
	is 'outside' '' "$(cat $tracing/kprobe_events)"

	# The working directory is looked up again, or refused.
	cd $tracing/events
	is 'working directory' zero "$($tool exec ls exec_t | grep -x zero)"
	cd $tracing/events/sched
	status 125 $tool exec true
	says 'no directory'
	cd /

	mkdir -p '/tmp/an other'
	mount -t tracefs tracefs '/tmp/an other'
	ours_there 'tracefs twice'
	umount $tracing
	ours_there 'tracefs elsewhere only'
	umount '/tmp/an other'

	mount -t probefs probefs $tracing
	ours_there 'ours there, the kernel'"'"'s not mounted'
	umount $tracing
	mount -t tracefs tracefs $tracing
	mount -t probefs probefs $tracing
	ours_there 'ours over the kernel'"'"'s'
	umount $tracing
	umount $tracing
fi

umount "$PROBES"
ours_there 'ours not mounted'
is 'not mounted afterwards' '' "$(findmnt -n -t "$type" || true)"
mkdir -p /tmp/ours
mount -t "$type" none /tmp/ours
ours_there 'ours elsewhere'
umount /tmp/ours
mount -t "$type" "$type" "$PROBES"

# Inside itself.
is 'nested' "$wanted" "$($tool exec $tool exec cat $tracing/kprobe_events)"

# Shared mounts, as systemd makes them: nothing comes out; what is unmounted outside goes.
mkdir -p /tmp/disk
mount -t tmpfs disk /tmp/disk
mount --make-rshared /
ours_there 'shared mounts'
$tool exec sh -c 'echo > /tmp/ready; exec sleep 1000' &
child=$!
within 60 test -e /tmp/ready
has /proc/$child/mounts /tmp/disk
umount /tmp/disk
lacks /proc/$child/mounts /tmp/disk
mount --make-rprivate /

# The same process: id, name, signals, jobs.
within 20 grep -qx sleep /proc/$child/comm
kill -STOP $child
within 20 grep -q '^State:.T ' /proc/$child/status
kill -CONT $child
# In use: our module stays, as long as a command sees its files.
umount "$PROBES"
refused . rmmod probe_events
kill -TERM $child
wait $child && fail "status 0"
is 'killed' 143 $?
mount -t "$type" "$type" "$PROBES"
rm -f /tmp/ready
$tool exec bash -c 'trap "echo got it; exit 9" USR1; echo > /tmp/ready; while :; do sleep 0.1; done' > /tmp/out &
child=$!
within 60 test -e /tmp/ready
kill -USR1 $child
wait $child && fail "status 0"
is 'status of the handler' 9 $?
is 'handler' 'got it' "$(cat /tmp/out)"

# Arguments, input, output, environment, status.
is 'arguments' 'a b|*||-h' "$($tool exec sh -c 'IFS="|"; echo "$*"' x 'a b' '*' '' -h)"
is 'input' 'some thing' "$(echo 'some thing' | $tool exec cat)"
is 'environment' yes "$(PE_X=yes $tool exec -- sh -c 'echo $PE_X')"
status 0 $tool exec true
status 1 $tool exec false
status 77 $tool exec sh -c 'exit 77'
status 125 $tool exec sh -c 'exit 125'
status 137 $tool exec sh -c 'kill -9 $$'

# Mirrors: the kernel's own files have our events. perf is told, and so is who uses its name.
if [ -e "$PROBES/kprobes/mirror" ]; then
	status 0 $tool exec --mirror cat $tracing/events/exec_t/zero/format
	is 'mirror' 1 "$(head -n 1 "$PROBES/events/exec_t/zero/mirror")"
	status 0 $tool exec --mirror -- test -e $tracing/events/sched
	# Ours cover them outside.
	mount -t probefs probefs $tracing
	status 0 $tool exec --mirror grep -q __probe_ip $tracing/events/exec_t/zero/format
	umount $tracing
	umount "$PROBES"
	status 0 $tool exec --mirror test -e $tracing/events/exec_t/zero
	mount -t "$type" "$type" "$PROBES"
	echo 0 > "$PROBES/events/exec_t/zero/mirror"
	# Events that go while it looks are left out.
	while [ ! -e /tmp/enough ]; do
		for i in {1..20}; do echo "p:exec_t/z$i read_zero"; done >> "$PROBES/kprobe_events"
		for i in {1..20}; do echo "-:exec_t/z$i"; done >> "$PROBES/kprobe_events"
	done &
	for i in {1..8}; do status 0 $tool exec --mirror true; done
	touch /tmp/enough
	wait $!
	echo 0 > "$PROBES/events/exec_t/zero/mirror"
	mount -t tracefs tracefs /tmp/native
	echo 'p:exec_t/zero read_zero' > /tmp/native/kprobe_events
	status 125 $tool exec --mirror true
	says 'exec_t/zero/mirror: File exists (the kernel has an event of this name)'
	echo > /tmp/native/kprobe_events
	umount /tmp/native
	mkdir -p /tmp/bin
	cp /usr/bin/true /tmp/bin/perf	# that of busybox goes by its name
	status 0 $tool exec /tmp/bin/perf
	says 'perf records events of the kernel only; with exec --mirror'
	status 0 $tool exec --mirror /tmp/bin/perf
	is 'told' '' "$(cat /tmp/err)"
	echo 0 > "$PROBES/events/exec_t/zero/mirror"
else
	status 125 $tool exec --mirror true
	says 'no mirrors'
fi

# What cannot be run.
status 127 $tool exec no-such-command
says 'no-such-command: No such file'
status 127 $tool exec /tmp/no/such
echo data > /tmp/data
chmod 644 /tmp/data
status 126 $tool exec /tmp/data
says '/tmp/data: Permission denied'
status 126 $tool exec /tmp

# Usage.
status 2 $tool
says 'usage: '
status 2 $tool nonsense
says 'no such verb: nonsense'
status 125 $tool exec
says 'which command'
status 125 $tool exec --nonsense true
says 'no such option: --nonsense'
for option in -xy -x --help=now; do
	status 125 $tool exec $option true
	says "no such option: $option"
done
status 0 $tool --help
has <($tool --help) '^  exec '
has <($tool exec --help) '^usage: probe-events exec'

# Who may.
status 125 setpriv --reuid 65534 --regid 65534 --clear-groups $tool exec true
says 'are you root'
status 125 setpriv --bounding-set -sys_admin --inh-caps -sys_admin $tool exec true
says 'are you root'

# In a chroot: its root has to be a mount point.
root=/mnt/root		# not where the next test cleans up
away() {
	awk -v root=$root 'index($5, root) == 1 { print $5 }' /proc/self/mountinfo | tac |
		while read -r dir; do
			umount "$dir"
		done
}
trap away EXIT
mkdir -p $root/{host,lib,lib64,usr,bin,proc,sys}
for dir in host lib lib64 usr bin; do
	mount --bind /$dir $root/$dir
done
mount -t proc proc $root/proc
mount -t sysfs sysfs $root/sys
before=$(mounts)
status 125 chroot $root $tool exec true
says 'not a mount point'
says 'mount --bind DIR DIR'
is 'refused in the chroot' "$before" "$(mounts)"
mount --rbind $root $root
before=$(mounts)
is 'in the chroot' "$wanted" "$(chroot $root $tool exec /bin/cat $tracing/kprobe_events)"
is 'outside of the chroot' "$before" "$(mounts)"
away
missing $root/host/probe-events

# Without the module.
echo > "$PROBES/kprobe_events"
umount "$PROBES"
within 60 eval 'rmmod probe_events 2> /tmp/err'
status 125 $tool exec true
says 'not loaded'
says 'modprobe probe_events'
