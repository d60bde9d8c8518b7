#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: the same probes give the same text as the kernel's own kprobe events
# not: 7.3-cloud: its texts are of another version
# not: 6.12-rt: the texts of 6.12-cloud
# needs: tracefs kprobes btf
# seconds: 13
# files: compare_stock.defs
# modules: pe_compare
#
# Defines every probe of compare_stock.defs in the kernel's tracefs, runs a workload
# whose arguments are always the same, keeps what the files say, and does it all again
# with our files: see compare_lib.sh.
#
# Compared without any change: the list of definitions, the format files (after the
# id), every record's event, place and argument text in order, comm, pid and CPU, the
# counts in kprobe_profile, the header of trace.  Not compared: timestamps, and of the
# flags column
#   - need-resched ('N', 'n', 'p'), which depends on when the timer ticks;
#   - at breakpoints everything: the kernel (6.1 and 6.12) subtracts a preemption
#     count that its breakpoint path never added, the byte underflows, and every such
#     record shows "Zff" or the like.  There ours must say what both say at function
#     entries in the same context.
#
# symstr goes alone, a few records at the start of an empty buffer: for each, the kernel
# (6.12) looks the name up straight in the ring buffer, and that clears a byte 511 after
# the text.  Later in a page it is another page's byte, or one that is not there: running
# all definitions at once crashed the kernel in kallsyms_lookup_buildid().
#
# Return probes have a phase of their own, because the kernel's show in the entry probes
# of the same function: $stack0 there is the address of its trampoline. For the same reason
# it knows for only one of several return probes of a function where that returns to, and
# says "[unknown/kretprobe'd]" for the others; there ours may say what it wants. The kernel's
# have instances enough to miss nothing.
#
# compare_stock.sh stock   only the kernel's side, and prints what it recorded
set -eu

only=${1:-}
# shellcheck source=tests/func/lib/compare_lib.sh
. "${HOST:-/host}/compare_lib.sh"

# show_diff KERNEL'S OURS: some lines are enough
show_diff() { diff --label kernel --label ours -U 1 "$1" "$2" | head -n 20 || true; }

prepare() {
	[ "$only" = stock ] || [ -n "${PROBES:-}" ] || { echo "PROBES is not set"; exit 1; }
	echo "some text" >/tmp/file
	notice_name
	kptr=$(cat /proc/sys/kernel/kptr_restrict)
	echo 0 >/proc/sys/kernel/kptr_restrict
}

address_of() { awk -v s="$1" '$3 == s { print $1; exit }' /proc/kallsyms; }

# boundary SYM FROM: the first offset from FROM that the kernel accepts
boundary() {
	local off
	for ((off = $2; off < $2 + 40; off++)); do
		if (echo "p:compare/try $1+$off" >>$stock/kprobe_events) 2>/dev/null; then
			echo "-:compare/try" >>$stock/kprobe_events
			echo $off
			return
		fi
	done
	echo "no instruction boundary in $1" >&2
	return 1
}

# The definitions with addresses and offsets put in: "kind command" lines.
make_definitions() {
	local kind command sym n off=10 site
	site=$(cat /sys/module/pe_compare/parameters/site)
	while read -r kind command; do
		case $kind in ''|'#'*) continue ;; esac
		if [[ $command =~ 0xADDR_([a-z_]+)\+SITE([0-9]+) ]]; then
			n=$(printf '0x%x' $((0x$(address_of "${BASH_REMATCH[1]}") + site + BASH_REMATCH[2])))
			command=${command/"${BASH_REMATCH[0]}"/$n}
		elif [[ $command =~ SITE([0-9]+) ]]; then
			command=${command/"${BASH_REMATCH[0]}"/$((site + BASH_REMATCH[1]))}
		elif [[ $command =~ ADDR_([a-z_]+) ]]; then
			command=${command/"${BASH_REMATCH[0]}"/0x$(address_of "${BASH_REMATCH[1]}")}
		elif [[ $command =~ \ ([a-z_0-9]+)\+OFF ]]; then
			sym=${BASH_REMATCH[1]}
			off=$(boundary "$sym" $((off + 1)))
			command=${command/+OFF/+$off}
		fi
		echo "$kind $command"
	done <"$host/compare_stock.defs" >$out/all
	grep -Ev '^(alone|return|kreturn) ' $out/all >$out/main
	grep -E '^(return|kreturn) ' $out/all >$out/returns
	grep '^alone ' $out/all >$out/alone
	cat $out/main $out/returns $out/alone >$out/defs
	: >$stock/error_log
}

