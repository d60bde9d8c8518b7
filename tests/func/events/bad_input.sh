#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: refused commands: errno, error_log and its caret; nothing changes
# seconds: 18 debug=45
# files: ../../data/bad_commands.txt ../../../kernel/trace/parse/parse_err.h
#
# With the argument "stock" and no modules, the same is asked of the kernel's own files:
# tests/vm/run --no-modules -f tests/func/lib/check_lib.sh -f tests/func/lib/table_lib.sh \
#	-f tests/data/bad_commands.txt \
#	-f kernel/trace/parse/parse_err.h tests/func/events/bad_input.sh stock
# So whatever is expected here is what a 6.12 kernel does, or the table says that
# it is not.
#
# The loop over the table starts no process: 600 commands take seconds.

set -eu
# shellcheck source=tests/func/lib/table_lib.sh
. /host/table_lib.sh

declare -A text ours strerror=(
	[EINVAL]="Invalid argument" [ENOENT]="No such file or directory"
	[E2BIG]="Argument list too long" [ERANGE]="Numerical result out of range"
	[EOPNOTSUPP]="Operation not supported" [ENOMEM]="Cannot allocate memory"
	[EILSEQ]="Invalid or incomplete multibyte or wide character"
	[EEXIST]="File exists" [EADDRNOTAVAIL]="Cannot assign requested address"
	[ok]=""
)

