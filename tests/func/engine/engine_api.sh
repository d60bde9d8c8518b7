#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: the engine's interface: exact hits, every kind of instruction, recursion, refusals
# tier: 6.12-cloud 6.12-rt 6.1-cloud 5.10-cloud 7.3-cloud bare debug
# seconds: 2
# modules: pe_target pe_api_test
set -eu
# shellcheck source=tests/func/lib/engine_lib.sh
. /host/engine_lib.sh

unwatched=$(cat "$PROBES/kprobes/unwatched")
load pe_target
run_cases pe_api_test
is 'calls that RCU does not watch' "$unwatched" "$(cat "$PROBES/kprobes/unwatched")"
rmmod pe_target
