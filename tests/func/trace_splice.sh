#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: sendfile() and splice() from trace, trace_pipe and small files
# kernels: all
# packages: busybox

set -eu
cd "$PROBES"

is() {
	[ "$2" = "$3" ] || { echo "$1: wanted '$2', got '$3'"; exit 1; }
}

# busybox's cat copies with sendfile().
echo 'p:t/zero read_zero' > kprobe_events
echo 1 > events/t/zero/enable
echo > trace
dd if=/dev/zero of=/dev/null bs=1 count=3000 status=none
echo 0 > events/t/zero/enable
busybox cat trace > /tmp/sent
cat trace | cmp - /tmp/sent
is 'small file' "$(cat trace_clock)" "$(busybox cat trace_clock)"
busybox cat trace_pipe > /tmp/piped &
reader=$!
for i in $(seq 100); do
	[ "$(wc -l < /tmp/piped)" -lt 3000 ] || break
	sleep 0.1
done
grep -q '^State:.*S' "/proc/$reader/status"
echo 0 > tracing_on
wait $reader
diff <(grep -v '^#' /tmp/sent) /tmp/piped
is 'all consumed' 0 "$(grep -c ' zero: ' trace || true)"
echo 1 > tracing_on
