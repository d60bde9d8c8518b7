#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: every way to delete, and that only what is said goes
# kernels: all
# seconds: 11

set -eu
cd "$PROBES"
# shellcheck source=tests/func/check_lib.sh
. /host/check_lib.sh


define() {
	printf '%s\n' 'p:g/a vfs_read x=%di' 'p:g/b vfs_write' 'p:h/a vfs_open' \
		'p:h/c vfs_read x=%di y=%si' 'p:h/c vfs_write x=%di y=%si' > kprobe_events
}

# gone FILE COMMAND [PATTERN]...: lines that match a pattern go, the others stay.
gone() {
	local file=$1 command=$2 pattern

	define
	cat kprobe_events > /tmp/want
	shift 2
	for pattern; do
		grep -v -- "$pattern" /tmp/want > /tmp/rest || true
		mv /tmp/rest /tmp/want
	done
	printf '%s\n' "$command" >> "$file"
	diff /tmp/want kprobe_events || { echo "after '$command' to $file"; exit 1; }
}

# refused FILE COMMAND ERROR: nothing goes.
refused() {
	local err

	define
	cat kprobe_events > /tmp/want
	if err=$( { printf '%s\n' "$2" >> "$1"; } 2>&1); then
		echo "'$2' to $1 succeeded"
		exit 1
	fi
	grep -q "$3" <<< "$err" || { echo "'$2' to $1: $err"; exit 1; }
	diff /tmp/want kprobe_events
}

for f in kprobe_events dynamic_events; do
	gone $f '-:g/a' '^p:g/a '
	gone $f '-:b' '^p:g/b '
	gone $f '-:a' '/a '			# of both groups
	gone $f '-:g/' '^p:g/'
	gone $f '-:h/c' '^p:h/c '
	gone $f '-:h/c vfs_read' '^p:h/c vfs_read'
	gone $f '-:h/c vfs_write x=%di' '^p:h/c vfs_write'
	gone $f '-:h/c vfs_write x=%di y=%si' '^p:h/c vfs_write'
	gone $f '-:h/ vfs_read' '^p:h/c vfs_read'
	gone $f '' 'no line matches this'
	gone $f '# -:g/a' 'no line matches this'
	refused $f '-:nope' 'No such file'
	refused $f '-:nope/a' 'No such file'
	refused $f '-:g/c' 'No such file'
	refused $f '-:g/a vfs_write' 'No such file'
	refused $f '-:h/c vfs_read y=%si' 'No such file'
	refused $f '-:h/c vfs_read x=%di y=%si z=%dx' 'No such file'
	refused $f '-:' 'Invalid argument'
	refused $f '-' 'Invalid argument'
	refused $f '-g/a' 'Invalid argument'
done

# The form of dynamic_events: a definition with an exclamation mark before it.
gone dynamic_events '!p:g/a' '^p:g/a '
gone dynamic_events '!p:h/c vfs_read x=%di y=%si' '^p:h/c vfs_read'
refused dynamic_events '!p:h/c vfs_read x=%dx' 'No such file'
refused dynamic_events '!g' 'Invalid argument'
refused kprobe_events '!p:g/a' 'Invalid argument'

# Opening to write anew deletes all, before anything is written.
define
: > kprobe_events
[ ! -s kprobe_events ]
define
: > dynamic_events
[ ! -s kprobe_events ]
define
: >> kprobe_events
[ "$(wc -l < kprobe_events)" -eq 5 ]

# In one write: what comes before a bad line is done, what follows is not.
define
printf '%s\n' '-:g/a' '-:nope' '-:g/b' > /tmp/three
not eval 'cat /tmp/three >> kprobe_events 2>/dev/null'
not grep -q '^p:g/a ' kprobe_events
grep -q '^p:g/b ' kprobe_events
echo > kprobe_events
