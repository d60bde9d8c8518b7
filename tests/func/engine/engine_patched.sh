#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: each jump label and static call of the kernel is refused, and the code of a livepatch
# tier: 6.12-cloud 5.10-cloud
# seconds: 5 5.10-cloud=2
# modules: pe_patched
set -eu
# shellcheck source=tests/func/lib/engine_lib.sh
. /host/engine_lib.sh

load
part=$(length 8 1)
first=$((${PE_SEED:-RANDOM} % part))
echo "one in $part, from place $first"
run_cases pe_patched part=$part first=$first
