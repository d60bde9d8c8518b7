# SPDX-License-Identifier: GPL-2.0
# description: probes in a module that is unloaded become gone, the address can be used again
# run: tests/vm/run [-k KERNEL] --no-modules -f tests/func/engine_lib.sh tests/func/engine_module_gone.sh
set -eu
. /host/engine_lib.sh

load pe_target pe_probe
add pe_target:pe_target_add
add pe_target:pe_target_mix+4
add pe_target:pe_target_string; echo pe_target:pe_target_string > $P/disable
add vfs_read
call add 5; call mix 3
expect_hits pe_target:pe_target_add 5
expect_hits pe_target:pe_target_mix+4 3
grep -c GONE /proc/pe_probe_list && fail "gone too early"

rmmod pe_target
for p in add mix+4 string; do
	grep -q "^pe_target:pe_target_$p .* GONE" $P/hits || fail "$p is not gone"
done
grep -q '^vfs_read.*GONE' $P/hits && fail "vfs_read is gone"
[ "$(grep -c '\[GONE\]' /proc/pe_probe_list)" = 3 ] || fail "list: $(cat /proc/pe_probe_list)"
echo pe_target:pe_target_string > $P/enable 2>/dev/null && fail "enabled a gone probe"

# The same addresses, perhaps: new probes, the old ones stay gone.
insmod /modules/pe_target.ko
call add 5; call mix 3
expect_hits pe_target:pe_target_add 5
del pe_target:pe_target_add
add pe_target:pe_target_add
call add 2; call mix 3
expect_hits pe_target:pe_target_add 2
expect_hits pe_target:pe_target_mix+4 3

# A module that vanishes while all is disarmed.
echo 0 > $P/armed
rmmod pe_target
echo 1 > $P/armed
del pe_target:pe_target_mix+4
rmmod pe_probe
