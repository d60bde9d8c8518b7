#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: return probes beside BPF programs on the same function, in every order
# kernels: 6.12-cloud
# timeout: 600
# needs: btf ftrace
# tools: bpfcount
# modules: pe_probe
set -eu
. /host/engine_lib.sh

load pe_probe
SYM=vfs_mkdir
mkdir -p /tmp/work /tmp/pipe
cd /tmp/work

# bpf_on entry|exit: says what came of it
bpf_on() {
	rm -f /tmp/pipe/in /tmp/pipe/out
	mkfifo /tmp/pipe/in /tmp/pipe/out
	/host/bpfcount $SYM "$1" < /tmp/pipe/in > /tmp/pipe/out &
	bpf=$!
	exec {to}> /tmp/pipe/in {from}< /tmp/pipe/out
	IFS= read -r answer <&$from
	echo "$answer"
}

bpf_off() {
	exec {to}>&- {from}<&-
	wait $bpf
}

bpf_count() { echo >&$to; read -r counted <&$from; }

calls() {
	local i names=()
	for ((i = 0; i < $1; i++)); do names+=("d$i"); done
	mkdir "${names[@]}"
	rmdir "${names[@]}"
}

# both OURS BPF
both() {
	[ "$(field r:$SYM 2)" = "$1" ] || fail "$order: $(field r:$SYM 2) returns, want $1"
	bpf_count
	[ "$counted" = "$2" ] || fail "$order: BPF counted $counted, want $2"
}

for kind in entry exit; do
	order="ours, then f$kind"
	add r:$SYM
	calls 10
	bpf_on $kind > /tmp/answer
	[ "$(cat /tmp/answer)" = attached ] || fail "$order: $(cat /tmp/answer)"
	calls 30
	both 40 30
	bpf_off
	calls 5
	[ "$(field r:$SYM 2)" = 45 ] || fail "$order: $(field r:$SYM 2) after BPF has gone"
	bpf_on $kind > /tmp/answer
	calls 5
	both 50 5
	del r:$SYM
	calls 7
	bpf_count
	[ "$counted" = 12 ] || fail "$order: BPF counted $counted after we have gone"
	bpf_off
	echo "$order: fine"

	order="f$kind, then ours"
	bpf_on $kind > /tmp/answer
	calls 3
	if { add r:$SYM; } 2>/tmp/refusal; then
		calls 20
		both 20 23
		# Also when another function is armed or disarmed, and probed entries come and go.
		add r:vfs_rmdir
		add $SYM
		calls 20
		both 40 43
		del r:vfs_rmdir
		del $SYM
		calls 4
		both 44 47
		bpf_off
		calls 6
		[ "$(field r:$SYM 2)" = 50 ] || fail "$order: $(field r:$SYM 2) after BPF has gone"
		del r:$SYM
		echo "$order: fine"
	else
		cat /tmp/refusal
		grep -q 'Device or resource busy' /tmp/refusal || fail "$order: refused"
		bpf_off
		add r:$SYM
		calls 5
		[ "$(field r:$SYM 2)" = 5 ] || fail "$order: afterwards"
		del r:$SYM
		echo "$order: refused"
	fi
done
cd /
rmmod pe_probe
