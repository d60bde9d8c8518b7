#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: histogram triggers: answers, errors, and what hist and trigger say, as the kernel's
# not: 5.10-cloud 6.1-cloud 7.3-cloud: their texts are of other versions
# not: debug: it has no histogram of its own
# not: 6.12-rt: the texts of 6.12-cloud
# needs: tracefs kprobes
# seconds: 90
# files: hist_stock.defs
# modules: pe_compare
#
# Each line of hist_stock.defs is done in the kernel's tracefs and in ours, and so are some hundred
# that are made at random (PE_SEED repeats them; PE_LONG: twenty times as many); some of these are
# right, most have one to three changes. A line has steps separated by "|": a text for the trigger
# file of event a, or "b TEXT" for that of b, or "run". After the steps pe_compare.ko hits both events in seven contexts, twice. Compared are the
# answers, error_log, trigger and hist.
#
# Rows that are equal in what they are sorted by have no order in the kernel: such rows are
# compared without it. Not compared: errors of which the kernel says nothing, but their errno.
set -eu
# shellcheck source=tests/func/lib/compare_lib.sh
. "${HOST:-/host}/compare_lib.sh"

define() {
	echo 'p:tr/a pe_cmp_target ctx=%dx:u32 n=%si:s64 b=%cx:u8 s=+88(%di):string fn=+168(%di):x64 arr=+8(%di):u16[4] sarr=+112(%di):string[2] sym=+168(%di):symbol comm=$comm ch=+80(%di):char w=+64(%di):s8 q=+40(%di):s64 h=+66(%di):s16 ss=+168(%di):symstr' >>kprobe_events
	echo 'p:tr/b pe_cmp_body ctx=%di:u32' >>kprobe_events
}

# pick WORD...: one of them, in $word
pick() {
	seed=$(((seed * 1103515245 + 12345) & 0x7fffffff))
	shift $(((seed >> 8) % $#))
	word=$1
}

# pick_below N: a number from 0, in $word
pick_below() {
	seed=$(((seed * 1103515245 + 12345) & 0x7fffffff))
	word=$(((seed >> 8) % $1))
}

# A trigger whose rows have an order, in $line: it is sorted by all of its keys, of which it has two at most.
random_line() {
	local keys=() sorts=() vals field mod n
	pick 1 1 2
	for n in $(seq "$word"); do
		pick ctx n b fn ch w q h common_pid common_cpu __probe_ip common_preempt_count sym s comm ss
		field=$word
		case $field in
		s | comm | ss) mod= ;;
		common_pid) pick '' .hex .execname .log2 && mod=$word ;;
		*) pick '' '' .hex .sym .sym-offset .log2 .buckets=3 .buckets=100 .syscall .usecs && mod=$word ;;
		esac
		# The kernel looks at 32 bits of a system call's number.
		[ "$field$mod" != q.syscall ] || mod=.hex
		case " ${keys[*]-} " in *" $field"*) continue ;; esac
		keys+=("$field$mod")
		pick '' .ascending .descending
		sorts+=("$field$word")
	done
	# One text only: two make a key that is too long.
	case "${keys[*]}" in s*\ [sc]* | [sc]*\ s* | *\ comm | comm\ *) keys=("${keys[0]}") sorts=("${sorts[0]}") ;; esac
	line="hist:keys=$(IFS=,; echo "${keys[*]}")"
	pick '' :vals=b :vals=b+n :vals=ctx*2-b,n :vals='-(ctx+w)' :vals=5,ctx/4 :vals=n,ctx :vals=q.hex :vals=b.percent,w :vals=h.graph :vals=hitcount,fn.hex \
		:vals=hitcount.percent :vals=common_pid,ch.percent :val=ctx.graph,b.hex
	vals=$word
	line+="$vals:sort=$(IFS=,; echo "${sorts[*]}")"
	pick '' '' :x=ctx :x=n+1,y=b :x=b-w:y=ctx/2 ':x=-(ctx)'
	line+=$word
	if [ -n "$word" ]; then
		pick '' '' ':onmax($x).save(ctx,ch)' ':onchange($x).save(comm)' ':onmax($x).snapshot()'
		line+=$word
	fi
	pick '' '' :size=128 :size=4096
	line+=$word
	[ -z "$vals" ] || { pick '' '' :nohitcount && line+=$word; }
	pick '' '' ' if ctx > 2' ' if b == 240' ' if n == 5' ' if s ~ "hello*"'
	line+=$word
}

