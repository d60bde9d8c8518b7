#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: names, directories, what is forbidden, removing what is open
# tier: 6.12-cloud 7.3-cloud
# seconds: 8 debug=69

set -eu
cd "$PROBES"
# shellcheck source=tests/func/lib/check_lib.sh
. /host/check_lib.sh
possible=$(ls -d /sys/devices/system/cpu/cpu[0-9]* | wc -l)

# Nothing is made, removed, renamed or linked by hand.
refused 'Permission denied' sh -c 'echo 1 > no_such_file'
refused 'No such file' cat no_such_file
refused 'not permitted' mkdir directory
refused 'not permitted' mkdir events/directory
refused 'not permitted' rmdir per_cpu
refused 'not permitted' rm -f trace
refused 'not permitted' mv trace trace2
refused 'not permitted' ln trace trace2
refused 'not permitted' ln -s trace trace2
refused 'Is a directory' cat events
refused 'Not a directory' cat trace/x
refused 'File name too long' cat "$(printf 'x%.0s' {1..256})"
refused 'No such file' cat "$(printf 'x%.0s' {1..255})"

# Directories list what lookup finds, each name once, links and all.
find . -mindepth 1 | sort > /tmp/found
is 'names that are there twice' '' "$(uniq -d /tmp/found)"
xargs -d '\n' stat < /tmp/found > /dev/null
for d in . per_cpu events; do
	want=$((2 + $(find "$d" -mindepth 1 -maxdepth 1 -type d | wc -l)))
	is "links of $d" "$want" "$(stat -c %h "$d")"
done
is 'other kinds of files' '' "$(find . -not -type d -not -type f)"
is 'inode numbers that are there twice' '' "$(find . -printf '%i\n' | sort | uniq -d)"
is 'CPUs' "$possible" "$(ls per_cpu | wc -l)"

# All files that can be read without waiting are read, in odd pieces, and twice
# the same.
grep -v '/session$\|trace_pipe$\|_raw$\|available_filter_functions$\|per_cpu/.*stats$\|kprobes/' /tmp/found | while read -r f; do
	[ -f "$f" ] && [ $((0$(stat -c %a "$f") & 0400)) != 0 ] || continue
	cat "$f" > /tmp/whole
	dd if="$f" bs=7 of=/tmp/pieces status=none
	cmp /tmp/whole /tmp/pieces || fail "$f in pieces"
done

# Opening to append or to truncate what exists is fine.
: >> trace
: > trace
truncate -s 0 trace
truncate -s 100 trace
is 'size of trace' 0 "$(stat -c %s trace)"

# A directory of many, read while half of it goes.
for i in $(seq 300); do
	echo "p:many/e$i read_zero"
done > kprobe_events
is 'events' 300 "$(ls events/many | grep -c '^e[0-9]')"
exec 5< events/many/e7/format 6< events/many/e8/enable
cat <&6 > /dev/null
(
	cd events/many/e7
	echo "-:many/e7" >> ../../../kprobe_events
	refused 'No such file' ls /proc/self/cwd/format
	refused 'No such file' cat format
	is 'files of what is gone' '' "$(ls)"
)
refused 'No such file' cat events/many/e7/format
(
	exec 5<&- 6<&-
	seq 1 2 299 | sed 's,.*,-:many/e&,;/e7$/d' >> kprobe_events
) &
seen=0
for i in 1 2 3 4 5 6 7 8 9 10; do
	seen=$(ls events/many | grep -c '^e[0-9]')
	at_least 'events that are seen' 150 "$seen"
done
wait $!
is 'events' 150 "$(ls events/many | grep -c '^e[0-9]')"

# Files of what is gone: -ENODEV, whether read before or not.
echo '-:many/e8' >> kprobe_events
refused 'No such device' cat <&5
refused 'No such device' sh -c 'cat <&6; dd bs=1 count=1 <&6'
exec 7> events/many/e10/enable
echo '-:many/e10' >> kprobe_events
refused 'No such device' sh -c 'echo 1 >&7'
exec 5<&- 6<&- 7>&-

# The group's directory goes with its last event; the same name can come again.
echo > kprobe_events
refused 'No such file' ls events/many
echo 'p:many/e7 read_zero' > kprobe_events
has events/many/e7/format '^name: e7$'
echo > kprobe_events
