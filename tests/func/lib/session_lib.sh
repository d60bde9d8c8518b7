# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# shellcheck shell=bash
#
# Sessions: for tests that have "tools: session". In our directory.

# shellcheck source=tests/func/lib/events_lib.sh
. /host/events_lib.sh

# one_write [FD] < TEXT: into an open session, which is at FD (default 3). The shell's own echo makes
# a write of each line; dd makes one of all.
one_write() {
	cat > /tmp/one_write
	write_to "${1:-3}" /tmp/one_write
}

# one_write_new < TEXT: the same into a session that lasts as long as that
one_write_new() {
	cat > /tmp/one_write
	dd if=/tmp/one_write bs=64k status=none 1<> session
}

# refused_write FD ERROR < TEXT
refused_write() {
	cat > /tmp/refused_write
	refused "$2" write_to "$1" /tmp/refused_write
}
write_to() { dd if="$2" bs=64k status=none >&"$1"; }

# ended N: there is no such session; for within
ended() { ! grep -q "^$1	" sessions; }

# session_state [GROUP]: what there is of events, instances and probes, and how all of it is set; but
# for that group's files
session_state() {
	cat kprobe_events dynamic_events set_event
	cut -f 1,5,7- sessions
	ls instances
	{ find events instances -name "${1:-}" -prune -o -path '*events/*/*/*' -type f -print 2> /dev/null || true; } |
		grep -E '/(enable|filter|trigger)$' | sort | xargs tail -n +1
	awk '{ print $2, $3 }' kprobes/list
}
