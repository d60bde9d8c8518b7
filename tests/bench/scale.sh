#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# What 10,000 probes cost: the time to define them in one write, to enable, disable and remove
# them, and their memory.  For `tests/vm/run --icount -m 2G -f .../ktext`: guest time counts
# instructions, 1 ns each.
#
# usage: scale.sh [KIND...]: entry, middle, return, hits, functions
# Prints a line "@@ KIND define MS enable MS disable MS memory KB remove MS" for each; for the middle
# also "jumps N in MS": how many breakpoints have become jumps, and the last of them when; and for
# hits the cost of one in hundredths of instructions. For functions, of ours and of the kernel's own
# probes of functions: "@@ functions WHOSE count N define MS enable MS hit HUNDREDTHS memory KB disable
# MS remove MS".

set -eu
cd "$PROBES"
echo none > limits
probes=10000
mkdir -p /tmp/scale

fail() { echo "scale: $*" >&2; exit 1; }

# Names that one function has, and that the command language takes
awk '{ n[$3]++ } END { for (s in n) if (n[s] == 1 && s ~ /^[A-Za-z0-9_]+$/) print s }' \
	/proc/kallsyms | sort > /tmp/scale/unique

# functions: those that ftrace traces
functions() { awk '{ print $1 }' available_filter_functions | sort -u | comm -12 - /tmp/scale/unique; }

# events LETTER: one on each place of stdin
events() { awk -v letter="$1" '{ print letter ":scale/e" NR - 1 " " $1 }'; }

# boundaries: many instruction boundaries, drawn at random
boundaries() {
	/host/ktext sites $((3 * probes)) 1 |
		awk -F '[ +]' 'NR == FNR { known[$1] = 1; next }
			known[$2] && $3 != "0x0" && !seen[$2 $3]++ { print $2 "+" $3 }' /tmp/scale/unique -
}

# There is room for 4,096 functions with return probes: three on each.
candidates() {
	case $1 in
	entry) functions | events p ;;
	return) for _ in 1 2 3; do functions | head -n 3600; done | events r ;;
	middle) boundaries | events p ;;
	*) fail "unknown kind: $1" ;;
	esac
}

# refused: the number of the event that the last command wanted
refused() {
	local line number=''

	while IFS= read -r line; do
		case $line in *'Command: '*) number=${line#*:scale/e} ;; esac
	done < error_log
	echo "${number%% *}"
}

# define FILE: by one write
define() { dd if="$1" of=kprobe_events bs=16M status=none; }

