#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: colours of probe-events: on a terminal, in files with always only, never in forms for programs
# seconds: 15
# needs: network
# packages: tmux ncurses-base libc-bin
# tools: probe-events
set -eu
# shellcheck source=tests/func/lib/tool_lib.sh
. /host/tool_lib.sh
export LC_ALL=C.UTF-8 TERM=screen
esc=$'\033'
good="$esc\[32mnone lost$esc\[0m"
zeros="dd if=/dev/zero of=/dev/null bs=1 status=none count"
plain() { is "sequences in $1" 0 "$(count "$esc" "$1")"; }
painted() { tmux -u capture-pane -p -e -t t > /tmp/screen; grep -q -e "$1" /tmp/screen; }
# terminal COMMAND: what it shows there when it has ended, with its colours
terminal() {
	within 20 tmux -u new-session -d -s t -x 100 -y 24 "sh -c '$1; echo status \$?; cat'"
	within 60 painted 'status [0-9]'
	cat -v /tmp/screen
	tmux -u kill-session -t t
}

# A pipe and a file have none by themselves; always means always, but for programs.
tool_run 0 count read_zero by comm -- $zeros=3
plain /tmp/out
has /tmp/out '; none lost; cost'
tool_run 0 count read_zero by comm --color always -- $zeros=3
has /tmp/out "; $good; cost"
tool_run 0 trace read_zero --color always -- $zeros=3
has /tmp/out "; $good; cost"
for form in json csv html openmetrics; do
	tool_run 0 count read_zero by comm --color always -f $form -- $zeros=3
	plain /tmp/out
done
tool_run 0 trace read_zero --color always -f json -- $zeros=3
plain /tmp/out
tool_run 2 count read_zero --color sometimes
plain /tmp/err

# What is lost is red, and so are messages.
tool_run 3 count read_zero by comm --rate 5/s --color always -- $zeros=500
has /tmp/out "; $esc\[31mLOST [0-9,]*: limited [0-9,]*$esc\[0m; cost"
tool_run 1 count no_such_function --color always
has /tmp/err "^$esc\[31mprobe-events:$esc\[0m "
tool_run 1 count no_such_function
plain /tmp/err

# Names bring no colour of their own, and columns are where they are without.
odd='printf "a\033[31m" > /proc/self/comm; read -r -d "" x < /dev/zero'
tool_run 0 lat read_zero by comm -a -w /tmp/saved -- bash -c "$odd"
tool_run 0 report /tmp/saved --color always
has /tmp/out '^a\\x1b\[31m  *1 '
tool_run 0 lat read_zero -w /tmp/times -- $zeros=40
for file in /tmp/saved /tmp/times; do
	"$tool" report $file --color never > /tmp/never
	"$tool" report $file --color always > /tmp/always
	plain /tmp/never
	has /tmp/always "$esc\[32m"
	is 'the same but for colours' "$(cat /tmp/never)" "$(sed "s/$esc\[[0-9]*m//g" /tmp/always)"
done
has /tmp/always "$esc\[34m[^$esc]*$esc\[0m$"

# On a terminal, by itself: the answer, and messages; not if the user wants none, or it can have none.
terminal "$tool report /tmp/times"
has /tmp/screen "$esc\[32mnone lost"
has /tmp/screen "$esc\[34m"
terminal "$tool count no_such_function"
has /tmp/screen "$esc\[31mprobe-events:"
terminal "NO_COLOR=1 $tool report /tmp/times"
plain /tmp/screen
terminal "NO_COLOR= $tool report /tmp/times"
has /tmp/screen "$esc\[32mnone lost"
terminal "TERM=dumb $tool report /tmp/times"
plain /tmp/screen
terminal "$tool report /tmp/times --color never"
plain /tmp/screen
# The table that is replaced has them, too, and lines are cut by what is seen of them.
within 20 tmux -u new-session -d -s t -x 60 -y 24 "sh -c '$tool lat read_zero; echo status \$?; cat'"
within 20 grep -qs live sessions
dd if=/dev/zero of=/dev/null bs=1 count=200 status=none
within 60 painted "$esc\[34m"
tmux -u send-keys -t t C-c
within 60 painted 'status 0'
cat -v /tmp/screen
has /tmp/screen "$esc\[32mnone lost"
tmux -u kill-session -t t
