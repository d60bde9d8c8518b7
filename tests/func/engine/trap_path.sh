#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: no breakpoint where one leads to, or where no exception is handled; others fire beside every tracer
# tier: 6.12-cloud 7.3-cloud bare
# seconds: 18 debug=47
# modules: pe_target
#
# What is refused is derived from the kernel's text; kprobes/blacklist shows it. In each such
# function every instruction is tried. (Its entry, where ftrace patches it, takes no exception.)

set -eu
cd "$PROBES"
# shellcheck source=tests/func/lib/events_lib.sh
. /host/events_lib.sh
T=/sys/kernel/tracing

# Read once: what follows goes through both many times.
cat kprobes/blacklist > /tmp/blacklist
cat /proc/kallsyms > /tmp/kallsyms

# ranges REASON: start, end and name of functions of the kernel itself; derived REASON: their names
ranges() { sed -nE "s/^(0x[0-9a-f]+)-(0x[0-9a-f]+)\t([^ \t]+)\t$1\$/\1 \2 \3/p" /tmp/blacklist; }
derived() { ranges "$1" | cut -d ' ' -f 3 | sort -u; }
# How many functions have a name that is in the list.
declare -A names
while read -r f n; do names[$f]=$n; done < <(cut -f2 /tmp/blacklist |
	awk 'NR == FNR { wanted[$1]; next } $2 ~ /[tT]/ && $3 in wanted { n[$3]++ }
		END { for (f in n) print f, n[f] }' - /tmp/kallsyms)
has_symbol() { grep -q " [tT] $1\$" /tmp/kallsyms; }

# none_in REASON: of the functions with that reason
none_in() {
	local f start end off
	while read -r start end f; do
		[ "${names[$f]-}" = 1 ] || continue
		for ((off = 1; off < 24 && off < end - start; off++)); do
			if [ $off != 4 ] && append "p:t/x $f+$off" kprobe_events 2> /dev/null; then
				fail "accepted: $f+$off"
			fi
		done
	done < <(ranges "$1")
}

# Known by reading the kernel's sources: they must have been found.
int3=poke_int3_handler
has_symbol $int3 || int3=smp_text_$int3
for f in irqentry_nmi_enter irqentry_nmi_exit $int3 copy_from_kernel_nofault; do
	derived 'on the breakpoint path' | grep -qx $f || fail "not found: $f"
done
for f in verify_cpu cr4_init cpu_init_exception_handling native_write_gdt_entry native_load_tr_desc; do
	! has_symbol $f || derived 'runs without handlers of exceptions' | grep -qx $f || fail "not found: $f"
done
# What runs when there are handlers is none of it.
for f in cpu_init ap_starting smp_callin vfs_read schedule printk _printk; do
	! cut -f2 /tmp/blacklist | grep -qx $f || fail "refused: $f"
done
none_in 'on the breakpoint path'
none_in 'runs without handlers of exceptions'
echo "$(derived 'on the breakpoint path' | wc -l) and $(derived 'runs without handlers of exceptions' | wc -l) functions"

# A breakpoint leads straight to us: whom the kernel would have told does not hear of it.
insmod /modules/pe_target.ko
echo "p:t/hit pe_target:pe_target_mix+$(gawk 'NR == 2 { print $1 }' /sys/module/pe_target/parameters/mix)" > kprobe_events
others=0
for f in do_int3 kprobe_int3_handler notify_die atomic_notifier_call_chain; do
	if append "p:t/other_$f $f" kprobe_events 2> /dev/null; then others=$((others + 1)); fi
done
echo 1 > events/t/enable
call_mix() { echo "mix $1" > /sys/module/pe_target/parameters/call; }
call_mix 100
is 'hits' 100 "$(value t/hit hits)"
is "hits of $others others" 0 "$(gawk '$1 ~ /^other_/ { n += $2 } END { print n + 0 }' kprobe_profile)"

# Whatever traces: the count stays right. Patching all functions takes long: one of the tracers in each
# run, and then none.
if mount -t tracefs tracefs $T 2> /dev/null && [ -e $T/current_tracer ]; then
	n=100
	for tracer in function function_graph nop; do
		[ $tracer = nop ] || in_turn 2 || continue
		grep -qw $tracer $T/available_tracers || continue
		echo $tracer > $T/current_tracer
		echo 1 > $T/events/enable
		call_mix 100
		n=$((n + 100))
		is "hits under $tracer" $n "$(value t/hit hits)"
		echo 0 > $T/events/enable
	done
	if has_symbol function_trace_call; then
		echo > error_log
		refused 'Invalid argument' append 'p:t/x function_trace_call' kprobe_events
		has error_log 'ftrace does not trace this function'
	fi
	umount $T
fi
echo 0 > events/enable
sums
echo > kprobe_events
rmmod pe_target
