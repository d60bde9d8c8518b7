#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: giving the snapshot's or a buffer's memory back takes none
# tier: debug
# seconds: debug=15
# needs: failures
# tools: inject

set -eu
cd "$PROBES"
fresh() { exit 1; }
# shellcheck source=tests/func/lib/inject_lib.sh
. /host/inject_lib.sh

echo 40 > buffer_size_kb
echo 1 > snapshot
sweep 'free the snapshot' write snapshot 0 -- write snapshot 1
sweep 'shrink to two pages' write buffer_size_kb 1 -- write buffer_size_kb 40
echo 0 > snapshot
sweep 'without a snapshot' write buffer_size_kb 1 -- write buffer_size_kb 40
is 'needed memory' '' "$(grep -v ', 0 refused$' /tmp/all || true)"
swept 0
