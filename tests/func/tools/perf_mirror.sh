#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: mirrored events: perf stat, record and script, BPF and the kernel's tracefs see what we see
# not: debug: shows what the others do
# not: 5.10-cloud: modules can have no events of the kernel there
# tier: 6.12-cloud 6.1-cloud
# needs: tracefs
# seconds: 45
# packages: linux-perf
# tools: bpfcount probe-events
#
# The oracles are perf, BPF and the kernel's own tracefs: their counts and texts have to be ours.
set -eu
# shellcheck source=tests/func/lib/events_lib.sh
. /host/events_lib.sh

cd "$PROBES"
stock=/sys/kernel/tracing
mount -t tracefs none $stock
theirs=$stock/events/m

# mirror EVENT LINE: the number that follows that word in its mirror file
mirror() { sed -n "s/^$2	//p" "events/m/$1/mirror"; }
# without_id FILE: format, without the number
without_id() { grep -v '^ID: ' "$1"; }
# text: of trace or perf script on stdin, what follows the event's name and the place
text() { sed -nE 's/^.* ((m:)?[a-z]+: \([^)]*\) )(.*)$/\3/p'; }
used() { grep -q "^user	${1:-}" events/m/zero/mirror; }
unused() { ! used; }

cat > kprobe_events <<-'END'
	p:m/zero read_zero n=%dx:u32 c=$comm s=\"text" v=+0(%di):x8[4] bad=+0(\0):string
	r:m/ret read_zero n=$arg3:u32 back=$retval:s32
END
holds events/m/zero/mirror 0
echo 1 > events/m/zero/mirror
echo 1 > events/m/ret/mirror
echo 1 > events/m/ret/mirror
is 'mirror' 1 "$(head -n 1 events/m/zero/mirror)"

echo '--- what they are'
for e in zero ret; do
	diff <(without_id events/m/$e/format) <(without_id $theirs/$e/format) || fail "format of $e"
done
has kprobes/list 'read_zero.*DISABLED'

echo '--- perf counts'
perf stat -x, -a -e m:zero,m:ret -o /tmp/stat dd if=/dev/zero of=/dev/null bs=7 count=30 status=none
is 'perf stat' 30 "$(sed -n 's/,.*m:zero.*//p' /tmp/stat)"
is 'perf stat' 30 "$(sed -n 's/,.*m:ret.*//p' /tmp/stat)"
value_is m/zero hits 30
value_is m/zero mirrored 30
value_is m/zero records 0
value_is m/ret mirrored 30
is 'sent' 30 "$(mirror zero sent)"
is 'refused' 0 "$(mirror zero refused)"
unused
has kprobes/list 'read_zero.*DISABLED'
# Hits of other tasks are none of perf's.
cat > /tmp/others <<-'END'
	dd if=/dev/zero of=/dev/null bs=1 count=5 status=none
	touch /tmp/go
	until [ -e /tmp/gone ]; do sleep 0.1; done
END
(until [ -e /tmp/go ]; do sleep 0.1; done; read_zeros 8; touch /tmp/gone) &
perf stat -x, -e m:zero -o /tmp/stat sh /tmp/others
wait $!
is 'perf stat of a task' 5 "$(sed -n 's/,.*m:zero.*//p' /tmp/stat)"
value_is m/zero mirrored 43
is 'unheard' 8 "$(mirror zero unheard)"
sums

# By exec, which makes what is missing.
echo 0 > events/m/zero/mirror
missing $theirs/zero
/host/probe-events exec --mirror perf stat -x, -a -e m:zero -o /tmp/stat dd if=/dev/zero of=/dev/null bs=7 count=11 status=none
is 'perf stat by exec' 11 "$(sed -n 's/,.*m:zero.*//p' /tmp/stat)"

echo '--- perf records what we record'
echo 1 > events/m/enable
perf record -q -a -g -e m:zero -e m:ret -o /tmp/data dd if=/dev/zero of=/dev/null bs=9 count=20 status=none
echo 0 > events/m/enable
perf script -i /tmp/data -F comm,event,trace > /tmp/script 2> /tmp/err || fail "perf script: $(cat /tmp/err)"
for e in zero ret; do
	# perf shows a text that could not be read as an empty one, also of the kernel's own probes.
	grep " $e: " trace | text | sed 's/(fault)/""/' > /tmp/ours
	grep "m:$e: " /tmp/script | text | sed 's/ *$//' > /tmp/perf
	is "records of $e" 20 "$(wc -l < /tmp/ours)"
	diff /tmp/ours /tmp/perf || fail "perf script of $e"
