#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: probe-events list, rm and -k: what is armed, by whom, what it has counted, its end
# seconds: 8
# tools: probe-events
set -eu
# shellcheck source=tests/func/lib/check_lib.sh
. /host/check_lib.sh
tool=/host/probe-events
cd "$PROBES"
before=$(cat dynamic_events kprobes/list sessions)
nothing_left() { is "left after $1" "$before" "$(cat dynamic_events kprobes/list sessions)"; }

# run STATUS WORDS...: what it says goes to /tmp/out and /tmp/err
run() {
	local got=0
	"$tool" "${@:2}" > /tmp/out 2> /tmp/err || got=$?
	cat /tmp/out /tmp/err
	is "status of ${*:2}" "$1" "$got"
}
zeros() { dd if=/dev/zero of=/dev/null bs=1 count="$1" status=none; }

run 0 list
is 'nothing' 'no sessions' "$(cat /tmp/out)"
run 0 count read_zero by comm,stack -k 1h
nr=$(sed -n 's/^armed as session \([0-9]*\);.*/\1/p' /tmp/err)
zeros 33
run 0 list "$nr"
has /tmp/out '^dd  *read_zero <- vfs_read.* 33$'
has /tmp/out '^hits 33 = counted 33; none lost$'
zeros 4
run 0 list "$nr"
has /tmp/out '^hits 37 = counted 37; none lost$'
echo 'p:mine/x write_null' > kprobe_events
"$tool" count write_null -d 1h & pid=$!
within 20 sh -c 'grep -q "live" sessions'
run 0 list
gawk -v nr="$nr" '$1 == nr && $2 == "-" && $5 == 1 && $6 == 37 && $7 + 0 > 3500 && $8 == "kept" && $9 == "count"' \
	/tmp/out > /tmp/line
has /tmp/line 'count read_zero by comm,stack -k 1h$'
has /tmp/out "^[0-9]*  *$pid  probe-events .* live  *count write_null -d 1h$"
has /tmp/out '^1 probe of no session: '
run 0 rm --all
got=0
wait $pid || got=$?
is 'status of one that was ended' 1 $got
echo > kprobe_events
nothing_left 'rm --all'

run 1 rm 9999
has /tmp/err 'no session 9999'
run 1 list 9999
run 2 rm
run 2 rm x
run 2 list x
run 2 count read_zero -k 1h -d 1
# Time ends it, too.
run 0 lat vfs_read by comm -k 1
within 20 sh -c '[ "$(wc -l < sessions)" = 1 ]'
nothing_left 'its time'
# What is no question of count or lat is not shown.
exec 3<> session
echo 'comment something else' >&3
read -r _ nr <&3
run 1 list "$nr"
exec 3>&-
