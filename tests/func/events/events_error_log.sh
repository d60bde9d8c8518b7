#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: error_log: form of its entries, how many it keeps, how it is cleared
# seconds: 9 debug=19

set -eu
cd "$PROBES"
# shellcheck source=tests/func/lib/events_lib.sh
. /host/events_lib.sh

# refuse COMMAND ERROR: the write fails with this error.
refuse() { refused "$2" append "$1" kprobe_events; }

# entry COMMAND ERROR TEXT: three lines; the caret is where "^" is in COMMAND. What is suggested, in
# brackets, place_names looks at.
entry() {
	local command=${1/^/} before=${1%%^*}

	: > error_log
	refuse "$command" "$2"
	{
		echo "trace_kprobe: error: $3"
		echo "  Command: $command"
		printf '%*s^\n' $((11 + ${#before})) ''
	} > /tmp/want
	sed '1s/^\[ *[0-9]*\.[0-9]\{6\}\] //; 1s/ (.*)$//' error_log > /tmp/got
	diff /tmp/want /tmp/got || fail "entry of '$1'"
}

: > kprobe_events
entry 'p ^no_such_symbol' 'Invalid argument' 'Invalid probed address or symbol'
entry 'p ^no_such_symbol+4' 'Invalid argument' 'Invalid probed address or symbol'
entry 'p:x ^a-b' 'Invalid argument' 'Invalid probed address or symbol'
entry 'p:a/b ^vfs_read+1' 'Invalid or incomplete' 'Probe point is not an instruction boundary'
entry 'p:^/e vfs_read' 'Invalid argument' 'Group name is not specified'
entry 'p:g/^e.1 vfs_read' 'Invalid argument' 'Event name must follow the same rules as C identifiers'
entry 'p vfs_read a=%di ^%nope' 'Invalid argument' 'Invalid register name'
entry 'p vfs_read ^$retval' 'Invalid argument' '$retval is not available on probe'
entry 'r ^vfs_read+10' 'Invalid argument' 'Retprobe address must be an function entry'

# A name that a control file has.
entry '^p:g/enable vfs_read' 'File exists' 'Given group/event name is already used by another event'
entry '^p:g/filter vfs_read' 'File exists' 'Given group/event name is already used by another event'
entry '^p:enable/e vfs_read' 'File exists' 'Given group/event name is already used by another event'
no_groups

# A symbol that several functions have.
twice=$(awk 'NF == 3 && $2 ~ /[tT]/ { n[$3]++ } END { for (f in n) if (n[f] > 1 && f !~ /[^a-z0-9_]/) print f }' \
	/proc/kallsyms | sort | tail -n 1)
entry "p ^$twice" 'Invalid argument' 'The symbol is not unique'

# What the engine refuses comes with its reason in parentheses.
: > error_log
refuse 'p asm_exc_int3' 'Invalid argument'
has error_log 'error: Failed to register probe event (.*)$'
is 'lines of error_log' 3 "$(wc -l < error_log)"

# Blanks are shown as one each, and the caret agrees.
: > error_log
refuse '  p:x    vfs_read 	 %nope ' 'Invalid argument'
is 'tail -2 error_log' "$(printf '  Command: p:x vfs_read %%nope\n%*s^' 24 '')" "$(tail -2 error_log)"

# says FILE TEXT LINE: writing TEXT is refused, and error_log has one entry, which begins with LINE.
says() {
	: > error_log
	not append "$2" "$1" 2> /dev/null
	is "entry of '$2' in $1" "$3" "$(sed '1!d; s/^\[ *[0-9.]*\] //' error_log)"
	is 'lines of error_log' 3 "$(wc -l < error_log)"
}

# What the kernel does not log is logged, too, with what may have been meant.
says kprobe_events x 'trace_kprobe: error: No such command (did you mean p x?)'
says kprobe_events 'kretprobe:vfs_read' 'trace_kprobe: error: No such command (did you mean r vfs_read?)'
says kprobe_events 'vfs_read:mine' 'trace_kprobe: error: No such command (did you mean p:mine vfs_read?)'
says kprobe_events 'p:mine' 'trace_kprobe: error: Place is not specified (p[:NAME] PLACE)'
says kprobe_events '-' 'trace_kprobe: error: No such command (-:[GRP/]EVENT removes an event)'
says kprobe_events '-:nope' 'trace_kprobe: error: Event is not found'
says kprobe_events 'f:x vfs_read' 'trace_fprobe: error: Cannot be defined here (use dynamic_events)'
says kprobe_events 'p:x /bin/sh:0' "trace_kprobe: error: Cannot be defined here (define user-space probes in the kernel's tracefs)"
says dynamic_events 'e:x sched/sched_switch' "trace_kprobe: error: Cannot be defined here (define probes on events in the kernel's tracefs)"
says kprobe_events "p vfs_read$(printf ' %%di%.0s' {1..129})" 'trace_kprobe: error: Too many arguments are specified'
says kprobe_events "p:x vfs_read $(printf %05000d 0)" 'trace_kprobe: error: Command is too long'
for file in trace_clock trace_options current_tracer; do
	says $file nosuch "$file: error: Refused (read the file for the values it accepts)"
done
for file in tracing_cpumask buffer_size_kb tracing_on options/overwrite events/enable kprobes/enabled snapshot; do
	says $file xyz "$file: error: Refused (not a valid value for this file)"
done
says set_event_pid '1 x' 'set_event_pid: error: Refused (pids must be numbers separated by blanks)'
says set_event kprobes:nosuch 'set_event: error: Event is not found'
says per_cpu/cpu0/snapshot 1 'per_cpu/cpu0/snapshot: error: Refused (the snapshot of one CPU can only be emptied)'
mkdir instances/x
: > error_log
not append nosuch instances/x/trace_clock 2> /dev/null
has instances/x/error_log ' instances/x/trace_clock: error: Refused'
holds error_log ''

# Done, but hardly what was meant.
: > error_log
echo 'p vfs_read:mine' > kprobe_events
has error_log 'error: Waiting for its module (did you mean p:mine vfs_read?)$'

# Others' bytes reach no terminal, and make no lines, neither in a command nor in a task's name:
# that of who reads a pipe, or who hits a probe.
echo 'p:hit vfs_read' > kprobe_events
echo 1 > events/kprobes/hit/enable
says kprobe_events "$(printf 'p:\033[31m vfs_read')" \
	'trace_kprobe: error: Event name must follow the same rules as C identifiers'
has error_log '  Command: p:\\x1b\[31m vfs_read$'
is 'caret' "$(printf '%13s^' '')" "$(tail -n 1 error_log)"
(
	printf 'e\r\033[7mx' > /proc/self/comm
	exec 7< instances/x/trace_pipe
	read -r _ < /proc/self/comm
	: > /tmp/open
	within 60 test -e /tmp/close
) &
within 60 test -e /tmp/open
: > error_log
refused 'resource busy' rmdir instances/x
refused 'resource busy' cat instances/x/trace_pipe
touch /tmp/close
wait
echo 0 > events/kprobes/hit/enable
has error_log 'instances: error: In use (trace_pipe is being read by e\\x0d\\x1b\[7mx-[0-9]*)$'
is 'lines of error_log' 3 "$(wc -l < error_log)"
has instances/x/error_log 'instances/x/trace_pipe: error: Refused (trace_pipe is being read by e\\x0d'
has trace ' e\\x0d\\x1b\[7mx-[0-9]* '
has saved_cmdlines ' e\\x0d\\x1b\[7mx$'
rmdir instances/x
echo > kprobe_events

# The newest eight are kept, oldest first, with times that do not go backwards.
for i in $(seq 12); do
	refuse "p no_such_symbol_$i" 'Invalid argument'
done
is 'entries of error_log' 8 "$(grep -c 'Command: ' error_log)"
is 'the newest' '5 6 7 8 9 10 11 12 ' "$(grep -o 'no_such_symbol_[0-9]*' error_log | sed 's/.*_//' | tr '\n' ' ')"
grep -o '^\[ *[0-9.]*' error_log | tr -d '[ ' > /tmp/times
sort -n /tmp/times | diff - /tmp/times

# Appending does not clear, opening to write anew does, whatever is written.
echo >> error_log
is 'entries of error_log' 8 "$(grep -c 'Command: ' error_log)"
echo anything > error_log
holds error_log ''
holds kprobe_events ''
