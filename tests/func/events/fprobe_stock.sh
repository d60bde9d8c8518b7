#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: f: definitions give the same list, errors, records and functions as the kernel's own
# not: 5.10-cloud 6.1-cloud 7.3-cloud: their texts are of other versions
# not: debug: it has no f: of its own
# not: 6.12-rt: the texts of 6.12-cloud
# needs: tracefs kprobes
# seconds: 14

set -eu
# shellcheck source=tests/func/lib/stock_lib.sh
. /host/stock_lib.sh

twice=$(awk 'NF == 3 && $2 ~ /[tT]/ && $3 !~ /[^a-z0-9_]/ { n[$3]++ } END { for (f in n) if (n[f] > 1) print f }' \
	/proc/kallsyms | sort | comm -12 - <(awk 'NF == 1' $stock/available_filter_functions | sort -u) | head -n 1)
differs 'a name of several functions' '' "$twice"

# ask COMMAND: errno, the first error without our brackets, its caret; and the list. The kernel's second
# entry for some errors is not looked at.
ask() {
	: > error_log
	printf '%s\n' "$1" 2> /tmp/error >> dynamic_events || sed 's/.*: //' /tmp/error
	first_error
	cat dynamic_events
	echo > dynamic_events
}

while IFS= read -r command; do
	same 'a command' "ask '$command'"
done << END
f vfs_read
f:e vfs_read
f:g/e vfs_read a=\$arg1
f:g/ vfs_read
f:g.e vfs_read%return
f vfs_read%return
f3 vfs_read%return
f:x vfs_read r=\$retval:s64
f vfs_read r=+0(\$retval):u8
f vfs_read \$retvalx
f vfs_read \$stack0 \$comm s=\$stack
f3 vfs_read
f0 vfs_read
f5000 vfs_read
f1x vfs_read%return
f vfs_read%exit
f vfs_read%
f no_such_symbol
f vfs_read+4
f 0xffffffff81000000
f vfs_wri*
f:w vfs_wri*
f:w vfs_re?d
f:w [uv]fs_read
f:w no_such_*
f:t $twice
f memcpy
f jiffies
f:/x no_such_symbol
f:g/9 vfs_read
f: vfs_read
f
f:x
f:x vfs_read \$arg0
f:x vfs_read a=@
f:x vfs_read a=\$arg1:nope
f:x vfs_read a=\$arg1 a=\$arg2
f:x kfree object
f:x vfs_read \$arg* n=count:u8
f:x vfs_read%return \$arg1 \$retval
f:x getname_flags%return name=\$retval->name:string
f:x vfs_read nosuch
f:x vfs_wri* \$arg1
-:nothing
END
at_least 'commands' 44 $n

# What is there already.
conflict() {
	printf '%s\n' 'f:g/e vfs_read a=$arg1:u64' 'p:g/k vfs_read' > dynamic_events
	ask "$1"
}
for command in 'f:g/e vfs_write%return' 'f:g/e vfs_write' 'f:g/e vfs_write b=$arg1:u64' 'f:g/e vfs_read a=$arg1:u64' \
	'f:g/e vfs_write a=$arg1:u64' 'f:g/k vfs_write' 'p:g/e vfs_write' '-:e' '-:e vfs_read' '-:e vfs_read%return' '!f:g/e'; do
	same 'a conflict' "conflict '$command'"
done

# Records, with their places; and format files without their ids.
what_comes() {
	echo "$1" > dynamic_events
	sed '/^ID/d' events/g/e/format
	echo 1 > events/g/e/enable
	head -c 7 /dev/zero > /dev/null
	head -c 9 /dev/zero > /dev/null
	echo 0 > events/g/e/enable
	# Not by the task's name, which the kernel may not know.
	sed -n 's/^.*: \(e: .* [nr]=[79]\)$/\1/p; s/^.*: \(e: .* [nr]=[79] .*\)$/\1/p' trace
	echo > trace
	echo > dynamic_events
}
same 'records of entries' "what_comes 'f:g/e vfs_read n=\$arg3:u64 c=\$comm'"
same 'records of returns' "what_comes 'f:g/e vfs_read%return r=\$retval:u64'"
same 'records of a pattern' "what_comes 'f:g/e vfs_*e n=\$arg3:u64'"

# The functions of a pattern: the kernel's enabled_functions and our kprobes/list.
functions() {
	echo "f:g/e $1" > dynamic_events
	echo 1 > events/g/e/enable
	if [ -e kprobes/list ]; then
		awk '{ sub(/\+.*/, "", $3); print $3 }' kprobes/list
	else
		awk '{ print $1 }' enabled_functions
	fi | sort
	echo 0 > events/g/e/enable
	echo > dynamic_events
}
for pattern in 'vfs_*' '*_read' 'ip_[a-c]*' 'sock_?*_w*' "$twice"; do
	echo "# $pattern"
	(cd $stock && functions "$pattern") > /tmp/theirs
	(cd "$PROBES" && functions "$pattern") > /tmp/ours
	at_least "functions of $pattern" 2 "$(count . /tmp/theirs)"
	# Names that several functions have, and parts that both name, are there as often.
	diff /tmp/theirs /tmp/ours || fail "functions of $pattern"
done
