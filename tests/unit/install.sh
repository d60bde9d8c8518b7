#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
#
# "make install" into an empty folder, then "make uninstall": no file is left, and files of others stay. kbuild,
# depmod and the compiler are ours; the modules have the names of Kbuild.
set -eu
cd "$(dirname "$0")/../.."

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

fail() { echo "install: $*" >&2; cat "$tmp/said" >&2; exit 1; }

mkdir -p "$tmp"/{bin,out,kernel/include/config,root/lib/modules/6.0-ours/extra,root/usr/share/man/man1}
printf '#!/bin/sh\necho "depmod $*" >>"%s"\n' "$tmp/called" >"$tmp/bin/depmod"
printf '#!/bin/sh\nwhile [ $# -gt 0 ]; do [ "$1" != -o ] || echo compiled >"$2"; shift; done\n' >"$tmp/bin/compiler"
chmod 755 "$tmp/bin/depmod" "$tmp/bin/compiler"
echo 6.0-ours >"$tmp/kernel/include/config/kernel.release"
modules=$(sed -nE 's/^pe-modules := //p' Kbuild)
[ "$(wc -w <<<"$modules")" -ge 3 ] || fail "modules of Kbuild: $modules"
cat >"$tmp/kernel/Makefile" <<END
modules:
modules_install:
	for m in $(echo $modules); do touch \$(INSTALL_MOD_PATH)/lib/modules/6.0-ours/\$(INSTALL_MOD_DIR)/\$\${m%.o}.ko\$(PACKED); done
END
touch "$tmp/root/lib/modules/6.0-ours/extra/other.ko" "$tmp/root/usr/share/man/man1/other.1"

# target NAME PACKED
target() {
	: >"$tmp/called"
	PATH=$tmp/bin:$PATH make "$1" KDIR="$tmp/kernel" CC="$tmp/bin/compiler" INSTALL_MOD_PATH="$tmp/root" \
		DESTDIR="$tmp/root" PREFIX=/usr OUT="$tmp/out" PACKED="$2" >"$tmp/said" 2>&1 || fail "make $1"
	[ "$(cat "$tmp/called")" = "depmod -b $tmp/root 6.0-ours" ] || fail "$1: called $(cat "$tmp/called")"
}
files() { (cd "$tmp/root" && find . ! -type d && find . -name '*probe*') | sort -u; }

before=$(files)
for packed in '' .gz .xz .zst; do
	target install "$packed"
	for file in lib/modules/6.0-ours/extra/probe_events.ko$packed usr/bin/probe-events usr/share/man/man1/probe-events-lat.1 \
			usr/share/probe-events/static/sched.events; do
		[ -e "$tmp/root/$file" ] || fail "no $file"
	done
	target uninstall "$packed"
	[ "$(files)" = "$before" ] || fail "left: $(diff <(printf '%s' "$before") <(files))"
done
rm "$tmp/root/lib/modules/6.0-ours/extra/other.ko"
target uninstall ''
[ ! -e "$tmp/root/lib/modules/6.0-ours/extra" ] || fail 'an empty folder is left'
