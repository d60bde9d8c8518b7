# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2034
#
# What tests of commands by the table share. With "stock" as argument of the test the same
# is asked of the kernel's own files.

export LC_ALL=C
mode=${1:-ours}
if [ "$mode" = stock ]; then
	PROBES=/sys/kernel/tracing
	[ -e $PROBES/kprobe_events ] || mount -t tracefs tracefs $PROBES
fi
cd "$PROBES"
failures=0 checks=0

fail() {
	echo "not ok: $*"
	failures=$((failures + 1))
}
