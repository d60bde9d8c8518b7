#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: probe-events -G: tasks of a cgroup, of those below it, that are moved, of threads; errors; a removed one
# tier: 6.12-cloud 6.1-cloud
# seconds: 20
# needs: network
# tools: probe-events situations
set -eu
# shellcheck source=tests/func/lib/tool_lib.sh
. /host/tool_lib.sh
row() { gawk -v name="$1" '$1 == name { $1 = ""; sub(/^ /, ""); print; exit }' /tmp/out; }
cg=/tmp/cg
mkdir -p $cg
mount -t cgroup2 none $cg
at_end() { rmdir $cg/a/b/c $cg/a/b $cg/a $cg/ab $cg/deep/er $cg/deep $cg/t/* $cg/t 2> /dev/null || true; umount $cg; }
trap at_end EXIT
mkdir -p $cg/a/b/c $cg/ab $cg/deep/er
# in CGROUP N: N reads of /dev/zero, by a task that is there
cat > /tmp/in << 'END'
echo $$ > /tmp/cg/$1/cgroup.procs
exec dd if=/dev/zero of=/dev/null bs=1 count=$2 status=none
END
in_each='sh /tmp/in . 3; sh /tmp/in a 10; sh /tmp/in a/b 20; sh /tmp/in a/b/c 40; sh /tmp/in ab 80; sh /tmp/in deep/er 160'
# counts CGROUP: how many of them are counted
counts() {
	tool_run 0 count read_zero by comm -G "$1" -a -- sh -c "$in_each"
	has /tmp/out '; none lost'
	row total
}
for case in 'a 70' 'a/b 60' '/a/b/c 40' 'ab 80' 'deep 160' 'deep/er/ 160' / "$cg/a/b 60" "$cg/../cg/deep 160"; do
	set -- $case
	counts "$1" > /tmp/counts
	is "calls in $1" "${2:-313}" "$(tail -n 1 /tmp/counts)"
done

# One that is moved counts while it is there, to the call; the balance has all others.
moves='reads() { local n; for n in $(seq $1); do read -r -d "" x < /dev/zero; done; }
	for i in 1 2 3; do echo $$ > /tmp/cg/a/cgroup.procs; reads 7; echo $$ > /tmp/cg/ab/cgroup.procs; reads 50; done
	echo $$ > /tmp/cg/cgroup.procs'
tool_run 0 count read_zero by comm -G a -- bash -c "$moves"
moved=$(row total)
tool_run 0 count read_zero by comm -G ab -- bash -c "$moves"
elsewhere=$(row total)
tool_run 0 count read_zero by comm -G / -- bash -c "$moves"
at_least 'calls while it is there' 21 "$moved"
is 'calls elsewhere' $((moved / 7 * 50)) "$elsewhere"
is 'both' "$(row total)" $((moved + elsewhere))

# Threads of one process, in cgroups of their own.
mkdir -p $cg/t/x $cg/t/y
echo threaded > $cg/t/x/cgroup.type
echo threaded > $cg/t/y/cgroup.type
threads="echo \$\$ > $cg/t/cgroup.procs; exec /host/situations threads $cg/t/x $cg/t/y"
for case in 't/x 30' 't/y 50' 't 80'; do
	set -- $case
	tool_run 0 count read_zero by comm -G "$1" -- sh -c "$threads"
	is "calls of threads in $1" "$2" "$(row total)"
done

# The other verbs.
tool_run 0 lat read_zero by comm -G a/b -a -- sh -c "$in_each"
is 'calls that are timed' 60 "$(row total | gawk '{ print $1 }')"
tool_run 0 trace read_zero -G a/b/c -a -- sh -c "$in_each"
is 'lines' 40 "$(grep -c '  dd ' /tmp/out)"
has /tmp/out '^hits [0-9,]* = shown 40 + not asked for [0-9,]*; none lost'
lacks /tmp/out 'in_cgroup\|in_level'
tool_run 0 watch read_zero -L 1h -G a/b --dry-run
has /tmp/out '^filter lat in_level >= 2 && in_cgroup == [0-9]* && ns > 3600000000000$'
tool_run 0 watch read_zero -L 1h -G a -d 100ms
tool_run 0 count read_zero -G a -p 1 -n dd -C 0 -d 100ms

# Errors: the nearest name, what is no cgroup, one of version 1, no cgroup2 at all.
tool_run 1 count read_zero -G a/bb -d 1
has /tmp/err 'no such cgroup: a/bb (meant: .*/a/b?)$'
tool_run 1 trace read_zero -G depe/er -d 1
has /tmp/err 'no such cgroup: depe/er (meant: /tmp/cg/deep?)$'
tool_run 1 watch read_zero -L 1 -G $cg/nothing/like/it
has /tmp/err "no such cgroup: $cg/nothing/like/it ($cg has no nothing)$"
tool_run 1 lat read_zero -G /tmp
has /tmp/err '/tmp is no cgroup'
tool_run 2 count read_zero -G a -M 5
tool_run 2 report /dev/null -G a
mkdir -p /tmp/v1
if mount -t cgroup -o none,name=pe none /tmp/v1; then
	tool_run 1 count read_zero -G /tmp/v1
	umount /tmp/v1
	has /tmp/err '/tmp/v1 is a cgroup of version 1: -G knows those of cgroup2'
fi
# In a namespace the number of levels above is not known.
if unshare -C true; then
	sh -c "echo \$\$ > $cg/deep/cgroup.procs; exec unshare -C -m sh -c 'umount $cg; mount -t cgroup2 none $cg
		$tool count read_zero -G er -d 1'" > /tmp/out 2> /tmp/err && fail 'levels are not known there'
	has /tmp/err 'this mount does not show the root of all cgroups'
fi

# It is removed while its tasks are counted, and made again: that is another one.
"$tool" count read_zero by comm -G ab > /tmp/out 2> /tmp/err & pid=$!
within 60 sh -c 'grep -qs hist events/s*/count/trigger'
sh /tmp/in ab 12
rmdir $cg/ab
mkdir $cg/ab
sh /tmp/in ab 500
kill -TERM $pid
wait $pid
cat /tmp/out /tmp/err
is 'calls before it was removed' 12 "$(row total)"
has /tmp/err '^probe-events: the cgroup ab has been removed meanwhile$'
umount $cg
tool_run 1 count read_zero -G a
has /tmp/err ' -G needs cgroup2, which is not mounted'
mount -t cgroup2 none $cg
