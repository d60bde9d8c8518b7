#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: a build without jumps and compiled hits says what it lacks
# modes: default plain
# needs: plain-build
# tier: none
# seconds: 1
# modules: pe_probe pe_target
set -eu
# shellcheck source=tests/func/lib/engine_lib.sh
. /host/engine_lib.sh

cd "$PROBES/kprobes"
has compiled '^# hits cannot be compiled on this architecture'
for file in compile optimization; do
	is "$file" 0 "$(cat $file)"
	refused 'not supported' put 1 $file
	put 0 $file
	is "$file" 0 "$(cat $file)"
done
is 'detours' '0 of 0' "$(cat detours)"

load pe_target pe_probe
probe=$(mix 1)
add "$probe"
has optimized 'breakpoint: this architecture has no jumps'
has optimized '^# settled'
call mix 7
expect_hits "$probe" 7
del "$probe"
rmmod pe_probe pe_target
