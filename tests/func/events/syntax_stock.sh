#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: made-up definitions are accepted or refused as by the kernel, with errno, text and caret
# kernels: 6.12-cloud debug
# needs: tracefs kprobes
# seconds: 34
# files: syntax_gen.awk syntax_stock.allow
#
# Definitions are drawn from a small grammar, most of them damaged then in one or two places
# (always the same ones, but in the long run and with PE_SEED), and written one by one to the kernel's kprobe_events and to ours.
# Compared are the errno, what error_log says, where its caret stands, and what the list
# shows for one that is accepted. What may differ is in syntax_stock.allow, each with its
# reason; a difference that is listed under "Differences" in kprobe-events.md is there, too.
#
# The loop starts no process: hundreds of commands take seconds.
set -eu
export LC_ALL=C
host=${HOST:-/host}
stock=/sys/kernel/tracing
out=/tmp/syntax
mkdir -p $out
# shellcheck source=tests/func/lib/check_lib.sh
. "$host/check_lib.sh"
mountpoint -q $stock || mount -t tracefs tracefs $stock
# Each change waits for RCU several times.
echo 1 >/sys/kernel/rcu_expedited
trap 'echo 0 >/sys/kernel/rcu_expedited' EXIT

seed=${PE_SEED:-$(length 1 $((RANDOM * 32768 + RANDOM)))}
echo "# PE_SEED=$seed"
address() { awk -v s="$1" '$3 == s { print "0x" $1; exit }' /proc/kallsyms; }
awk -v seed="$seed" -v count="$(length 160 3000)" -v entry="$(address vfs_read)" \
	-f "$host/syntax_gen.awk" >$out/commands

# ask DIRECTORY <commands: a line for each, "errno|text|caret|list".
ask() {
	local command answer error at shown line

	cd "$1"
	: >kprobe_events
	while IFS= read -r command; do
		error='' at='' shown=''
		: >error_log
		if printf '%s\n' "$command" 2>$out/errno >>kprobe_events; then
			answer=ok
			while IFS= read -r line; do shown+=$line; done <kprobe_events
			: >kprobe_events
		else
			IFS= read -r answer <$out/errno
			answer=${answer##*: }
			while IFS= read -r line; do
				case $line in
				*": error: "*) error=${line#*: error: } ;;
				"  Command: "*) ;;
				*) [[ $line =~ ^\ *\^$ ]] && at=$((${#line} - 12)) ;;
				esac
			done <error_log
		fi
		echo "$answer|${error%% (*}|$at|$shown"
	done
	cd /
}

# Without what is known to be shown differently: numbers of instances, hashed addresses.
comparable() { sed -E 's/\|r[0-9]*:/|r:/; s/(\|[pr]:[^ ]+) 0x[0-9a-f]+/\1 ADDRESS/'; }

ask $stock <$out/commands | comparable >$out/stock
ask "$PROBES" <$out/commands | comparable >$out/ours
paste -d$'\001' $out/commands $out/stock $out/ours >$out/all
awk -v allow="$host/syntax_stock.allow" '
	BEGIN {
		FS = "\001"
		while ((getline line < allow) > 0) {
			if (line ~ /^#/ || line == "")
				continue
			split(line, column, "\t+")
			n++
			command[n] = column[1]; stock[n] = column[2]; ours[n] = column[3]
		}
	}
	{ accepted += $2 ~ /^ok/ }
	$2 == $3 { same++; next }
	{
		for (i = 1; i <= n; i++)
			if ($1 ~ command[i] && $2 ~ stock[i] && $3 ~ ours[i]) {
				used[i]++
				next
			}
		printf "%s\n\tthe kernel: %s\n\tours:       %s\n", $1, $2, $3
		bad++
	}
	END {
		printf "# %d definitions: %d with the same answer, %d of them accepted", NR, same, accepted
		printf "; %d wrong\n", bad
		for (i = 1; i <= n; i++)
			if (used[i])
				printf "#   %d differ as listed: %s\n", used[i], command[i]
		exit bad > 0 || same < NR / 2 || accepted < NR / 20
	}' $out/all
