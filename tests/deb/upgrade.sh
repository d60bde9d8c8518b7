#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
#
# An upgrade of the kernel, with modules that DKMS builds and events that a file of the unit defines.
# "upgrade.sh prepare" runs in a chroot whose kernel is the older one: the new one's modules must be
# there before anything boots. Without a word it runs on the machine that has booted the new kernel.
set -u
# shellcheck source=tests/deb/steps.sh
. /root/steps.sh
export PATH=/usr/sbin:/usr/bin:/sbin:/bin

newest() { find /boot -name 'vmlinuz-*' | sed 's/.*vmlinuz-//' | sort -V | tail -n 1; }

prepare() {
	local new
	install_libraries
	# shellcheck disable=SC2046	# words
	step 'install' install $(debs probe-events-dkms probe-events)
	says "modules for $kernel" updates/dkms/probe_events.ko cat "/lib/modules/$kernel/modules.dep"
	cp /root/open.events /etc/probe-events/
	step 'upgrade of the kernel' apt-get -q -y --no-download install linux-image-cloud-amd64 linux-headers-cloud-amd64
	new=$(newest)
	is 'the security archive has a newer one' different "$([ "$new" = "$kernel" ] || echo different)"
	says "modules for $new, before it boots" updates/dkms/probe_events.ko cat "/lib/modules/$new/modules.dep"
	says 'built for it' "$new " modinfo -k "$new" -F vermagic probe_events
	says "those for $kernel are still there" updates/dkms/probe_events.ko cat "/lib/modules/$kernel/modules.dep"
	[ $failed = 0 ]
}

booted() {
	echo "# booted, $(uname -r)"
	is 'the new kernel runs' "$(newest)" "$(uname -r)"
	is 'which is not the one of the installation' different "$([ "$(uname -r)" = "$kernel" ] || echo different)"
	is 'the unit' active "$(systemctl is-active probe-events)"
	is 'its events are defined' 'kprobes/open kprobes/open_failed' \
		"$(grep -o 'kprobes/open[a-z_]*' /sys/kernel/probes/dynamic_events | xargs)"
	cat /etc/hostname >/dev/null
	says 'and record' 'file="/etc/hostname"' grep -m 1 'open: .*file="/etc/hostname"' /sys/kernel/probes/trace
	verdict
}

if [ "${1:-}" = prepare ]; then prepare; else booted; fi
