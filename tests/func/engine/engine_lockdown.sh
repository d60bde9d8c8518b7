#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: a kernel that is locked down for confidentiality refuses new probes, serves old ones
# seconds: 1
# machine: -a lsm=lockdown
# modules: pe_target pe_probe
#
# Lockdown is for good: a VM apart.
set -eu
# shellcheck source=tests/func/lib/engine_lib.sh
. /host/engine_lib.sh

load pe_target pe_probe
mountpoint -q /sys/kernel/security || mount -t securityfs securityfs /sys/kernel/security
[ -e /sys/kernel/security/lockdown ] || { echo 'this kernel has no lockdown'; exit 4; }
add pe_target:pe_target_add
echo confidentiality > /sys/kernel/security/lockdown
expect_refusal pe_target:pe_target_string 'not permitted' 'locked down'
expect_refusal "$(mix 1)" 'not permitted' 'locked down'
call add 3
expect_hits pe_target:pe_target_add 3
del pe_target:pe_target_add
rmmod pe_probe pe_target
