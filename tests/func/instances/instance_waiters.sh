#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: an instance is removed while the look for its readers is under way
# tier: 6.12-cloud 6.12-rt
# seconds: 1
# tools: rawread
#
# A poll() that finds nothing asks for a look, which comes some milliseconds later. By then the
# instance may be on its way out, with one buffer gone and one, large, being freed, and the two may
# have changed places. Only the debug kernel can say whether a look touches what is gone.

set -eu
cd "$PROBES"
# shellcheck source=tests/func/lib/check_lib.sh
. /host/check_lib.sh

# round SNAPSHOTS MS EMPTY: so many, and so long after the record, which is there or not
round() {
	local i dir=instances/w

	mkdir $dir
	echo 64 > $dir/per_cpu/cpu0/buffer_size_kb
	echo 32000 > $dir/per_cpu/cpu1/buffer_size_kb
	for ((i = 0; i < $1; i++)); do
		echo 1 > $dir/snapshot
	done
	taskset -c 0 /host/rawread leave $dir/per_cpu/cpu0/trace_pipe_raw $dir "$2" "$3"
	missing $dir
}

for ms in 0 2 5 20; do
	round 1 $ms 0
	round 2 $ms 0
	round 2 $ms 1
done