# define_in DIRECTORY <definitions
define_in() {
	local dir=$1 kind command
	while read -r kind command; do
		echo "$command" >>"$dir/kprobe_events" ||
			wrong "${dir##*/} refuses: $command: $(grep 'error:' "$dir/error_log" | tail -n 1)"
	done
}

# No fork in here, and no other use of files than this.
workload() {
	local line i
	for i in 1 2; do
		echo $i >$run
		read -r line </tmp/file
		echo "$line $i" >/tmp/file.2
		[ -s /tmp/file.2 ]
		[ -s /tmp/nowhere ] || :
		read -r line </proc/self/comm
		read -r -t 0.1 line <&8 || :
	done
}

formats() {
	local file
	for file in "$1"/events/{kprobes,other}/*/format; do
		[ -e "$file" ] || continue
		file=${file#"$1"/events/}
		echo "== ${file%/format}"
		sed 's/^ID: .*/ID: n/' "$1/events/$file"
	done
}

# Groups exist while they have events.
switch() {
	local group
	for group in kprobes other; do
		[ ! -e "$1/events/$group/enable" ] || echo "$2" >"$1/events/$group/enable"
	done
}

# phase NAME DIRECTORY COMMAND... <definitions: adds to the files of NAME
phase() {
	local name=$out/$1 dir=$2
	shift 2
	echo 0 >"$dir/tracing_on"
	echo >"$dir/trace"
	define_in "$dir"
	cat "$dir/kprobe_events" >>"$name.events"
	formats "$dir" >>"$name.formats"
	switch "$dir" 1
	exec 9>"$dir/tracing_on"
	echo 1 >&9
	"$@"
	echo 0 >&9
	exec 9>&-
	switch "$dir" 0
	cat "$dir/trace" >"$name.trace"
	cat "$dir/kprobe_profile" >>"$name.profile"
	[ ! -e "$dir/kprobe_losses" ] || cat "$dir/kprobe_losses" >>"$name.losses"
	echo >"$dir/trace"
	echo >"$dir/kprobe_events"
	echo 1 >"$dir/tracing_on"
	grep '^#' "$name.trace" | sed -E 's|(entries-written: )[0-9]+/[0-9]+ |\1N/N |' >>"$name.header"
	own_records "$name.trace" >>"$name.records"
}

run_once() { echo 1 >$run; }

# both_phases NAME DIRECTORY
both_phases() {
	phase "$1" "$2" workload <$out/main
	phase "$1" "$2" workload <$out/returns
	while read -r line; do
		phase "$1" "$2" run_once <<<"$line"
	done <$out/alone
}

same_file() {
	cmp -s $out/stock.$1 $out/ours.$1 && { echo "ok: same $1"; return; }
	wrong "$1 differ"
	show_diff $out/stock.$1 $out/ours.$1
}

# A place given as an address: the kernel shows a hash of it (it prints %p), so its list
# cannot be written back; ours shows the address. Without MAXACTIVE the kernel shows the
# number that it has chosen.
compare_listing() {
	local hash address
	hash=$(sed -n 's/^p:kprobes\/asmaddr \(0x[0-9a-f]*\) .*/\1/p' $out/stock.events)
	address=$(sed -n 's/.* p:asmaddr \(0x[0-9a-f]*\) .*/\1/p' $out/defs)
	sed -i "s/asmaddr $hash /asmaddr $address /; s|^r[0-9]*:kprobes/nomax|r:kprobes/nomax|" \
		$out/stock.events
	same_file events
}

# "EVENT KIND COMMAND" for each definition; generated names as the list has them.
name_definitions() {
	paste -d' ' <(sed -E 's/^[pr][0-9]*:([^ ]+).*/\1/; s|.*/||' $out/stock.events) $out/defs
}

reproducer() {
	echo "reproduce: echo '$1' >>kprobe_events; echo 1 >events/kprobes/enable;" \
		"echo 1 >$run; read -r x </tmp/file; [ -e /tmp/file ]; cat trace"
}

# Per event: texts/SIDE.EVENT, who and what; flags/SIDE.EVENT, one per record.
split_records() {
	local side
	mkdir -p $out/texts $out/flags
	for side in stock ours; do
		cut -d' ' -f1 $out/names | while read -r event; do
			: >$out/texts/$side.$event
			: >$out/flags/$side.$event
		done
		awk -F'|' -v out=$out -v side=$side '{
			event = $1; who = $2; flags = $3
			sub(/^[^|]*\|[^|]*\|[^|]*\|/, "")
			print who " " $0 >(out "/texts/" side "." event)
			print ++n[event] " " flags >(out "/flags/" side "." event) }' $out/$side.records
	done
}

