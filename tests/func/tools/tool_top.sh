#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: probe-events top on terminals of three sizes: rows, keys, resizing, Ctrl-Z, odd names, the end
# seconds: 20
# packages: tmux ncurses-base libc-bin
# tools: probe-events
set -eu
# shellcheck source=tests/func/lib/tool_lib.sh
. /host/tool_lib.sh
export LC_ALL=C.UTF-8 TERM=screen
evidence=(/tmp/picture)
picture() { tmux -u capture-pane -p -t top > /tmp/picture; }
# pictured PATTERN: a line of the screen has it
pictured() { picture; grep -q -e "$1" /tmp/picture; }
not_pictured() { picture; ! grep -q -e "$1" /tmp/picture; }
# calls NAME NUMBER: so often, one by one
calls() {
	bash -c "printf '$1' > /proc/self/comm; for ((i = 0; i < $2; i++)); do printf 1; done > /dev/null"
}
key() { echo "key $*"; tmux -u send-keys -t top "$@"; }
begin_top() {
	local size=$1
	shift
	tmux -u new-session -d -s top -x "${size%x*}" -y "${size#*x}" "bash --norc -i"
	key "cd /tmp; PS1='shell> '" Enter
	within 100 pictured '^shell>'
	key "$tool $*; echo status \$?" Enter
	within 100 pictured '^total '
}
# fits WIDTH: no line is longer
fits() {
	picture
	is "lines of more than $1 columns" '' "$(gawk -v most="$1" 'length > most' /tmp/picture)"
}
# end_top KEY [WORD]: the word is what the shell says behind it, with the status
end_top() {
	key "$1"
	within 100 pictured "^${2:-status} [0-9]"
	cat /tmp/picture
	tmux -u kill-session -t top
	within 20 tool_nothing_left
}

# Each interval has its own calls, so a name comes and goes; the sum of all is at the end.
begin_top 80x24 top write_null by comm -i 3
has /tmp/picture '^top  [0-9:]*  each 3 s  by calls '
has /tmp/picture '^COMM .* CALLS  *P50  *P90  *P99  *MAX  *TOTAL$'
calls first 20
within 60 pictured '^first '
within 60 not_pictured '^first '
calls 'odd\033[5m' 7
within 60 pictured '^odd.x1b\[5m  *[0-9]'
fits 80
key p
within 60 pictured 'PAUSED'
calls late 5
key p
within 60 pictured '^late '
key s
within 60 pictured '  by p50 '
key r
within 60 pictured '  by p50, reversed '
key h
within 60 pictured '^  any key goes back'
key x
within 60 pictured '^total '
# Rows with a text.
key / w a n Enter
within 60 pictured '  /wan '
calls other 4; calls wanted 3
within 60 pictured '^wanted '
lacks /tmp/picture '^other '
# Ctrl-Z gives the terminal back as it was, and counting goes on.
key C-z
within 60 pictured '^shell>'
lacks /tmp/picture '^top '
calls stopped 6
key 'fg; echo ended $?' Enter
key / Enter
within 60 pictured '^total '
within 60 not_pictured '  /'
end_top q ended
has /tmp/picture '^stopped  *6 '
has /tmp/picture '^first  *20 '
has /tmp/picture '^calls 45 = counted 45; none lost; cost [0-9.]*% of CPU$'
has /tmp/picture '^ended 0$'

# Narrow: columns go; low: rows go. It becomes large, and all is there.
begin_top 60x20 top write_null by comm,cpu,caller -i 30
fits 60
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14; do calls "many$i" 1; done
key d
within 60 pictured '  each 1 s '
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do calls "more$i" 1; done
fits 60
tmux -u resize-window -t top -x 30 -y 10
within 60 pictured '^(too narrow: '
fits 30
tmux -u resize-window -t top -x 200 -y 50
within 60 pictured '^COMM .* TOTAL$'
fits 200
end_top C-c
has /tmp/picture '^calls 29 = counted 29; none lost; cost [0-9.]*% of CPU$'
has /tmp/picture '^status 0$'

# The histogram of a row is of all the time.
begin_top 200x50 top write_null by comm -i 3
calls chosen 9
within 60 pictured '^chosen '
within 60 not_pictured '^chosen '
calls chosen 3
within 60 pictured '^chosen '
key p Enter
within 60 pictured '^p50 .*(+-1.6 %)$'
key w
within 60 pictured '^top '
key w
within 60 pictured '^top-[0-9]*.json is written$'
end_top q
has "$(echo /tmp/top-*.json)" '"type":"total",.*"hits":12,'

# Not on a terminal; killed, nothing is left.
tool_run 1 top write_null by comm
has /tmp/err 'needs a terminal'
tool_run 2 top
begin_top 80x24 top write_null by comm
kill -9 "$(gawk -F '\t' '$8 == "live" { print $2 }' sessions)"
within 60 pictured '^status 137$'
tmux -u kill-session -t top
within 20 tool_nothing_left
