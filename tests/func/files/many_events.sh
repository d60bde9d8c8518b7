#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: thousands of events cost no directories until a task looks, nor do they in a new instance
# not: 6.12-rt: shows what 6.12-cloud does
# not: debug: the checkers take memory of their own
# seconds: 13
# tools: dents

set -eu
cd "$PROBES"
# shellcheck source=tests/func/lib/events_lib.sh
. /host/events_lib.sh

events=$(length 4000 10000)

lap() { echo "$1: $((($(date +%s%N) - start) / 1000000)) ms"; start=$(date +%s%N); }

# Memory goes back some time after its last use: RCU frees it, and the workers that RCU wakes.
# used FROM: KB that are less than FROM now
used() { echo $(($1 - $(free_memory))); }
little() { [ "$(used "$1")" -le "$2" ]; }
# gone_of WHAT FROM KB: no more than KB is taken any more
gone_of() { within 20 little "$2" "$3"; echo "$1: $(used "$2") KB"; }

# All but 100 in one group, and 100 groups of one each; at ten places. Looking a symbol up takes longer
# than all the rest, so places are addresses.
awk -v events="$events" -v places='read_zero write_null vfs_read vfs_write vfs_open vfs_fsync vfs_getattr vfs_rename vfs_mkdir vfs_symlink' '
	{ at[$3] = $1 }
	END {
		n = split(places, p, " ")
		for (i = 0; i < events; i++)
			print "p:" (i < events - 100 ? "many" : "g" i) "/e" i " 0x" at[p[1 + i % n]]
	}' /proc/kallsyms > /tmp/definitions
# define FILE: by one write
define() { dd if="$1" of=kprobe_events bs=4M status=none; }

# What stays allocated after a first time is not counted.
mkdir instances/x
head -n 1000 /tmp/definitions > /tmp/first
define /tmp/first
ls -lR events > /dev/null
rmdir instances/x
echo > kprobe_events
before=$(settled_memory)

start=$(date +%s%N)
define /tmp/definitions
lap 'defined'
defined=$(settled_memory)
echo "memory of $events events: $((before - defined)) KB"
at_most 'KB of the events' $((events * 13 / 10)) $((before - defined))

# The instance's own: buffers as small as can be.
start=$(date +%s%N)
mkdir instances/x
lap 'mkdir'
echo 1 > instances/x/buffer_size_kb
made=$(settled_memory)
echo "memory of an instance beside them: $((defined - made)) KB"
at_most 'KB of an instance' 2500 $((defined - made))

# Each name once, in each instance; positions and numbers that any program can take.
for dir in . instances/x; do
	start=$(date +%s%N)
	is "events in $dir" "$events" "$(ls -R $dir/events | grep -c '^e[0-9]')"
	lap 'ls -R'
	is 'listing' "$((events - 98)) names, $((events - 100)) directories" "$(/host/dents $dir/events/many)"
	is 'listing' '105 names, 102 directories' "$(/host/dents $dir/events)"
	is 'links' "$((events - 98)) 104" "$(stat -c %h $dir/events/many $dir/events | paste -sd ' ')"
done
find . -printf '%i %y %p\n' > /tmp/all
is 'numbers that are there twice' '' "$(cut -d ' ' -f 1 /tmp/all | sort | uniq -d)"
is 'names that are there twice' '' "$(cut -d ' ' -f 3 /tmp/all | sort | uniq -d)"
# mirror is there if the kernel lets modules have events.
files=9
[ ! -e kprobes/mirror ] || files=10
is 'files' $((2 * (events * files + 101 * 2))) "$(grep -c ' f .*/events/[mg]' /tmp/all)"
rm /tmp/all

# What was looked at goes again.
ls -lR events instances > /dev/null
gone_of 'memory of what was looked at' "$made" 1000
for i in 0 1 99 100 $((events / 2 + 1)) $((events - 101)); do
	holds instances/x/events/many/e$i/enable 0
	has events/many/e$i/format "^name: e$i\$"
done
alone=g$((events - 50))/e$((events - 50))
is 'id' "$(cat events/$alone/id)" "$(cat instances/x/events/$alone/id)"

# One of them, on and off and hit.
start=$(date +%s%N)
echo 1 > instances/x/events/many/e10/enable
lap 'enabled'
read_zeros 5
at_least 'records' 5 "$(records e10 instances/x/trace)"
echo 0 > instances/x/events/many/e10/enable
holds instances/x/events/enable 0

# All goes, and with it all memory; what is looked at meanwhile is there or is not.
(while [ ! -e /tmp/stop ]; do ls -lR events > /dev/null 2>&1 || true; done) &
looker=$!
start=$(date +%s%N)
awk -F '[: ]' 'NR % 100 == 1 { print "-:" $2 }' /tmp/definitions > /tmp/deletions
dd if=/tmp/deletions of=kprobe_events bs=4M oflag=append conv=notrunc status=none
is 'events' $((events - events / 100)) "$(grep -c . kprobe_events)"
echo > kprobe_events
lap 'removed'
touch /tmp/stop
wait $looker
rmdir instances/x
no_groups
is 'listing' '4 names, 1 directories' "$(/host/dents events)"
gone_of 'memory that did not come back' "$before" 2500
