#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: what is enabled can't be removed; nothing changes when it is tried
# kernels: all
# seconds: 4 debug=22

set -eu
cd "$PROBES"
# shellcheck source=tests/func/check_lib.sh
. /host/check_lib.sh


# busy WHAT...: the command fails with EBUSY and leaves everything as it was.
busy() {
	local err

	cat kprobe_events > /tmp/before
	if err=$( { eval "$1"; } 2>&1); then
		echo "'$1' succeeded"
		exit 1
	fi
	grep -q 'Device or resource busy' <<< "$err" || { echo "'$1': $err"; exit 1; }
	diff /tmp/before kprobe_events
}

printf '%s\n' 'p:g/a vfs_read' 'p:g/b vfs_write' 'p:h/c vfs_open' > kprobe_events
[ "$(cat events/enable events/g/enable events/h/enable)" = $'0\n0\n0' ]
echo 1 > events/g/a/enable
[ "$(cat events/enable events/g/enable events/h/enable)" = $'X\nX\n0' ]

busy 'echo > kprobe_events'
busy 'echo > dynamic_events'
busy 'echo "-:g/a" >> kprobe_events'
busy 'echo "-:a" >> kprobe_events'
busy 'echo "-:a" >> dynamic_events'
# b alone could go, but the command says both.
busy 'echo "-:g/" >> kprobe_events'
busy 'echo "-:g/a vfs_read" >> kprobe_events'

# Others can come and go meanwhile.
echo 'p:g/d vfs_fsync' >> kprobe_events
echo '-:g/d' >> kprobe_events
echo '-:h/c' >> kprobe_events
[ "$(cat events/enable)" = X ]
echo 1 > events/g/enable
[ "$(cat events/enable events/g/enable events/g/b/enable)" = $'1\n1\n1' ]

# Writing what is so already is fine.
echo 1 > events/g/enable
echo 1 > events/g/a/enable

# A probe of several can go from under an enabled event, the last one can't.
echo 'p:g/a vfs_fsync' >> kprobe_events
echo '-:g/a vfs_read' >> kprobe_events
busy 'echo "-:g/a vfs_fsync" >> kprobe_events'
grep -q '^p:g/a vfs_fsync$' kprobe_events

# Values that are none.
for v in 2 -1 x '' 01x 99999999999999999999; do
	if echo "$v" > events/g/a/enable 2>/dev/null; then
		echo "accepted '$v'"
		exit 1
	fi
done
[ "$(cat events/g/a/enable)" = 1 ]

echo 0 > events/enable
[ "$(cat events/enable events/g/enable events/g/a/enable)" = $'0\n0\n0' ]
echo > kprobe_events
[ "$(cat events/enable)" = '?' ]
echo 0 > events/enable
echo 1 > events/enable

# Files of an event that is gone say so; names can be used again.
echo 'p:g/a vfs_read' > kprobe_events
exec 7<> events/g/a/enable 8< events/g/a/format 9< events/g/enable
echo '-:g/a' >> kprobe_events
not eval "cat <&8 2>/dev/null"
not eval "cat <&9 2>/dev/null"
not eval "echo 1 >&7 2>/dev/null"
echo 'p:g/a vfs_write' > kprobe_events
not eval "echo 1 >&7 2>/dev/null"
[ "$(cat events/g/a/enable)" = 0 ]
exec 7<&- 8<&- 9<&-
echo > kprobe_events
