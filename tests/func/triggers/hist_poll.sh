#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: poll() on hist and table: when there is something, who sleeps is woken; hist as the kernel's own
# tier: 6.12-cloud 7.3-cloud
# not: 5.10-cloud 6.1-cloud: the kernel's own file always says that there is something
# not: debug: it has no histogram of its own
# needs: tracefs kprobes
# tools: polls
# seconds: 6
set -eu
# shellcheck source=tests/func/lib/stock_lib.sh
. /host/stock_lib.sh

# polled FILE STEP...: the answers, in a line
polled() { /host/polls "$@" | paste -sd ' '; }

for dir in "$PROBES" $stock; do
	echo 'p:polled/e read_zero' > "$dir/kprobe_events"
done
e=events/polled/e
on="echo hist:keys=common_pid > $e/trigger" off="echo '!hist:keys=common_pid' > $e/trigger"
for steps in \
	'now=both hits=3 wait=in read now=both' \
	'read now=in now=pri hits=1 wait=in now=in read now=in now=pri' \
	'read later=1 wait=in now=in read now=in' \
	'read later=1 wait=pri now=pri now=in read now=both' \
	'read later=1 wait=both now=both now=both read now=both'; do
	same "$steps" "$on; polled $e/hist $steps; $off"
done
cd "$PROBES"
eval "$on"
# Both files could be wrong in the same way.
is 'woken' 'pri nothing in nothing' "$(polled $e/hist read later=1 wait=pri now=pri now=in read now=both)"

# table: the same, and what has been taken is there until it is read.
is 'table' 'nothing both in nothing' "$(polled $e/table read now=both later=1 wait=both now=both read now=both)"
is 'taken' 'nothing taken in in nothing' "$(polled $e/table read now=in hits=1 take now=in now=in read now=in)"
# So it is after a read that fails, and after one that leaves some bytes of the last line.
is 'not shown' 'taken refused refused in taken' "$(polled $e/table read hits=2 take nowhere take now=in read take)"
bytes=$(/host/polls $e/table take read hits=2 take print | sed 1,2d | wc -c)
is 'not shown to the end' 'taken taken refused in taken' \
	"$(polled $e/table take read hits=2 take bytes=$((bytes - 6)) take now=in read take)"
matches 'shown' 'taken refused *[0-9]	2 #end 1 rows' "$(polled $e/table hits=2 take nowhere print)"
# Two of one event: hits of either.
echo 'hist:keys=common_cpu' >> $e/trigger
is 'two tables' 'nothing in nothing' "$(polled $e/hist read now=both later=1 wait=in read now=both)"

# A table that goes is news; an event that goes is the end.
gone_while_asleep() {
	/host/polls $e/table read wait=both now=both > /tmp/polled & pid=$!
	within 20 asleep $pid
	"$@"
	wait $pid
	paste -sd ' ' /tmp/polled
}
no_triggers() {
	echo '!hist:keys=common_cpu' > $e/trigger
	echo '!hist:keys=common_pid' > $e/trigger
}
no_event() { echo '-:polled/e' >> kprobe_events; }
matches 'its tables go' 'both *' "$(gone_while_asleep no_triggers)"
is 'it goes' 'err err' "$(gone_while_asleep no_event)"
echo '-:polled/e' >> "$stock/kprobe_events"
echo "$n sequences"