# Where the kernel does not know the place that a function returns to, neither side does.
# same_places STOCK OURS
same_places() {
	grep -q "unknown/kretprobe'd" "$1" || return 0
	awk -v unknown="([unknown/kretprobe'd] <- " '
		NR == FNR { lost[FNR] = index($0, unknown); next }
		lost[FNR] { sub(/\([^(]* <- /, unknown) }
		{ print }' "$1" "$2" >"$2.places"
	mv "$2.places" "$2"
}

compare_texts() {
	local name kind command same=0 a b
	while read -r name kind command; do
		a=$out/texts/stock.$name b=$out/texts/ours.$name
		same_places $a $b
		if [ ! -s $a ]; then
			wrong "the kernel recorded nothing for: $command"
		elif cmp -s $a $b; then
			same=$((same + 1))
		else
			wrong "records of $name differ ($(wc -l <$a) and $(wc -l <$b))"
			show_diff $a $b
			reproducer "$command"
		fi
	done <$out/names
	echo "ok: $same definitions with the same records," \
		"$(wc -l <$out/ours.records) records of this process"
}

# Several probes on one instruction fire in the order of definition here, and the
# other way round in the kernel: compared is the order of the places.
compare_order() {
	local side
	for side in stock ours; do
		sed -E 's/^[^|]*\|[^|]*\|[^|]*\|[^(]*(\([^)]*\)).*/\1/; s/.* <- /(return of /' $out/$side.records |
			uniq >$out/$side.order
	done
	same_file order
}

# Entries: equal to the kernel's.  Breakpoints in pe_cmp_body: equal to those of
# the entry event "regs", which is hit once in each context, as they are.
compare_flags() {
	local name kind command wrong=0 reference=$out/flags/ours.regs places=0 a b
	while read -r name kind command; do
		a=$out/flags/stock.$name b=$out/flags/ours.$name
		case $kind in
		entry|kernel|return|kreturn|alone)
			cmp -s $a $b && continue
			wrong "flags of $name differ from the kernel's"
			show_diff $a $b
			reproducer "$command" ;;
		int3)
			places=$((places + 1))
			cmp -s $reference $a || wrong=$((wrong + 1))
			cmp -s $reference $b && continue
			wrong "flags of $name are not those of the context"
			show_diff $reference $b
			reproducer "$command" ;;
		middle)
			[ "$(cut -d' ' -f2 $b | sort -u)" = "....." ] && continue
			wrong "flags of $name, in task context"
			cat $b ;;
		*)
			wrong "unknown kind: $kind" ;;
		esac
	done <$out/names
	echo "ok: flags; wrong in the kernel's at $wrong of $places breakpoints"
}

# The contexts in the order in which pe_compare.ko calls: what they must show.  The
# softirq runs, and the interrupt comes, inside a section with preemption off.
compare_contexts() {
	printf '%s\n' '.....' '...1.' 'd....' 'b....' '..s1.' 'd.h1.' '....1' >$out/a
	head -n 7 $out/flags/ours.regs | cut -d' ' -f2 >$out/b
	cmp -s $out/a $out/b && { echo "ok: flags of the seven contexts"; return; }
	wrong "flags of the contexts"
	show_diff $out/a $out/b
}

# Other processes may have hit the kernel's functions; the module's are ours alone.
compare_profile() {
	local side
	for side in stock ours; do
		awk 'NR == FNR { if ($2 !~ /^(kernel|middle|kreturn)$/) own[$1] = 1
				next }
			$1 in own' $out/names $out/$side.profile >$out/$side.counts
	done
	same_file counts
}

# Columns: group, event, hits, then what became of them.
compare_losses() {
	[ -e $out/ours.losses ] || { wrong "there is no kprobe_losses"; return; }
	if awk '$1 == "event" { next } { sum = 0; for (i = 4; i <= NF; i++) sum += $i
		if (sum != $3) { print "sum is not hits: " $0; bad = 1 } }
		END { exit bad || NR < 2 }' $out/ours.losses; then
		echo "ok: every hit is accounted for"
	else
		wrong "hits are not records plus losses"
	fi
}

prepare
make_definitions
echo "$(wc -l <$out/defs) definitions"
both_phases stock $stock
if [ "$only" = stock ]; then
	cat $out/stock.{events,formats,header,records,profile}
	exit $((failures > 0))
fi
both_phases ours "$PROBES"
compare_listing
same_file formats
same_file header
name_definitions >$out/names
split_records
compare_texts
compare_order
compare_flags
compare_contexts
compare_profile
compare_losses
echo "$kptr" >/proc/sys/kernel/kptr_restrict
rmmod pe_compare
none_wrong
