#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: unmodified trace-cmd: record over the network
# needs: network
# seconds: 4
# packages: trace-cmd
# tools: probe-events
# modules: pe_target

set -eu
# shellcheck source=tests/func/lib/tracing_lib.sh
. /host/tracing_lib.sh
target_probes

trace-cmd listen -p 12345 -o /tmp/net > /tmp/listen.log 2>&1 &	# touches no tracing file
listener=$!
within 60 grep -q ':3039 ' /proc/net/tcp /proc/net/tcp6
# TCP: of UDP, which trace-cmd prefers, datagrams are lost when the listener is slow.
tc record -N 127.0.0.1:12345 -t -e tct -- /tmp/work 3000 7
# The listener puts the file together after the end.
received() { [ "$(recorded add /tmp/net.*.dat || true) $(recorded str /tmp/net.*.dat || true)" = '3000 7' ]; }
within 100 received
kill $listener
wait $listener || true
