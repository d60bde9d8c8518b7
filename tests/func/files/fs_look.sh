#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: directories that exist while in use: inode numbers, chmod, removal, no number left
# seconds: 4 debug=40
# tools: dents

set -eu
cd "$PROBES"
# shellcheck source=tests/func/lib/events_lib.sh
. /host/events_lib.sh
limit=/sys/module/probe_events/parameters/max_inodes
most=$(cat $limit)

number() { stat -c %i "$@" | paste -sd ' '; }
mode() { stat -c %a,%g "$1"; }
# top: the highest number of all, in units that are given out
top() { find . -printf '%i\n' | sort -n | tail -n 1 | awk '{ print int($1 / 16) }'; }

printf '%s\n' 'p:g/a vfs_read' 'p:g/b vfs_write' 'p:h/c vfs_open' > kprobe_events
mkdir instances/x
for dir in . events events/{ftrace,g,g/a} instances instances/x/events{,/g,/h/c} per_cpu; do
	/host/dents $dir > /dev/null || fail "listing of $dir"
done
is 'events/g' '4 names, 2 directories' "$(/host/dents events/g)"
# mirror is there if the kernel lets modules have events.
files=9
[ ! -e kprobes/mirror ] || files=10
is 'events/g/a' "$files names, 0 directories" "$(/host/dents events/g/a)"
refused 'No such file' stat events/g/c
refused 'No such file' stat events/h/a
refused 'No such file' stat events/g/a/enabled
refused 'not permitted' mkdir events/g/d
refused 'not permitted' rmdir events/g/a
refused 'not permitted' rm -f events/g/a/id

# An event has its own numbers in each instance, for life.
before=$(number events/g{,/a,/a/*} instances/x/events/g{,/a,/a/*})
ls -lR events instances > /dev/null
find events > /dev/null
is 'numbers' "$before" "$(number events/g{,/a,/a/*} instances/x/events/g{,/a,/a/*})"
is 'numbers that are there twice' '' "$(find . -printf '%i\n' | sort | uniq -d)"

# They are used again, however much comes and goes.
rmdir instances/x
echo '-:h/c' >> kprobe_events
highest=$(top)
for ((i = 0; i < 20; i++)); do
	mkdir instances/y
	printf 'p:h/n%s vfs_open\n' 1 2 3 4 5 6 7 8 9 >> kprobe_events
	cat events/h/n*/id instances/y/events/*/*/id > /dev/null
	rmdir instances/y
	echo '-:h/' >> kprobe_events
done
is 'highest number' "$highest" "$(top)"

# But not as long as anybody has one: a task in a directory, an open file.
mkdir instances/x
(
	cd instances/x/events/g
	exec 5< "$PROBES/events/g/a/format"
	mine=$(number -L . /proc/self/fd/5)
	echo '-:g/' >> "$PROBES/kprobe_events"
	printf 'p:k/n%s vfs_open\n' 1 2 3 4 5 6 7 8 9 >> "$PROBES/kprobe_events"
	is 'numbers of what is gone' "$mine" "$(number -L . /proc/self/fd/5)"
	find "$PROBES" -printf '%i\n' > /tmp/numbers
	lacks /tmp/numbers "${mine% *}" -x
	lacks /tmp/numbers "${mine#* }" -x
	refused 'No such file' cat a/id
	refused 'No such device' cat <&5
	is 'names in what is gone' '' "$(ls 2> /dev/null || true)"
	rmdir "$PROBES/instances/x"
	is 'numbers of what is gone' "$mine" "$(number -L . /proc/self/fd/5)"
)
echo > kprobe_events
no_groups

# What chmod and chown chose stays until the event goes, though there are no look-ups any more.
printf '%s\n' 'p:g/a vfs_read' 'p:g/b vfs_write' > kprobe_events
mkdir instances/x
chmod 600 events/g/a/format
chmod 711 events/g/b
chgrp 7 instances/x/events/g
chgrp 8 events/g/a/id
ls -lR events instances > /dev/null
is 'chmod of a file' 600,0 "$(mode events/g/a/format)"
is 'not of the same in another instance' 440,0 "$(mode instances/x/events/g/a/format)"
is 'chmod of a directory' 711,0 "$(mode events/g/b)"
is 'chgrp of a group' 755,7 "$(mode instances/x/events/g)"
is 'not of the same in another instance' 755,0 "$(mode events/g)"
is 'listing' '4 names, 2 directories' "$(/host/dents instances/x/events/g)"
is 'listing' '4 names, 2 directories' "$(/host/dents events/g)"
is 'names' 'a b enable filter' "$(ls events/g | paste -sd ' ')"
mount -o remount,gid=9 none "$PROBES"
is 'all groups are taken' '600,9 755,9 440,9' "$(stat -c %a,%g events/g/a/format instances/x/events/g events/g/a/id | paste -sd ' ')"
mount -o remount,gid=0 none "$PROBES"
echo '-:g/a' >> kprobe_events
echo 'p:g/a vfs_read' >> kprobe_events
is 'a new event' 440,0 "$(mode events/g/a/format)"
is 'not the other' 711,0 "$(mode events/g/b)"
rmdir instances/x
echo > kprobe_events
echo 'p:g/b vfs_read' >> kprobe_events
is 'a new group' 755,0 "$(mode events/g/b)"

# No number left: ENOSPC, nothing of it stays, and what is there can be looked at.
state() { find . | sort; cat kprobe_events available_events; }
state > /tmp/before
highest=$(top)
for ((more = 0; more < 2; more++)); do
	echo $((highest + more)) > $limit
	refused 'No space left' append 'p:new/e vfs_read' kprobe_events
	state | diff /tmp/before - || fail "with $more more"
done
echo $highest > $limit
refused 'No space left' append 'p:g/e vfs_read' kprobe_events
state | diff /tmp/before - || fail 'an event in a group that is there'
echo $((highest + 1)) > $limit
echo 'p:g/e vfs_read' >> kprobe_events
has events/g/e/format '^name: e$'
echo '-:g/e' >> kprobe_events
for ((more = 0; more < 50; more += 7)); do
	echo $((highest + more)) > $limit
	refused 'No space left' mkdir instances/x
	state | diff /tmp/before - || fail "an instance with $more more"
done
echo "$most" > $limit
mkdir instances/x
at_least 'highest number' $((highest + 50)) "$(top)"
# An event takes one in each instance.
echo $(($(top) + 1)) > $limit
state > /tmp/before
refused 'No space left' append 'p:g/e vfs_read' kprobe_events
state | diff /tmp/before - || fail 'an event in two instances'
echo "$most" > $limit
echo 'p:g/e vfs_read' >> kprobe_events
exists instances/x/events/g/e/id
rmdir instances/x
echo > kprobe_events
