# SPDX-License-Identifier: GPL-2.0
# description: the kernel's own kprobes and function tracer beside ours, in both orders
# run: tests/vm/run [-k KERNEL] --no-modules -f tests/func/engine_lib.sh tests/func/engine_coexist.sh
set -eu
. /host/engine_lib.sh

load pe_target pe_probe pe_stock
T=/sys/kernel/tracing
S=/sys/module/pe_stock/parameters
mount -t tracefs tracefs $T
MIX=pe_target:pe_target_mix
ADD=pe_target:pe_target_add

stock() { echo "${1#*:}" > $S/add; }
unstock() { echo "${1#*:}" > $S/del; }
expect_stock() {
	local got
	got=$(gawk -v n="${1#*:}" '$1 == n { print $2 }' $S/hits)
	[ "$got" = "$2" ] || fail "the kernel's $1: $got hits, want $2"
}

# The same function entry, both orders: ftrace serves both.
stock $ADD
add $ADD
call add 10
expect_hits $ADD 10
expect_stock $ADD 10
unstock $ADD
call add 1
stock $ADD
call add 1
expect_hits $ADD 12
expect_stock $ADD 1
del $ADD
call add 1
expect_stock $ADD 2
unstock $ADD

# The offsets of pe_target_mix: 4 xor (2 bytes), 6 movq (11), 17 mov (3), 20 lea.
# Kernels without IBT have no endbr64 in front.
o=4
if ! add $MIX+4 2>/dev/null; then o=0; else del $MIX+4; fi
A=$((o)) B=$((o + 2)) C=$((o + 13)) D=$((o + 16))

# On the same byte: whoever is second is refused.
stock $MIX+$B
expect_refusal $MIX+$B busy 'kprobe of the kernel'
add $MIX+$A
call mix 10
expect_hits $MIX+$A 10
expect_stock $MIX+$B 10
# Behind it: the instruction covers eleven bytes, a jump of five would end in it.
add $MIX+$C
call mix 10
expect_hits $MIX+$C 10
unstock $MIX+$B
add $MIX+$B
stock $MIX+$B 2>/dev/null && fail "two owners of one byte"
call mix 10
expect_hits $MIX+$B 10
expect_hits $MIX+$A 30
del $MIX+$C

# Within four bytes behind a probe that may become a jump; and the other way round:
# ours keeps the kernel's from becoming one.
stock $MIX+$C
expect_refusal $MIX+$D busy 'kprobe of the kernel'
unstock $MIX+$C
add $MIX+$D
stock $MIX+$C
sleep 2
call mix 10
expect_stock $MIX+$C 10
expect_hits $MIX+$D 10
unstock $MIX+$C
call mix 1
expect_hits $MIX+$D 11

# Registered, disabled, and the kernel came in between.
add $MIX+$C
echo $MIX+$C > $P/disable
stock $MIX+$C
echo $MIX+$C > $P/enable 2>/dev/null && fail "enabled on top of a kprobe"
call mix 3
expect_stock $MIX+$C 3
unstock $MIX+$C
echo $MIX+$C > $P/enable
call mix 3
expect_hits $MIX+$C 3

# A boundary behind the kernel's breakpoints and jumps is still found.
del $MIX+$A
stock $MIX+$A
sleep 1
for p in $A $B $C $D; do
	[ $p = $A ] || del $MIX+$p 2>/dev/null || true
done
add $MIX+$((D + 7))
call mix 2
expect_hits $MIX+$((D + 7)) 2
unstock $MIX+$A

# The function tracer on the same function.
add $ADD
echo pe_target_add > $T/set_ftrace_filter
echo function > $T/current_tracer
call add 20
expect_hits $ADD 20
[ "$(grep -c pe_target_add $T/trace)" -ge 20 ] || fail "function tracer saw less"
echo nop > $T/current_tracer
call add 20
expect_hits $ADD 40
# Everything traced, hits counted all the same.
echo > $T/set_ftrace_filter
echo function > $T/current_tracer
call add 20; call mix 5
echo nop > $T/current_tracer
expect_hits $ADD 60
[ "$(field $ADD 3)" = 0 ] || fail "missed"

# ftrace can't be switched off beneath us, nor we arm when it is off.
echo 0 > /proc/sys/kernel/ftrace_enabled 2>/dev/null && fail "ftrace was switched off"
del $ADD
echo 0 > /proc/sys/kernel/ftrace_enabled
expect_refusal $ADD busy ftrace
echo 1 > /proc/sys/kernel/ftrace_enabled
add $ADD
call add 1
expect_hits $ADD 1
umount $T
rmmod pe_probe pe_stock pe_target
