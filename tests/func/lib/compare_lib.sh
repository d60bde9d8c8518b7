# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# shellcheck shell=bash
#
# The kernel's own probes, at $stock, and then ours do the same, one after the other: two engines
# cannot own the same instruction. What makes them comparable: one boot, so one set of addresses;
# one process, this shell, which does all the work; one CPU; and the functions of pe_compare.ko,
# whose arguments are constant. Files go to $out.

host=${HOST:-/host}
# shellcheck source=tests/func/lib/check_lib.sh
. "$host/check_lib.sh"
export LC_ALL=C

stock=/sys/kernel/tracing
run=/sys/module/pe_compare/parameters/run
out=/tmp/compare
jumps=/proc/sys/debug/kprobes-optimization
had_jumps=$(cat $jumps)

rm -rf $out
mkdir -p $out
insmod /modules/pe_compare.ko
mountpoint -q $stock || mount -t tracefs tracefs $stock
taskset -p -c 0 $$ >/dev/null
trap 'echo 0 >/sys/kernel/rcu_expedited; echo "$had_jumps" >$jumps' EXIT
# Each change waits for RCU several times.
echo 1 >/sys/kernel/rcu_expedited
# The kernel's jumps instead of breakpoints come seconds later: not reproducible.
echo 0 >$jumps

# notice_name: the kernel notices a new name of this process when it switches to another, so it waits.
# Descriptor 8 is a pipe after that.
notice_name() {
	mkfifo $out/pipe
	exec 8<>$out/pipe
	read -r -t 0.1 <&8 || :
}

# own_records TRACE: this process's, as "event|comm-pid [cpu]|flags|text". A line that is no record
# goes on with the text of the one before.
own_records() {
	awk -v pid=$$ '
		function flush() { if (record != "") print record; record = "" }
		match($0, /-[0-9]+ +\[[0-9]+\] /) {
			flush()
			who = substr($0, 1, RSTART + RLENGTH - 2)
			split(substr(who, RSTART + 1), word, " ")
			if (word[1] != pid)
				next
			rest = substr($0, RSTART + RLENGTH)
			flags = substr(rest, 1, 5)
			gsub(/[Nnp]/, ".", flags)
			if (!match(rest, /^..... +[0-9]+\.[0-9][0-9][0-9][0-9][0-9][0-9]: /))
				flags = "malformed"
			text = substr(rest, RLENGTH + 1)
			event = text
			sub(/:.*/, "", event)
			record = event "|" who "|" flags "|" text
			next
		}
		/^#/ { next }
		record != "" { record = record "\\n" $0 }
		END { flush() }' "$1"
}
