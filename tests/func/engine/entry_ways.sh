#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: a probed entry calls us or ftrace, as other tracers come and go under load: no hit lost or doubled
# needs: tracefs kprobes ftrace
# seconds: 45 6.12-rt=100 debug=63
# tools: bpfcount
# modules: pe_target pe_stress pe_probe
#
# A function without another tracer calls a stub of the engine's; with one, it calls ftrace. The load
# (threads, softirqs, interrupts and NMIs on every CPU) counts its calls, and so do we.
set -eu
# shellcheck source=tests/func/lib/engine_lib.sh
. /host/engine_lib.sh
# shellcheck source=tests/func/lib/events_lib.sh
. /host/events_lib.sh

T=/sys/kernel/tracing
S=/sys/module/pe_stress/parameters
SYM=pe_stress:pe_stress_target
mount -t tracefs tracefs $T
load pe_target pe_stress pe_probe
rounds=$(length 2 40)

# ---- which way ----

# way FUNCTION: what the function calls
way() { sed -n "s/^$1 .*tramp: \([A-Za-z_]*\).*/\1/p" $T/enabled_functions; }

# other_on WHO FUNCTION, other_off WHO: a tracer of the kernel's, on the function or, "all", on all
other_on() {
	case $1 in
	function|function_graph)
		echo $2 > $T/set_ftrace_filter
		echo $1 > $T/current_tracer ;;
	all)
		echo > $T/set_ftrace_filter
		echo function > $T/current_tracer ;;
	kprobe) echo "p:sp $2" >> $T/kprobe_events; echo 1 > $T/events/kprobes/sp/enable ;;
	kretprobe) echo "r:sp $2" >> $T/kprobe_events; echo 1 > $T/events/kprobes/sp/enable ;;
	esac
}

other_off() {
	case $1 in
	function|function_graph|all) echo nop > $T/current_tracer; echo > $T/set_ftrace_filter ;;
	*) echo 0 > $T/events/kprobes/sp/enable; echo '-:sp' >> $T/kprobe_events ;;
	esac
}
others='function all function_graph kprobe kretprobe'

for probe in pe_target:pe_target_add r:pe_target:pe_target_add c:pe_target:pe_target_add; do
	case $probe in r:*|c:*) stub=__SCT__pe_divert_front ;; *) stub=__SCT__pe_entry_front ;; esac
	add $probe
	beside=0
	for who in $others; do
		# Patching all functions takes long: beside one kind of probe in each run.
		[ $who != all ] || in_turn 3 || continue
		is "$probe: way alone" $stub "$(way pe_target_add)"
		call add 5
		other_on $who pe_target_add
		is "$probe: way beside $who" '' "$(way pe_target_add | grep -E '^(pe_|__SCT__pe_)' || true)"
		call add 3
		other_off $who
		beside=$((beside + 1))
	done
	is "$probe: way alone again" $stub "$(way pe_target_add)"
	at_least 'tracers beside' 4 $beside
	expect_hits $probe $((beside * (5 + 3)))
	lacks $P/hits BAD_IP
	del $probe
done

# ---- the same record ----

# Some registers differ from call to call: pointers to data and stack, and those that do so while
# nothing else is traced, are left out. sp does; what it points to does not.
registers='ip flags cs ss ax bx cx dx si di bp r8 r9 r10 r11 r12 r13 r14 r15'
# record: of one call, each register on a line
record() {
	echo > trace
	call add 1
	sed -n 's/.*: regs: ([^)]*) //p' trace | tr ' ' '\n' | grep -v '=0xffff[0-9a-e]'
}
cd "$PROBES"
# shellcheck disable=SC2046
echo p:ways/regs pe_target:pe_target_add $(for r in $registers; do echo $r=%$r:x64; done) \
	"caller=\$stack0:x64" "top=+0(%sp):x64" > kprobe_events
echo 1 > events/ways/regs/enable
record > /tmp/alone
for ((i = 0; i < 3; i++)); do
	record > /tmp/again
	grep -Fx -f /tmp/again /tmp/alone > /tmp/same
	mv /tmp/same /tmp/alone
done
other_on function pe_target_add
record > /tmp/beside
other_off function
sort /tmp/alone
for r in ip flags cs ss di si caller top; do has /tmp/alone "^$r="; done
is 'registers that differ beside a tracer' '' "$(grep -vFx -f /tmp/beside /tmp/alone || true)"
echo 0 > events/ways/regs/enable
echo > kprobe_events
cd /