# A line with one to three changes, in $line: most are refused. "" if the answer cannot be the kernel's:
# it has what only we have, or what only the kernel has.
broken_line() {
	local n parts at len text
	random_line
	pick 1 1 1 2 3
	for n in $(seq "$word"); do
		len=$((${#line} - 5))
		[ $len -gt 0 ] || return 0
		pick_below $len
		at=$((word + 5))
		text=${line:at+1}
		pick char char char drop twice insert word swap cut
		case $word in
		char)
			pick a x : , . = 3 _ ' ' i f + - '*' / '$' '(' ')'
			line=${line:0:at}$word$text ;;
		drop) line=${line:0:at}$text ;;
		twice) line=${line:0:at}${line:at:1}${line:at} ;;
		insert)
			pick .hex .sym .sym-offset .sym-offsets .log2 .percent .percents .graph .graphic .usecs \
				.stacktrace .buckets .buckets= .bucket=0 .buckets=x .execname .syscall .up .. a.b. \
				.ascending .descending ,hitcount ,nope ,n ,fn.sym ,ctx ' if ctx > 2' ' if nope > 2' \
				' if' :pause :cont :clear :nohitcount :NOHC :name=nn :clock=mono ': clock= mono ' :clock=no \
				:size=64 :size=128 :size=0x100 :size=-1 :size=99999999999999999999 :sort=n :sort= \
				:x=ctx :y=n-1,z=b :z '+n' '-b' '*2' '/0' '-(' ')' '$x' '$none' '5' '7b' :x=b.log2 \
				':onmax($x).save(ctx)' ':onchange($y).save(x)' ':onmax($x)' ',none)' .save '()' \
				,common_timestamp.usecs ,common_timestamp :keys=n :vals=ch :vals=b :nope
			line=${line:0:at}$word${line:at} ;;
		word)
			text=${text#*[:,.=]}
			pick nope hitcount common_cpu common_preempt_count CPU n ctx.log2 hex sym-offset '' a.b.n
			line=${line:0:at}$word${text:+:$text} ;;
		swap)
			IFS=: read -r -a parts <<<"${line#hist:}"
			line="hist:${parts[-1]}:$(IFS=:; echo "${parts[*]::${#parts[@]}-1}")" ;;
		cut) line=${line:0:at} ;;
		esac
	done
	! unlike_kernel "$line" || line=
}

# Does a line have what ours and the kernel's language do not share? kprobe-events.md has the list.
unlike_kernel() {
	local part name rest values
	part=${1%% if *}
	# onmatch() and the like; what the kernel divides by a number may be 1 too large.
	[[ $part =~ \)\.[^:]*\( && ! $part =~ \)\.(save|snapshot)[^:]*\( ]] && return 0
	[[ $part =~ onmatch\( || $part =~ /[0-9]*[3-9] ]] && return 0
	while IFS= read -r part; do
		case $part in
		key=* | keys=*)
			rest=${part#*=}
			# One text; a text has no modifier; nor has a stack, of which there is one.
			[[ $rest =~ (^|,)([^,]*\.[^,]*\.)?(s|ss|comm|sarr|stacktrace|common_stacktrace)\.[^,]*(,|$) ]] && return 0
			[[ $rest =~ (^|[,.])(s|ss|comm|sarr)(,|$).*,([^,]*\.)?(s|ss|comm|sarr)(,|$) ]] && return 0
			[[ $rest =~ stacktrace.*stacktrace ]] && return 0
			;;
		val=* | vals=* | values=*)
			rest=${part#*=}
			[[ $rest =~ (^|[,.])(s|ss|comm|sarr|arr)(\.|,|$) ]] && return 0
			values=$rest,
			[[ $rest =~ (^|,)hitcount(,|$) ]] && values=${values/hitcount,/}
			values=${values//[^,]/}
			[ ${#values} -le 2 ] || return 0
			;;
		size=* | sort=* | name=* | clock=* | hist*) ;;
		*=*) [[ $part =~ =([^,]*\.[^,]*\.)?(s|ss|comm|sarr|arr|common_pid\.execname|(common_)?stacktrace)(\.|,|$) ]] && return 0 ;;
		*)
			[[ $part =~ stacktrace ]] && return 0
			;;
		esac
	done <<<"${1//:/$'\n'}"
	return 1
}

lines() {
	local n times=1
	cat $host/hist_stock.defs
	[ -z "${PE_LONG:-}" ] || times=20
	for n in $(seq $((${PE_GOOD:-20} * times))); do
		random_line
		echo "$line"
	done
	for n in $(seq $((${PE_BROKEN:-60} * times))); do
		broken_line
		[ -z "$line" ] || echo "?$line"
	done
}

# attempt TEXT FILE: the answer, and the first that error_log says of it: ours has no more
attempt() {
	local line n=0
	: >error_log
	if printf '%s' "$1" 2>$out/err >>"$2"; then
		echo "$1: ok"
	else
		read -r line <$out/err
		echo "$1: ${line##*: }"
	fi
	while IFS= read -r line; do
		case $line in
		*'error: Not a part of'* | *'error: No keys are'* | *'error: Too many keys'* | *'error: Too many values'* | \
		*'error: A key has'* | *'error: A field of 1'* | *'error: Invalid size'* | *'error: Refused'* | \
		*'error: Not an expression'* | *'error: Another trigger'* | *'error: Too many actions'* | \
		*'error: The instance already'* | \
		*"error: A filter must begin"* | *"event trigger parse error"*) break ;;
		esac
		[ $((++n)) -le 3 ] || break
		echo "log: ${line#*] }"
	done <error_log
}

