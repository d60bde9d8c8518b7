#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: each allocation in loading and unloading the modules, and in the first mount, fails once
# tier: none
# needs: failures
# seconds: debug=460
# tools: inject ktext
#
# Most are the module loader's own; those of our start are at the end. The loader goes on
# without some of them.

set -eu
type=$(findmnt -n -o FSTYPE "$PROBES")
umount "$PROBES"
rmmod probe_events
mkdir -p /tmp/empty/mnt
cd /tmp/empty
fresh() { ! mountpoint -q mnt || umount mnt; }
INJECT_EDGE=$(length 320 2000)
# shellcheck source=tests/func/lib/inject_lib.sh
. /host/inject_lib.sh
# The text as it is without the engine: while that is loaded, breakpoints lead to it.
rmmod probe_core
/host/ktext save /tmp/text
insmod /modules/probe_core.ko

sweep 'load probe_events' insmod /modules/probe_events.ko limits=none -- rmmod probe_events
insmod /modules/probe_events.ko limits=none
sweep 'mount' mount "$type" mnt -- umount mnt
sweep 'unload probe_events' rmmod probe_events -- insmod /modules/probe_events.ko limits=none
rmmod probe_events
rmmod probe_core
sweep 'load probe_core' insmod /modules/probe_core.ko -- rmmod probe_core
insmod /modules/probe_core.ko
sweep 'unload probe_core' rmmod probe_core -- insmod /modules/probe_core.ko
rmmod probe_core
rmmod probe_arena
sweep 'load probe_arena' insmod /modules/probe_arena.ko -- rmmod probe_arena
insmod /modules/probe_arena.ko
/host/ktext diff /tmp/text
swept 60
