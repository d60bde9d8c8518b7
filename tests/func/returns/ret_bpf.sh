#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: return probes beside BPF programs on the same function, in every order
# seconds: 15
# needs: btf ftrace
# tools: bpfcount
# modules: pe_probe
set -eu
# shellcheck source=tests/func/lib/engine_lib.sh
. /host/engine_lib.sh

load pe_probe
SYM=vfs_mkdir
mkdir -p /tmp/work /tmp/pipe
cd /tmp/work

declare -A pid to from

# bpf_on entry|exit: what came of it into $answer
bpf_on() {
	local in=/tmp/pipe/in.$1 out=/tmp/pipe/out.$1 i o

	rm -f $in $out
	mkfifo $in $out
	(
		# It would keep the other one's pipe open.
		for i in "${to[@]}" "${from[@]}"; do exec {i}>&-; done
		exec /host/bpfcount $SYM "$1" < $in > $out
	) &
	pid[$1]=$!
	exec {i}> $in {o}< $out
	to[$1]=$i from[$1]=$o
	IFS= read -r answer <&$o
}

bpf_off() {
	local i=${to[$1]} o=${from[$1]}

	exec {i}>&- {o}<&-
	wait ${pid[$1]}
	unset "to[$1]" "from[$1]"
}

# bpf_count entry|exit: into $counted
bpf_count() { echo >&${to[$1]}; read -r counted <&${from[$1]}; }

# attach entry|exit: there are no programs of others that it could not be beside
attach() {
	bpf_on $1
	is "$order" attached "$answer"
}

make_and_remove() {
	local i names=()
	for ((i = 0; i < $1; i++)); do names+=("d$i"); done
	mkdir "${names[@]}"
	rmdir "${names[@]}"
}

# returns_are N, counts_are N, both OURS BPF: since each is there
returns_are() { is "$order: returns" "$1" "$(field r:$SYM 2)"; }
counts_are() {
	bpf_count $kind
	is "$order: BPF counted" "$1" "$counted"
}
both() {
	returns_are "$1"
	counts_are "$2"
}

for kind in entry exit; do
	order="ours, then f$kind"
	add r:$SYM
	make_and_remove 10
	attach $kind
	make_and_remove 30
	both 40 30
	bpf_off $kind
	make_and_remove 5
	returns_are 45
	attach $kind
	make_and_remove 5
	both 50 5
	del r:$SYM
	make_and_remove 7
	counts_are 12
	bpf_off $kind
	echo "$order: fine"

	order="f$kind, then ours"
	attach $kind
	make_and_remove 3
	if { add r:$SYM; } 2>/tmp/refusal; then
		make_and_remove 20
		both 20 23
		# Also when another function is armed or disarmed, and probed entries come and go.
		add r:vfs_rmdir
		add $SYM
		make_and_remove 20
		both 40 43
		del r:vfs_rmdir
		del $SYM
		make_and_remove 4
		both 44 47
		bpf_off $kind
		make_and_remove 6
		returns_are 50
		del r:$SYM
		echo "$order: fine"
	else
		cat /tmp/refusal
		has /tmp/refusal 'Device or resource busy'
		bpf_off $kind
		add r:$SYM
		make_and_remove 5
		returns_are 5
		del r:$SYM
		echo "$order: refused"
	fi
done

# The three come in every order and go in every order; each that is there sees every call, and
# the others' comings and goings do not change that.
put_on() {
	want[$1]=0
	case $1 in ours) add r:$SYM ;; *) attach $1 ;; esac
}

take_off() {
	case $1 in ours) del r:$SYM ;; *) bpf_off $1 ;; esac
	unset "want[$1]"
}

all_see() {
	local who got

	make_and_remove 3
	for who in "${!want[@]}"; do
		want[$who]=$((want[$who] + 3))
		case $who in
		ours) got=$(field r:$SYM 2) ;;
		*) bpf_count $who; got=$counted ;;
		esac
		is "$order: calls that $who saw" ${want[$who]} "$got"
	done
}

declare -A want
orders=('ours entry exit' 'ours exit entry' 'entry ours exit' 'entry exit ours' 'exit ours entry'
	'exit entry ours')
for ((i = 0; i < 6; i++)); do
	come=${orders[i]}
	# All 36 pairs take long.
	for ((j = i + 3; j < i + 3 + $(length 1 6); j++)); do
		go=${orders[j % 6]}
		order="come: $come, go: $go"
		for who in $come; do put_on $who; all_see; done
		for who in $go; do take_off $who; all_see; done
	done
	echo "$order: fine"
done

# A program goes and comes again while the function has an ops of its own, and the other way round.
for kind in entry exit; do
	order="f$kind again"
	put_on $kind; put_on ours; all_see
	for ((i = 0; i < $(length 1 5); i++)); do
		take_off $kind; all_see
		put_on $kind; all_see
		take_off ours; all_see
		put_on ours; all_see
	done
	take_off $kind; take_off ours
	echo "$order: fine"
done
cd /
rmmod pe_probe
