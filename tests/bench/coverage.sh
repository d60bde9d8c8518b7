#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
#
# How many instruction boundaries are probed by a jump or by ftrace, and why others are not.
#
# usage: coverage.sh COUNT SEED
# Draws boundaries of the kernel's text, each as likely as any other, until COUNT of them can be
# probed. They are probed in slices, because there are not so many detours. Prints a line
# "@@ 0xADDR SYM+OFF LENGTH<tab>HOW" for each boundary that is drawn. HOW is the end of its line in
# kprobes/optimized, or "refused: REASON". Needs ktext and sweep in /host, and coverage_lib.sh.
set -eu
cd "$PROBES"
echo none > limits
# shellcheck source=tests/func/lib/check_lib.sh
. /host/check_lib.sh
# shellcheck source=tests/func/lib/coverage_lib.sh
. /host/coverage_lib.sh
echo "# $1 boundaries, seed $2, Linux $(uname -r)"
cover "$1" "$2"
sed 's/^/@@ /' $cover/result
