#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: probe-events doctor: each thing that is missing or off is named, and what it says mends it
# tier: 6.12-cloud 5.10-cloud bare
# modes: default
# seconds: 1
# tools: probe-events
set -eu
# shellcheck source=tests/func/lib/check_lib.sh
. /host/check_lib.sh
tool=/host/probe-events
type=$(findmnt -n -o FSTYPE "$PROBES")

# doctor STATUS WORD TEXT: its status; a line with that word and text
doctor() {
	local got=0
	"$tool" doctor > /tmp/said || got=$?
	cat /tmp/said
	is 'status of doctor' "$1" "$got"
	grep -q "^$2 .*$3" /tmp/said || fail "wanted '$2 ... $3'"
}

# as_told: what the line below the first that is not good says
as_told() {
	local command
	command=$(grep -A1 -E '^(missing|remark) ' /tmp/said | sed -n 's/^ \{13\}//p' | head -n 1)
	echo "\$ $command"
	bash -c "$command"
}

# The VM has neither the kernel's configuration nor its headers, and needs none.
doctor 0 good 'the module is loaded'
! grep -q '^missing' /tmp/said || fail 'something is missing'

cd /
umount "$PROBES"
doctor 1 missing "the files at $PROBES"
as_told
is 'the files' "$type" "$(findmnt -n -o FSTYPE "$PROBES")"

for switch in kprobes/optimization kprobes/compile tracing_on kprobes/enabled; do
	echo 0 > "$PROBES/$switch"
	doctor 0 remark "$switch is 0"
done
for switch in kprobes/enabled tracing_on kprobes/compile kprobes/optimization; do
	doctor 0 remark "$switch is 0"
	as_told
done
doctor 0 good 'all switches'

status=0
setpriv --bounding-set -sys_admin "$tool" doctor > /tmp/said || status=$?
is 'status without CAP_SYS_ADMIN' 1 "$status"
has /tmp/said 'missing  rights of root'
if [ -e /proc/self/ns/user ]; then
	status=0
	unshare -r "$tool" doctor > /tmp/said || status=$?
	is 'status in a user namespace' 1 "$status"
	has /tmp/said 'another one'
fi

status=0
"$tool" doctor now 2> /tmp/err || status=$?
is 'status of a wrong word' 2 "$status"
has /tmp/err 'no such option: now'
