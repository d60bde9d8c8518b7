#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: the kernel's own kprobes and function tracer beside ours, in both orders
# tier: 6.12-cloud 6.1-cloud
# seconds: 14 debug=23
# needs: tracefs kprobes ftrace
# modules: pe_target pe_probe pe_stock
set -eu
# shellcheck source=tests/func/lib/engine_lib.sh
. /host/engine_lib.sh

load pe_target pe_probe pe_stock
T=/sys/kernel/tracing
S=/sys/module/pe_stock/parameters
mount -t tracefs tracefs $T
F=/proc/sys/kernel/ftrace_enabled
# Newer kernels refuse to switch ftrace off: then it cannot be off when we arm.
stops=0
if echo 0 > $F 2>/dev/null; then
	stops=1
	echo 1 > $F
fi
holds $F 1
case $(uname -r) in 6.*) is 'ftrace can be switched off' 1 $stops ;; esac
ADD=pe_target:pe_target_add

# arm_stock PROBE, disarm_stock PROBE: by the kernel's own kprobes
arm_stock() { echo "${1#*:}" > $S/add; }
disarm_stock() { echo "${1#*:}" > $S/del; }
# expect_stock PROBE N: its hits
expect_stock() {
	is "the kernel's hits of $1" "$2" "$(gawk -v n="${1#*:}" '$1 == n { print $2 }' $S/hits)"
}

# The same function entry, both orders: ftrace serves both.
arm_stock $ADD
add $ADD
call add 10
expect_hits $ADD 10
expect_stock $ADD 10
disarm_stock $ADD
call add 1
arm_stock $ADD
call add 1
expect_hits $ADD 12
expect_stock $ADD 1
del $ADD
call add 1
expect_stock $ADD 2
disarm_stock $ADD

# xor (2 bytes), movq (11), mov (3), lea (7), and the one after
A=$(mix 1) B=$(mix 2) C=$(mix 3) D=$(mix 4) E=$(mix 5)

# On the same byte: the second one is refused.
arm_stock $B
expect_refusal $B busy 'kprobe of the kernel'
add $A
call mix 10
expect_hits $A 10
expect_stock $B 10
# After it: the instruction covers eleven bytes, a jump of five would end in it.
add $C
call mix 10
expect_hits $C 10
disarm_stock $B
add $B
arm_stock $B 2>/dev/null && fail "two owners of one byte"
call mix 10
expect_hits $B 10
expect_hits $A 30
del $C
# The kernel decodes the function up to its probe as the text is. After a breakpoint and a jump of
# ours it finds the probe's instruction or not: that depends on the bytes of the jump's distance.
del $A; del $B

# Within four bytes after a probe that may become a jump; and the other way round:
# ours keeps the kernel's from becoming one.
arm_stock $C
expect_refusal $D busy 'kprobe of the kernel'
disarm_stock $C
add $D
arm_stock $C
sleep 2
call mix 10
expect_stock $C 10
expect_hits $D 10
disarm_stock $C
call mix 1
expect_hits $D 11

# Registered, disabled, and the kernel came in between.
add $C
echo $C > $P/disable
arm_stock $C
echo $C > $P/enable 2>/dev/null && fail "enabled on top of a kprobe"
call mix 3
expect_stock $C 3
disarm_stock $C
echo $C > $P/enable
call mix 3
expect_hits $C 3

add $A; add $B

# Switched off as a whole, and the kernel came in between: the others are armed again.
echo 0 > $P/armed
arm_stock $C
refused busy put 1 $P/armed
holds $P/armed 1
# At its address and close after it.
is 'unarmed' 2 "$(count '\[UNARMED\]' /proc/pe_probe_list)"
is "mechanism of $C" none "$(field $C 4)"
before=$(field $A 2)
call mix 3
expect_hits $A $((before + 3))
expect_stock $C 3
# What comes and goes elsewhere leaves it alone, and the next try arms it.
add $ADD+0; del $ADD+0
disarm_stock $C
call mix 1
expect_hits $C 3
echo 1 > $P/armed
call mix 2
expect_hits $C 5

# A boundary after the kernel's breakpoints and jumps is still found.
del $A
arm_stock $A
sleep 1
for p in $B $C $D; do
	del $p 2>/dev/null || true
done
add $E
call mix 2
expect_hits $E 2
disarm_stock $A

# The kernel makes a jump of a kprobe if no branch leads into the jump. It cannot see a branch
# under a breakpoint of ours: then it must make none. Elsewhere it may.
LOOP=pe_target:pe_target_loop
jumps_at() { grep -F "${1#*:}" /sys/kernel/debug/kprobes/list | count OPTIMIZED; }
is_jump() { [ "$(jumps_at "$1")" = 1 ]; }
stays() {
	sleep 2
	jumps_at "$1"
}
[ -d /sys/kernel/debug/kprobes ] || mount -t debugfs debugfs /sys/kernel/debug
arm_stock $LOOP+0
within 60 is_jump $LOOP+0
disarm_stock $LOOP+0
arm_stock $LOOP+5
is 'jumps into which a branch leads' 0 "$(stays $LOOP+5)"
disarm_stock $LOOP+5
add $LOOP+12
arm_stock $LOOP+5
is 'jumps into which a branch of ours leads' 0 "$(stays $LOOP+5)"
call loop 5
expect_hits $LOOP+12 15
expect_stock $LOOP+5 5
del $LOOP+12
call loop 5
expect_stock $LOOP+5 10
disarm_stock $LOOP+5
arm_stock $LOOP+0
within 60 is_jump $LOOP+0
call loop 5
disarm_stock $LOOP+0

# The function tracer on the same function.
add $ADD
echo pe_target_add > $T/set_ftrace_filter
echo function > $T/current_tracer
call add 20
expect_hits $ADD 20
at_least 'calls that the function tracer saw' 20 "$(count pe_target_add $T/trace)"
echo nop > $T/current_tracer
call add 20
expect_hits $ADD 40
# Everything traced, hits counted all the same.
echo > $T/set_ftrace_filter
echo function > $T/current_tracer
call add 20; call mix 5
echo nop > $T/current_tracer
expect_hits $ADD 60
is "missed of $ADD" 0 "$(field $ADD 3)"

# ftrace can't be switched off beneath us, nor we arm when it is off.
echo 0 > $F 2>/dev/null && fail "ftrace was switched off"
del $ADD
for p in $B $C $D $E; do
	del $p 2>/dev/null || true
done
armed_without_ftrace() {
	echo 0 > $F
	expect_refusal $ADD busy ftrace
	echo 1 > $F
	add $ADD
	call add 1
	expect_hits $ADD 1

	# All switched on again while ftrace is off: breakpoints are armed.
	add $B
	echo 0 > $P/armed
	echo 0 > $F
	refused busy put 1 $P/armed
	is "mechanism of $ADD" none "$(field $ADD 4)"
	call add 1; call mix 1
	expect_hits $ADD 1
	expect_hits $B 1
	echo 1 > $F
	echo 1 > $P/armed
	call add 1
	expect_hits $ADD 2
	del $ADD; del $B
}
[ $stops = 0 ] || armed_without_ftrace

# What runs at our hits: kprobes of the kernel are refused at every symbol, and between them, too.
tries() { # WHAT START END STEP
	local tried accepted last
	echo "0x$2 0x$3 $4" > $S/area
	read -r tried accepted last < $S/area
	at_least "kprobes tried in $1" 1 "$tried"
	[ "$accepted" = 0 ] || fail "$1: $accepted of $tried kprobes are accepted, the last one at $last"
}
for m in probe_arena probe_core probe_events; do
	start=$(cut -c3- /sys/module/$m/sections/.kprobes.text)
	# The section after it is not the same one on each kernel.
	end=$(find /sys/module/$m/sections -type f -exec cut -c3- {} + | sort | awk -v s="$start" '$1 "" > s { print $1; exit }')
	awk -v m="[$m]" -v s="$start" -v e="$end" '$4 == m && $1 >= s && $1 < e { print $1, $3 }' /proc/kallsyms > /tmp/ours
	at_least "symbols of $m" 15 "$(wc -l < /tmp/ours)"
	while read -r addr name; do
		tries "$m: $name" "$addr" "$addr" 1
	done < /tmp/ours
	tries "the text of $m" "$start" "$end" 2003
done
detours=$(awk '$3 == "pe_detours" { print $1 }' /proc/kallsyms)
tries 'the first detour' "$detours" "$(printf %x $((0x$detours + 63)))" 1

# Slots are no text of any module: try all memory in reach of the kernel that is none.
for p in $A $B $C $D $E; do add $p; done
echo 1 > /proc/sys/kernel/kptr_restrict		# 0: hashed addresses
awk '
FNR == NR { if ($4 != "" && tolower($2) == "t") text[$1]; next }
$1 ~ /^0xffffffff[a-f]/ {
	split($1, at, "-0x")
	start = substr(at[1], 3)
	for (t in text)
		if (t >= start && t < at[2])
			next
	print start, at[2]
}' /proc/kallsyms /proc/vmallocinfo > /tmp/areas
echo 0 > /proc/sys/kernel/kptr_restrict
at_least 'areas' 1 "$(wc -l < /tmp/areas)"
while read -r start end; do tries "the memory at $start" "$start" "$end" 251; done < /tmp/areas
for p in $A $B $C $D $E; do del $p; done

umount $T
rmmod pe_probe pe_stock pe_target