# The texts of the codes, from the table that the parser itself is made of.
read_texts() {
	local line joined
	joined=$(sed -n '/define PE_PARSE_ERRORS/,/^enum/p' /host/parse_err.h | tr -d '\\\n\t' |
		sed 's/X(\([A-Z0-9_]*\), *"/\n\1 /g' | sed 's/")[ /].*$//; s/")$//; s/")enum.*//')
	while IFS= read -r line; do
		[[ $line =~ ^([A-Z0-9_]+)\ (.*)$ ]] && text[${BASH_REMATCH[1]}]=${BASH_REMATCH[2]}
	done <<< "$joined"
	text[IMMSTR_NO_CLOSE]="String is not closed with '\"'"
	at_least 'texts of errors' 50 ${#text[@]}
	local code
	for code in NO_COMMAND NO_PLACE NO_EVENT NOT_HERE TOO_MANY_ARGS REFUSED; do
		ours["=${text[$code]}"]=$code
	done
	is 'text of DIFF_ARG_TYPE' 'Argument type or name is different from existing probe' "${text[DIFF_ARG_TYPE]}"
}

# decode TEXT: to $command and, for the "^", $caret.
decode() {
	local s=${1//\\/\\\\}

	caret=
	if [[ $s = *^* ]]; then
		local before=${s%%^*}
		before=${before//\\\\/x}
		while [[ $before =~ ^([^{]*)\{..\}(.*)$ ]]; do
			before=${BASH_REMATCH[1]}x${BASH_REMATCH[2]}
		done
		caret=${#before}
		s=${s/^/}
	fi
	s=${s//%/%%}
	while [[ $s =~ ^([^{]*)\{(..)\}(.*)$ ]]; do
		s=${BASH_REMATCH[1]}\\x${BASH_REMATCH[2]}${BASH_REMATCH[3]}
	done
	# shellcheck disable=SC2059
	printf -v command -- "$s"
}

# submit COMMAND: write it; $error is the message for its errno, $logged and $at
# what error_log then says.
submit() {
	local line

	error='' logged='' at=''
	: > error_log
	if ! printf '%s\n' "$1" 2> /tmp/error >> kprobe_events; then
		IFS= read -r line < /tmp/error || :
		error=${line##*: }
	fi
	while IFS= read -r line; do
		case $line in
		*": error: "*) logged=${line#*: error: } ;;
		"  Command: "*) ;;
		*) [[ $line =~ ^\ *\^$ ]] && at=$((${#line} - 12)) ;;
		esac
	done < error_log
}

# try COMMAND ERRNO CODE COLUMN
try() {
	local want_text=''

	checks=$((checks + 1))
	submit "$1"
	if [ "$3" != - ]; then
		want_text=${text[$3]:?no such code: $3}
	fi
	# Ours may say more, in brackets; and it says something where the kernel does not.
	if [ "$mode" != stock ] && [ "$3" = - ]; then
		[ -n "${ours["=${logged%% (*}"]:-}" ] || wrong "'$1': no reason of ours, but '$logged'"
		logged='' at=''
	elif [ "$mode" != stock ] && [[ $logged = "$want_text ("*")" ]]; then
		logged=$want_text
	fi
	[ "$error" = "${strerror[$2]}" ] && [ "$logged" = "$want_text" ] && [ "$at" = "$4" ] ||
		wrong "'$1': want $2 '$want_text' at $4, got '$error' '$logged' at $at"
}

state() {
	cat kprobe_events dynamic_events
	awk '{ print $1 }' kprobe_profile
	find events/keep events/kprobes 2> /dev/null | sort
}

# unchanged WHAT: as in $before, and quick about it.
unchanged() {
	local now

	now=$(< kprobe_events)
	[ "$now" = "$before" ] && return
	wrong "$1: kprobe_events has changed: $now"
	restore
}

restore() {
	: > kprobe_events
	printf '%s\n' 'p:keep/a vfs_read x=%di' 'p:keep/b vfs_write x=%di s=$comm' \
		'p:keep/b vfs_writev x=%di s=$comm' > kprobe_events
}

run_table() {
	local who errno code line stock types column odd

	while IFS=$'\t' read -r who errno code line stock types; do
		[[ $who = [pe] ]] || continue
		decode "$line"
		if [ "$mode" != stock ]; then
			[ "${types:-}" = = ] || stock=${types:-}
			[ -e /sys/kernel/btf/vmlinux ] && [ -n "${types:-}" ] || stock=''
		fi
		if [ -n "${stock:-}" ]; then
			errno=${stock%% *} code=${stock#* }
			[ "$stock" = ok ] && code=-
			caret=
		fi
		column=$caret
		# Other bytes than printable ASCII before it are shown as \xHH.
		if [ "$mode" != stock ] && [ -n "$caret" ]; then
			odd=${command:0:caret}
			odd=${odd//[[:print:][:space:]]/}
			column=$((caret + 3 * ${#odd}))
		fi
		[[ $code = *@* ]] && column=${code#*@}
		if [ "$errno" = ok ]; then
			submit "$command"
			checks=$((checks + 1))
			[ -z "$error" ] || wrong "'$command': $error"
			restore
		else
			try "$command" "$errno" "${code%@*}" "$column"
			unchanged "$command"
		fi
	done < /host/bad_commands.txt
	[ $checks -ge 500 ] || wrong "the table has only $checks commands"
}

# Errors that need something to be there already.
run_conflicts() {
	local twice

	twice=$(awk '$2 ~ /^[tT]$/ && NF == 3 { n[$3]++ } END { for (f in n) if (n[f] > 1) print f }' \
		/proc/kallsyms | sort | head -1)
	differs 'a symbol of several functions' '' "$twice"
	try "p:e $twice" EINVAL NON_UNIQ_SYMBOL 4
	try "p:e $twice+4 %bad" EINVAL NON_UNIQ_SYMBOL 4
	try 'r:keep/a vfs_read' EEXIST DIFF_PROBE_TYPE 0
	try 'p:keep/a vfs_write' EEXIST DIFF_ARG_TYPE 19
	try 'p:keep/a vfs_write y=%di' EEXIST DIFF_ARG_TYPE 19
	try 'p:keep/a vfs_write x=%di:u8' EEXIST DIFF_ARG_TYPE 19
	try 'p:keep/a vfs_write x=%di y=%si' EEXIST DIFF_ARG_TYPE 25
	try 'p:keep/a vfs_write x=+0(%di):x64[2]' EEXIST DIFF_ARG_TYPE 19
	try 'p:keep/b vfs_write x=%di s=%si' EEXIST DIFF_ARG_TYPE 25
	try 'p:keep/a vfs_read x=%di' EEXIST SAME_PROBE 0
	try 'p:keep/b vfs_writev x=%di s=$comm' EEXIST SAME_PROBE 0
	if [ "$mode" != stock ]; then
		try 'p:ftrace/x vfs_read' EEXIST EVENT_EXIST 0
		try 'r:ftrace/ vfs_read' EEXIST EVENT_EXIST 0
		try 'r ksys_read $arg0' EINVAL BAD_ARG_NUM 12
		if [ -e /sys/kernel/btf/vmlinux ]; then
			try 'r ksys_read $arg0:' EINVAL BAD_ARG_NUM 12
		else
			try 'r ksys_read $arg0:' EINVAL BAD_TYPE 18
		fi
	fi
	unchanged conflicts
}

# The same of return probes, and an address that is no entry.
run_return_conflicts() {
	local before address

	address=$(awk '$3 == "vfs_read" { print $1; exit }' /proc/kallsyms)
	printf '%s\n' 'r:back/a vfs_read x=$retval:u64' >> kprobe_events
	before=$(< kprobe_events)
	try 'p:back/a vfs_read x=%di:u64' EEXIST DIFF_PROBE_TYPE 0
	try 'p:back/a vfs_write' EEXIST DIFF_PROBE_TYPE 0
	try 'r:back/a vfs_write x=$retval:u32' EEXIST DIFF_ARG_TYPE 19
	try 'r:back/a vfs_write' EEXIST DIFF_ARG_TYPE 19
	try 'r:back/a vfs_read x=$retval:u64' EEXIST SAME_PROBE 0
	try 'r8:back/a vfs_read x=$retval:u64' EEXIST SAME_PROBE 0
	try 'p:back/a vfs_read%return x=$retval:u64' EEXIST SAME_PROBE 0
	try "r:new 0x$(printf %x $((0x$address + 9)))" EINVAL FAIL_REG_PROBE 6
	unchanged 'conflicts of return probes'
	restore
}

# raw WHAT ERRNO: what is in /tmp/raw, in one write.
raw() {
	local message=

	checks=$((checks + 1))
	dd if=/tmp/raw of=kprobe_events oflag=append conv=notrunc bs=4M status=none 2> /tmp/error ||
		message=$(< /tmp/error)
	[ "${message##*: }" = "${strerror[$2]}" ] ||
		wrong "$1: want $2, got '$message'"
}

# repeat N TEXT
repeat() { head -c "$1" < <(yes "$2" | tr -d '\n'); }

run_long_lines() {
	local n

	# 4095 characters are the most that a line may have, with its newline, if it has one.
	{ printf 'p:long vfs_read'; repeat 4079 ' '; } > /tmp/raw
	is 'size of /tmp/raw' 4094 "$(stat -c %s /tmp/raw)"
	raw "4094 characters, no newline" ok
	grep -q '^p:kprobes/long vfs_read$' kprobe_events || wrong "a long line is lost"
	restore
	echo >> /tmp/raw
	raw "4094 characters and a newline" ok
	restore
	{ printf 'p:long vfs_read'; repeat 4080 ' '; } > /tmp/raw
	raw "4095 characters, no newline" ok
	restore
	echo >> /tmp/raw
	raw "4095 characters and a newline" EINVAL
	unchanged "4096 characters"

	for n in 4096 8192 65536 1048576; do
		{ printf 'p:long vfs_read '; repeat $((n - 16)) ' '; } > /tmp/raw
		raw "$n blanks, no newline" EINVAL
		unchanged "$n blanks"
		{ printf 'p:long vfs_read '; repeat $((n - 16)) ' '; echo; } > /tmp/raw
		raw "$n blanks and a newline" EINVAL
		unchanged "$n blanks and a newline"
	done
	# What is in a line that is too long is not looked at.
	for n in a '%di ' '+0(' '\\' '/' ':' '(' '=' '$arg1 ' 'p:x vfs_read '; do
		in_turn 5 || continue
		repeat 1048576 "$n" > /tmp/raw
		raw "1 MiB of '$n'" EINVAL
		unchanged "1 MiB of '$n'"
	done
	# A good line before the long one counts, one after it does not.
	{ echo 'p:first vfs_read'; repeat 1048576 x; echo; echo 'p:last vfs_read'; } > /tmp/raw
	raw "a good line, then 1 MiB" EINVAL
	grep -q '/first ' kprobe_events || wrong "the line before a bad one is lost"
	! grep -q '/last ' kprobe_events || wrong "the line after a bad one counts"
	restore
}

run_bytes() {
	local seed=${PE_SEED:-$((RANDOM * 32768 + RANDOM))} i

	echo "# PE_SEED=$seed"
	RANDOM=$seed
	# But no colon: what begins with "r X:Y" is a probe for a module that is not loaded yet.
	for ((i = $(length 3 8); i > 0; i--)); do
		awk -v seed=$RANDOM 'BEGIN { srand(seed)
			for (i = 0; i < 100000; i++) {
				byte = int(rand() * 255) + 1
				printf "%c", byte == 58 ? 59 : byte
			} }' > /tmp/raw
		checks=$((checks + 1))
		! dd if=/tmp/raw of=kprobe_events oflag=append conv=notrunc bs=4M status=none 2> /tmp/error ||
			wrong "random bytes are a command"
		unchanged "random bytes"
	done
	# A NUL ends a line that is not ended by a newline: the rest is too long a line.
	printf 'p:nul vfs_read\0 %%di\n' > /tmp/raw
	raw "a NUL in the line" EINVAL
	unchanged "a NUL in the line"
	head -c 1048576 /dev/zero > /tmp/raw
	raw "1 MiB of NUL" EINVAL
	unchanged "1 MiB of NUL"
	printf 'p:nul\0' > /tmp/raw
	raw "a NUL at the end" EINVAL
	unchanged "a NUL at the end"
}

run_unterminated() {
	printf 'p:un vfs_read' > /tmp/raw
	raw "no newline" ok
	grep -q '^p:kprobes/un vfs_read$' kprobe_events || wrong "a line without newline is lost"
	restore
	# A write is a whole: half a command is not kept for the next one.
	printf 'p:un vfs_r' > /tmp/raw
	raw "half a command" EINVAL
	printf 'ead\n' > /tmp/raw
	raw "its other half" EINVAL
	unchanged "halves"
	printf 'p:one vfs_read\np:two vfs_read %%bad\np:three vfs_read\n' > /tmp/raw
	raw "a bad line between good ones" EINVAL
	grep -q '/one ' kprobe_events || wrong "the line before a bad one is lost"
	! grep -qE '/(two|three) ' kprobe_events || wrong "a bad line or one after it counts"
	restore
	printf '\n  \n\t\n# comment\n#\n   # p:x vfs_read\n\n' > /tmp/raw
	raw "nothing but comments and blanks" ok
	unchanged "comments"
	: > /tmp/raw
	raw "nothing at all" ok
	unchanged "nothing"
}

read_texts
restore
before=$(< kprobe_events)
full=$(state)
is 'probes' 3 "$(count . kprobe_events)"
run_table
echo "# table: $checks commands"
run_conflicts
run_return_conflicts
run_long_lines
run_bytes
run_unterminated
[ "$(state)" = "$full" ] || wrong "something has changed"
: > kprobe_events
: > error_log
echo "# $checks refused or odd inputs, $failures wrong"
none_wrong
