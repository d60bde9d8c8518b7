# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# shellcheck shell=bash
#
# Read by every bash in the VM (BASH_ENV).

# length NORMAL LONG: how many rounds, seconds or probes a test does: NORMAL, LONG when
# PE_LONG is set (make test-all), and a quarter of it on a kernel with KASAN and lockdep,
# where everything takes several times as long.
length() {
	local n=$1
	[ -z "${PE_LONG:-}" ] || n=$2
	case $(</proc/sys/kernel/osrelease) in
	*-debug) n=$(((n + 3) / 4)) ;;
	esac
	printf '%s\n' "$n"
}
