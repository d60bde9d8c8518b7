# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# shellcheck shell=bash
#
# For tests/func/run: the headers of tests, and which tests run where, in which modes.
#
# A test is TEST, or TEST@MODE in a mode that is not default; functions here take either. $all is
# 1 when tests run wherever they can; $kernels, $modes and $tests are what was asked for.
#
# What a function is asked for is in $REPLY afterwards: these are called thousands of times, and "$(...)"
# would be a process each time.

# All headers, read once: what a line says is in headers["TEST KEY"], the first of its kind; of all
# lines "not", the kernels. Where a test is: paths["TEST"]; its number: order["TEST"]. The libs: ${libs[@]}.
declare -A headers paths order
libs=()
read_headers() {
	local path name key value
	while read -r path; do
		name=$(basename "$path" .sh)
		[ -z "${paths[$name]:-}" ] || die "two tests are called $name: $path, ${paths[$name]}"
		paths[$name]=$path order[$name]=${#paths[@]}
		[[ $name != *_lib ]] || libs+=("$path")
	done < <(find "$func" -name '*.sh' | sort)
	while read -r name key value; do
		if [ "$key" = not ]; then
			[[ $value =~ ^([a-z0-9. -]+):\ .+ ]] || die "$name: '# not: $value': KERNEL...: REASON is wanted"
			headers[$name not]+=" ${BASH_REMATCH[1]}"
		else
			[ -n "${headers[$name $key]+known}" ] || headers[$name $key]=$value
		fi
	done < <(awk '
		FNR == 1 { name = FILENAME; gsub(/.*\/|\.sh$/, "", name) }
		/^[^#]/ { nextfile }
		/^# [a-z]+: / { sub(/^# /, ""); sub(/:/, ""); print name, $0 }' "${paths[@]}")
}

# header TEST[@MODE] KEY: what the header says, empty when nothing.
header() { REPLY=${headers[${1%@*} $2]:-}; }

# path_of TEST[@MODE]
path_of() { REPLY=${paths[${1%@*}]}; }

# mode_of NAME: of TEST or TEST@MODE, or KERNEL or KERNEL@MODE
mode_of() {
	REPLY=default
	[[ $1 != *@* ]] || REPLY=${1#*@}
}

all_tests() {
	local name
	for name in "${!paths[@]}"; do
		header "$name" description
		[ -z "$REPLY" ] || printf '%s\n' "$name"
	done | sort
}

# timeout_of TEST KERNEL
timeout_of() {
	header "$1" timeout
	REPLY=${REPLY:-1200}
	[ "$2" != debug ] || REPLY=$((REPLY * 3))
	[ -z "${PE_LONG:-}" ] || REPLY=$((REPLY * 4))
}

# offers KERNEL: what headers may ask for. A kernel that is not named here has all of it. The build of
# scripts/build-modules may be plain.
offers() {
	case $1 in
	bare) REPLY='no-tracing' ;;
	debug) REPLY='tracefs kprobes ftrace failures' ;;
	5.10|5.10-*|6.1|6.1-*) REPLY='tracefs kprobes ftrace network' ;;
	*) REPLY='tracefs kprobes ftrace network btf' ;;
	esac
	REPLY+=${PE_PLAIN:+ plain-build}
}

all_modes='default interpreted breakpoints plain toggled'

# has_mode TEST[@MODE]: it can run in this mode
has_mode() {
	local modes
	header "$1" modes
	modes=" ${REPLY:-$all_modes} "
	mode_of "$1"
	[[ $modes == *" $REPLY "* ]]
}

# can_run TEST[@MODE] KERNEL
can_run() {
	local only not
	header "$1" kernels
	only=" ${REPLY:-$2} "
	header "$1" not
	# A plain kernel is as its cloud flavour, but for drivers.
	not=" $REPLY "
	[[ $only == *" $2 "* && $not != *" $2 "* && $not != *" $2-cloud "* ]] && has_mode "$1" && has_needs "$1" "$2"
}

# has_needs TEST[@MODE] KERNEL: the kernel offers them
has_needs() {
	local word offered
	offers "$2"
	offered=" $REPLY "
	header "$1" needs
	for word in $REPLY; do
		[[ $offered == *" $word "* ]] || return 1
	done
}

