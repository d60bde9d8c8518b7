#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: kill -9 of a session's owner at any moment leaves nothing
# tools: session
# seconds: 13

set -eu
cd "$PROBES"
# shellcheck source=tests/func/lib/session_lib.sh
. /host/session_lib.sh
seed=${PE_SEED:-$RANDOM}
RANDOM=$seed
echo "PE_SEED=$seed"

# What others have, all the time.
echo 'p:mine vfs_read' > kprobe_events
echo 'stacktrace:0' > events/kprobes/mine/trigger
mkdir instances/x
echo 1 > instances/x/events/kprobes/mine/enable

{
	echo 'instance 32'
	echo 'comment to be killed'
	echo 'f:some vfs_r*'
	echo 'f:back vfs_r*%return'
	echo 'trigger back traceoff:0 if common_pid == 1'
	echo 'filter some common_pid != 1'
	for ((i = 0; i < 8; i++)); do
		echo "p:e$i read_zero n=%dx"
		echo "enable e$i"
		echo "trigger e$i enable_event:kprobes:mine:1 if common_pid == 1"
	done
	echo 'enable some'
	echo 'enable back'
} > /tmp/batch
sed /instance/d /tmp/batch > /tmp/batch_top
sed -i s/enable_event:kprobes:mine:1/stacktrace/ /tmp/batch_top

# Load: hits on all of it, other writers, and a reader of all that there is.
load=()
while :; do read_zeros 100; sleep 0.1; done & load+=($!)
while :; do cat sessions kprobe_events kprobe_losses > /dev/null; sleep 0.2; done & load+=($!)
while :; do
	echo 'p:k/other vfs_open' >> kprobe_events
	echo 1 > events/k/other/enable
	echo 0 > events/k/other/enable
	echo '-:k/other' >> kprobe_events
	sleep 0.1
done 2> /dev/null & load+=($!)
trap 'kill -9 "${load[@]}" 2> /dev/null || true' EXIT

# seen: as session_state, without the other writer's event, and with no session
seen() { session_state k | grep -v 'k/other\|k:other\|vfs_open+'; }
before=$(seen)
nothing_left() {
	local now

	is "sessions after $1" '' "$(cut -f 1 sessions | grep -v '^#' || true)"
	now=$(seen)
	[ "$now" = "$before" ] || { diff <(echo "$before") <(echo "$now"); fail "after $1"; }
}

for ((round = 1; round <= ${ROUNDS:-$(length 12 1000)}; round++)); do
	batch=/tmp/batch
	[ $((round % 2)) = 0 ] || batch=/tmp/batch_top
	/host/session hold 1 $batch > /tmp/out &
	client=$!
	if [ $((RANDOM % 3)) = 0 ]; then
		within 60 grep -q ready /tmp/out
	else
		sleep "0.$((RANDOM % 4))$((RANDOM % 10))"
	fi
	kill -9 $client
	wait $client 2> /dev/null || true
	nothing_left "round $round, $(cat /tmp/out)"
	echo "round $round: $(cat /tmp/out)"
done

# A shell that kills itself.
for ((round = 0; round < 5; round++)); do
	bash -c 'exec 3<> session; dd if=/tmp/batch bs=64k status=none >&3; kill -9 $$' || true
	nothing_left 'a shell'
done
kill -9 "${load[@]}"
wait 2> /dev/null || true
echo 0 > instances/x/events/enable
rmdir instances/x
echo 0 > events/enable
echo '!stacktrace' > events/kprobes/mine/trigger
echo > kprobe_events
