#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: probe-events list, rm and -k: what is armed, by whom, what it has counted, its end
# seconds: 8 debug=11
# tools: probe-events
set -eu
# shellcheck source=tests/func/lib/tool_lib.sh
. /host/tool_lib.sh
zeros() { dd if=/dev/zero of=/dev/null bs=1 count="$1" status=none; }
both_zeros() { for cpu in 0 1; do taskset -c $cpu dd if=/dev/zero of=/dev/null bs=1 count=$((5 + cpu * 5)) status=none; done; }

tool_says 0 list
is 'nothing' 'no sessions' "$(cat /tmp/out)"
tool_says 0 count read_zero by comm,stack -k 1h
nr=$(sed -n 's/^armed as session \([0-9]*\);.*/\1/p' /tmp/err)
zeros 33
tool_says 0 list "$nr"
has /tmp/out '^dd  *read_zero <- vfs_read.* 33$'
has /tmp/out '^hits 33 = counted 33; none lost; cost [0-9.]*% of CPU$'
tool_says 0 list "$nr" -n 9
has /tmp/out '^dd  *read_zero <- vfs_read.* 33$'
zeros 4
tool_says 0 list "$nr"
has /tmp/out '^hits 37 = counted 37; none lost; cost [0-9.]*% of CPU$'
echo 'p:mine/x write_null' > kprobe_events
"$tool" count write_null -d 1h & pid=$!
within 20 sh -c 'grep -q "live" sessions'
tool_says 0 list
gawk -v nr="$nr" '$1 == nr && $2 == "-" && $5 == 1 && $6 == 37 && $7 ~ /^[0-9.]+%$/ && $8 + 0 > 3500 && $9 == "kept" && $10 == "count"' \
	/tmp/out > /tmp/line
has /tmp/line 'count read_zero by comm,stack -k 1h$'
has /tmp/out "^[0-9]*  *$pid  probe-events .* live  *count write_null -d 1h$"
has /tmp/out '^1 probe of no session: '
tool_says 0 rm --all
got=0
wait $pid || got=$?
is 'status of one that was ended' 1 $got
echo > kprobe_events
tool_none_left 'rm --all'

tool_says 1 rm 9999
has /tmp/err 'no session 9999'
tool_says 1 list 9999
tool_says 2 rm
tool_says 2 rm x
tool_says 2 list x
has /tmp/err 'which session? a number'
for words in '-n' '-n x' '-n 5 6' '7'; do
	# shellcheck disable=SC2086	# words
	tool_says 2 list 5 $words
	has /tmp/err 'after the session only -n ROWS'
done
# Without keys it is one row, or a histogram.
tool_says 0 count read_zero -k 1h
nr=$(sed -n 's/^armed as session \([0-9]*\);.*/\1/p' /tmp/err)
both_zeros
tool_says 0 list "$nr"
is 'one row' 'CALLS 15' "$(sed -n 2,4p /tmp/out | xargs)"
tool_says 0 rm "$nr"
tool_says 0 lat read_zero -k 1h
nr=$(sed -n 's/^armed as session \([0-9]*\);.*/\1/p' /tmp/err)
both_zeros
tool_says 0 list "$nr"
has /tmp/out '^ *FROM  *TO  *CALLS'
has /tmp/out '^calls 15 = counted 15; none lost; '
tool_says 0 rm "$nr"
tool_says 2 count read_zero -k 1h -d 1
# Time ends it, too.
tool_says 0 lat vfs_read by comm -k 1
within 20 sh -c '[ "$(wc -l < sessions)" = 1 ]'
tool_none_left 'its time'
# A limit has stopped one that is still kept.
# It has to be there still when what comes next is done.
tool_says 0 count read_zero by comm -k 1h --ttl 8s
nr=$(sed -n 's/^armed as session \([0-9]*\);.*/\1/p' /tmp/err)
zeros 5
tool_says 0 list
has /tmp/out "^$nr .* kept  *count read_zero by comm -k 1h"
within 20 grep -q "^s$nr/.*	tripped	" kprobes/cost
zeros 3
tool_says 0 list
has /tmp/out "^$nr .* kept, stopped  *count read_zero by comm -k 1h"
tool_says 0 list "$nr"
has /tmp/err '^probe-events: stopped by its limit: ttl 8s ('
has /tmp/out '^dd  *5$'
tool_says 0 rm "$nr"
# A word with a blank is one word again.
tool_says 0 count read_zero by comm -n 'd d' -k 1h
nr=$(sed -n 's/^armed as session \([0-9]*\);.*/\1/p' /tmp/err)
tool_says 0 list "$nr"
has /tmp/out '^hits 0 = counted 0; '
tool_says 0 rm "$nr"
# What is no question of count or lat is not shown, nor a table that is another question's.
exec 3<> session
echo 'comment something else' >&3
read -r _ nr <&3
tool_says 1 list "$nr"
printf '%s\n' 'p:count read_zero comm=$comm' 'trigger count hist:keys=comm' >&3
for words in 'count read_zero' 'count read_zero by comm,cpu' 'count read_zero ...' "count read_zero 'x"; do
	echo "comment $words" >&3
	tool_says 1 list "$nr"
	case $words in
	*...|*\'*) has /tmp/err 'only the beginning of what was typed' ;;
	*) has /tmp/err 'its keys are not those of the question' ;;
	esac
done
echo 'comment count read_zero by comm' >&3
tool_says 0 list "$nr"
exec 3>&-
