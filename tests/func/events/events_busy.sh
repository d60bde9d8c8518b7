#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: what is enabled can't be removed; nothing changes when it is tried
# seconds: 4 debug=22

set -eu
cd "$PROBES"
# shellcheck source=tests/func/lib/check_lib.sh
. /host/check_lib.sh

# busy COMMAND: it fails with EBUSY and leaves everything as it was.
busy() {
	cat kprobe_events > /tmp/before
	refused 'Device or resource busy' eval "$1"
	diff /tmp/before kprobe_events || fail "after '$1'"
}

# enabled FILE...: what enable says in each, as one word
enabled() { cat "${@/%//enable}" | tr -d '\n'; }

printf '%s\n' 'p:g/a vfs_read' 'p:g/b vfs_write' 'p:h/c vfs_open' > kprobe_events
is 'enable' 000 "$(enabled events events/g events/h)"
echo 1 > events/g/a/enable
is 'enable' XX0 "$(enabled events events/g events/h)"

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
holds events/enable X
echo 1 > events/g/enable
is 'enable' 111 "$(enabled events events/g events/g/b)"

# Writing what is so already is fine.
echo 1 > events/g/enable
echo 1 > events/g/a/enable

# A probe of several can go from under an enabled event, the last one can't.
echo 'p:g/a vfs_fsync' >> kprobe_events
echo '-:g/a vfs_read' >> kprobe_events
busy 'echo "-:g/a vfs_fsync" >> kprobe_events'
has kprobe_events '^p:g/a vfs_fsync$'

# Values that are none.
for v in 2 -1 x '' 01x 99999999999999999999; do
	refused 'Invalid argument\|out of range' put "$v" events/g/a/enable
done
holds events/g/a/enable 1

echo 0 > events/enable
is 'enable' 000 "$(enabled events events/g events/g/a)"
echo > kprobe_events
holds events/enable '?'
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
holds events/g/a/enable 0
exec 7<&- 8<&- 9<&-
echo > kprobe_events
