#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: filter files: set, read, clear; groups, instances, losses, replacing under hits
# seconds: 8 debug=13

set -eu
cd "$PROBES"
# shellcheck source=tests/func/lib/events_lib.sh
. /host/events_lib.sh

# work SIZE [N]: 100 or N reads
work() { read_zeros "${2:-100}" "$1"; }

printf '%s\n' 'p:g/read vfs_read size=%dx' 'p:g/write vfs_write size=%dx c=$comm' \
	'p:h/other vfs_fsync' >kprobe_events
holds events/g/read/filter none
is 'mode' 640 "$(stat -c %a events/g/read/filter)"
has events/g/filter '^### global filter ###$'

# Set while the event is off; in force when it comes on.
echo 'size == 7777' >events/g/read/filter
holds events/g/read/filter 'size == 7777'
is 'in pieces' 'size == 7777' "$(dd if=events/g/read/filter bs=3 status=none)"
echo 1 >events/g/read/enable
work 7777; work 7778
echo 0 >events/g/read/enable
is 'records of read' 100 "$(records read)"
value_is g/read records 100
at_least 'filter of g/read' 100 "$(value g/read filter)"
sums

# As trace-cmd writes them.
echo '((size == 7777))&&(common_pid!='$$')' >events/g/read/filter
echo '((c ~ "d*"))&&((size==7777)||(size==7778))' >events/g/write/filter
: >trace
echo 1 >events/g/enable
work 7777; work 7778
is 'records of read' 100 "$(records read)"
is 'records of write' 200 "$(records write)"

# A refused filter is none at all, says why, and is in error_log.
echo >error_log
refused 'Invalid argument' put 'size == 1 && nope == 2' events/g/read/filter
printf '%s\n' 'size == 1 && nope == 2' '                  ^' \
	'parse_error: Field not found' '' | cmp - events/g/read/filter
has error_log 'event filter parse error: error: Field not found'
: >trace
work 7778 50
at_least 'records of read' 50 "$(records read)"

# Of a whole group: read has no c, so it goes unfiltered and says so.
echo 'c == "dd" && size == 7778' >events/g/filter
has events/g/read/filter "parse_error: Couldn't find or set field in one of a subsystem's events"
holds events/g/write/filter 'c == "dd" && size == 7778'
holds events/h/other/filter none
: >trace
work 7777; work 7778
is 'records of write' 100 "$(records write)"
echo 0 >events/g/filter
is 'filters of the group' none "$(cat events/g/read/filter events/g/write/filter | sort -u)"
has events/g/filter '^### global filter ###$'

# Each instance has its own.
mkdir instances/one
echo 'size == 7777' >events/g/read/filter
echo 'size == 7778' >instances/one/events/g/read/filter
echo 1 >instances/one/events/g/read/enable
: >trace
work 7777 30; work 7778 40
echo 0 >events/g/enable
echo 0 >instances/one/events/g/read/enable
is 'records of read' 30 "$(records read)"
is 'records of read in instances/one' 40 "$(records read instances/one/trace)"
at_least 'extra of g/read' 1 "$(value g/read extra)"
sums
rmdir instances/one

# Replaced all the time while it is hit on all CPUs: nothing is lost uncounted.
: >trace
echo 1 >events/g/enable
for i in 1 2 3 4; do
	(while :; do work 7777 2000; work 1 2000; done) &
	pids="${pids:-} $!"
done
end=$((SECONDS + 5)) n=0
while [ $SECONDS -lt $end ]; do
	for text in 'size == 7777' 0 '!(size < 7000) && comm ~ "d*"' 'size > 100000' \
		'common_pid & 1 || cpu == 0'; do
		echo "$text" >events/g/read/filter
		echo "$text" >events/g/filter
		refused 'Invalid argument' put 'size ==' events/g/write/filter
		n=$((n + 1))
	done
done
kill $pids
wait $pids 2>/dev/null || :
echo 0 >events/enable
sums
echo "$n rounds; read: $(value g/read hits) hits, $(value g/read filter) filtered"

# A filter goes with its event.
echo >kprobe_events
echo 'p:g/read vfs_read size=%dx' >kprobe_events
holds events/g/read/filter none

# The file is held open over the event's end.
exec 7<>events/g/read/filter
echo >kprobe_events
refused . eval 'printf 0 >&7'
exec 7>&-
