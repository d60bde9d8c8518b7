#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
#
# tests/vm/image where apt cannot resolve what it is asked for: it fails and says what, and prints
# no path. Without one a VM would boot that lacks the packages.
set -eu
cd "$(dirname "$0")/../.."

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
for name in apt-get sudo; do
	printf '#!/bin/sh\nexit 100\n' >"$tmp/$name"
	chmod +x "$tmp/$name"
done

fail() { echo "image: $*" >&2; exit 1; }

for what in base 'one two'; do
	status=0
	# shellcheck disable=SC2086
	printed=$(PATH=$tmp:$PATH PE_CACHE=$tmp/cache tests/vm/image $what 2>"$tmp/said") || status=$?
	[ $status -ne 0 ] || fail "status 0 for $what"
	[ -z "$printed" ] || fail "it printed $printed for $what"
	[ "$what" = base ] || grep -q "cannot resolve: $what" "$tmp/said" || fail "it said: $(cat "$tmp/said")"
done
