#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: several probes on one event: what fits, what fires, what is counted
# seconds: 2

set -eu
cd "$PROBES"
# shellcheck source=tests/func/lib/check_lib.sh
. /host/check_lib.sh

# no_fit COMMAND CARET TEXT: EEXIST, with that entry in the error log.
no_fit() {
	cat kprobe_events > /tmp/want
	echo > error_log
	refused 'File exists' append "$1" kprobe_events
	diff /tmp/want kprobe_events || fail "after '$1'"
	has error_log "trace_kprobe: error: $3"
	is "caret of '$1'" "$(printf '%*s^' $((11 + $2)) '')" "$(tail -1 error_log)"
}

echo 'p:g/e vfs_read a=%di:u64' > kprobe_events
echo 'p:g/e vfs_write a=%si:u64' >> kprobe_events
echo 'p:g/e vfs_read a=%dx:u64' >> kprobe_events	# the same place, another argument
is 'lines of kprobe_events' 3 "$(wc -l < kprobe_events)"
is 'files of the group' $'e\nenable\nfilter' "$(ls events/g)"

no_fit 'p:g/e vfs_read a=%di:u64' 0 'There is already the exact same probe event'
no_fit 'p:g/e vfs_open b=%di:u64' 15 'Argument type or name is different from existing probe'
no_fit 'p:g/e vfs_open a=%di:u32' 15 'Argument type or name'
no_fit 'p:g/e vfs_open a=%di:x64' 15 'Argument type or name'
no_fit 'p:g/e vfs_open a=+0(%di):u64[2]' 15 'Argument type or name'
no_fit 'p:g/e vfs_open a=%di:u64 b=%si' 25 'Argument type or name'
no_fit 'p:g/e vfs_open' 15 'Argument type or name'
no_fit 'r:g/e vfs_open' 0 'Probe type is different from existing probe'

# All of them fire, each with its own argument, and each is counted for itself.
# A probe appended to an enabled event fires at once.
echo 1 > events/g/e/enable
head -c 1 /dev/zero > /dev/null
echo 'p:g/e vfs_open a=%di:u64' >> kprobe_events
cat /proc/self/stat > /dev/null
echo 0 > events/g/e/enable
for place in vfs_read vfs_write vfs_open; do
	at_least "hits at $place" 1 "$(awk -v p="$place" '$1 == "g/e" && $2 == p { n += $3 } END { print n + 0 }' kprobe_losses)"
	has trace "e: ($place+0x"
done
is 'lines of e in kprobe_profile' 4 "$(count '^  e ' kprobe_profile)"
awk 'NR > 1 && $3 != $4 { print; bad = 1 } END { exit bad }' kprobe_losses

# One goes, the others go on.
echo '-:g/e vfs_write' >> kprobe_events
echo > trace
echo 1 > events/g/e/enable
head -c 1 /dev/zero > /dev/null
echo 0 > events/g/e/enable
has trace 'e: (vfs_read+0x'
lacks trace 'e: (vfs_write+0x'
echo > kprobe_events