# runs_on TEST[@MODE] KERNEL: this time
runs_on() {
	can_run "$1" "$2" || return 1
	[ $all = 0 ] || return 0
	in_tier "$1" "$2" && its_turn "$1" "$2"
}

# in_tier TEST[@MODE] KERNEL: it is there
in_tier() {
	local tier place
	header "$1" tier
	tier=" ${REPLY:-6.12-cloud} "
	mode_of "$1"
	place=@$REPLY
	[[ $tier == *" $2${place#@default} "* ]]
}

# CPU seconds that a run spends on a test on a kernel, on average: where most is to be found, and on the
# others. However long a test is, it has a turn in one run of so many at least.
declare -A shares=([6.12-cloud]=6 [debug]=10 [others]=2)
most_turns=9

# turns_of TEST[@MODE] KERNEL: there in one run of how many
turns_of() {
	local share=${shares[$2]:-${shares[others]}}
	seconds_of "$1" "$2"
	REPLY=$(((REPLY + share - 1) / share))
	REPLY=$((REPLY < 1 ? 1 : REPLY > most_turns ? most_turns : REPLY))
}

# its_turn TEST[@MODE] KERNEL: $turn is that of this run; tests, and a test's kernels, have different ones.
its_turn() {
	turns_of "$1" "$2"
	[ $(((turn + ${order[${1%@*}]} + ${#2}) % REPLY)) = 0 ]
}

# choose_modes: $tests get a name for each mode they run in, but for those whose names have one.
# Without -a, -k, -m and TEST the tier says which of all modes these are.
choose_modes() {
	local name mode given=("${tests[@]}")
	[ ${#modes[@]} -eq 0 ] || all=1
	[ $all = 1 ] || modes=(all)
	[ ${#modes[@]} -gt 0 ] || modes=(default)
	[[ " ${modes[*]} " != *' all '* ]] || read -ra modes <<<"$all_modes"
	tests=()
	for mode in "${modes[@]}"; do
		[[ " $all_modes " == *" $mode "* ]] || die "there is no mode $mode: one of $all_modes, all"
		mode=@$mode
		for name in "${given[@]}"; do
			[[ $name == *@* ]] || tests+=("$name${mode#@default}")
		done
	done
	for name in "${given[@]}"; do
		[[ $name != *@* ]] || tests+=("$name")
	done
}

# The cost of a test on a kernel, or in a mode, in per cent of its cost on 6.12-cloud, or in the others
declare -A dearness=([6.12-rt]=125 [bare]=60 [debug]=600 [toggled]=170)

# seconds_of TEST[@MODE] KERNEL: about
seconds_of() {
	local word seconds percent=${dearness[$2]:-100}
	header "$1" seconds
	seconds=${REPLY%% *}
	for word in $REPLY; do
		[[ $word != "$2="* ]] || seconds=${word#*=} percent=100
	done
	mode_of "$1"
	percent=$((percent * ${dearness[$REPLY]:-100} / 100))
	REPLY=$(((${seconds:-10} * percent + 50) / 100))
}

# redefined: "NAME: FILE FILE" for each function that a lib has, and another file, too
redefined() {
	awk -F '(' '/^[a-z_0-9]+\(\)/ { if (FILENAME ~ /_lib\.sh$/) { lib[$1] = FILENAME } ; where[$1] = where[$1] " " FILENAME; n[$1]++ }
		END { for (f in lib) if (n[f] > 1) print f ":" where[f] }' "${paths[@]}"
}

# Values of headers that are the same without the header
declare -A defaults=([tier]=6.12-cloud [seconds]=10 [timeout]=1200 [modes]=$all_modes)

# Each word that "needs:" may have; no kernel has all.
needs='tracefs kprobes ftrace network btf failures no-tracing plain-build'

# A kernel that is new in the list is in no tier: so many tests must name it before make test says that it works.
least_there=8

# check_headers: of all tests, whichever run. A file without description would be a test that
# never runs, and a list of kernels would keep the test from the next one: it is for tests that only
# run when asked for.
check_headers() {
	local name key kernel word known
	declare -A there=()
	known=$("$pe_top/scripts/kernel" list | paste -sd ' ')
	for name in "${!paths[@]}"; do
		[[ $name != *_lib && ${paths[$name]} != "$func/headers.sh" ]] || continue
		header "$name" description
		[ -n "$REPLY" ] || die "$name has no line description:, so nothing runs it"
		header "$name" tier
		for kernel in ${REPLY:-6.12-cloud}; do
			there[${kernel%@*}]=$((${there[${kernel%@*}]:-0} + 1))
		done
		[ "$REPLY" = none ] || header "$name" kernels
		[ "$REPLY" = none ] || [ -z "$REPLY" ] ||
			die "$name: '# kernels:' leaves out kernels that come: say '# needs: WORD...' or '# not: KERNEL...: REASON'"
		header "$name" needs
		for word in $REPLY; do
			[[ " $needs " == *" $word "* ]] || die "$name: '# needs: $word' is offered by no kernel: one of $needs"
		done
		header "$name" not
		for kernel in $REPLY; do
			[[ " $known " == *" $kernel "* ]] || die "$name: '# not: $kernel': there is no such kernel"
			has_needs "$name" "$kernel" || die "$name: '# not: $kernel' is said by '# needs:' already"
		done
		for key in "${!defaults[@]}"; do
			header "$name" "$key"
			[ "$REPLY" != "${defaults[$key]}" ] ||
				die "$name: '# $key: ${defaults[$key]}' is the default"
		done
	done
	for kernel in $known; do
		[ "${there[$kernel]:-0}" -ge $least_there ] ||
			die "only ${there[$kernel]:-0} tests have $kernel in their tier, $least_there should: else make test says little of it"
	done
}

# Modules named in headers that nothing builds would make tests fail late and unclearly; and
# a test on no kernel would never be missed.
check_needs() {
	local name word twice
	twice=$(redefined)
	[ -z "$twice" ] || die "functions that are defined twice: $twice"
	for name in "${tests[@]}"; do
		header "$name" description
		[ -n "$REPLY" ] || die "$name: no such test, or no description"
		header "$name" tier
		for word in $REPLY; do
			mode_of "$word"
			[ "$word" = none ] || can_run "${name%@*}@$REPLY" "${word%@*}" ||
				die "$name: can't run on $word, which is in its tier"
		done
		header "$name" modes
		for word in $REPLY; do
			[[ " $all_modes " == *" $word "* ]] || die "$name: there is no mode $word"
		done
		if [ -z "$REPLY" ] && path_of "$name" &&
				grep -Eq '(kprobes|\$P)/(compile|optimization)\b' "$REPLY"; then
			die "$name: changes a switch, and has no line modes:"
		fi
		header "$name" modules
		for word in $REPLY; do
			grep -q "\\b$word\\.o\\b" "$pe_top/tests/modules/Kbuild" ||
				die "$name: tests/modules has no $word"
		done
	done
}

# list_tests: where each would run (KERNEL/N: in one run of N) and (where else it can), and for how many CPU seconds about
list_tests() {
	local name kernel runs others total=0 times whole=2520	# which all turns divide
	local -A sum=() number=()
	for name in "${tests[@]}"; do
		runs='' others=''
		for kernel in "${kernels[@]}"; do
			times=1
			if [ $all = 0 ] && can_run "$name" "$kernel" && in_tier "$name" "$kernel"; then
				turns_of "$name" "$kernel"
				times=$REPLY
			elif ! runs_on "$name" "$kernel"; then
				times=0
			fi
			if [ $times != 0 ]; then
				runs+=" $kernel"
				[ $times = 1 ] || runs+=/$times
				seconds_of "$name" "$kernel"
				sum[$kernel]=$((${sum[$kernel]:-0} + REPLY * whole / times))
				number[$kernel]=$((${number[$kernel]:-0} + whole / times))
			elif can_run "$name" "$kernel"; then
				others+=" $kernel"
			fi
		done
		# In other modes, only what runs.
		[[ -n $runs || $name != *@* ]] || continue
		others=${others:+ (${others# })}
		header "$name" description
		printf '%-25s%s%s: %s\n' "$name" "${runs:- -}" "$others" "$REPLY"
	done
	for kernel in "${!sum[@]}"; do
		printf '%-11s %d tests, about %d CPU seconds\n' "$kernel" $((number[$kernel] / whole)) $((sum[$kernel] / whole))
		total=$((total + sum[$kernel] / whole))
	done
	printf 'about %d CPU seconds\n' $total
}
