#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: the language: answers, lists, formats and recorded values are the kernel's
# not: 5.10-cloud 6.1-cloud 7.3-cloud: their texts are of other versions
# not: 6.12-rt: the texts of 6.12-cloud
# not: debug: without types and f events, the kernel refuses what is compared
# needs: tracefs kprobes
# seconds: 16
# files: syntax_gen.awk syntax_stock.allow syntax_names.defs ../../../Documentation/kprobe-events.md
# modules: pe_compare
# machine: -a randomize_kstack_offset=off
#
# Definitions of p, r and f are written one by one to the kernel's kprobe_events or dynamic_events
# and to ours: made up by syntax_gen.awk, 200 or 2,000 with PE_LONG, four in ten damaged; those of
# syntax_names.defs; and "$arg*" of functions drawn at random. PE_SEED repeats a draw. Compared are
# the errno, what error_log says, where its caret stands, and of one that is accepted the list and
# the format file.
#
# Those that both accept are then defined again under names of their own, and a workload with
# known arguments hits them. Compared is the text of the first record of this shell. At entries of
# the kernel's functions the same hit is recorded by both. Elsewhere one engine comes after the
# other, because two cannot own the same instruction; and in batches that we can compile. The
# kernel's stack begins at the same place in each system call (the option in "machine").
#
# What may differ is in syntax_stock.allow: each line refers to a row of the table in
# kprobe-events.md and has an example, which is asked, too. A line whose row is not there, or that
# was of no use, fails the test as any other difference does.
#
# The loops start no process: hundreds of commands take seconds.
set -eu
# shellcheck source=tests/func/lib/compare_lib.sh
. "${HOST:-/host}/compare_lib.sh"

seed=${PE_SEED:-$(length 1 $((RANDOM * 32768 + RANDOM)))}
echo "# PE_SEED=$seed"
read -r entry data < <(awk '$3 == "vfs_read" || $3 == "pe_cmp_values" { printf "0x%s ", $1 } END { print "" }' /proc/kallsyms)
site=$(</sys/module/pe_compare/parameters/site)

commands() {
	awk -v seed="$seed" -v count="$(length 200 2000)" -v entry="$entry" -v data="$data" \
		-v site="$site" -f "$host/syntax_gen.awk"
	awk -F '\t+' -v entry="$entry" '!/^#/ && NF && $5 != "-" { sub(/ENTRY/, entry, $5); print $5 }' "$host/syntax_stock.allow"
	sed -n 's/^[^#]/kprobe_events &/p' "$host/syntax_names.defs"
	awk -v seed="$seed" -v n="$(length 20 300)" '
		BEGIN { srand(seed) }
		NF == 1 && !/[.]/ { name[++known] = $1 }
		END { for (; n > 0; n--)
			print "kprobe_events " (n % 4 ? "p" : "r") ":f " name[1 + int(rand() * known)] " $arg*" \
				(n % 4 ? "" : n % 8 ? " $retval" : " ret=$retval") }' \
		"$PROBES/available_filter_functions"
}

