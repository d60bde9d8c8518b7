#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: other code overwrites a breakpoint and a jump of ours: both are left alone, and stay harmless for ever
# modes: default
# machine: -m 1G
# seconds: 3
# modules: pe_target pe_probe pe_overwrite
#
# probe_core stays afterwards: a VM apart. It switches jumps off itself.
set -eu
# shellcheck source=tests/func/lib/engine_lib.sh
. /host/engine_lib.sh

load pe_target pe_probe pe_overwrite
: > /run/core_stays
O=/sys/module/pe_overwrite/parameters
evidence+=(/proc/pe_probe_list)
B=pe_target:pe_target_loop+10	# in the loop, three times a call; each call says whether its result is right
J=pe_target:pe_target_loop
users() { cat /sys/module/probe_core/refcnt; }
how_is() { [ "$(field "$1" 4)" = "$2" ]; }
detours() { cut -d' ' -f1 "$PROBES/kprobes/detours"; }

remarks() { dmesg | count "probe_core: the $1 at pe_target_loop+.* \[pe_target\] has been overwritten by other code, left alone$"; }

# overwritten WHAT PROBE BYTES: its text is again what it was before, and what follows from that
overwritten() {
	local was

	call loop 2
	was=$(field "$2" 2)
	echo "$3" > $O/swap
	call loop 3
	expect_hits "$2" "$was"
	users=$(users)
	is 'remarks' 0 "$(remarks "$1")"
	echo "$2" > $P/disable
	is 'remarks' 1 "$(remarks "$1")"
	is 'users of probe_core' $((users + 1)) "$(users)"
	has /proc/pe_probe_list "pe_target_loop+.*\[LOST\]"
	refused busy put "$2" $P/enable
	has $P/reason 'other code has changed the instruction'
}

# put_back PROBE BYTES: what was ours is there for a while, and leads to what is still kept for it
put_back() {
	local was

	was=$(field "$1" 2)
	echo "$2" > $O/swap
	call loop 5
	expect_hits "$1" "$was"
	echo "$2" > $O/swap
}

echo 'a breakpoint'
echo 0 > $P/optimization
echo $B > $O/note
add $B
overwritten breakpoint $B 1
put_back $B 1
# Others come, and take no copy of an instruction that is in use.
for n in 2 3 4 5; do add "$(mix $n)"; done
call mix 2
put_back $B 1
for n in 2 3 4 5; do
	expect_hits "$(mix $n)" 2
	del "$(mix $n)"
done

echo 'a jump'
echo 1 > $P/optimization
echo $J > $O/note
add $J
within 60 how_is $J jump
overwritten jump $J 5
put_back $J 5
other=$(mix 7)
for _ in 1 2; do
	add "$other"
	within 60 how_is "$other" jump
	call mix 2
	put_back $J 5
	expect_hits "$other" 2
	is 'detours' 2 "$(detours)"
	del "$other"
	within 60 text_is "$PROBES/kprobes/detours" "1 of $(sed 's/.* of //' "$PROBES/kprobes/detours")"
	put_back $J 5
done

echo 'their probes go, and their module'
del $B
del $J
call loop 5
put_back $J 5
refused busy put $B $P/add
refused busy put $J $P/add
rmmod pe_target
insmod /modules/pe_target.ko
for probe in $B $J; do
	add $probe
	call loop 1
	differs "hits of $probe" 0 "$(field $probe 2)"
	del $probe
done
rmmod pe_target pe_probe pe_overwrite
