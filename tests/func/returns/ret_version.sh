#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: an arena of another version is refused, with a reason in the log
# seconds: 1
# modules: pe_version
set -eu
# shellcheck source=tests/func/lib/check_lib.sh
. /host/check_lib.sh

refused 'in use' rmmod probe_arena
dmesg -C
refused 'Invalid module format' insmod /modules/pe_version.ko
dmesg > /tmp/log
has /tmp/log 'probe_arena: version [0-9]* is loaded, [0-9]* is wanted: unload this one first'
missing /sys/module/pe_version
