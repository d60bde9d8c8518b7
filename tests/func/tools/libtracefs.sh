#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: programs that use libtracefs: events when there is none, make a kprobe, iterate records, raw pages
# not: 6.12-rt 6.1-cloud: shows what 6.12-cloud does
# tier: 6.12-cloud bare
# seconds: 3
# packages: trace-cmd
# tools: probe-events lt_events lt_kprobe lt_pages

set -eu
# shellcheck source=tests/func/lib/tracing_lib.sh
. /host/tracing_lib.sh
# No probe yet.
on_ours /host/lt_events
tc check-events
tc list -e
tc stat
is 'enable of a group without events' '?' "$(cat "$PROBES/events/ftrace/enable")"
tc reset
echo 0 > "$PROBES/events/ftrace/enable"
refused 'Invalid argument' sh -c "echo 1 > $PROBES/events/ftrace/enable"
on_ours /host/lt_events
on_ours /host/lt_kprobe 1000
# 64 KiB for each CPU, which 6000 hits overflow.
echo 64 > "$PROBES/buffer_size_kb"
on_ours /host/lt_pages 700 6000
echo 1024 > "$PROBES/buffer_size_kb"
is 'nothing left' '' "$(cat "$PROBES/kprobe_events")"
