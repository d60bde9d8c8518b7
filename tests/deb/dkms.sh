#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
#
# dkms.sh build|purge|signed: in a chroot with a Debian, its kernel and headers, the package
# probe-events-dkms.
set -u
# shellcheck source=tests/deb/steps.sh
. /root/steps.sh
export PATH=/usr/sbin:/usr/bin:/sbin:/bin
dkms=$(debs probe-events-dkms)
source=/usr/src/probe-events-$version

build() {
	install_libraries
	step 'no metapackage of headers' dpkg --remove linux-headers-cloud-amd64
	inventory >/root/before

	mv "/lib/modules/$kernel/build" /root/build
	refused 'no headers' "apt-get install linux-headers-$kernel" install "$dkms"
	is 'no headers: not installed' half-configured "$(status_of probe-events-dkms)"
	mv /root/build "/lib/modules/$kernel/build"

	sed -i '1i $(error broken for a test)' "$source/Kbuild"
	refused 'a failed build' make.log dpkg --configure -a
	is 'a failed build: not installed' half-configured "$(status_of probe-events-dkms)"
	sed -i 1d "$source/Kbuild"

	step 'a build' dpkg --configure -a
	says 'a build: what brings the headers of new kernels' 'apt-get install linux-headers-cloud-amd64' cat /root/said
	is 'a build: installed' installed "$(status_of probe-events-dkms)"
	says 'a build: three modules' "updates/dkms/probe_events.ko" cat "/lib/modules/$kernel/modules.dep"
	is 'modinfo: version' "$version" "$(modinfo -k "$kernel" -F version probe_events)"
	says 'signed by the key of DKMS' 'DKMS module signing key' modinfo -k "$kernel" -F signer probe_events
	mkdir -p /etc/probe-events
	cp /root/open.events /etc/probe-events/
	# shellcheck disable=SC2046	# words
	step 'the command and the interface' install $(debs probe-events probe-events-dev)

	cp -r /usr/share/doc/probe-events-dev/examples /root/example
	step 'the example builds' make -C /root/example KVER="$kernel"
	says 'the example wants our engine' probe_core modinfo -F depends /root/example/count_opens.ko
	rm -rf /root/example
}

# What key.sh and autopkgtest.sh need: modules, and the command's libraries, but not the command itself.
signed() {
	install_libraries
	step 'a build' install "$dkms"
	is 'the headers of new kernels come by themselves' '' "$(grep 'do not come' /root/said)"
	says 'signed by the key of DKMS' 'DKMS module signing key' modinfo -k "$kernel" -F signer probe_events
}

purge() {
	step 'removal' apt-get -q -y remove probe-events
	step 'purge' apt-get -q -y purge probe-events probe-events-dkms probe-events-dev
	rm -f /var/lib/dkms/mok.*		# the machine's key, which DKMS has made
	inventory >/root/after
	is 'purge leaves nothing' '' "$(diff /root/before /root/after | grep '^[<>]' | grep -v "/lib/modules/$kernel/modules\.")"
	says 'purge: no module is known' 'not found' modinfo -k "$kernel" probe_events
}

"$1"
[ $failed = 0 ]
