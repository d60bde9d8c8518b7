#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: instances have their own buffers, events, switches; rmdir and what keeps it from working
# seconds: 11

set -eu
cd "$PROBES"
# shellcheck source=tests/func/lib/events_lib.sh
. /host/events_lib.sh

is 'instances' '' "$(ls instances)"
printf '%s\n' 'p:g/before read_zero n=%dx' 'p:g/other vfs_open' 'p:h/third vfs_open' > kprobe_events
echo 1 > events/g/before/enable

# Names.
mkdir instances/a instances/b
refused 'File exists' mkdir instances/a
refused 'not permitted' mkdir instances/a/x
refused 'not permitted' rmdir instances/a/events
refused 'not permitted' rmdir instances/a/per_cpu
refused 'No such file' rmdir instances/c
refused 'not permitted' mv instances/a instances/c
refused 'not permitted' rmdir instances
is 'instances' 'a b ' "$(ls instances | tr '\n' ' ')"
is 'links' 4 "$(stat -c %h instances)"
is 'inode numbers that are there twice' '' "$(find . -printf '%i\n' | sort | uniq -d)"

# All files of an instance are files of the top, except that only the top defines.
diff <(find . -path ./instances -prune -o -printf '%P %m\n' | sort) \
	<(cd instances/a && find . -printf '%P %m\n' | sort) > /tmp/diff || :
is 'files that only it has' '' "$(grep '^>' /tmp/diff | grep -v '^>  750$' || true)"
has /tmp/diff '^< kprobe_events 640$'
lacks /tmp/diff '^< (events|per_cpu|options|tra|buffer)' -E

# Enabling is each one's own; format and id are the same.
holds instances/a/events/g/before/enable 0
holds instances/a/events/enable 0
holds events/g/enable X
cmp events/g/before/format instances/a/events/g/before/format
cmp events/g/before/id instances/b/events/g/before/id
echo 1 > instances/a/events/g/before/enable
echo 1 > instances/b/events/h/enable
holds instances/a/events/enable X
holds instances/a/events/h/enable 0
holds instances/b/events/h/enable 1
holds events/h/third/enable 0
read_zeros 100
at_least 'records of before in trace' 100 "$(records before)"
is 'records of before in trace' "$(records before instances/a/trace)" "$(records before)"
lacks instances/b/trace ' before: '
lacks instances/a/trace ' third: '
has instances/b/trace ' third: '
sums
at_least 'extra of g/before' 100 "$(value g/before extra)"

# Disabled in one it stays armed for the other.
echo 0 > events/enable
echo > trace
read_zeros 100
lacks trace ' before: '
at_least 'records of before in instances/a/trace' 200 "$(records before instances/a/trace)"
sums

# tracing_on, clock, options, size and reading: no influence on others.
echo 0 > instances/a/tracing_on
holds tracing_on 1
echo mono > instances/a/trace_clock
has trace_clock '\[local\]'
has instances/a/trace_clock '\[mono\]'
lacks instances/a/trace ' before: '
read_zeros 10
lacks instances/a/trace ' before: '
sums
echo 1 > instances/a/tracing_on
echo 0 > instances/a/options/overwrite
holds options/overwrite 1
holds instances/b/options/overwrite 1
echo 16 > instances/a/buffer_size_kb
differs 'buffer_size_kb' "$(cat instances/a/buffer_size_kb)" "$(cat buffer_size_kb)"
holds instances/b/buffer_size_kb "$(cat buffer_size_kb | cut -d' ' -f1)"
read_zeros 3000	# more than fits, also if two CPUs share them
sums
at_least 'full of g/before' 1 "$(value g/before full)"
n=$(wc -l < instances/a/trace)
timeout 60 head -n 3 instances/a/trace_pipe > /tmp/piped
is 'records of before in /tmp/piped' 3 "$(records before /tmp/piped)"
at_most 'lines of instances/a/trace' $((n - 1)) "$(wc -l < instances/a/trace)"
has instances/b/trace ' third: '
at_least 'entries of b' 1 "$(awk '/^entries/ { n += $2 } END { print n + 0 }' instances/b/per_cpu/*/stats)"

# Events that come and go while instances are there.
echo 'p:later/x vfs_open' >> kprobe_events
exists instances/a/events/later/x/format
exists instances/b/events/later/enable
echo 1 > instances/b/events/later/x/enable
refused 'Device or resource busy' sh -c 'echo -:later/x >> kprobe_events'
exec 5< instances/b/events/later/x/id 6< instances/b/events/later/enable 7< instances/b/events/later/x/format
echo 0 > instances/b/events/later/x/enable
echo 'before it goes' > instances/b/trace_marker
has instances/b/trace 'before it goes'
echo '-:later/x' >> kprobe_events
missing instances/a/events/later
missing instances/b/events/later
refused 'No such device' cat <&5
refused 'No such device' cat <&6
refused 'No such device' cat <&7
exec 5<&- 6<&-
lacks instances/b/trace 'before it goes'		# cleared: a record in it can't be printed

# rmdir: not while one of its files is open, whichever.
refused 'Device or resource busy' rmdir instances/b
exec 7<&-
find instances/b -type f > /tmp/files
while read -r f; do
	mode=$(stat -c %a "$f")
	if [ $((0$mode & 0400)) != 0 ]; then
		exec 5< "$f"
	else
		exec 5>> "$f"
	fi
	refused 'Device or resource busy' rmdir instances/b
	exec 5<&-
	[ $((0$mode & 0600)) = $((0600)) ] || continue
	exec 5>> "$f"
	refused 'Device or resource busy' rmdir instances/b
	exec 5<&-
done < /tmp/files
at_least 'files' 26 "$(wc -l < /tmp/files)"
rmdir instances/b
refused 'No such file' rmdir instances/b
refused 'No such file' ls instances/b
holds events/h/third/enable 0
echo '-:h/third' >> kprobe_events	# was enabled in b only

# A directory that is open does not keep it, and sees nothing any more.
echo 1 > instances/a/events/enable
(
	cd instances/a/events/g/before
	rmdir "$PROBES/instances/a"
	refused 'No such file' cat enable
	refused 'No such file' ls /proc/self/cwd/enable
	is 'files of what is gone' '' "$(ls)"
)
read_zeros 10
sums

# The same name again is a new instance, with the options of the top.
echo 0 > options/annotate
echo 0 > options/overwrite
mkdir instances/a
holds instances/a/options/annotate 0
holds instances/a/options/overwrite 0
holds instances/a/tracing_on 1
holds instances/a/events/enable 0
lacks instances/a/trace ' before: '

# Unloading removes instances in use: the runner unloads the modules now.
echo 1 > instances/a/events/enable
echo 1 > events/enable
read_zeros 10
mkdir instances/c instances/d
