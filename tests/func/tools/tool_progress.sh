#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: progress of probe-events: one line that is replaced, cut and wiped; only on a terminal, never with -q
# seconds: 35
# needs: network
# packages: tmux ncurses-base libc-bin
# tools: probe-events
set -eu
# shellcheck source=tests/func/lib/tool_lib.sh
. /host/tool_lib.sh
export LC_ALL=C.UTF-8 TERM=screen
zeros() { dd if=/dev/zero of=/dev/null bs=1 count="$1" status=none; }
screen() { tmux -u capture-pane -p -t t > /tmp/screen; }
shows() { screen; grep -q -e "$1" /tmp/screen; }
shows_not() { screen; ! grep -q -e "$1" /tmp/screen; }
# begin COLUMNS COMMAND: on a terminal; all that is written to it goes to /tmp/raw
# A terminal shows ^C when it has sent the signal: before the line is wiped, or after that.
begin() {
	rm -f /tmp/raw /tmp/go
	within 20 tmux -u new-session -d -s t -x "$1" -y 24 \
		"sh -c 'stty -echoctl; until [ -e /tmp/go ]; do sleep 0.1; done; $2; echo status \$?; cat'"
	tmux -u pipe-pane -t t 'cat > /tmp/raw'
	within 20 test -e /tmp/raw
	touch /tmp/go
}
finished() {
	within 60 shows "^status ${1:-0}"
	cat /tmp/screen
	is 'lines that are left' "${2:-0}" "$(grep -vc '^status\|^$' /tmp/screen)"
	tmux -u kill-session -t t
}

# The answer goes to a file: the line is on the terminal, is replaced, and is not in the file.
begin 80 "$tool count read_zero by comm -d 1h > /tmp/answer"
within 30 shows '^[0-9]* s of 3600   0 hits   0.00% of CPU   none lost$'
zeros 1234
within 30 shows '^[0-9]* s of 3600   1,234 hits   [0-9.]*% of CPU   none lost$'
is 'lines' 1 "$(grep -c . /tmp/screen)"
tmux -u resize-window -t t -x 20 -y 12
within 30 shows '^[0-9]* s of 3600   1,'
tmux -u send-keys -t t -R
within 30 shows '^[0-9]* s of 3600   1,'
is 'the widest line' '' "$(gawk 'length > 19' /tmp/screen)"
is 'lines where it is narrow' 1 "$(grep -c . /tmp/screen)"
tmux -u resize-window -t t -x 80 -y 24
within 30 shows '   none lost$'
tmux -u send-keys -t t C-c
finished
has /tmp/answer '^dd  *1,234$'
is 'bytes for a terminal in the file' '' "$(LC_ALL=C grep -a '[^ -~]' /tmp/answer || true)"

# Messages are not written into it. trace and watch have it, too.
begin 80 "$tool lat read_zero > /tmp/answer"
within 30 shows '^counting; Ctrl-C ends it$'
within 30 shows '^[0-9]* s   0 calls   '
"$tool" rm --all > /dev/null
within 30 shows '^probe-events: '
within 30 shows_not 'none lost'
finished 1 "$(grep -vc '^status\|^$' /tmp/screen)"
begin 80 "$tool trace read_zero > /tmp/answer"
within 30 shows '^[0-9]* s   0 hits   .*   none lost$'
zeros 5
within 30 shows '^[0-9]* s   5 hits   .*   none lost$'
"$tool" rm --all > /dev/null
within 30 shows '^status'
tmux -u kill-session -t t
begin 80 "$tool watch read_zero -L 1h -d 1h > /tmp/answer"
within 30 shows '^[0-9]* s of 3600   0 calls   '
tmux -u send-keys -t t C-c
finished

# Not into a pipe, whose reader may use the terminal, and not in the background.
begin 80 "$tool count read_zero -d 1500ms | cat > /tmp/answer"
finished
lacks /tmp/raw 'of CPU'
printf 'set -m\n%s count read_zero -d 1500ms > /tmp/answer &\nwait\n' "$tool" > /tmp/behind
begin 80 'bash /tmp/behind'
within 60 shows '^status 0'
tmux -u kill-session -t t
lacks /tmp/raw 'of CPU'

# Beside a command, but where that has the terminal for its output.
begin 80 "$tool count read_zero -- sh -c \"dd if=/dev/zero of=/dev/null bs=1 count=321 status=none; exec sleep 100\" > /tmp/answer"
within 60 shows '^[0-9]* s   321 hits   [0-9.]*% of CPU   none lost$'
tmux -u send-keys -t t C-c
within 60 shows '^status '
tmux -u kill-session -t t
begin 80 "$tool count read_zero -o /tmp/answer -- sleep 1.5"
finished
lacks /tmp/raw 'of CPU'

# Not with -q, and not where standard error is no terminal.
begin 80 "$tool count read_zero -d 1500ms -q > /tmp/answer"
finished
lacks /tmp/raw 'of CPU'
begin 80 "$tool count read_zero -d 1500ms > /tmp/answer 2> /tmp/err"
finished
is 'standard error' '' "$(cat /tmp/err)"

# With the kernel's own probes and histograms, where there are any.
grep -qw tracefs /proc/filesystems && ! mountpoint -q /sys/kernel/tracing && mount -t tracefs tracefs /sys/kernel/tracing
if [ -e /sys/kernel/tracing/kprobe_events ] && [ -e /sys/kernel/tracing/events/sched/sched_switch/hist ]; then
	begin 80 "$tool count read_zero -n dd --engine kernel -d 1h > /tmp/answer"
	within 60 shows '^[0-9]* s of 3600   0 hits before any choice   cost not known   none missed$'
	zeros 1234
	within 60 shows '^[0-9]* s of 3600   1,234 hits before any choice   cost not known   none missed$'
	tmux -u send-keys -t t C-c
	within 60 shows '^status 0'
	is 'running lines that are left' 0 "$(grep -c 'cost not known' /tmp/screen)"
	tmux -u kill-session -t t
	begin 80 "$tool trace read_zero --engine kernel > /tmp/answer"
	within 60 shows '^[0-9]* s   0 hits   cost not known   none missed$'
	tmux -u send-keys -t t C-c
	within 60 shows '^status 0'
	tmux -u kill-session -t t
fi

# Arming many functions takes long; how many depends on the machine. Nothing is counted of them.
for pattern in 'tcp_*' '[a-c]*' '[a-m]*' '[a-z]*'; do
	begin 80 "$tool count \"$pattern\" -n nobody -d 100ms > /tmp/answer"
	finished
	! grep -q 'arming  [0-9]*\.[0-9] s' /tmp/raw || break
done
has /tmp/raw 'arming  [0-9]*\.[0-9] s'

# A large file of hits.
"$tool" trace read_zero by arg3 -f json -o /tmp/some -- dd if=/dev/zero of=/dev/null bs=4 count=2 status=none
gawk '/"type":"hit"/ { for (i = 0; i < 60000; i++) print; next } { print }' /tmp/some > /tmp/large
begin 80 "$tool report /tmp/large by arg3 > /tmp/answer"
finished
has /tmp/raw 'reading  [0-9]*%'
has /tmp/answer '^4  *120,000$'
begin 80 "$tool report /tmp/large by arg3 -q > /tmp/answer"
finished
lacks /tmp/raw reading
tool_none_left 'all of them'