# ask DIRECTORY <commands: a line for each, "errno|text|caret|list|format". The kernel's second
# entry for some errors is not looked at.
ask() {
	local command file answer error at shown format line lines

	cd "$1"
	: >dynamic_events
	while IFS= read -r command; do
		error='' at='' shown='' format=''
		file=${command%% *}
		: >error_log
		if printf '%s\n' "${command#* }" 2>$out/errno >>"$file"; then
			answer=ok
			mapfile -t lines <"$file"
			shown=${lines[*]}
			line=${shown%% *}
			mapfile -t lines <"events/${line#*:}/format"
			unset 'lines[1]'
			format=${lines[*]}
			: >dynamic_events
		else
			IFS= read -r answer <$out/errno
			answer=${answer##*: }
			mapfile -t lines <error_log
			if [ ${#lines[@]} -gt 0 ]; then
				error=${lines[0]#*\] }
				at=$((${#lines[2]} - 12))
			fi
		fi
		echo "$answer|${error%% (*}|$at|$shown|$format"
	done
	cd /
}

# Without what is known to be shown differently: numbers of instances, hashed addresses.
comparable() { sed -E 's/\|r[0-9]*:/|r:/; s/(\|[pr]:[^ ]+) 0x[0-9a-f]+/\1 ADDRESS/'; }

# definitions <$out/all: what both accept alike and the workload hits, as "CLASS FILE COMMAND", the event
# named after its line
#   shared       both record the same hit
#   turns:PLACE  one after the other, and nothing is probed elsewhere: our return probes change the stack
#                of functions that are called, and a function's code is memory, too
#   alone        the same, a single event in an empty buffer: for each symstr the kernel (6.12) clears
#                a byte 511 after it, which crashes it at the end of a page
# Not what is below the stack pointer: the handlers themselves write there. Nor returns of
# vfs_write: the write that switches recording on returns from it. Nor, where there are two hits,
# what differs from one to the next: registers with what an earlier function left, deep words of
# the stack, memory that these point to, the address of a file's name.
definitions() {
	awk -F '\001' -v entry="$entry" '
		# varies(): its value is another one at the next hit
		function varies(command, place, returns,   beyond) {
			beyond = "[$]arg([4-9]|1[0-9])"
			if (place ~ /pe_cmp/)
				beyond = place ~ /target/ ? "[$]arg(9|1[0-9])" : "[$]arg([3-9]|1[0-9])"
			# The write to "run" is at another position each time, and of a buffer with other text
			# after it.
			if (place ~ /vfs_write/ && command ~ /%ax|[$]stack1|[(](%cx|pos)/ ||
			    place !~ /pe_cmp/ && command ~ /[(]([$]arg2|%si|buf)/ || command ~ /[(]%(bp|bx|ax|r1[0-5])/)
				return 1
			return command ~ beyond || command ~ /%flags/ || command ~ /[$]stack([2-9]|[1-9][0-9])|[(][$]stack/ ||
			       (returns || place ~ /leaf|body/) && command ~ /%(cx|dx|r[0-9]+)|[(][$]retval/ ||
			       returns && command ~ /%[ds]i/ ||
			       place ~ /openat2/ && command ~ /[$]arg[2*]|filename/
		}
		$2 !~ /^ok/ || $2 != $3 || $1 ~ /-u?[0-9a-fx]+[(]([$]stack|%[sb]p)/ { next }
		{
			file = $1
			sub(/ .*/, "", file)
			command = $1
			sub(/^[^ ]+ +/, "", command)
			split(command, word, " ")
			returns = command ~ /^r|%return|[$]retval/
			if (word[2] ~ /^(pe_compare:)?pe_cmp_/)
				class = command !~ /:symstr/ ? "turns" : command ~ /\[/ ? "" : "alone"
			else if (command ~ /:symstr/ || word[2] !~ "^((vfs_(read|write|open)|ksys_read|do_sys_openat2)([+]0|%return)*|" entry ")$")
				class = ""
			else if (word[2] ~ /^vfs_write/)
				class = returns ? "" : "turns"
			else
				class = returns ? "turns" : "shared"
			if (class == "" || class != "shared" && varies(command, word[2], returns))
				next
			if (class == "turns")
				class = class ":" word[2] (returns ? "%return" : "")
			sub(/^[^ ]+/, substr(command, 1, 1) ":val/v" NR, command)
			print class, file, command
		}' | sort -s -k 1,1
}

# The pipe is the same for all.
prepare_workload() {
	echo text >$out/text
	notice_name
	exec 9>$run 6>$stock/tracing_on 7>"$PROBES/tracing_on"
	echo 0 >&6
	echo 0 >&7
}

# workload CLASS FD...: while these record
workload() {
	local line fd

	for fd in "${@:2}"; do echo 1 >&"$fd"; done
	echo 1 >&9
	if [ "$1" != alone ]; then
		echo "some text" >&8
		read -r line <&8
		: <$out/text
	fi
	for fd in "${@:2}"; do echo 0 >&"$fd"; done
}

define() {
	local line

	for line in "${batch[@]}"; do
		printf '%s\n' "${line#* }" >>"$1/${line%% *}" || wrong "${1##*/} refuses what it took: $line"
	done
	echo 1 >"$1/events/val/enable"
	# Reading waits for the code of compiled hits.
	[ ! -e "$1/kprobes/compiled" ] || mapfile -t lines <"$1/kprobes/compiled"
}

# finish DIRECTORY FILE: keep the records, remove the events
finish() {
	echo 0 >"$1/events/val/enable"
	tr '\0' 0 <"$1/trace" >>"$2"
	: >"$1/trace"
	: >"$1/dynamic_events"
}

# turn CLASS SIDE
turn() {
	local dir=$stock fd=6

	[ "$2" = stock ] || dir=$PROBES fd=7
	define "$dir"
	workload "$1" $fd
	finish "$dir" "$out/$2.trace"
}

# The shell's own stack, and with it some arguments, is the same in both turns: they are in a loop.
run_batch() {
	local lines side

	[ ${#batch[@]} -gt 0 ] || return 0
	if [ "$1" = shared ]; then
		define $stock
		define "$PROBES"
		workload "$1" 6 7
		finish "$PROBES" $out/ours.trace
		finish $stock $out/stock.trace
	else
		for side in stock ours; do turn "$1" $side; done
	fi
	batch=()
}

# record_all <definitions. Eight events at a place are compiled.
record_all() {
	local class last='' line
	declare -A size=([shared]=30 [turns]=8 [alone]=1)

	batch=()
	: >$out/stock.trace
	: >$out/ours.trace
	while IFS= read -r line; do
		class=${line%% *}
		[ "$class" = "$last" ] && [ ${#batch[@]} -lt "${size[${class%%:*}]}" ] || run_batch "$last"
		last=$class
		batch+=("${line#* }")
	done
	run_batch "$last"
}

# values SIDE: "LINE \001 TEXT", of the first record of each event; the places are compare_stock's matter
values() {
	own_records "$out/$1.trace" | awk -F '|' '
		$1 ~ /^v[0-9]+$/ && !seen[$1]++ {
			n = substr($1, 2)
			sub(/^[^|]*[|][^|]*[|][^|]*[|]v[0-9]+: [(][^)]*[)]/, "")
			printf "%s\001value|%s\n", n, $0
		}'
}

commands >$out/commands
echo "# $SECONDS s: made"
ask $stock <$out/commands | comparable >$out/stock
ask "$PROBES" <$out/commands | comparable >$out/ours
echo "# $SECONDS s: asked"
paste -d$'\001' $out/commands $out/stock $out/ours >$out/all
definitions <$out/all >$out/definitions
prepare_workload
record_all <$out/definitions
echo "# $SECONDS s: recorded"
for side in stock ours; do values $side >$out/$side.values; done
at_least 'recorded values' $(($(wc -l <$out/definitions) / 2)) "$(wc -l <$out/stock.values)"
awk -F '\001' '
	FILENAME ~ /stock.values/ { stock[$1] = $2; next }
	FILENAME ~ /ours.values/ { ours[$1] = $2; next }
	FNR in stock || FNR in ours {
		split($2, field, "|")
		printf "%s\001%s\001%s\001%s\n", $1, stock[FNR], ours[FNR], field[4]
	}
	' $out/stock.values $out/ours.values $out/all >$out/values
cat $out/values >>$out/all
awk -v allow="$host/syntax_stock.allow" -v document="$host/kprobe-events.md" '
	# of(VALUES, NAME, NEXT): the text of an argument; the next one begins after it
	function of(values, name, next_name,   at) {
		at = index(values, " " name "=")
		if (!at)
			return ""
		values = substr(values, at + length(name) + 2)
		at = next_name == "" ? 0 : index(values, " " next_name "=")
		return at ? substr(values, 1, at - 1) : values
	}
	# unread(): all that differs is what cannot be read: 0 or (fault) here, anything there (a
	# NUL as a character is shown as 0). Not
	# where there is memory for sure.
	function unread(list, theirs, ours,   n, i, word, name, a, b) {
		n = split(list, word, " ")
		for (i = 3; i <= n; i++) {
			name[i] = word[i]
			sub(/=.*/, "", name[i])
		}
		for (i = 3; i <= n; i++) {
			a = of(theirs, name[i], i < n ? name[i + 1] : "")
			b = of(ours, name[i], i < n ? name[i + 1] : "")
			if (a == b)
				continue
			if (word[i] !~ /[(@]/ || word[2] ~ /target|vfs_/ && word[i] ~ sure || b !~ /^[{]?((0x0|0|\47\47|\0470\47|[(]fault[)]),?)+[}]?$/)
				return 0
		}
		return 1
	}
	# past_end(): the answers differ by the caret alone, and the kernel has it past the command
	function past_end(asked, theirs, ours,   a, b, n) {
		n = split(theirs, a, "|")
		sub(/^[a-z_]+ /, "", asked)
		return n == split(ours, b, "|") && n == 5 && a[1] == b[1] && a[2] == b[2] && a[3] != b[3] &&
		       a[3] > length(asked) && b[3] <= length(asked) + 1
	}
	# unlogged(): both refuse it with the same errno, and only we say more
	function unlogged(theirs, ours,   a, b) {
		split(theirs, a, "|")
		split(ours, b, "|")
		return a[1] == b[1] && a[1] != "ok" && a[2] == "" && b[2] != ""
	}
	BEGIN {
		sure = "=(@(pe_cmp|linux_banner)|[+][0-9]+[(](%di|[$]arg1)[)]:[usxbc])"
		while ((getline line < document) > 0) {
			if (line ~ /^## /)
				inside = line ~ /^## Differences/
			if (inside && line ~ /^[|] /) {
				split(line, column, " [|] ")
				known[substr(column[1], 3)] = 1
			}
		}
		while ((getline line < allow) > 0) {
			if (line ~ /^#/ || line == "")
				continue
			split(line, column, "\t+")
			n++
			command[n] = column[1]; stock[n] = column[2]; ours[n] = column[3]; row[n] = column[4]
			example[n] = column[5]
			if (!(column[4] in known)) {
				print "no such row in kprobe-events.md: " column[4]
				bad++
			}
		}
		FS = "\001"
	}
	{ values = ($2 $3) ~ /value[|]/; total[values]++ }
	$2 ~ /^ok/ { accepted++ }
	$2 == $3 { same[values]++; next }
	{
		for (i = 1; i <= n; i++)
			if (command[i] == "@unread" ? $2 ~ stock[i] && NF == 4 && unread($4, $2, $3) : \
			    command[i] == "@caret" ? past_end($1, $2, $3) : \
			    command[i] == "@more" ? unlogged($2, $3) : \
			    $1 ~ command[i] && $2 ~ stock[i] && $3 ~ ours[i]) {
				used[i]++
				next
			}
		printf "%s\n\tthe kernel: %s\n\tours:       %s\n", $1, $2, $3
		bad++
	}
	END {
		printf "# %d definitions, %d accepted by the kernel: %d with the same answer\n", total[0], accepted, same[0]
		printf "# %d values: %d the same\n", total[1], same[1]
		for (i = 1; i <= n; i++) {
			if (used[i])
				printf "#   %d differ as listed: %s\n", used[i], row[i]
			else if (example[i] != "-") {
				printf "no longer differs, line %d of syntax_stock.allow: %s\n", i, row[i]
				bad++
			}
		}
		printf "# %d wrong\n", bad
		exit bad > 0 || same[0] < total[0] / 2 || accepted < total[0] / 3
	}' $out/all
exec 8<&- 9>&- 6>&- 7>&-
echo 1 >$stock/tracing_on
echo 1 >"$PROBES/tracing_on"
rmmod pe_compare
none_wrong
