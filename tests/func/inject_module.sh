#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: each allocation in loading, and in unloading, the modules fails once
# kernels: all
# needs: failures
# timeout: 900
# seconds: 100
# tools: inject ktext
#
# Most are the module loader's own; those of our start are at the end. The loader goes on
# without some of them.

set -eu
umount "$PROBES"
rmmod probe_events
mkdir -p /tmp/empty
cd /tmp/empty
fresh() { :; }
INJECT_EDGE=$(length 160 2000)
# shellcheck source=tests/func/inject_lib.sh
. /host/inject_lib.sh
/host/ktext save /tmp/text

sweep 'load probe_events' insmod /modules/probe_events.ko -- rmmod probe_events
insmod /modules/probe_events.ko
sweep 'unload probe_events' rmmod probe_events -- insmod /modules/probe_events.ko
rmmod probe_events
rmmod probe_core
sweep 'load probe_core' insmod /modules/probe_core.ko -- rmmod probe_core
insmod /modules/probe_core.ko
sweep 'unload probe_core' rmmod probe_core -- insmod /modules/probe_core.ko
rmmod probe_core
/host/ktext diff /tmp/text
swept 60
