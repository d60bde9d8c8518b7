#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
#
# In a chroot with a Debian that has apt and nothing else: make the packages by README's words.
set -u
# shellcheck source=tests/deb/steps.sh
. /root/steps.sh
export PATH=/usr/sbin:/usr/bin:/sbin:/bin

step 'apt-get update' apt-get -q update
# README has linux-headers-$(uname -r): here it is that of another kernel.
step 'what README installs' apt-get -q -y install linux-headers-cloud-amd64 git make
start=$SECONDS
step 'make deb' make -C /root/sources deb
echo "measured: make deb takes $((SECONDS - start)) s"
kernel=$(find /lib/modules -mindepth 2 -maxdepth 2 -name build | cut -d/ -f4)
for name in probe-events probe-events-dev probe-events-dkms "probe-events-modules-$kernel"; do
	is "the package $name" 1 "$(grep -c "/${name}_[^/]*\.deb$" /root/said)"
done
[ $failed = 0 ]
