#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: sendfile() and splice() from trace, trace_pipe and small files
# tier: 6.12-cloud 6.1-cloud
# seconds: 1

set -eu
cd "$PROBES"
# shellcheck source=tests/func/lib/events_lib.sh
. /host/events_lib.sh

# busybox's cat copies with sendfile(); the base has it.
echo 'p:t/zero read_zero' > kprobe_events
echo 1 > events/t/zero/enable
echo > trace
read_zeros 3000
echo 0 > events/t/zero/enable
busybox cat trace > /tmp/sent
cat trace | cmp - /tmp/sent || fail 'trace'
is 'small file' "$(cat trace_clock)" "$(busybox cat trace_clock)"
busybox cat trace_pipe > /tmp/piped &
reader=$!
within 60 has_lines /tmp/piped 3000 ' zero: '
within 20 asleep $reader
echo 0 > tracing_on
wait $reader
diff <(grep -v '^#' /tmp/sent) /tmp/piped || fail 'trace_pipe'
is 'all consumed' 0 "$(records zero)"
echo 1 > tracing_on
