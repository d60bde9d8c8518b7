#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: what each kind of instruction does is the same without a probe, at a breakpoint and at a jump
# modes: default interpreted
# tier: 6.12-cloud 6.1-cloud
# seconds: 2
# modules: pe_probe pe_kinds
#
# It wants jumps.
set -eu
# shellcheck source=tests/func/lib/engine_lib.sh
. /host/engine_lib.sh

load pe_probe
text=$(cat $P/text)
load pe_kinds
cat /sys/module/pe_kinds/parameters/kinds > /tmp/kinds
cat /tmp/kinds
dmesg | grep 'pe_kinds:' || true
at_least 'kinds' 60 "$(wc -l < /tmp/kinds)"
lacks /tmp/kinds '^[a-z_]* jump 27 [0-9]* ok$' -v
rmmod pe_kinds
is 'text' "$text" "$(cat $P/text)"
