#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
#
# How long probe-events takes from Enter to armed, of one function and of many. The guest's part of
# tests/bench/arming: instructions are counted there, one is a nanosecond.
set -eu
tool=/host/probe-events
cd "$PROBES"

# took COMMAND...: microseconds
took() {
	local begin end

	begin=$(date +%s%N)
	"$@" > /tmp/out 2>&1 || { cat /tmp/out; exit 1; }
	end=$(date +%s%N)
	echo $(((end - begin) / 1000))
}
# With -k the command returns when all is armed.
armed() {
	local us nr

	us=$(took "$tool" "$@" -k 1h)
	nr=$(grep -c . kprobes/list || true)
	"$tool" rm --all
	echo "@@ $us $nr $*"
}
echo "@@ $(took "$tool" --help) 0 --help"
for _ in 1 2 3; do
	armed count vfs_read by comm
	armed lat vfs_read by comm
done
armed lat @lock by lock,caller
armed count 'vfs_*' by func
armed count '[a-d]*' by func
