#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: a program that uses libtracefs: an instance, its filters, options and controls
# not: 6.12-rt 6.1-cloud: shows what 6.12-cloud does
# seconds: 2
# packages: trace-cmd
# tools: probe-events lt_instance

set -eu
# shellcheck source=tests/func/lib/tracing_lib.sh
. /host/tracing_lib.sh
on_ours /host/lt_instance
is 'nothing left' '' "$(cat "$PROBES/kprobe_events")"
is 'nothing left' '' "$(ls "$PROBES/instances")"
