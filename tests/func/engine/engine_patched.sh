#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: each jump label and static call of the kernel is refused, and the code of a livepatch
# tier: 6.12-cloud 5.10-cloud
# seconds: 8
# modules: pe_patched
set -eu
# shellcheck source=tests/func/lib/check_lib.sh
. /host/check_lib.sh

[ -e /sys/module/probe_arena ] || insmod /modules/probe_arena.ko
[ -e /sys/module/probe_core ] || insmod /modules/probe_core.ko
status=0
insmod /modules/pe_patched.ko || status=1
dmesg | grep 'pe_patched: ' | sed 's/^\[[^]]*\] //'
is 'status of insmod' 0 $status
rmmod pe_patched
