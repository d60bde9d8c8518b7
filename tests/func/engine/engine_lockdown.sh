#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Not run by tests/func/run, because it needs a VM of its own: lockdown is for good.
#   tests/vm/run --no-modules -f tests/func/lib/check_lib.sh -f tests/func/lib/engine_lib.sh tests/func/engine/engine_lockdown.sh
#
# A kernel that is locked down for confidentiality refuses new probes, serves old ones
set -eu
# shellcheck source=tests/func/lib/engine_lib.sh
. /host/engine_lib.sh

load pe_target pe_probe
mountpoint -q /sys/kernel/security || mount -t securityfs securityfs /sys/kernel/security
add pe_target:pe_target_add
echo confidentiality > /sys/kernel/security/lockdown
expect_refusal pe_target:pe_target_string 'not permitted' 'locked down'
expect_refusal "$(mix 1)" 'not permitted' 'locked down'
call add 3
expect_hits pe_target:pe_target_add 3
del pe_target:pe_target_add
rmmod pe_probe pe_target
