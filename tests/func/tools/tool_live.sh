#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: probe-events on a terminal: the table is replaced in place, resized, safe; in a pipe it is plain
# seconds: 7
# needs: network
# packages: tmux ncurses-base libc-bin
# tools: probe-events
set -eu
# shellcheck source=tests/func/lib/check_lib.sh
. /host/check_lib.sh
tool=/host/probe-events
# shellcheck disable=SC2034	# of check_lib.sh
evidence=(/tmp/screen)
cd "$PROBES"
export LC_ALL=C.UTF-8 TERM=screen
zeros() { dd if=/dev/zero of=/dev/null bs=1 count="$1" status=none; }
screen() { tmux -u capture-pane -p -t t > /tmp/screen; }
# shows TEXT: a line of the screen has it
shows() { screen; grep -q -e "$1" /tmp/screen; }
end_screen() {
	tmux -u send-keys -t t C-c
	within 20 shows '^status '
	cat /tmp/screen
}
new_screen() {
	# Again: the server of the last session may be about to end.
	within 20 tmux -u new-session -d -s t -x "${columns:-80}" -y 24 "sh -c '$tool $*; echo status \$?; cat'"
}
begin_screen() {
	new_screen "$@"
	within 20 grep -qs live sessions
	within 20 grep -qs "$2" kprobes/list	# it is live before it is armed
}

begin_screen count read_zero by comm
zeros 10
within 20 shows '^dd  *10$'
zeros 25
within 20 shows '^dd  *35$'
is 'headings: it is replaced' 1 "$(grep -c '^COMM  *CALLS' /tmp/screen)"
is 'balance, before the end' '' "$(grep '^hits' /tmp/screen || true)"

end_screen
has /tmp/screen '^hits 35 = counted 35; none lost; cost [0-9.]*% of CPU$'
has /tmp/screen '^status 0$'
is 'headings after the end' 1 "$(grep -c '^COMM  *CALLS' /tmp/screen)"
tmux -u kill-session -t t

# A name that would change the screen; more rows than lines; a terminal that is too narrow.
begin_screen count write_null by comm
odd() {
	local i
	for i in $(seq 30); do
		bash -c "printf 'task\\033[5m$i' > /proc/self/comm; printf 1 > /dev/null"
	done
}
odd
within 30 shows '^([0-9]* more)'
has /tmp/screen '^task\\x1b\[5m[0-9]*  *1$'
has /tmp/screen '^write_null, '
tmux -u resize-window -t t -x 60 -y 12
within 20 shows '^total '
at_least 'rows that are left out' 25 "$(sed -n 's/^(\([0-9]*\) more).*/\1/p' /tmp/screen)"
end_screen
tmux -u kill-session -t t

begin_screen lat read_zero by comm,cpu,caller
zeros 5
within 20 shows '^dd .* vfs_read .*P50\|^COMM  *CPU .* TOTAL$'
tmux -u resize-window -t t -x 45 -y 20
within 20 shows '^(too narrow: [0-9]* columns left out)$'
is 'the widest line' '' "$(gawk 'length > 45' /tmp/screen)"
end_screen
tmux -u kill-session -t t

# A kept one has as many rows as there is room, also where nothing is known of the terminal but its size.
"$tool" count write_null by comm -k 1h 2> /tmp/err
id=$(sed -n 's/^armed as session \([0-9]*\);.*/\1/p' /tmp/err)
odd
# rows_kept LINES WORDS: rows on a terminal of so many lines
rows_kept() {
	within 20 tmux -u new-session -d -s t -x 80 -y 24 "sh -c 'stty rows $1 cols 80; TERM=none $tool list $id ${2:-}; echo status \$?; cat'"
	within 20 shows '^status 0$'
	tmux -u capture-pane -p -S - -t t > /tmp/screen
	tmux -u kill-session -t t
	grep -c '^task' /tmp/screen
}
is 'rows of 24 lines' 15 "$(rows_kept 24)"
is 'rows of 20 lines' 11 "$(rows_kept 20)"
is 'all rows, where no height is known' 30 "$(rows_kept 0)"
is 'rows that are asked for' 3 "$(rows_kept 24 '-n 3')"
"$tool" rm "$id"

# A hit takes one row, however long its line is; all of that is in a pipe. Other tables fit, too.
columns=50
begin_screen trace read_zero by arg1,arg2,arg3
within 20 eval 'grep -qs 1 instances/*/events/*/trace/enable'
zeros 3
within 20 shows ' dd  *[0-9]'
end_screen
gawk '/^TIME / { on = 1; next } /^$|\^C/ { on = 0 } on' /tmp/screen > /tmp/rows
is 'rows' 3 "$(grep -c . /tmp/rows)"
is 'as wide as it is' '50 50 50' "$(gawk '{ print length }' /tmp/rows | paste -sd ' ')"
tmux -u kill-session -t t
"$tool" trace read_zero by arg1,arg2,arg3 -- dd if=/dev/zero of=/dev/null bs=1 count=3 status=none | cat > /tmp/out
is 'whole lines' 3 "$(gawk '/ dd / && length > 60' /tmp/out | wc -l)"
columns=30
new_screen check read_zero write_null -d 500ms
within 20 shows '^status 0$'
has /tmp/screen '^WHAT  *REFUSED  *HITS$'
tmux -u kill-session -t t

# In a pipe there is no byte for a terminal, and all is at the end.
"$tool" count write_null by comm -a -- bash -c 'printf "a\033[5m" > /proc/self/comm; printf 1 > /dev/null' | cat > /tmp/out
is 'control characters' '' "$(LC_ALL=C grep -a '[^ -~]' /tmp/out || true)"
has /tmp/out '^a\\x1b\[5m  *1$'