done
perf script -i /tmp/data -F event,ip,sym > /tmp/stacks 2> /tmp/err
has /tmp/stacks ' read_zero$'
is 'callers' 40 "$(count ' vfs_read$' < /tmp/stacks)"
sums

echo "--- the kernel's own files"
echo > trace
echo > $stock/trace
echo 1 > events/m/enable
echo 1 > $theirs/enable
echo 'n == 11' > $theirs/zero/filter
used 'tracefs 1'
read_zeros 10 11; read_zeros 5 12
# Or, where that is switched off, because of that.
has kprobes/compiled 'm/zero .*interpreted: \(its mirror is in use\|.*/compile is 0\)$'
echo 0 > $theirs/enable
echo 0 > events/m/enable
# The name, the place and the arguments are the same text.
for e in zero ret; do
	grep -v '^#' $stock/trace | sed -nE "s/^.* ($e: \()/\1/p" > /tmp/kernel
	grep -v '^#' trace | sed -nE "s/^.* ($e: \()/\1/p" | { [ $e = ret ] && cat || grep ' n=11 '; } > /tmp/ours
	diff /tmp/ours /tmp/kernel || fail "trace of $e"
done
is 'filtered' 10 "$(count ' zero: ' < $stock/trace)"
is 'not filtered' 15 "$(count ' ret: ' < $stock/trace)"
unused
sums

echo '--- BPF'
# A name that is to move the cursor and to make lines, as any user can give it to a task.
ln -s /host/bpfcount $'/tmp/e\e[7m\nuser\tx'
coproc BPF { exec $'/tmp/e\e[7m\nuser\tx' "$(cat $theirs/zero/id)" event; }
read -r answer <&"${BPF[0]}"
is 'bpfcount' attached "$answer"
read_zeros 25
echo >&"${BPF[1]}"
read -r answer <&"${BPF[0]}"
is 'calls that BPF saw' 25 "$answer"
name='e\\x1b\[7m\\x0auser\\x09x'
is 'users' 1 "$(count ^user events/m/zero/mirror)"
has events/m/zero/mirror "^user	$name-$BPF_PID [0-9]*$"
refused 'Device or resource busy' append '-:m/zero' kprobe_events
has error_log "^  Command: m/zero $name-$BPF_PID$"
kill -9 $BPF_PID
wait $BPF_PID || true
within 20 unused

echo '--- in use: neither event nor module goes'
# Not in our directory, which is unmounted below.
(cd / && exec perf stat -a -e m:zero -o /tmp/stat sleep 1000) &
perf=$!
within 60 used "perf-$perf"
refused 'Device or resource busy' append '-:m/zero' kprobe_events
has error_log "The event's mirror is in use"
has error_log "Command: m/zero perf-$perf"
refused 'Device or resource busy' put '' kprobe_events
refused 'Device or resource busy' put 0 events/m/zero/mirror
cd /
umount "$PROBES"
refused 'in use' rmmod probe_events
mount_ours
cd "$PROBES"
read_zeros 3
pkill -9 -P $perf || true
kill -9 $perf
wait $perf || true
within 20 unused
echo '-:m/zero' >> kprobe_events
missing $theirs/zero
exists $theirs/ret

echo '--- names'
echo 'p:m/same vfs_read' > $stock/kprobe_events
echo 'p:m/same vfs_read' >> kprobe_events
refused 'File exists' put 1 events/m/same/mirror
has error_log 'The kernel already has an event of this name'
echo > $stock/kprobe_events
echo 1 > events/m/same/mirror
refused 'File exists' put 'p:m/same vfs_read' $stock/kprobe_events
echo 0 > events/m/same/mirror
missing $theirs/same
echo 1 > events/m/same/mirror

echo '--- the end'
echo > kprobe_events
missing $theirs
