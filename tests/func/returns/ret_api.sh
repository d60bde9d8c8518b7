#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: return probes of the engine: values, shapes of functions, recursion, sleepers
# tier: 6.12-cloud 6.12-rt 6.1-cloud 5.10-cloud 7.3-cloud bare
# seconds: 1
# modules: pe_ret_test
set -eu
# shellcheck source=tests/func/lib/engine_lib.sh
. /host/engine_lib.sh

load
run_cases pe_ret_test
