#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
#
# scripts/progress.sh: what takes long says how far it is while it runs, not when it has ended.
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/../../scripts/lib.sh"
# shellcheck source=scripts/progress.sh
. "$pe_top/scripts/progress.sh"

pause=1 subject=test
tmp=$(mktemp -d)	# no trap removes it: a subshell that is killed early would run that, too
: > "$tmp/said"

fail() {
	printf '%s\n' "$1"
	cat "$tmp/said"
	rm -rf "$tmp"
	exit 1
}

# until_said N PATTERN: ends when N such lines have been said, or with an error after a minute
until_said() {
	local tries=600

	until [ "$(grep -c -- "$2" "$tmp/said")" -ge "$1" ]; do
		[ $((tries -= 1)) -gt 0 ] || return
		sleep 0.1
	done
}

far() { echo 'so far'; }
messages() {
	echo '  CC      /top/a.o'
	until_said 2 '^test: [0-9:]*, 1 objects, a.o$' || return
	echo '  AS      /top/b.o'
}

during 'doing it' far until_said 2 '^test: [0-9:]*, so far$' 2> "$tmp/said" || fail 'silent'
[ "$(head -n 1 "$tmp/said")" = 'test: doing it' ] || fail 'what it does'
! during 'failing' far false 2> "$tmp/said" || fail 'a failure is lost'

messages | progress "$tmp/log" /top 2> "$tmp/said" || fail 'a silent build'
tail -n 1 "$tmp/said" | grep -q '^test: [0-9:]*, 2 objects$' || fail 'what there was'
[ "$(wc -l < "$tmp/log")" = 2 ] || fail 'the log'

# Each step of kernel-build that takes long uses them.
grep '\<during \| | progress ' "$pe_top/scripts/kernel-build" > "$tmp/said" || true
for step in fetch_deb unpack_source configure; do
	grep -q "\<during .* $step\>" "$tmp/said" || fail "kernel-build: $step"
done
grep -q '^[^#]*\<kmake .* | progress ' "$tmp/said" || fail 'kernel-build: the build'
rm -rf "$tmp"
echo "# scripts/progress.sh: says how far it is"
