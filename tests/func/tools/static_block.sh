#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: exec --static: records of block and raw_syscalls beside the kernel's own, text by text
# needs: tracefs
# not: debug: has no type data, which the arguments are found by
# tier: 6.12-cloud 6.1-cloud
# seconds: 12
# modules: pe_block
# tools: probe-events
# files: ../../../tools/probe-events/static

set -eu
export LC_ALL=C
# shellcheck source=tests/func/lib/events_lib.sh
. /host/events_lib.sh
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
echo > static_events
no_groups
