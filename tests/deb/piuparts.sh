#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
#
# piuparts.sh SUITE: in a chroot that has piuparts, the packages of /root/packages/old. They are installed
# into a fresh Debian (/root/fresh.tar.gz, whose sources are in /root/archives), removed and purged: nothing may be left,
# changed or broken.
set -u
# shellcheck source=tests/deb/steps.sh
. /root/steps.sh
export PATH=/usr/sbin:/usr/bin:/sbin:/bin
suite=$1
mirror=$(awk -v suite="$suite" '$3 == suite { print $2, $4; exit }' /root/archives)
mapfile -t others < <(awk -v suite="$suite" '$3 != suite' /root/archives)

# purged NAME...: these together
purged() {
	# shellcheck disable=SC2046	# words
	if piuparts --basetgz /root/fresh.tar.gz --distribution "$suite" --mirror "$mirror" --no-eatmydata \
			"${others[@]/#/--extra-repo=}" --log-file /root/piuparts.log $(debs "$@") >/dev/null 2>&1; then
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
