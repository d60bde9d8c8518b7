#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
#
# piuparts.sh SUITE: in a chroot that has piuparts, the packages of /root/packages/old. They are installed
# into a fresh Debian (/root/fresh.tar.gz), removed and purged: nothing may be left, changed or broken.
set -u
# shellcheck source=tests/deb/steps.sh
. /root/steps.sh
export PATH=/usr/sbin:/usr/bin:/sbin:/bin
archive=http://deb.debian.org suite=$1

# purged NAME...: these together
purged() {
	# shellcheck disable=SC2046	# words
	if piuparts --basetgz /root/fresh.tar.gz --distribution "$suite" --mirror "$archive/debian main" --no-eatmydata \
			--extra-repo "deb $archive/debian-security $suite-security main" --log-file /root/piuparts.log \
			$(debs "$@") >/dev/null 2>&1; then
		ok "piuparts: $*"
	else
		bad "piuparts: $*"
		grep -E -A 20 ' (ERROR|FAIL): ' /root/piuparts.log | tail -n 60
	fi
}

purged probe-events-dev
purged probe-events-dkms
purged "probe-events-modules-$kernel" "probe-events-modules-$kernel-dbg"
purged probe-events-dkms probe-events
[ $failed = 0 ]
