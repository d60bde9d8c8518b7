#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: return probes of the engine: values, shapes of functions, recursion, sleepers
# tier: 6.12-cloud 6.12-rt 6.1-cloud 5.10-cloud 7.3-cloud bare
# seconds: 1
# modules: pe_ret_test
set -eu
# shellcheck source=tests/func/lib/check_lib.sh
. /host/check_lib.sh

[ -e /sys/module/probe_arena ] || insmod /modules/probe_arena.ko
[ -e /sys/module/probe_core ] || insmod /modules/probe_core.ko
status=0
insmod /modules/pe_ret_test.ko || status=1
dmesg | grep 'pe_ret_test: ' | sed 's/^\[[^]]*\] //'
is 'status of insmod' 0 $status
rmmod pe_ret_test
