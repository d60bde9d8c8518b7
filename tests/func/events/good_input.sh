#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: accepted commands: what kprobe_events shows and the fields in format
# seconds: 7 debug=11
# files: ../../data/good_commands.txt
#
# With the argument "stock" and no modules, the same is asked of the kernel's own files:
# tests/vm/run --no-modules -f tests/func/lib/check_lib.sh -f tests/func/lib/table_lib.sh -f tests/data/good_commands.txt \
#	tests/func/events/good_input.sh stock

set -eu
# shellcheck source=tests/func/lib/table_lib.sh
. /host/table_lib.sh

# decode TEXT: to $decoded
decode() {
	local s=${1//\\/\\\\}

	s=${s//%/%%}
	while [[ $s =~ ^([^{]*)\{([0-9a-f][0-9a-f])\}(.*)$ ]]; do
		s=${BASH_REMATCH[1]}\\x${BASH_REMATCH[2]}${BASH_REMATCH[3]}
	done
	# shellcheck disable=SC2059
	printf -v decoded -- "$s"
}

# fields FILE: to $fields, the way the table has them.
fields() {
	local line name type re=$'^\tfield:(.*) ([^ ]+);\toffset:([0-9]+);\tsize:([0-9]+);\tsigned:([01]);$'

	fields=
	while IFS= read -r line; do
		[[ $line =~ $re ]] ||
			continue
		type=${BASH_REMATCH[1]} name=${BASH_REMATCH[2]}
		[[ $name = common_* || $name = __probe_* ]] && continue
		[[ $name = *'[]' ]] && name=${name%'[]'} type+='[]'
		fields+="|$type $name ${BASH_REMATCH[3]} ${BASH_REMATCH[4]} ${BASH_REMATCH[5]}"
	done < "$1"
	fields=${fields#|}
}

# The offset of f_path.dentry in struct file is another one in other kernels.
same_command() {
	local a=${1//+0x??(/+0x(} b=${2//+0x??(/+0x(}

	[ "$a" = "$b" ]
}

try() {
	local shown event

	checks=$((checks + 1))
	if ! printf '%s\n' "$1" 2> /tmp/error >> kprobe_events; then
		wrong "'$1': $(< /tmp/error)"
		return
	fi
	IFS= read -r shown < kprobe_events
	[ "$mode" != stock ] || [[ $1 = r10* ]] || shown=${shown/#r10:/r:}
	[ "$2" = - ] || same_command "$shown" "$2" || wrong "'$1': want '$2', got '$shown'"
	event=${shown%% *}
	fields "events/${event#*:}/format"
	[ "$fields" = "$3" ] || wrong "'$1': want fields '$3', got '$fields'"
	: > kprobe_events
}

: > kprobe_events
while IFS=$'\t' read -r line shown want; do
	[[ $line = '#'* ]] && continue
	decode "$line"
	command=$decoded
	decode "$shown"
	shown=$decoded
	decode "$want"
	try "$command" "$shown" "$decoded"
done < /host/good_commands.txt
at_least 'commands in the table' 150 $checks
: > error_log
echo "# $checks accepted commands, $failures wrong"
none_wrong
