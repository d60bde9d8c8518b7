#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: probes in a module that is unloaded become gone, the address can be used again
# tier: 6.12-cloud 6.1-cloud 5.10-cloud bare
# seconds: 1
# modules: pe_target pe_probe pe_refuse
set -eu
# shellcheck source=tests/func/lib/engine_lib.sh
. /host/engine_lib.sh

load pe_target pe_probe
MIX=$(mix 1)
add pe_target:pe_target_add
add $MIX
add pe_target:pe_target_string; echo pe_target:pe_target_string > $P/disable
add vfs_read
call add 5; call mix 3
expect_hits pe_target:pe_target_add 5
expect_hits $MIX 3
lacks /proc/pe_probe_list GONE

rmmod pe_target
for p in pe_target:pe_target_add $MIX pe_target:pe_target_string; do
	gawk -v p="$p" '$1 == p && / GONE/ { n++ } END { exit !n }' $P/hits || fail "$p is not gone"
done
lacks $P/hits '^vfs_read.*GONE'
is 'gone' 3 "$(count '\[GONE\]' /proc/pe_probe_list)"
echo pe_target:pe_target_string > $P/enable 2>/dev/null && fail "enabled a gone probe"

# The same addresses, perhaps: new probes, the old ones stay gone.
insmod /modules/pe_target.ko
call add 5; call mix 3
expect_hits pe_target:pe_target_add 5
del pe_target:pe_target_add
add pe_target:pe_target_add
call add 2; call mix 3
expect_hits pe_target:pe_target_add 2
expect_hits $MIX 3

# Init code: reached while the module comes, gone when it is there.
del $MIX
rmmod pe_target
init=pe_target:pe_target_init_text
echo $init > $P/coming
insmod /modules/pe_target.ko
expect_hits $init 1
has $P/hits "^$init.* GONE"
expect_refusal $init 'No such file' 'no such symbol'
del $init

# A module that vanishes while all is disarmed.
add $MIX
echo 0 > $P/armed
rmmod pe_target
echo 1 > $P/armed
del $MIX

# A module that comes, and is refused after probes have been armed in it: they are gone, too.
ADD=pe_target:pe_target_add
del $ADD
load pe_refuse
echo pe_target > /sys/module/pe_refuse/parameters/name
for p in $ADD $MIX; do
	echo $p > $P/coming
	not insmod /modules/pe_target.ko
	has $P/hits "^$p .* GONE"
	is 'armed' 0 "$(gawk '/pe_target/ && $4 != "none"' $P/hits | wc -l)"
done
echo > /sys/module/pe_refuse/parameters/name
insmod /modules/pe_target.ko
for p in $ADD $MIX; do
	del $p
	add $p
	call add 3; call mix 3
	expect_hits $p 3
	del $p
done
rmmod pe_refuse pe_target

# Before a module is announced it may be refused in silence, by a livepatch: no probe until then.
if [ -e /modules/pe_stock.ko ] && grep -q ' klp_module_coming$' /proc/kallsyms; then
	load pe_stock
	hold=/sys/module/pe_stock/parameters/hold
	echo klp_module_coming > $hold
	insmod /modules/pe_target.ko &
	within 60 text_is $hold 1
	expect_refusal $ADD busy 'being loaded'
	echo > $hold
	wait
	add $ADD
	call add 3
	expect_hits $ADD 3
	del $ADD
	rmmod pe_stock pe_target
fi
rmmod pe_probe
