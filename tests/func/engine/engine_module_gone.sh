#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: probes in a module that is unloaded become gone, the address can be used again
# kernels: all
# tier: 6.12-cloud 6.1-cloud bare
# seconds: 2
# modules: pe_target pe_probe
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
rmmod pe_probe
