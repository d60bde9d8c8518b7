# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# shellcheck shell=bash
#
# Sweeps of tests/tools/inject.c, which says what must hold after each failure. That nothing
# leaks is for kmemleak to say, after the modules have gone.

# shellcheck source=tests/func/lib/check_lib.sh
. /host/check_lib.sh

debug=/sys/kernel/debug
export INJECT_TEXT='vfs_fallocate vfs_fsync_range'	# nothing here calls them
INJECT_EDGE=${INJECT_EDGE:-$(length 12 240)}	# a quarter of it, as this runs on debug only
export INJECT_EDGE

# Which task, and which of its allocations, is said by fail-nth.
for kind in failslab fail_page_alloc; do
	echo 0 > $debug/$kind/verbose
	echo N > $debug/$kind/ignore-gfp-wait
done
echo N > $debug/fail_page_alloc/ignore-gfp-highmem
echo 0 > $debug/fail_page_alloc/min-order

# sweep NAME OPERATION...: as inject's; the test defines fresh(), to go on after a failure. A test with
# one_in=N has one of N in its turn.
sweep() {
	local start=$SECONDS

	[ -z "${one_in:-}" ] || in_turn "$one_in" || return 0
	if /host/inject "$@" > /tmp/sweep; then
		echo "$((SECONDS - start)) s: $(cat /tmp/sweep)"
	else
		cat /tmp/sweep
		wrong "$1"
		fresh
	fi
	cat /tmp/sweep >> /tmp/all
}

# swept N: at least so many were refused, and without a complaint. A failed allocation of pages
# says so, with a stack. Everything else is judged as usual.
swept() {
	awk '/ failures of / { n += $(NF - 6); r += $(NF - 1) }
		END { print n " failures, " r " refused"; exit r < '"$1"' }' /tmp/all || fail "too few were refused: wanted $1"
	if dmesg | grep -E 'WARNING: |BUG: |Oops|KASAN|UBSAN|suspicious RCU|possible (recursive|circular)|ODEBUG'; then
		fail 'the kernel complained'
	fi
	dmesg -C
	none_wrong
}
