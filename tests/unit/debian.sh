#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
#
# scripts/kernel-debian twice at a time, for two kernels: neither takes away the other's folder while that is
# being made, nor its list of archives while that is read, but what a run has left that was killed goes. apt
# and mmdebstrap are ours.
set -eu
cd "$(dirname "$0")/../.."

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
mkdir "$tmp/bin"

fail() { echo "debian: $*" >&2; cat "$tmp"/said.* >&2; exit 1; }

# command NAME: its text is standard input
command_is() { { echo '#!/bin/sh'; cat; } >"$tmp/bin/$1"; chmod 755 "$tmp/bin/$1"; }

command_is sudo <<'END'
[ "$1" != -n ] || shift
exec "$@"
END
command_is apt-config </dev/null
command_is apt-get <<'END'
. /etc/os-release
case $* in *indextargets*) sleep 0.1; echo "http://archive.invalid/ $VERSION_CODENAME main" ;; esac
END
command_is apt-cache <<'END'
case $* in
*pkgnames*) printf 'linux-image-5.10.0-1-%s-amd64\n' one two ;;
*) echo '  Candidate: 1' ;;
esac
END
# It takes a while; then its folder must be there as it was.
command_is mmdebstrap <<'END'
for dir; do case $dir in */.tmp-newer.*) break ;; esac; done
touch "$dir/begun"
sleep 0.5
[ -e "$dir/begun" ]
END

# make_root FLAVOUR: its two lines are in said.FLAVOUR
make_root() { PATH=$tmp/bin:$PATH PE_CACHE=$tmp/cache scripts/kernel-debian "5.10-$1" >"$tmp/said.$1" 2>&1; }

mkdir -p "$tmp/cache/kernels/.tmp-newer.killed"
make_root one &
one=$!
sleep 0.2
make_root two || fail 'the second has failed'
wait $one || fail 'the first has failed, beside the second'
for flavour in one two; do
	dir=$tmp/cache/kernels/5.10.0-1-$flavour-amd64_1
	[ -e "$dir/begun" ] || fail "no $dir"
	[ "$(tail -n 1 "$tmp/said.$flavour")" = "$dir" ] || fail "$flavour: its folder is not what was said last"
done
[ ! -e "$tmp/cache/kernels/.tmp-newer.killed" ] || fail 'what was left is still there'
