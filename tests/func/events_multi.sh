#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: several probes on one event: what fits, what fires, what is counted
# kernels: all
# seconds: 5

set -eu
cd "$PROBES"
# shellcheck source=tests/func/check_lib.sh
. /host/check_lib.sh


# refused COMMAND CARET TEXT: EEXIST, with that entry in the error log.
refused() {
	local err

	cat kprobe_events > /tmp/want
	echo > error_log
	if err=$( { printf '%s\n' "$1" >> kprobe_events; } 2>&1); then
		echo "'$1' succeeded"
		exit 1
	fi
	grep -q 'File exists' <<< "$err" || { echo "'$1': $err"; exit 1; }
	diff /tmp/want kprobe_events
	grep -q "trace_kprobe: error: $3" error_log || { cat error_log; exit 1; }
	[ "$(tail -1 error_log)" = "$(printf '%*s^' $((11 + $2)) '')" ] || { cat error_log; exit 1; }
}

echo 'p:g/e vfs_read a=%di:u64' > kprobe_events
echo 'p:g/e vfs_write a=%si:u64' >> kprobe_events
echo 'p:g/e vfs_read a=%dx:u64' >> kprobe_events	# the same place, another argument
[ "$(wc -l < kprobe_events)" -eq 3 ]
[ "$(ls events/g)" = $'e\nenable\nfilter' ]

refused 'p:g/e vfs_read a=%di:u64' 0 'There is already the exact same probe event'
refused 'p:g/e vfs_open b=%di:u64' 15 'Argument type or name is different from existing probe'
refused 'p:g/e vfs_open a=%di:u32' 15 'Argument type or name'
refused 'p:g/e vfs_open a=%di:x64' 15 'Argument type or name'
refused 'p:g/e vfs_open a=+0(%di):u64[2]' 15 'Argument type or name'
refused 'p:g/e vfs_open a=%di:u64 b=%si' 25 'Argument type or name'
refused 'p:g/e vfs_open' 15 'Argument type or name'
refused 'r:g/e vfs_open' 0 'Probe type is different from existing probe'

# All of them fire, each with its own argument, and each is counted for itself.
# A probe appended to an enabled event fires at once.
echo 1 > events/g/e/enable
head -c 1 /dev/zero > /dev/null
echo 'p:g/e vfs_open a=%di:u64' >> kprobe_events
cat /proc/self/stat > /dev/null
echo 0 > events/g/e/enable
for place in vfs_read vfs_write vfs_open; do
	awk -v p="$place" '$1 == "g/e" && $2 == p && $3 > 0 { n++ } END { exit !n }' kprobe_losses ||
		{ echo "$place did not fire"; cat kprobe_losses; exit 1; }
	grep -q "e: ($place+0x" trace || { echo "no record of $place"; exit 1; }
done
[ "$(grep -c '^  e ' kprobe_profile)" -eq 4 ]
awk 'NR > 1 && $3 != $4 { print; bad = 1 } END { exit bad }' kprobe_losses

# One goes, the others go on.
echo '-:g/e vfs_write' >> kprobe_events
echo > trace
echo 1 > events/g/e/enable
head -c 1 /dev/zero > /dev/null
echo 0 > events/g/e/enable
grep -q 'e: (vfs_read+0x' trace
not grep -q 'e: (vfs_write+0x' trace
echo > kprobe_events
