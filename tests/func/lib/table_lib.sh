# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# shellcheck shell=bash disable=SC2034
#
# Shared by the tests of commands by the table. With "stock" as argument of the test the same
# is asked of the kernel's own files.

# shellcheck source=tests/func/lib/check_lib.sh
. /host/check_lib.sh

export LC_ALL=C
mode=${1:-ours}
if [ "$mode" = stock ]; then
	PROBES=/sys/kernel/tracing
	[ -e $PROBES/kprobe_events ] || mount -t tracefs tracefs $PROBES
fi
cd "$PROBES" || exit
checks=0
