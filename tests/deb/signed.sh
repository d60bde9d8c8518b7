#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# On a booted Debian whose kernel demands signatures, with modules that DKMS has built and signed, and
# its key among those of the machine's owner: the unit has started, with its events.
set -u
# shellcheck source=tests/deb/steps.sh
. /root/steps.sh
export PATH=/usr/sbin:/usr/bin:/sbin:/bin

is 'the kernel demands signatures' Y "$(cat /sys/module/module/parameters/sig_enforce)"
says 'the kernel has the key' 'DKMS module signing key' cat /proc/keys
is 'the unit' active "$(systemctl is-active probe-events)"
is 'the version' "$version" "$(cat /sys/module/probe_events/version)"
is 'no taint for want of a signature' 0 $(($(cat /proc/sys/kernel/tainted) >> 13 & 1))
cat /etc/hostname >/dev/null
step 'a record of an event that the unit has defined' \
	grep -m 1 'open: .*file="/etc/hostname"' /sys/kernel/probes/trace
journalctl -u probe-events -o cat --no-pager
[ $failed = 0 ] && echo 'verdict: good' || echo 'verdict: bad'
