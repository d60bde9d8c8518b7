#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: of random boundaries that can be probed, nearly all are probed by a jump or by ftrace
# not: debug bare: the floor is of Debian's builds
# modes: default interpreted
# tier: 6.12-cloud 6.1-cloud
# seconds: 4
# tools: ktext sweep
#
# It wants jumps. Documentation/coverage.md has the shares of many boundaries. The floor is so far below them that
# chance does not reach it: the standard deviation of 400 is 0.9 %. PE_SEED repeats a draw.
set -eu
cd "$PROBES"
# shellcheck source=tests/func/lib/coverage_lib.sh
. /host/coverage_lib.sh

count=400 seed=${PE_SEED:-$RANDOM$RANDOM}
echo "PE_SEED=$seed"
/host/ktext save /tmp/text
cover $count "$seed"
cut -f2 $cover/result | sort | uniq -c | sort -rn
lacks $cover/result '	$'				# each has its mechanism
lacks $cover/result 'breakpoint: not '		# yet examined, and the like
at_least 'by jump or ftrace' $((count * 93 / 100)) "$(grep -c '	\(jump\|ftrace\)' $cover/result)"
at_least 'by an island' 1 "$(grep -c '	jump by an island$' $cover/result)"
/host/ktext diff /tmp/text
