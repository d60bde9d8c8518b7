#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: where the kernel has no tracepoints, t: is refused with that reason
# needs: no-tracing
# tier: bare
# modes: default
# seconds: 2

set -eu
cd "$PROBES"
# shellcheck source=tests/func/lib/check_lib.sh
. /host/check_lib.sh

refused 'Invalid argument' append 't:g/e sched_switch $arg1' dynamic_events
has error_log '^\[.*\] trace_fprobe: error: Tracepoint is not found (this kernel has no tracepoints)$'
is 'the caret' "$(printf '%*s^' 17 '')" "$(tail -n 1 error_log)"
refused 'Invalid argument' append 't sched-switch' dynamic_events
has error_log 'trace_fprobe: error: Invalid character in tracepoint name$'
refused 'Invalid argument' append 't sched_switch' kprobe_events
holds dynamic_events ''
