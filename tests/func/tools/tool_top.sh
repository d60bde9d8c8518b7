#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: probe-events top on terminals of three sizes: rows, keys, resizing, Ctrl-Z, odd names, the end
# seconds: 20
# needs: network
# packages: tmux ncurses-base libc-bin
# tools: probe-events
set -eu
# shellcheck source=tests/func/lib/top_lib.sh
. /host/top_lib.sh
begins_with='^total '

# Each interval has its own calls, so a name comes and goes; the sum of all is at the end.
begin_top 80x24 top write_null by comm -i 5
has /tmp/picture '^top  [0-9:]*  each 5 s  by calls '
has /tmp/picture '^COMM .* CALLS  *P50  *P90  *P99  *MAX  *TOTAL$'
null_calls first 20
within 60 pictured '^first '
within 60 not_pictured '^first '
null_calls 'odd\033[5m' 7
within 60 pictured '^odd.x1b\[5m  *[0-9]'
fits_in 80
top_key p
within 60 pictured 'PAUSED'
null_calls late 5
top_key p
within 60 pictured '^late '
top_key s
within 60 pictured '  by p50 '
top_key r
within 60 pictured '  by p50, reversed '
top_key h
within 60 pictured '^  any key goes back'
top_key x
within 60 pictured '^total '
# Rows with a text.
top_key / w a n Enter
within 60 pictured '  /wan '
null_calls other 4; null_calls wanted 3
within 60 pictured '^wanted '
lacks /tmp/picture '^other '
# Ctrl-Z gives the terminal back as it was, and counting goes on.
top_key C-z
within 60 pictured '^shell>'
lacks /tmp/picture '^top '
null_calls stopped 6
top_key 'fg; echo ended $?' Enter
top_key / Enter
within 60 pictured '^total '
within 60 not_pictured '  /'
end_top q ended
has /tmp/picture '^stopped  *6 '
has /tmp/picture '^first  *20 '
has /tmp/picture '^calls 45 = counted 45; none lost; cost [0-9.]*% of CPU$'
has /tmp/picture '^ended 0$'

# Narrow: columns go; low: rows go. It becomes large, and all is there.
begin_top 60x20 top write_null by comm,cpu,caller -i 30
fits_in 60
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14; do null_calls "many$i" 1; done
top_key d
within 60 pictured '  each 1 s '
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do null_calls "more$i" 1; done
fits_in 60
tmux -u resize-window -t top -x 30 -y 10
within 60 pictured '^(too narrow: '
fits_in 30
tmux -u resize-window -t top -x 200 -y 50
within 60 pictured '^COMM .* TOTAL$'
fits_in 200
end_top C-c
has /tmp/picture '^calls 29 = counted 29; none lost; cost [0-9.]*% of CPU$'
has /tmp/picture '^status 0$'

# The histogram of a row is of all the time.
begin_top 200x50 top write_null by comm -i 5
null_calls chosen 9
within 60 pictured '^chosen '
within 60 not_pictured '^chosen '
null_calls chosen 3
within 60 pictured '^chosen '
top_key p Enter
within 60 pictured '^p50 .*(+-1.6 %)$'
top_key w
within 60 pictured '^top '
top_key w
within 60 pictured '^top-[0-9]*.json is written$'
has "$(echo /tmp/top-*.json)" '"type":"total",.*"hits":12,'
# Cleared, the total begins anew, and the balance is of all. A limit is set, or refused with the reason.
top_key p c
within 60 pictured '^the total begins anew$'
null_calls chosen 2
within 60 pictured '^chosen  *2 '
top_key l 'hits=no' Enter
within 60 pictured '^Invalid limit '
top_key l 'hits=1k' Enter
within 60 pictured '^limit: hits=1k$'
grep -q 'in force: hits=1000\|^hits=1000' events/s*/lat/limit
end_top q
has /tmp/picture '^chosen  *2 '
has /tmp/picture '^calls 14 = counted 14; none lost; '

# Not on a terminal; killed, nothing is left.
tool_run 1 top write_null by comm
has /tmp/err 'needs a terminal'
tool_run 1 top
has /tmp/err 'needs a terminal'
tool_run 2 top -i
tool_run 2 top -i 1ms
tool_run 2 top -r
begin_top 80x24 top write_null by comm
kill -9 "$(gawk -F '\t' '$8 == "live" { print $2 }' sessions)"
within 60 pictured '^status 137$'
tmux -u kill-session -t top
within 20 tool_nothing_left
