#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: a program that uses libtracefs: an instance, its filters, options and controls
# kernels: 6.12-cloud bare debug
# seconds: 3
# packages: trace-cmd
# tools: probe-events lt_instance

set -eu
# shellcheck source=tests/func/lib/tracing_lib.sh
. /host/tracing_lib.sh
on_ours /host/lt_instance
is 'nothing left' '' "$(cat "$PROBES/kprobe_events")"
is 'nothing left' '' "$(ls "$PROBES/instances")"
