#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: error_log: form of its entries, how many it keeps, how it is cleared
# seconds: 9 debug=39

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

# Not commands at all: refused, but not logged.
: > error_log
for c in x 'e:x sched/sched_switch' 'p' '-' '-:nope' 'u:x /bin/sh:0'; do
	refuse "$c" .
done
holds error_log ''

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
