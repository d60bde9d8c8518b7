#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: records of removed events are never shown as another's, whatever files are open
# seconds: 17 debug=9

set -eu
cd "$PROBES"
# shellcheck source=tests/func/lib/events_lib.sh
. /host/events_lib.sh

echo > trace
echo 'p:t/zero read_zero fd=%di' > kprobe_events
echo 1 > events/t/zero/enable
read_zeros 3000
echo 0 > events/t/zero/enable

# A view in the middle, a pipe that has read ahead.
exec 5< trace 6< trace_pipe
head -c 3000 <&5 > /dev/null
head -c 100 <&6 > /dev/null
echo > kprobe_events

# Others under any id, with the same function and a longer name.
for i in $(seq 50); do
	echo "p:other/other_name_$i read_zero arg=%di:u8"
done > kprobe_events
echo 1 > events/other/enable
read_zeros 5
echo 0 > events/enable
cat <&5 > /tmp/view
is 'old view' 0 "$(count other_name /tmp/view)"
exec 5<&-
dd bs=64k iflag=nonblock count=100 status=none <&6 > /tmp/piped 2> /dev/null || true
exec 6<&-
is 'whole lines of the others' "$((50 * 5))" "$(grep -c ': other_name_[0-9]*: (read_zero+0x[0-9a-f]*/0x[0-9a-f]*) arg=[0-9]*$' /tmp/piped)"
echo > kprobe_events

# Defining, hitting, removing and reading at the same time: every line is whole
# and belongs to an event that existed.
# A small buffer, so that it is read often.
echo 100 > buffer_size_kb
dd if=/dev/zero of=/dev/null bs=1 status=none &
load=$!
# A session of its own, so that one kill gets all of it; only its last line may be
# cut short by that.
setsid bash -c 'while :; do
	cat trace
	dd if=trace_pipe iflag=nonblock bs=64k count=100 status=none
done' > /tmp/lines 2> /dev/null &
readers=$!
rounds=$(length 12 50)
for ((i = 0; i < rounds || (i < 500 && $(wc -l < /tmp/lines) < 1000); i++)); do
	echo "p:t/e_$((i % 7)) read_zero v=\\$((i % 7)):u32" > kprobe_events
	echo 1 > events/t/enable
	sleep 0.02
	echo 0 > events/t/enable
	echo > kprobe_events
done
kill -- $load -$readers
wait 2> /dev/null || true
grep -v '^#\|^CPU:[0-9]* \[LOST' /tmp/lines > /tmp/records || true
at_least 'lines of /tmp/records' 101 "$(wc -l < /tmp/records)"
sed '$d' /tmp/records | awk '
	/: Unknown type [0-9]+$/ { unknown++; next }
	match($0, /: e_([0-9]): \(read_zero\+0x[0-9a-f]+\/0x[0-9a-f]+\) v=([0-9])$/) {
		if (substr($0, index($0, ": e_") + 4, 1) != substr($0, length($0))) { print "mixed: " $0; exit 1 }
		n++; next
	}
	{ print "strange: " $0; exit 1 }
	END { print n + 0, "records,", unknown + 0, "of unknown type" }'
