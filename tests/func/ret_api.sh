#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: return probes of the engine: values, shapes of functions, recursion, sleepers
# kernels: all
# tier: 6.12-cloud 6.12-rt 6.1-cloud bare
# seconds: 6
# modules: pe_ret_test
set -eu

[ -e /sys/module/probe_core ] || insmod /modules/probe_core.ko
status=0
insmod /modules/pe_ret_test.ko || status=1
dmesg | grep 'pe_ret_test: ' | sed 's/^\[[^]]*\] //'
[ $status = 0 ]
rmmod pe_ret_test
