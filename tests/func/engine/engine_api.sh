#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: the engine's interface: exact hits, every kind of instruction, recursion, refusals
# tier: 6.12-cloud 6.12-rt 6.1-cloud 5.10-cloud 7.3-cloud bare debug
# seconds: 2
# modules: pe_target pe_api_test
set -eu
# shellcheck source=tests/func/lib/check_lib.sh
. /host/check_lib.sh

unwatched=$(cat "$PROBES/kprobes/unwatched")
[ -e /sys/module/probe_arena ] || insmod /modules/probe_arena.ko
[ -e /sys/module/probe_core ] || insmod /modules/probe_core.ko
[ -e /sys/module/pe_target ] || insmod /modules/pe_target.ko
status=0
insmod /modules/pe_api_test.ko || status=1
dmesg | grep 'pe_api_test: ' | sed 's/^\[[^]]*\] //'
is 'status of insmod' 0 $status
is 'calls that RCU does not watch' "$unwatched" "$(cat "$PROBES/kprobes/unwatched")"
rmmod pe_api_test pe_target
