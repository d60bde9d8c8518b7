#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: the kernel's text is the same after probes have come and gone; refusals leave it alone
# tier: 6.12-cloud 6.1-cloud 5.10-cloud 7.3-cloud bare debug
# seconds: 1 debug=14
# modules: pe_probe
set -eu
# shellcheck source=tests/func/lib/engine_lib.sh
. /host/engine_lib.sh

load pe_probe
cat $P/text >/dev/null
before=$(cat $P/text)
probes=
for sym in vfs_read vfs_write do_filp_open do_file_open kmem_cache_alloc schedule_timeout; do
	for off in 0 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40; do
		! add $sym+$off 2>/dev/null || probes="$probes $sym+$off"
	done
done
echo "armed:" $probes
armed=$(cat $P/text)
differs 'text' "$before" "$armed"
ls -lR /proc/sys >/dev/null 2>&1 || true
cat $P/hits
for p in $probes; do del $p; done
# Padding that jumps have used comes back when no task can be in it.
text_is_back() { [ "$(cat $P/text)" = "$before" ]; }
within 60 text_is_back
expect_refusal pe_add_none 'No such file' 'no such symbol'
rmmod pe_probe