# choose KIND: 10,000 events that are not refused, into /tmp/scale/KIND
choose() {
	local lines next=0 no=0

	mapfile -t lines < <(candidates "$1")
	echo "# $1: ${#lines[@]} candidates"
	while [ $((next - no)) -lt $probes ]; do
		[ $next -lt ${#lines[@]} ] || fail "only $((next - no)) places for $1 can be probed"
		# No more than one write of bash, which is 4 KB
		if printf '%s\n' "${lines[@]:next:30}" 2> /dev/null >> kprobe_events; then
			next=$((next + 30))
		else
			next=$(($(refused) + 1)) no=$((no + 1))
		fi
	done
	echo "# $1: $no refused"
	head -n $probes kprobe_events > "/tmp/scale/$1"
	echo > kprobe_events
}

# ms COMMAND...: what it took
ms() {
	local start

	start=$(date +%s%N)
	"$@"
	took=$((($(date +%s%N) - start) / 1000000))
}
put() { echo "$1" > "$2"; }

# settled: KB of memory that are free, when that does not grow any more
free_memory() { awk '/ pages free | count: / { n += $NF } END { print n * 4 }' /proc/zoneinfo; }
settled() {
	local last=0 now

	now=$(free_memory)
	while [ "$now" -gt "$last" ]; do
		last=$now
		sleep 1
		now=$(free_memory)
	done
	echo "$now"
}

# jumps: wait until no more breakpoints become jumps, and say how many did
jumps() {
	local start took=0 last=0 now idle=0

	start=$(date +%s%N)
	while [ $idle -lt 50 ]; do
		sleep 0.1
		now=$(cut -d ' ' -f 1 kprobes/detours) idle=$((idle + 1))
		[ "$now" = "$last" ] || took=$((($(date +%s%N) - start) / 1000000)) last=$now idle=0
	done
	result+=" jumps $last in $took"
}

measure() {
	local before result

	choose "$1"
	before=$(settled)
	ms define "/tmp/scale/$1"; result="define $took"
	[ "$(grep -c . kprobe_events)" = $probes ] || fail "$1: not all are defined"
	ms put 1 events/scale/enable; result+=" enable $took"
	ms put 0 events/scale/enable; result+=" disable $took"
	put 1 events/scale/enable
	[ "$1" != middle ] || jumps
	result+=" memory $((before - $(settled)))"
	[ ! -e kprobes/memory ] || cat kprobes/memory
	put 0 events/scale/enable
	ms put '' kprobe_events; result+=" remove $took"
	echo "@@ $1 $result"
}

# compiled: how many probes have compiled hits; reading the file waits for it
compiled() {
	[ -e kprobes/compiled ] || { echo 0; return; }
	cat kprobes/compiled > /tmp/scale/compiled
	grep -c ' compiled$' /tmp/scale/compiled || true
}

# hit N: instructions of a hit with N probes armed, all of which fire; in hundredths
par=/sys/module/pe_many/parameters
ticks() { echo 20 > $par/run; echo 200 > $par/run; cat $par/ticks; }
hit() {
	local armed have
	printf '%s\n' "${many[@]:0:$1}" > /tmp/scale/many
	define /tmp/scale/many
	echo 1 > events/many/enable
	have=$(compiled)
	armed=$(ticks)
	echo 0 > events/many/enable
	cost=$(((armed - idle) * 100 / (200 * $1)))
	echo "@@ hit armed $1 cost $cost compiled $have"
}

# round: a round that compiles all that can be: with the wait for tasks, and its own CPU time
round() {
	local TIMEFORMAT=%S cpu

	put 0 kprobes/compile
	ms put 1 kprobes/compile
	put 0 kprobes/compile
	cpu=$({ time put 1 kprobes/compile; } 2>&1)
	echo "@@ compile $(compiled) in $took cpu $cpu"
	cat kprobes/memory
}

# hits: of one probe and of a thousand; and of a thousand beside 9,000 others that do not fire
hits() {
	local have

	insmod /modules/pe_many.ko
	mapfile -t many < <(for n in {000..999}; do echo "p:many/e$n pe_many:pe_many_$n"; done)
	idle=$(ticks)
	hit 1
	hit 1000
	echo 1 > events/many/enable
	[ ! -e kprobes/compile ] || round
	[ ! -e kprobes/compile ] || put 0 kprobes/compile
	echo 0 > events/many/enable
	hit 1
	hit 1000
	[ ! -e kprobes/compile ] || put 1 kprobes/compile
	echo > kprobe_events
	[ -e /tmp/scale/entry ] || choose entry
	head -n 9000 /tmp/scale/entry > /tmp/scale/others
	printf '%s\n' "${many[@]}" >> /tmp/scale/others
	define /tmp/scale/others
	echo 1 > events/scale/enable
	idle=$(ticks)
	echo 1 > events/many/enable
	have=$(compiled)
	echo "@@ hit armed 10000 firing 1000 cost $((($(ticks) - idle) / (2 * 1000))) compiled $have"
	echo 0 > events/enable
	echo > kprobe_events
	rmmod pe_many
}

# stage NAME COMMAND...: what it took, to $result
stage() { ms "${@:2}"; result+=" $1 $took"; }
write() { dd if="$1" of="$2" bs=16M status=none; }

# hit_of N: instructions of a hit, in hundredths; N of the functions that the module calls are probed
hit_of() { result+=" hit $((($(ticks) - idle) * 100 / (200 * $1)))"; }

# by_events NAME DIRECTORY FILE N FIRING: events that FILE defines there, on N functions of which FIRING
# are the module's
by_events() {
	local before result="count $4"

	before=$(settled)
	stage define write "$3" "$2/dynamic_events"
	stage enable put 1 "$2/events/scale/enable"
	[ ! -e "$2/kprobes/compiled" ] || echo "# compiled: $(compiled)"
	hit_of "$5"
	result+=" memory $((before - $(settled)))"
	stage disable put 0 "$2/events/scale/enable"
	stage remove put '' "$2/dynamic_events"
	echo "@@ functions $1 $result"
}

# by_call PATTERN: what the kernel's probe of functions can do without events; its handler counts
by_call() {
	local filter=/sys/module/pe_fprobe/parameters/filter before result

	insmod /modules/pe_fprobe.ko
	before=$(settled)
	result=
	stage enable put "$1" $filter
	result="count $(wc -l < $stock/enabled_functions)$result"
	hit_of 1000
	result+=" memory $((before - $(settled)))"
	stage disable put '' $filter
	echo "@@ functions call $result"
	rmmod pe_fprobe
}

# functions_of PATTERN: by one event of ours; by one call, and one event, of the kernel's; and by an
# event of the kernel for each function, first of 200: minutes, then an hour
functions_of() {
	local n stock=/sys/kernel/tracing

	mountpoint -q $stock || mount -t tracefs tracefs $stock
	insmod /modules/pe_many.ko
	idle=$(ticks)
	echo "f:scale/in $1" | tee /tmp/scale/pattern > dynamic_events
	awk '{ sub(/[+].*/, "", $3); print $3 }' kprobes/list | sort > /tmp/scale/names
	echo > dynamic_events
	n=$(wc -l < /tmp/scale/names)
	by_events ours "$PROBES" /tmp/scale/pattern "$n" 1000
	by_call "$1"
	by_events pattern $stock /tmp/scale/pattern "$n" 1000
	uniq -u /tmp/scale/names | awk '{ print "f:scale/e" NR " " $1 }' > /tmp/scale/each
	grep ' pe_many' /tmp/scale/each | head -n 200 > /tmp/scale/few
	by_events few $stock /tmp/scale/few 200 200
	by_events stock $stock /tmp/scale/each "$(wc -l < /tmp/scale/each)" 1000
	rmmod pe_many
}

echo "# $probes probes, Linux $(uname -r)"
[ $# -gt 0 ] || set -- entry middle return hits
for kind; do
	case $kind in
	hits) hits ;;
	functions) functions_of '*_ma*' ;;
	*) measure "$kind" ;;
	esac
done
