#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: exec --static: records of block and raw_syscalls beside the kernel's own; iosnoop, iolatency
# needs: tracefs
# not: debug: has no type data, which the arguments are found by
# not: 5.10-cloud: pe_block and pe_disk are for later block layers
# tier: 6.12-cloud 6.1-cloud
# seconds: 12
# modules: pe_block pe_disk
# packages: perf-tools-unstable
# tools: probe-events
# files: ../../../tools/probe-events/static

set -eu
export LC_ALL=C
# shellcheck source=tests/func/lib/tracing_lib.sh
. /host/tracing_lib.sh
stock=/tmp/stock
mkdir $stock
mount -t tracefs none $stock
echo 1408 > $stock/buffer_size_kb	# another test may have made it small
cd "$PROBES"
evidence+=(static_events kprobe_losses)
/host/probe-events exec --static true
insmod /modules/pe_block.ko
run=/sys/module/pe_block/parameters/run

# body DIR PATTERN: what its records say
body() { sed -n "s/^.*[0-9]: \($2.*\)$/\1/p" "$1/trace"; }
# same_texts NAME WHAT...: the same records in both, so many at least
same_texts() {
	is "$1" "$(cat /tmp/theirs)" "$(cat /tmp/ours)"
	at_least "$1" "$2" "$(count . /tmp/ours)"
}

for event in block_rq_insert block_bio_complete block_split block_bio_remap block_unplug; do
	for dir in . $stock; do
		echo > $dir/trace
		echo 1 > $dir/events/block/$event/enable
	done
	echo 200 > $run
	for dir in . $stock; do echo 0 > $dir/events/block/$event/enable; done
	body . $event: > /tmp/ours
	body $stock $event: > /tmp/theirs
	same_texts $event 200
done

# The field of letters is a text as the kernel's is.
for dir in . $stock; do
	echo > $dir/trace
	echo 'rwbs ~ "*W*" && nr_sector > 1000' > $dir/events/block/block_bio_remap/filter
	echo 1 > $dir/events/block/block_bio_remap/enable
done
echo 300 > $run
body . block_bio_remap: > /tmp/ours
body $stock block_bio_remap: > /tmp/theirs
same_texts 'filtered' 5
for dir in . $stock; do
	echo 0 > $dir/events/block/block_bio_remap/enable
	echo 0 > $dir/events/block/block_bio_remap/filter
done

# All system calls of a process, from its execve() on.
for dir in . $stock; do
	echo > $dir/trace
	echo 1 > $dir/set_event_pid
	echo 1 > $dir/events/raw_syscalls/enable
done
bash -c "echo \$\$ > $stock/set_event_pid; echo \$\$ > set_event_pid; exec cat /proc/self/stat /no/such" > /dev/null 2>&1 || true
for dir in . $stock; do
	echo 0 > $dir/events/raw_syscalls/enable
	echo > $dir/set_event_pid
done
body . sys_ | sed -n '/sys_enter: NR 59 (/,$p' > /tmp/ours
body $stock sys_ | sed -n '/sys_enter: NR 59 (/,$p' > /tmp/theirs
same_texts 'system calls' 20
has /tmp/ours '^sys_exit: NR [0-9]* = -2$'
sums

# iosnoop and iolatency of perf-tools, unmodified: what they show of the requests of a disk is what they show on
# the kernel's own files.
mkdir -p /var/tmp
insmod /modules/pe_disk.ko
dev=$(tr : , < /sys/block/pe_disk/dev)
[ -b /dev/pe_disk ] || mknod /dev/pe_disk b "${dev%,*}" "${dev#*,}"
read_disk() { dd if=/dev/pe_disk of=/dev/null bs=4k count=8 iflag=direct status=none; }
write_disk() { dd if=/dev/zero of=/dev/pe_disk bs=8k count=5 oflag=direct status=none; }
# The scripts look for the kernel's files at /sys/kernel/debug/tracing.
on_theirs() { "$@"; }
# Is everything in the pipe of DIR read?
all_read() { [ "$(grep -vc '^#' "$1/trace")" = 0 ]; }

# snoop WHERE DIR WAITS-IN SIGNAL SCRIPT...: run it; when it waits there, use the disk; then end what it waits in
snoop() {
	"on_$1" env --default-signal=INT "${@:5}" > /tmp/out 2> /tmp/err &
	local script=$!

	within 60 pgrep -f "^$3\$" > /dev/null
	read_disk
	write_disk
	# Read, and passed on.
	[ "$4" != INT ] || { within 60 all_read "$2"; within 60 asleep "$(pgrep -o -f "^$3\$")"; }
	pkill "-$4" -f "^$3\$"
	wait $script || fail "$5: status $?, $(cat /tmp/err)"
	is 'complaints' '' "$(grep -v '^gawk: .* warning: ' /tmp/err || true)"
	cat /tmp/out
}
# both NAME WAITS-IN SIGNAL SCRIPT...: on the kernel's files, then on ours: the same is shown, but for times and
# tasks: the kernel does not know each name at first, and another worker may issue a request.
both() {
	local where dir

	for where in theirs ours; do
		dir=$stock
		[ $where = theirs ] || dir=.
		snoop $where $dir "${@:2}"
		awk -v dev="$dev" '$4 == dev { print $3, $4, $5, $6 } / -> / { sub(/.*: /, ""); n += $1 } END { if (n) print n }' \
			/tmp/out > "/tmp/shown.$where"
	done
	is "$1" "$(cat /tmp/shown.theirs)" "$(cat /tmp/shown.ours)"
}
both iosnoop 'cat trace_pipe' INT iosnoop-perf
is 'reads' 8 "$(grep -c "^RS* $dev " /tmp/shown.ours)"
is 'writes' 5 "$(grep -c "^W[A-Z]* $dev " /tmp/shown.ours)"
both 'iosnoop, filtered' 'cat trace_pipe' INT iosnoop-perf -d "$dev" -i '*W*'
is 'reads' 0 "$(grep -c "^RS* $dev " /tmp/shown.ours || true)"
is 'writes' 5 "$(grep -c "^W[A-Z]* $dev " /tmp/shown.ours)"
both iolatency 'sleep 601' PIPE iolatency-perf 601 1
is 'requests' 13 "$(cat /tmp/shown.ours)"
echo > static_events
no_groups
rmmod pe_disk