# The texts of trigger and hist; equal rows are sorted if $2 says that they have no order.
state() {
	local file=events/tr/$1
	grep -v '^#' $file/trigger | sed "s/^/$1 trigger: /" || :
	if $2; then
		cat $file/hist
	else
		awk '/^{/ { rows[++n] = $0; next }
			n && /^\t/ { rows[n] = rows[n] "\n" $0; next }
			{ for (i = 2; i <= n; i++) { row = rows[i]
				for (j = i - 1; j && rows[j] > row; j--) rows[j + 1] = rows[j]
				rows[j + 1] = row }
			  for (i = 1; i <= n; i++) print rows[i]
			  n = 0; print }' $file/hist
	fi
}

# clean EVENT STEP...: remove its triggers, the last first, because it may refer to others. First as
# they have been set: the kernel does not take back what it shows of a modifier in sort, or of cpu.
clean() {
	local i step line lines
	for ((i = $#; i > 1; i--)); do
		step=${!i}
		case $1$step in
		'ab '*) ;;
		'bb '*) printf '!%s' "${step#b }" 2>/dev/null >>events/tr/b/trigger || : ;;
		a*) printf '!%s' "${step# }" 2>/dev/null >>events/tr/a/trigger || : ;;
		esac
	done
	mapfile -t lines <events/tr/$1/trigger
	for ((i = ${#lines[@]} - 1; i >= 0; i--)); do
		line=${lines[i]}
		case $line in '#'*) continue ;; esac
		line=${line% \[*}
		[[ $line != hist:* ]] || line=$(sed -E ':a; s/(sort=[^: ]*[a-z_A-Z]+)\.(hex|sym-offset|sym|execname|log2|syscall|usecs|percent|graph|buckets=[0-9]+)/\1/; ta' <<<"$line")
		printf '!%s' "$line" >>events/tr/$1/trigger
	done
	line=$(grep -v '^#' events/tr/$1/trigger || :)
	[ -z "$line" ] || fail "not removed: $line" >&2
}

# scenario: all lines. Of one that was refused there is nothing to see.
scenario() {
	local line step steps ordered broken
	while IFS= read -r line; do
		broken=false
		[[ $line != '?'* ]] || broken=true
		line=${line#'?'}
		echo "=== $line"
		IFS='|' read -r -a steps <<<"$line"
		for step in "${steps[@]}"; do
			case $step in
			run) echo 1 >$run ;;
			"b "*) attempt "${step#b }" events/tr/b/trigger ;;
			*) attempt "$step" events/tr/a/trigger ;;
			esac
		done
		case $line in
		*'|'*) ;;
		*)
			read -r step <events/tr/a/trigger
			[[ $step != '#'* ]] || continue ;;
		esac
		echo 1 >$run
		echo 1 >$run
		case $broken$line in *'|'* | true*) ordered=false ;; *sort=[a-gi-z_]*) ordered=true ;; *) ordered=false ;; esac
		state a $ordered
		state b $ordered
		clean b "${steps[@]}"
		clean a "${steps[@]}"
	done <$out/lines
}

phase() {
	cd "$1"
	define
	scenario >$out/$2
	echo >kprobe_events
	cd /
}

seed=${PE_SEED:-$RANDOM}
echo "# PE_SEED=$seed"
lines >$out/lines
phase $stock stock
if [ "${1:-}" = stock ]; then
	cat $out/stock
	exit
fi
phase "$PROBES" ours
n=$(grep -c '^===' $out/stock)
accepted=$(grep -c 'trigger: hist' $out/stock)
refused=$(grep -c '^log: hist:tr:a: error' $out/stock)
echo "$n cases, $accepted triggers, $refused errors, $(grep -c '^{' $out/stock) rows"
at_least 'cases' 220 "$n"
at_least 'triggers' 100 "$accepted"
at_least 'errors' 80 "$refused"
cmp -s $out/stock $out/ours ||
	fail "not as the kernel: $(diff --label kernel --label ours -U 5 $out/stock $out/ours | head -n 200)"
