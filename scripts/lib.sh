# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# shellcheck shell=bash disable=SC2034
#
# Shared by the shell tools of this tree: messages, the cache, Debian packages.
# Sourced, never run. Callers have set -euo pipefail.
#
# The cache lies outside the checkout and is shared by every checkout of a user:
#   debs/       downloaded packages
#   pkg/        packages, unpacked one by one (PACKAGE_VERSION/)
#   kernels/    per kernel: boot image and a header tree that needs no installation
#   source/     kernel source, for the kernels that are built here
#   qemu/       the emulator, where the distribution's is too old; backports/: apt's lists for it
#   lists-*/    apt's lists for kernels of other releases
#   initramfs/  finished base and package images, one per set of package versions
#   build/      per checkout and kernel: the copy of the sources that kbuild works in
# Everything in it is made under a temporary name and renamed, so that a reader never
# sees half of it, and can be deleted at any time.

pe_top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
pe_cache=${PE_CACHE:-${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/probe-events}

die() { printf '%s: %s\n' "${0##*/}" "$*" >&2; exit 1; }
note() { printf '%s\n' "$*" >&2; }

# own_kernel NAME: is it one that is built here, from a fragment?
own_kernel() { [ -e "$pe_top/tests/kernels/$1.config" ] && [ "$1" != common ]; }

# other_release NAME: is it a kernel of another release of Debian than this machine's may be?
other_release() { [[ $1 == 5.*-* || $1 == [7-9].*-* || $1 == sid-* || $1 == experimental-* ]]; }

# with_lock NAME COMMAND...: run COMMAND while no other process holds NAME.
with_lock() {
	local name=$1 fd status=0
	shift
	mkdir -p "$pe_cache/locks"
	exec {fd}>"$pe_cache/locks/$name"
	flock "$fd"
	"$@" || status=$?
	exec {fd}>&-
	return "$status"
}

# as_root COMMAND...: for apt, and for what is done in a folder with another Debian; everything else here
# runs as any user.
as_root() {
	if [ "$(id -u)" -eq 0 ]; then
		"$@"
	elif sudo -n true 2>/dev/null; then
		sudo -n "$@"
	else
		sudo "$@"
	fi
}

# build_place KERNEL: where modules are built for it. $headers are the kernel's; $root is the Debian that it has
# of its own, or empty; $where is this checkout's folder for it, below $root.
build_place() {
	local id
	id=$(printf '%s' "$pe_top" | sha256sum | cut -c1-12)
	headers=$("$pe_top/scripts/kernel" "$1" build)
	root=''
	! other_release "$1" || root=$("$pe_top/scripts/kernel" "$1" dir)
	where=${root:+$root/build/$id}
	where=${where:-${PE_BUILD:-$pe_cache/build/$id}}/$(basename "$headers")${PE_PLAIN:+-plain}
}

# in_root COMMAND...: in $root, with paths as they are there, or here. objtool asks /proc for a limit.
in_root() {
	if [ -z "$root" ]; then
		"$@"
	else
		as_root unshare -m sh -c 'mount -t proc proc "$0/proc" && exec chroot "$0" "$@"' "$root" "$@"
	fi
}

apt_update() {
	note "apt-get update"
	with_lock apt as_root apt-get -q update >&2
}

# Version that apt would install, empty when it knows none.
apt_candidate() {
	apt-cache policy "$1" | awk '$1 == "Candidate:" && $2 != "(none)" { print $2 }'
}

# The path of a package in the cache, as apt names it; fails if it is not there.
cached_deb() {
	local path=("$pe_cache/debs/$1_${2//:/%3a}"_*.deb)
	[ -e "${path[0]}" ] && printf '%s\n' "${path[0]}"
}

# Options for apt-get: a caller may have sources and lists of its own.
apt_options=()

# own_lists NAME SUITE...: from here on apt has sources and lists of its own: these suites, in the
# archives from which this machine's release comes, or its security updates. NAME is a folder of the cache.
own_lists() {
	local dir=$pe_cache/$1 suite part uri key=''
	shift
	mkdir -p "$dir"/{lists,archives}/partial
	[ ! -e /usr/share/keyrings/debian-archive-keyring.gpg ] ||
		key='[signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] '
	for suite in "$@"; do
		part=''
		[[ $suite != *-security ]] || part=-security
		archive_uris "$part" | while read -r uri; do
			printf 'deb %s%s %s main\n' "$key" "$uri" "$suite"
		done
	done >"$dir/sources.list"
	[ -s "$dir/sources.list" ] || return
	apt_options=(-o "Dir::State::lists=$dir/lists" -o "Dir::Cache::archives=$dir/archives"
		     -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache=
		     -o "Dir::Etc::sourcelist=$dir/sources.list" -o Dir::Etc::sourceparts=/dev/null
		     -o APT::Sandbox::User=root)
	apt-get -q -q "${apt_options[@]}" update >&2
}

# archive_uris [-security]: where this machine's release comes from, or what mends it, as apt knows it.
archive_uris() {
	local release
	release=$(. /etc/os-release && printf '%s' "${VERSION_CODENAME:-}")
	apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' |
		awk -v release="$release${1:-}" '$2 == release && $3 == "main" { print $1 }' | sort -u
}

# fetch_debs: download what "name version" lines on stdin ask for and the cache lacks, in one
# go. A repository drops versions that were superseded: a caller that fails resolves the
# versions again with fresh lists.
fetch_debs() {
	local name version missing=() tmp
	while read -r name version; do
		cached_deb "$name" "$version" >/dev/null || missing+=("$name=$version")
	done
	[ ${#missing[@]} -gt 0 ] || return 0
	mkdir -p "$pe_cache/debs"
	tmp=$(mktemp -d "$pe_cache/debs/.tmp.XXXXXX")
	if (cd "$tmp" && apt-get -q -q "${apt_options[@]}" download "${missing[@]}" >.log 2>&1); then
		mv -f "$tmp"/*.deb "$pe_cache/debs/"
		rm -rf "$tmp"
	else
		cat "$tmp/.log" >&2
		rm -rf "$tmp"
		return 1
	fi
}

# fetch_deb PACKAGE VERSION: the same for one package; prints its path.
fetch_deb() {
	fetch_debs <<<"$1 $2" && cached_deb "$1" "$2"
}

# unpack_debs DIR: fetch and unpack the packages of "name version" lines on stdin.
unpack_debs() {
	local list name version
	list=$(cat)
	fetch_debs <<<"$list" || return
	while read -r name version; do
		unpack_deb "$(cached_deb "$name" "$version")" "$1" || return
	done <<<"$list"
}

# unpack_deb DEB DIR: dpkg -x that follows the merged-/usr links already in DIR.
unpack_deb() {
	dpkg-deb --fsys-tarfile "$1" |
		tar -x -C "$2" --no-same-owner --keep-directory-symlink --warning=no-timestamp
}
