#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: a kernel locked down for integrity allows all probes, for confidentiality only those it has
# not: debug bare: built without security modules
# seconds: 1
# machine: -a lsm=lockdown
# modules: pe_target pe_probe
#
# Lockdown is for good: a VM apart.
set -eu
# shellcheck source=tests/func/lib/engine_lib.sh
. /host/engine_lib.sh
# shellcheck source=tests/func/lib/events_lib.sh
. /host/events_lib.sh

load pe_target pe_probe
mountpoint -q /sys/kernel/security || mount -t securityfs securityfs /sys/kernel/security
[ -e /sys/kernel/security/lockdown ] || { echo 'this kernel has no lockdown'; exit 4; }
echo integrity > /sys/kernel/security/lockdown
add pe_target:pe_target_add
cd "$PROBES"
append 'p:l/p read_zero' kprobe_events
[ ! -e available_filter_functions ] || append 'f:l/f read_zero%return' dynamic_events
echo 1 > events/l/enable
read_zeros 3
for event in events/l/*/; do
	event=${event%/}
	value_is "l/${event##*/}" hits 3
done
# Files that are open now.
exec 5>> kprobe_events 6< kprobe_losses
echo confidentiality > /sys/kernel/security/lockdown
expect_refusal pe_target:pe_target_string 'not permitted' 'locked down'
expect_refusal "$(mix 1)" 'not permitted' 'locked down'
call add 3
expect_hits pe_target:pe_target_add 3
del pe_target:pe_target_add
for file in kprobe_events kprobe_losses trace events/l/p/enable; do
	refused 'not permitted' cat $file
done
refused 'not permitted' eval 'echo "p:l/more vfs_read" >&5'
read_zeros 4
cat <&6 > /tmp/losses
has /tmp/losses '^l/p[[:blank:]].*[[:blank:]]7[[:blank:]]'
exec 5>&- 6<&-
cd /
rmmod pe_probe pe_target
