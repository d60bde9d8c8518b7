# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# shellcheck shell=bash
#
# What the scripts share that run in a Debian of their own (tests/deb/run). In /root.

kernel='' version='' libraries=''
# shellcheck source=/dev/null
. /root/about
export DEBIAN_FRONTEND=noninteractive LC_ALL=C
packages=/root/packages/old
failed=0

ok() { printf 'ok %s\n' "$*"; }
bad() { printf 'not ok %s\n' "$*"; failed=1; }

# step NAME COMMAND...: it must succeed
step() {
	local name=$1
	shift
	if "$@" >/root/said 2>&1; then ok "$name"; else bad "$name"; tail -n 40 /root/said; fi
}

# refused NAME TEXT COMMAND...: it must fail, and say TEXT
refused() {
	local name=$1 text=$2
	shift 2
	if "$@" >/root/said 2>&1; then
		bad "$name: status 0"
	elif ! grep -qF -- "$text" /root/said; then
		bad "$name: does not say '$text'"
	else
		ok "$name"
		return
	fi
	tail -n 40 /root/said
}

# is NAME WANTED GOT
is() { if [ "$2" = "$3" ]; then ok "$1"; else bad "$1: wanted '$2', got '$3'"; fi; }

# says NAME TEXT COMMAND...: its output has TEXT
says() {
	local name=$1 text=$2
	shift 2
	"$@" >/root/says 2>&1		# said may be what is looked at
	if grep -qF -- "$text" /root/says; then ok "$name"; else bad "$name: no '$text'"; tail -n 20 /root/says; fi
}

# debs NAME...: the files of these packages
debs() { local name; for name; do echo "$packages/${name}"_*.deb; done; }

# status_of PACKAGE: as dpkg has it
status_of() { dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null; }

# verdict: of a machine that has booted, as the last thing that it says
verdict() {
	is 'the log of the kernel' '' "$(dmesg | grep -E 'WARNING: |BUG: |Oops|general protection')"
	[ $failed = 0 ] && echo 'verdict: good' || echo 'verdict: bad'
}

# The libraries of the command: no package of ours leaves them.
install_libraries() {
	# shellcheck disable=SC2086	# words
	apt-get -q -y --no-download install $libraries >/root/said 2>&1 || cat /root/said
}

install() { apt-get -q -y --allow-downgrades install "$@"; }

# What a package may leave nothing of. Logs, caches and apt's and dpkg's own books are no package's.
inventory() {
	find / -xdev \( -path /proc -o -path /sys -o -path /dev -o -path /run -o -path /tmp -o -path /root -o -path /var/log \
		-o -path /var/cache -o -path /var/lib/dpkg -o -path /var/lib/apt -o -path /var/lib/systemd \
		-o -path /var/tmp \) -prune -o -print | sort
}
