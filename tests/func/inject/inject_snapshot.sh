#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: each allocation in changing sizes fails once, and buffer and snapshot keep theirs
# tier: none
# needs: failures
# seconds: debug=25
# tools: inject

set -eu
cd "$PROBES"
# shellcheck source=tests/func/lib/inject_lib.sh
. /host/inject_lib.sh

fresh() {
	echo 0 > snapshot
	echo 4 > buffer_subbuf_size_kb
	echo 16 > buffer_size_kb
	echo 1 > snapshot
}
fresh

# Of the two buffers, one was made small, the other without a size; each is the snapshot once.
export INJECT_SNAPSHOT=1
for which in first second; do
	sweep "$which: enlarge" write buffer_size_kb 24 -- write buffer_size_kb 16
	sweep "$which: shrink" write buffer_size_kb 12 -- write buffer_size_kb 16
	sweep "$which: enlarge one CPU's" write per_cpu/cpu1/buffer_size_kb 28 -- \
		write per_cpu/cpu1/buffer_size_kb 16
	sweep "$which: larger pages" write buffer_subbuf_size_kb 8 -- \
		write buffer_subbuf_size_kb 4 -- write buffer_size_kb 16
	echo 1 > snapshot
done
echo 40 > per_cpu/cpu0/buffer_size_kb
sweep 'another size for each CPU' write per_cpu/cpu1/buffer_size_kb 28 -- \
	write per_cpu/cpu1/buffer_size_kb 16

# Freed when it was the buffer before, it comes back with the sizes that the buffer has by then.
echo 1 > snapshot
echo 0 > snapshot
echo 28 > per_cpu/cpu1/buffer_size_kb
INJECT_SNAPSHOT='' sweep 'allocate' write snapshot 1 -- write snapshot 0
echo 1 > snapshot
for cpu in 0 1; do cat per_cpu/cpu$cpu/buffer_size_kb; done > /tmp/before
echo 1 > snapshot
for cpu in 0 1; do cat per_cpu/cpu$cpu/buffer_size_kb; done | diff /tmp/before -
swept 20
