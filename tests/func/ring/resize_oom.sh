#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: a task that writes a size that is too large is killed for it, and no other
# seconds: debug=17

set -eu
cd "$PROBES"
# shellcheck source=tests/func/lib/events_lib.sh
. /host/events_lib.sh
[ -w /proc/sysrq-trigger ] || { echo 'this kernel has no sysrq'; exit 4; }
cpus=$(nproc)
mkfifo /tmp/never

# A task larger than the writer, which the kernel would choose.
start_large() {
	rm -f /tmp/large
	bash -c 'printf -v x "%*s" 100000000 ""; echo > /tmp/large; read -r x < /tmp/never' &
	large=$!
	within 60 test -e /tmp/large
	within 60 asleep $large
}
start_large

# one_gone: of the two
one_gone() { gone $large || gone "$writer"; }

# one_attempt: the kernel is told to kill a task while the memory is being taken. That may come
# too late.
one_attempt() {
	local before

	before=$(free_memory)
	bash -c "echo $((before / 100 * 70 / cpus)) > buffer_size_kb" &
	writer=$!
	while [ $((before - $(free_memory))) -lt $((before / 20)) ] && alive $writer; do :; done
	echo f > /proc/sysrq-trigger
	within 120 one_gone
	if gone $large && alive $writer; then
		fail 'the larger process was killed'
	fi
	wait $writer || killed=$?
}

killed=0
for i in 1 2 3 4 5; do
	one_attempt
	[ $killed = 0 ] || break
	echo "attempt $i: too late"
	alive $large || start_large	# the writer was done, and who was left was killed
	echo 1 > buffer_size_kb
done
is 'the writer' 137 $killed
alive $large || fail 'the larger process was killed'
is 'and nothing has changed' 1 "$(count expanded buffer_size_kb)"
kill $large
wait $large 2> /dev/null || true
# That the kernel says whom it killed, and how it came to that, is no trouble.
is 'traces' "$(dmesg | grep -c 'Killed process')" "$(dmesg | grep -c 'Call Trace')"
dmesg -C
