#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: giving the snapshot's or a buffer's memory back takes none
# kernels: all
# needs: failures
# timeout: 300
# tools: inject

set -eu
cd "$PROBES"
debug=/sys/kernel/debug
for kind in failslab fail_page_alloc; do
	echo 0 > $debug/$kind/verbose
	echo N > $debug/$kind/ignore-gfp-wait
done
echo N > $debug/fail_page_alloc/ignore-gfp-highmem
echo 0 > $debug/fail_page_alloc/min-order

# sweep NAME OPERATION... -- UNDO...: no allocation that fails matters
sweep() {
	/host/inject "$@" > /tmp/sweep || { cat /tmp/sweep; exit 1; }
	cat /tmp/sweep
	grep -q ', 0 refused$' /tmp/sweep
}

echo 40 > buffer_size_kb
echo 1 > snapshot
sweep 'free the snapshot' write snapshot 0 -- write snapshot 1
sweep 'shrink to two pages' write buffer_size_kb 1 -- write buffer_size_kb 40
echo 0 > snapshot
sweep 'without a snapshot' write buffer_size_kb 1 -- write buffer_size_kb 40
dmesg -C
