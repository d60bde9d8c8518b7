#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: probe-events top without a question: all sessions, their tables, keys; sessions that go, odd comments
# seconds: 20
# needs: network
# packages: tmux ncurses-base libc-bin
# tools: probe-events
set -eu
# shellcheck source=tests/func/lib/top_lib.sh
. /host/top_lib.sh
begins_with='^top '

# Nothing is there, and then it is.
begin_top 80x24 top
has /tmp/picture '^top  [0-9:]*  each 1 s  h: help$'
has /tmp/picture '^0 sessions; all probes: none lost; cost [0-9.]*% of CPU$'
has /tmp/picture '^no sessions$'
"$tool" lat write_null by comm -k 1h 2> /tmp/err
within 40 pictured '^>  1  *0  .*  kept [0-9]*s  lat write_null by comm -k 1h$'
null_calls some 7
within 40 pictured '^some  *7  '
has /tmp/picture '^calls 7 = counted 7; none lost$'
# Its owner's table is read only, as often as it may be.
"$tool" trace write_null -d 1h > /tmp/traced 2>&1 & tracer=$!
within 40 pictured '  trace write_null -d 1h$'
"$tool" count write_null by comm -i 1h > /tmp/counted 2>&1 & counter=$!
within 40 pictured '  count write_null by comm -i 1h$'
top_key Tab
within 40 pictured '^> .* trace write_null -d 1h$'
null_calls odd 5
within 40 pictured "^s[0-9]*/trace  *armed  *5  *0  .*  write_null$"
has /tmp/picture '^no table: it is not one of count or lat$'
top_key Tab
within 40 pictured '^> .* count write_null by comm -i 1h$'
null_calls 'c\033[31m' 3
within 40 pictured '^c.x1b\[31m  *3$'
has /tmp/picture '^(of the interval that runs)$'
fits_in 80
top_key s r / o d d Enter
within 40 pictured ' by comm, reversed  /odd  h: help'
within 40 not_pictured '^c.x1b'
has /tmp/picture '^odd  *5$'
top_key / Enter
# The one that is shown goes: the next one is.
kill -INT $counter
wait $counter
has /tmp/counted '^hits 8 = counted 8; none lost'
within 40 not_pictured 'count write_null'
has /tmp/picture '^> .* trace write_null -d 1h$'
# Ended, if it is meant so.
top_key k
within 40 pictured '^end session [0-9]*, trace write_null -d 1h? y$'
top_key n
within 40 not_pictured '^end session'
kill -0 $tracer
top_key k y
within 40 not_pictured 'trace write_null'
got=0
wait $tracer || got=$?
is 'status of one that was ended' 1 $got
# The histogram, a file, the limit of all events.
within 40 pictured '^some  *7  '
top_key Down Down Enter
within 40 pictured '^p50 .*(+-1.6 %)$'
top_key x w
within 40 pictured '^top-[0-9]*.json is written$'
has "$(echo /tmp/top-*.json)" '"type":"total",.*"hits":15,'
top_key l 'cpu=many' Enter
within 40 pictured '^limit: cpu=many: Invalid limit'
top_key l 'cpu=50% one=90%' Enter
within 40 pictured '^limit of all events: cpu=50% one=90%$'
holds limits 'cpu=50% one=90%'
echo none > limits

# Comments that no user has typed: none of them is carried out, or harms the screen.
for comment in 'lat write_null by comm,cpu,caller' 'count x -o /tmp/never -w /tmp/never -- touch /tmp/never' \
	$'lat \033[2J\302\233 by a,b,c' 'count @nothing' 'count' 'top' 'top @' 'lat x by' 'lat @lock by lock,caller'; do
	exec 3<> session
	printf 'comment %s\nr:lat write_null ns=$elapsed\ntrigger lat hist:keys=common_comm:vals=ns.dist\n' "$comment" |
		cat >&3
	within 40 pictured ' live '
	top_key BTab
	within 40 pictured '^> .*live'
	within 40 pictured '^no table: \|^calls \|^hits '
	fits_in 80
	exec 3>&-
	within 40 not_pictured ' live '
done
is "a file" "" "$(ls /tmp/never 2>&1 | grep -v "No such")"
# Any size is one.
for size in 80x3 20x5 1x1 200x60 60x20; do
	tmux -u resize-window -t top -x "${size%x*}" -y "${size#*x}"
	[ $size = 1x1 ] || within 40 pictured .
	fits_in "${size%x*}"
done
within 40 pictured '^some  *7  '
# What a limit has stopped says so, as in list.
"$tool" count write_null by comm -k 1h --ttl 1s 2> /tmp/err
within 40 pictured '  kept, stopped  count '
"$tool" rm "$(sed -n 's/^armed as session \([0-9]*\);.*/\1/p' /tmp/err)"
# Many.
for ((i = 0; i < 40; i++)); do "$tool" count write_null by comm -k 1h 2> /tmp/err; done
within 40 pictured '^([0-9]* of 41)$'
"$tool" rm --all
within 40 pictured '^no sessions$'
top_key C-z
within 40 pictured '^shell>'
top_key 'fg; echo ended $?' Enter
within 40 pictured '^no sessions$'
end_top q ended
has /tmp/picture '^ended 0$'

# It may have ended before it was looked at.
begins_with='^top \|^status [0-9]'
begin_top 80x24 top -d 1 -i 200ms
within 40 pictured '^status 0$'
tmux -u kill-session -t top
tool_run 1 top -d 1
has /tmp/err 'needs a terminal'