# ---- under load ----

calls() { sed -n 's/.*total=//p' $S/calls; }

# load_on, load_off: our probes are on before, and there after
load_on() { before=$(calls); echo 1 > $S/run; }
load_off() {
	local probe

	echo 0 > $S/run
	made=$(($(calls) - before))
	at_least "$order: calls" 100 $made
	for probe; do
		is "$order: hits of $probe" "$made" "$(field $probe 2)"
		is "$order: missed of $probe" 0 "$(field $probe 3)"
	done
	lacks $P/hits BAD_IP
	echo "$order: $made calls, $SECONDS s"
}

how_often() { if [ $1 = all ]; then length 1 4; else echo $rounds; fi; }
# The entry alone only in make test-all.
sets() { [ $1 = all ] || [ "$(length 0 1)" = 0 ] || echo $SYM; echo "$SYM r:$SYM c:$SYM"; }

for who in $others; do
	while read -r probes; do
		order="$probes, then $who"
		for p in $probes; do add $p; done
		load_on
		for ((i = 0; i < $(how_often $who); i++)); do
			other_on $who pe_stress_target
			other_off $who
		done
		# shellcheck disable=SC2086
		load_off $probes
		for p in $probes; do del $p; done

		order="$who, then $probes"
		other_on $who pe_stress_target
		for p in $probes; do add $p; done
		load_on
		for ((i = 1; i < $(how_often $who); i++)); do
			other_off $who
			other_on $who pe_stress_target
		done
		other_off $who
		# shellcheck disable=SC2086
		load_off $probes
		for p in $probes; do del $p; done
	done < <(sets $who)
done

# Filters change: other sites of ours come and go, the function itself moves between our two.
order='filters change'
add $SYM
load_on
for ((i = 0; i <= rounds; i++)); do
	add pe_target:pe_target_add
	add r:pe_target:pe_target_outer
	add r:$SYM
	del pe_target:pe_target_add
	del r:$SYM
	del r:pe_target:pe_target_outer
done
load_off $SYM
del $SYM

# ---- BPF, which traces the kernel's own functions only ----

mkdir -p /tmp/work
cd /tmp/work
# bpf entry|exit: comes and goes
bpf() {
	local i

	rm -f in out
	mkfifo in
	/host/bpfcount vfs_mkdir $1 < in > out &
	exec {i}> in
	within 60 bpf_answered
	is "BPF f$1" attached "$(head -n 1 out)"
	exec {i}>&-
	wait $!
}
bpf_answered() { [ -s out ]; }

# make_dirs: in a process of its own, until the file stop is there; how many, into made
make_dirs() {
	local n=0

	mkdir dirs
	while [ ! -e stop ]; do
		(cd dirs && mkdir {1..100} && rmdir {1..100})
		n=$((n + 100))
	done
	rmdir dirs
	echo $((n + 1)) > made
}

case $(uname -r) in
6.12*cloud*|6.12*rt*)
	for probe in vfs_mkdir r:vfs_mkdir c:vfs_mkdir; do
		add $probe
		rm -f stop
		make_dirs &
		maker=$!
		for ((i = 0; i < rounds; i++)); do
			bpf entry
			bpf exit
		done
		touch stop
		wait $maker
		expect_hits $probe "$(cat made)"
		is "missed of $probe" 0 "$(field $probe 3)"
		has <(way vfs_mkdir) '^__SCT__pe_'
		del $probe
		echo "$probe beside BPF: $(cat made) calls"
	done ;;
esac
cd /

# ---- load, probe, unload, under load ----

umount "$PROBES"
rmmod pe_probe
rmmod probe_events probe_core
echo 1 > $S/run
for ((i = 0; i <= rounds; i++)); do
	load pe_probe
	add $SYM
	[ $((i % 2)) = 0 ] || add r:$SYM
	hit() { [ "$(field $SYM 2)" -gt 0 ]; }
	within 60 hit
	[ $((i % 3)) = 0 ] || { other_on function pe_stress_target; other_off function; }
	rmmod pe_probe
	rmmod probe_core
done
echo 0 > $S/run
umount $T
rmmod pe_stress pe_target
load probe_events
mount_ours
