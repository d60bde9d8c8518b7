#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: filter files: set, read, clear; groups, instances, losses, replacing under hits
# kernels: all
# tier: 6.12-cloud debug
# seconds: 8 debug=29

set -eu
cd "$PROBES"
# shellcheck source=tests/func/check_lib.sh
. /host/check_lib.sh

work() { dd if=/dev/zero of=/dev/null bs="$1" count="${2:-100}" status=none; }
records() { grep -c " $1: (" "${2:-.}/trace" || :; }
refuse() { ! printf '%s' "$1" 2>/dev/null >"$2" || { echo "accepted: $1"; return 1; }; }

printf '%s\n' 'p:g/read vfs_read size=%dx' 'p:g/write vfs_write size=%dx c=$comm' \
	'p:h/other vfs_fsync' >kprobe_events
[ "$(cat events/g/read/filter)" = none ]
[ "$(stat -c %a events/g/read/filter)" = 640 ]
grep -q '^### global filter ###$' events/g/filter

# Set while the event is off; in force when it comes on.
echo 'size == 7777' >events/g/read/filter
[ "$(cat events/g/read/filter)" = 'size == 7777' ]
[ "$(dd if=events/g/read/filter bs=3 status=none)" = 'size == 7777' ]
echo 1 >events/g/read/enable
work 7777; work 7778
echo 0 >events/g/read/enable
[ "$(records read)" = 100 ]
[ "$(value g/read records)" = 100 ]
[ "$(value g/read filter)" -ge 100 ]
sums

# As trace-cmd writes them.
echo '((size == 7777))&&(common_pid!='$$')' >events/g/read/filter
echo '((c ~ "d*"))&&((size==7777)||(size==7778))' >events/g/write/filter
: >trace
echo 1 >events/g/enable
work 7777; work 7778
[ "$(records read)" = 100 ]
[ "$(records write)" = 200 ]

# A refused filter is none at all, says why, and is in error_log.
echo >error_log
refuse 'size == 1 && nope == 2' events/g/read/filter
printf '%s\n' 'size == 1 && nope == 2' '                  ^' \
	'parse_error: Field not found' '' | cmp - events/g/read/filter
grep -q 'event filter parse error: error: Field not found' error_log
: >trace
work 7778 50
[ "$(records read)" -ge 50 ]

# Of a whole group: read has no c, so it goes unfiltered and says so.
echo 'c == "dd" && size == 7778' >events/g/filter
grep -q "parse_error: Couldn't find or set field in one of a subsystem's events" \
	events/g/read/filter
[ "$(cat events/g/write/filter)" = 'c == "dd" && size == 7778' ]
[ "$(cat events/h/other/filter)" = none ]
: >trace
work 7777; work 7778
[ "$(records write)" = 100 ]
echo 0 >events/g/filter
[ "$(cat events/g/read/filter events/g/write/filter | sort -u)" = none ]
grep -q '^### global filter ###$' events/g/filter

# Each instance has its own.
mkdir instances/one
echo 'size == 7777' >events/g/read/filter
echo 'size == 7778' >instances/one/events/g/read/filter
echo 1 >instances/one/events/g/read/enable
: >trace
work 7777 30; work 7778 40
echo 0 >events/g/enable
echo 0 >instances/one/events/g/read/enable
[ "$(records read)" = 30 ]
[ "$(records read instances/one)" = 40 ]
[ "$(value g/read extra)" -gt 0 ]
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
		refuse 'size ==' events/g/write/filter
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
[ "$(cat events/g/read/filter)" = none ]

# The file is held open over the event's end.
exec 7<>events/g/read/filter
echo >kprobe_events
if printf 0 2>/dev/null >&7; then
	echo "a filter of an event that is gone was set"
	exit 1
fi
exec 7>&-
