#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: every way to delete, and that only what is said goes
# seconds: 3

set -eu
cd "$PROBES"
# shellcheck source=tests/func/lib/check_lib.sh
. /host/check_lib.sh

define_five() {
	printf '%s\n' 'p:g/a vfs_read x=%di' 'p:g/b vfs_write' 'p:h/a vfs_open' \
		'p:h/c vfs_read x=%di y=%si' 'p:h/c vfs_write x=%di y=%si' > kprobe_events
}

# deletes FILE COMMAND [PATTERN]...: lines that match a pattern go, the others stay.
deletes() {
	local file=$1 command=$2 pattern

	define_five
	cat kprobe_events > /tmp/want
	shift 2
	for pattern; do
		grep -v -- "$pattern" /tmp/want > /tmp/rest || true
		mv /tmp/rest /tmp/want
	done
	printf '%s\n' "$command" >> "$file"
	diff /tmp/want kprobe_events || fail "after '$command' to $file"
}

# deletes_none FILE COMMAND ERROR: nothing goes.
deletes_none() {
	define_five
	cat kprobe_events > /tmp/want
	refused "$3" append "$2" "$1"
	diff /tmp/want kprobe_events || fail "after '$2' to $1"
}

for f in kprobe_events dynamic_events; do
	deletes $f '-:g/a' '^p:g/a '
	deletes $f '-:b' '^p:g/b '
	deletes $f '-:a' '/a '			# of both groups
	deletes $f '-:g/' '^p:g/'
	deletes $f '-:h/c' '^p:h/c '
	deletes $f '-:h/c vfs_read' '^p:h/c vfs_read'
	deletes $f '-:h/c vfs_write x=%di' '^p:h/c vfs_write'
	deletes $f '-:h/c vfs_write x=%di y=%si' '^p:h/c vfs_write'
	deletes $f '-:h/ vfs_read' '^p:h/c vfs_read'
	deletes $f '' 'no line matches this'
	deletes $f '# -:g/a' 'no line matches this'
	deletes_none $f '-:nope' 'No such file'
	deletes_none $f '-:nope/a' 'No such file'
	deletes_none $f '-:g/c' 'No such file'
	deletes_none $f '-:g/a vfs_write' 'No such file'
	deletes_none $f '-:h/c vfs_read y=%si' 'No such file'
	deletes_none $f '-:h/c vfs_read x=%di y=%si z=%dx' 'No such file'
	deletes_none $f '-:' 'Invalid argument'
	deletes_none $f '-' 'Invalid argument'
	deletes_none $f '-g/a' 'Invalid argument'
done

# The form of dynamic_events: a definition with an exclamation mark before it.
deletes dynamic_events '!p:g/a' '^p:g/a '
deletes dynamic_events '!p:h/c vfs_read x=%di y=%si' '^p:h/c vfs_read'
deletes_none dynamic_events '!p:h/c vfs_read x=%dx' 'No such file'
deletes_none dynamic_events '!g' 'Invalid argument'
deletes_none kprobe_events '!p:g/a' 'Invalid argument'

# Opening to write anew deletes all, before anything is written.
define_five
: > kprobe_events
holds kprobe_events ''
define_five
: > dynamic_events
holds kprobe_events ''
define_five
: >> kprobe_events
is 'lines of kprobe_events' 5 "$(wc -l < kprobe_events)"

# In one write: what comes before a bad line is done, what follows is not.
define_five
printf '%s\n' '-:g/a' '-:nope' '-:g/b' > /tmp/three
not eval 'cat /tmp/three >> kprobe_events 2>/dev/null'
lacks kprobe_events '^p:g/a '
has kprobe_events '^p:g/b '
echo > kprobe_events
