#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
#
# On a Debian booted by UEFI with module.sig_enforce=1, with modules that DKMS has built and signed. It
# runs at two boots: in the first the key is unknown, and is enrolled at the end; in the second the
# firmware hands it to the kernel. Debian's kernels trust keys of the firmware, in its variable db or
# imported by mokutil, for modules; db can be written without a person at the console.
set -u
# shellcheck source=tests/deb/steps.sh
. /root/steps.sh
export PATH=/usr/sbin:/usr/bin:/sbin:/bin
key=/var/lib/dkms/mok.pub
unit_is() { systemctl is-active probe-events; }

demands_signatures() {
	is 'the kernel demands signatures' Y "$(cat /sys/module/module/parameters/sig_enforce)"
	# The same code without its signature, which is the file's last part
	xz -dc "$(modinfo -n probe_arena)" >/root/signed.ko 2>/dev/null || cp "$(modinfo -n probe_arena)" /root/signed.ko
	head -c -1000 /root/signed.ko >/root/unsigned.ko
	refused 'a module without a signature' 'Key was rejected by service' insmod /root/unsigned.ko
}

unknown_key() {
	refused 'a key that the kernel does not trust' "mokutil --import $key" install "$(debs probe-events)"
	is 'it does not look installed' half-configured "$(status_of probe-events)"
	is 'the unit has failed' failed "$(unit_is)"
	is 'nothing is loaded' '' "$(grep -o '^probe_[a-z]*' /proc/modules)"
}

# The firmware has no owner's key (PK), so it takes an unsigned db.
enrol() {
	openssl x509 -inform der -in $key -out /root/mok.pem &&
		cert-to-efi-sig-list /root/mok.pem /root/mok.esl &&
		efi-updatevar -e -f /root/mok.esl db
}

# The unit, which is enabled, runs at this boot.
known_key() {
	says 'the firmware hands the key over' 'DKMS module signing key' dmesg
	is 'the unit' active "$(unit_is)"
	is 'the modules are loaded' 'probe_arena probe_core probe_events' \
		"$(grep -o '^probe_[a-z]*' /proc/modules | sort | xargs)"
	is 'no taint for a missing signature' 0 $(($(cat /proc/sys/kernel/tainted) & 1 << 13))
	step 'dpkg --configure -a' dpkg --configure -a
	is 'it is installed' installed "$(status_of probe-events)"
	step 'a record' bash /root/record
}

main() {
	echo "# booted, $(uname -r)"
	demands_signatures
	if grep -qw pe_boot=first /proc/cmdline; then
		unknown_key
		step 'the key is enrolled' enrol
	else
		known_key
	fi
	verdict
}

main
