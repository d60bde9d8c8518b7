#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: all registers and flags past return probes where returns go through a thunk that changes flags
# not: 6.1-cloud debug bare: no call depth tracking
# seconds: 1
# machine: --cx16 -a retbleed=force,stuff -a spectre_v2=retpoline
# modules: pe_exact
#
# Call depth tracking, a remedy for processors older than what the emulated one says it is: it
# has to be asked for. The kernel's own substitute for CMPXCHG16B answers in the flags, which do
# not survive that thunk.
set -eu
# shellcheck source=tests/func/lib/engine_lib.sh
. /host/engine_lib.sh

depth=/sys/devices/system/cpu/vulnerabilities/retbleed
grep -q Stuffing $depth || { echo "no call depth tracking: $(cat $depth)"; exit 4; }
load
run_cases pe_exact
