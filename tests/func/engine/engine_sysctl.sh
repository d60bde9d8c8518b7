#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: debug.kprobes-optimization is the switch of jumps, or the kernel's own file and left alone
# modes: default
# tier: 6.12-cloud bare
# seconds: 1 bare=10
# modules: pe_probe pe_target pe_sysctl
#
# It changes the switch of jumps itself, and says what the switch must be.
set -eu
# shellcheck source=tests/func/lib/engine_lib.sh
. /host/engine_lib.sh

file=/proc/sys/debug/kprobes-optimization
ours=$PROBES/kprobes/optimization

# What it answers to each text, and what it is after that: the same for all such files.
try() {
	local text
	for text in 0 1 '0 ' 2 -1 x '' '1 0' 4294967296; do
		if put "$text" $file 2> /tmp/err; then
			echo "'$text': $(cat $file)"
		else
			echo "'$text': $(sed 's/.*: //' /tmp/err), $(cat $file)"
		fi
	done
	echo 1 > $file
}
cat > /tmp/wanted <<'END2'
'0': 0
'1': 1
'0 ': 0
'2': Invalid argument, 0
'-1': Invalid argument, 0
'x': Invalid argument, 0
'': Invalid argument, 0
'1 0': 1
'4294967296': Invalid argument, 1
END2

case $(uname -r) in
*-bare) ;;
*)
	echo "the kernel's own"
	is 'mode' 644 "$(stat -c %a $file)"
	try > /tmp/got
	diff /tmp/wanted /tmp/got
	holds "$ours" 1
	echo 0 > $file
	holds "$ours" 1
	echo 1 > "$ours"
	holds $file 0
	echo 1 > $file
	echo 0 > "$ours"
	holds $file 1
	umount "$PROBES"
	rmmod probe_events probe_core
	holds $file 1
	echo 0 > $file
	insmod /modules/probe_core.ko
	holds $file 0
	rmmod probe_core
	holds $file 0
	echo 1 > $file
	exit
	;;
esac

echo 'ours'
is 'mode' 644 "$(stat -c %a $file)"
try > /tmp/got
diff /tmp/wanted /tmp/got

# It and the other file are one switch, of the jumps that there are.
load pe_target pe_probe
mechanism() { field "$site" 4; }
is_jump() { [ "$(mechanism)" = jump ]; }
site=$(mix 3)
add "$site"
within 60 is_jump
echo 0 > $file
is 'mechanism' int3 "$(mechanism)"
holds "$ours" 0
call mix 10
expect_hits "$site" 10
echo 1 > $file
holds "$ours" 1
within 60 is_jump
call mix 10
expect_hits "$site" 20
echo 0 > "$ours"
holds $file 0
is 'mechanism' int3 "$(mechanism)"
del "$site"
rmmod pe_probe pe_target

# It belongs to the engine.
umount "$PROBES"
rmmod probe_events
holds $file 0
rmmod probe_core
missing $file
insmod /modules/probe_core.ko
holds $file 1

# It keeps nothing from being unloaded: not when it is open, nor while it is written to.
exec 5< $file
rmmod probe_core
missing $file
not read -r _ <&5
exec 5<&-
rm -f /tmp/stop
while [ ! -e /tmp/stop ]; do { echo 0 > $file; echo 1 > $file; } 2> /dev/null || true; done &
for _ in $(seq 5); do
	insmod /modules/probe_core.ko
	exists $file
	rmmod probe_core
	missing $file
done
touch /tmp/stop
wait

# Another module has the name: it keeps it, and the kernel's log has no complaint.
insmod /modules/pe_sysctl.ko
insmod /modules/probe_core.ko
holds $file 7
echo 5 > $file
rmmod probe_core
holds $file 5
rmmod pe_sysctl
missing $file
