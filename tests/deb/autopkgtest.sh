#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
#
# On a booted Debian, with modules that DKMS has built: the test of the source package, run by autopkgtest.
set -u
# shellcheck source=tests/deb/steps.sh
. /root/steps.sh
export PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root
results=/root/results

# The server "null" runs the test on this machine, as a machine of its own, which the test demands. Any status
# but 0 is a failure, those of a test that was skipped as well. If probe-events-dkms were
# named here, it would be installed again, and the modules built again.
run_test() {
	# shellcheck disable=SC2046	# words
	autopkgtest --no-built-binaries --output-dir=$results "$packages"/probe-events_*.dsc $(debs probe-events) -- null
}

main() {
	local start
	echo "# booted, $(uname -r)"
	is 'the modules are installed' installed "$(status_of probe-events-dkms)"
	is 'the command is not' not-installed "$(status_of probe-events)"
	start=$SECONDS
	step 'autopkgtest' run_test
	echo "measured: autopkgtest takes $((SECONDS - start)) s"
	is 'which says so' 'record PASS' "$(xargs <$results/summary)"
	says 'the test has a record' 'file="/etc/hostname"' cat $results/record-stdout
	is 'what it depends on was installed' installed "$(status_of probe-events)"
	verdict
}

main
