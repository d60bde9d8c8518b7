#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: hundreds of events defined, switched and removed by one write each
# seconds: 3 debug=35

set -eu
cd "$PROBES"
# shellcheck source=tests/func/lib/events_lib.sh
. /host/events_lib.sh

ms() { echo $(($(date +%s%N) / 1000000)); }

# lap WHAT: time since the last lap.
lap() { local now; now=$(ms); echo "$1: $((now - start)) ms"; start=$(ms); }

# functions_of PREFIXES: functions that nothing here calls, so that arming them is all that is timed,
# and one that is called all the time.
functions_of() {
	awk -v start="^($1)_" '$2 == "T" && $3 ~ start { n[$3]++ } END { for (f in n) if (n[f] == 1) print f }' \
		/proc/kallsyms | sort | head -400
}
functions_of 'tcp|udp|inet|ip6?' > /tmp/functions
# A kernel without a network.
[ "$(wc -l < /tmp/functions)" -ge 300 ] || functions_of acpi > /tmp/functions
start=$(ms)
while read -r f; do
	echo "p:bulk/$f $f a=%di b=%si" >> kprobe_events 2>/dev/null || echo "refused: $f"
done < /tmp/functions
lap "defined one by one"
n=$(wc -l < kprobe_events)
echo "$n of $(wc -l < /tmp/functions) accepted"
at_least 'accepted' 200 "$n"
cat kprobe_events > /tmp/all
echo > kprobe_events
lap "removed"

start=$(ms)
cat /tmp/all > kprobe_events
lap "defined by one write"
diff /tmp/all kprobe_events
echo 'p:bulk/read vfs_read' >> kprobe_events

start=$(ms)
echo 1 > events/bulk/enable
lap "enabled"
is 'enable of all' " $((n + 1)) 1" "$(cat events/bulk/*/enable | sort | uniq -c | tr -s ' ')"
head -c 10 /dev/zero > /dev/null
start=$(ms)
echo 0 > events/bulk/enable
lap "disabled"
is 'enable of all' " $((n + 1)) 0" "$(cat events/bulk/*/enable | sort | uniq -c | tr -s ' ')"
has trace ' read: (vfs_read+0x'
at_least 'hits of read' 1 "$(value bulk/read hits)"
value_is bulk/read records "$(value bulk/read hits)"

# On and off through the top file, while hits come.
(while :; do head -c 1 /dev/zero > /dev/null; done) &
hitter=$!
for i in 1 2 3; do
	echo 1 > events/enable
	echo 0 > events/enable
done
kill $hitter
wait $hitter 2>/dev/null || true
sums

# All in one command, by the name of their group.
start=$(ms)
echo '-:bulk/' >> kprobe_events
lap "removed by one command"
holds kprobe_events ''
no_groups
