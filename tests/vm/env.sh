# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Read by every bash in the VM (BASH_ENV).

# length NORMAL LONG: how many rounds, seconds or probes a test does: NORMAL, or LONG when
# PE_LONG is set (make test-long).
length() {
	if [ -z "${PE_LONG:-}" ]; then echo "$1"; else echo "$2"; fi
}
