#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
#
# scripts/supported, in a tree where nothing is real but itself: what a run that is cut off leaves, that a
# row is of one release, and which tests count.
set -eu
cd "$(dirname "$0")/../.."

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
mkdir -p "$tmp"/{scripts,tests/vm,tests/func}
cp scripts/{supported,lib.sh} "$tmp/scripts"
cp tests/func/headers.sh "$tmp/tests/func"
export PE_CACHE=$tmp/cache state=$tmp/state

fail() { echo "supported: $*" >&2; sed 's/^/      | /' "$tmp/said" >&2; exit 1; }

# fake PATH: a script from stdin
fake() { { echo '#!/bin/bash'; cat; } >"$tmp/$1"; chmod +x "$tmp/$1"; }

# The release is what the file says; each test of tests/func passes, and one of no list fails.
fake scripts/kernel <<'END'
case $1:$2 in
list:) echo 6.12-cloud; echo bare ;;
*:release) echo "$(cat "$state")-amd64" ;;
*:dir) echo "/kernels/$(cat "$state")_1" ;;
esac
END
fake scripts/build-modules <<'END'
mkdir -p "$2"
END
fake tests/vm/run <<'END'
echo "@@ $(cat "$state")-amd64"
END
fake tests/func/run <<'END'
if [ "$1" = -l ]; then
	shift 5
	printf '%s 6.12-cloud: what it does\n' "${@:-storm}"
	echo 'elsewhere - (bare): what it does'
	echo '6.12-cloud 1 tests, about 10 CPU seconds'
else
	while [ "$1" != -o ]; do shift; done
	mkdir -p "$2"
	printf 'pass 6.12-cloud %s 1\n' "${@:3}" storm gone >"$2/results"
	[ -z "${update:-}" ] || [ -e "$state.updated" ] || { echo 6.12.2-cloud | tee "$state" >"$state.updated"; }
	[ -z "${cut:-}" ] || kill -PIPE $PPID
fi
END

# rows: of README, each with cells from the second on
rows() { sed -n 's/^| `\([^|]*\)` | /\1 /p' "$tmp/README.md"; }

# table ROW: README has it, and a row without results
table() {
	cat >"$tmp/README.md" <<END
<!-- kernels: written by make supported -->
$(grep -A 1 '^| kernel | builds' README.md)
| \`6.12-cloud\` | $1
| \`bare\` | - | - | - | - | - | - | - |
<!-- end of kernels -->
END
	echo 6.12.1-cloud >"$state"
}

# becomes ROW OPTION...: that of 6.12-cloud, and the table has its form
becomes() {
	"$tmp/scripts/supported" "${@:2}" -o "$tmp/out" 6.12-cloud >"$tmp/said" 2>&1 || [ -n "${cut:-}" ] || fail "${*:2}: status $?"
	[ "$(rows)" = "6.12-cloud $1"$'\n''bare - | - | - | - | - | - | - |' ] || fail "${*:2}: $(rows)"
	"$tmp/scripts/supported" -c >>"$tmp/said" 2>&1 || fail "${*:2}: another form"
}

table 'yes | 6.12.1-cloud | - | - | passed: 1 armed, 1 hit | 1.0 % | - |'
becomes 'yes | 6.12.1-cloud | 8 of 8 | - | passed: 1 armed, 1 hit | 1.0 % | - |' -w core
becomes 'yes | 6.12.1-cloud | 8 of 8 | 1 of 1 | passed: 1 armed, 1 hit | 1.0 % | - |' -w suite

# Of another release, or of none
for boots in 6.12.0-cloud - no; do
	table "yes | $boots | - | - | passed: 1 armed, 1 hit | 1.0 % | - |"
	becomes '- | 6.12.1-cloud | 8 of 8 | - | - | - | - |' -w core
done

# An update between two columns
table '- | - | - | - | - | - | - |'
update=yes becomes 'yes | 6.12.2-cloud | 8 of 8 | - | - | - | - |' -w builds,boots,core

# Results of another release
mkdir -p "$tmp/old/modules-6.12-cloud"
table '- | - | - | - | - | - | - |'
echo pass 6.12-cloud storm 1 >"$tmp/old/results"
echo 'vermagic=6.12.0-cloud-amd64 SMP' >"$tmp/old/modules-6.12-cloud/probe_core.ko"
! "$tmp/scripts/supported" -w suite -r "$tmp/old" -o "$tmp/out" 6.12-cloud >"$tmp/said" 2>&1 || fail "another release's results"
echo 'vermagic=6.12.1-cloud-amd64 SMP' >"$tmp/old/modules-6.12-cloud/probe_core.ko"
becomes '- | 6.12.1-cloud | - | 1 of 1 | - | - | - |' -w suite -r "$tmp/old"

# Cut off in the middle
table '- | - | - | - | - | - | - |'
cut=yes becomes 'yes | 6.12.1-cloud | - | - | - | - | - |' -w builds,boots,core

# Cells that nothing says the release of
table 'yes | - | 8 of 8 | - | - | - | - |'
! "$tmp/scripts/supported" -c >"$tmp/said" 2>&1 || fail "a row of no release has the form"
