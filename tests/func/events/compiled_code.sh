#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: compiled hits are machine code, not calls of handlers; stacks are whole where they go on in C
# modes: default
# tier: 6.12-cloud 6.1-cloud
# needs: tracefs ftrace kprobes
# seconds: 3
# modules: pe_many
#
# The kernel's own probes are the witness. C code reads memory by two functions of the kernel, which
# compiled hits do not call. It switches compiling itself.

set -eu
cd "$PROBES"
# shellcheck source=tests/func/lib/events_lib.sh
. /host/events_lib.sh
# shellcheck source=tests/func/lib/compiled_lib.sh
. /host/compiled_lib.sh
evidence+=(kprobes/compiled kprobe_losses)
insmod /modules/pe_many.ko
many=/sys/module/pe_many/parameters
inside=$(< $many/inside)
T=/sys/kernel/tracing calls=100
mountpoint -q $T || mount -t tracefs tracefs $T
{
	echo 'p:pe/reads copy_from_kernel_nofault'
	echo 'p:pe/texts strncpy_from_kernel_nofault'
	echo 'p:pe/plain pe_many:pe_many_500'
} > $T/kprobe_events

compiled() { [ "$(compiled_state "$1")" = compiled ]; }

# by_c: how often C code reads memory for the hits of a run
by_c() {
	echo > $T/trace
	echo $calls > $many/run
	count "-$BASHPID .* reads: " $T/trace
}

# kind NAME COMMAND...: as many hits of each as there are calls, first compiled, then interpreted
kind() {
	local kind=$1 e n=0 runs c

	shift
	for e in "$@"; do
		echo "$e" >> kprobe_events
		echo 1 > events/c/e$n/enable
		n=$((n + 1))
	done
	for ((e = 0; e < n; e++)); do within 60 compiled c/e$e; done
	echo 1 > $T/events/pe/reads/enable
	# At the end of a page, for one, a hit is interpreted; and all of a task that is to leave its CPU, which
	# with lazy preemption goes on with the run: then another run is asked.
	for ((runs = 1; runs < 10; runs++)); do
		c=$(by_c)
		[ "$c" -gt $((calls * n / 10)) ] || break
	done
	at_most "$kind: hits by C code that are compiled" $((calls * n / 10)) "$c"
	echo 0 > kprobes/compile
	is "$kind: hits by C code that are interpreted" $((calls * n)) "$(by_c)"
	echo 1 > kprobes/compile
	echo 0 > $T/events/pe/reads/enable
	for ((e = 0; e < n; e++)); do is "$kind: hits" $(((runs + 1) * calls)) "$(value c/e$e hits)"; done
	sums
	echo 0 > events/c/enable
	echo '-:c/' >> kprobe_events
}
m='m=+0(%sp):x64'
kind 'an entry' "p:c/e0 pe_many:pe_many_000 $m"
kind 'a jump' "p:c/e0 pe_many:pe_many_001+$inside $m"
kind 'a return' "r:c/e0 pe_many:pe_many_002 $m"
kind 'an entry and a return' "p:c/e0 pe_many:pe_many_003 $m" "r:c/e1 pe_many:pe_many_003 $m"

# stack EVENT FUNCTION: of the first of some hits that has FUNCTION in it: one function a line, from the one
# that the kernel's probe is on. Any of them may be interpreted.
stack() {
	echo > $T/trace
	echo stacktrace > $T/events/pe/$1/trigger
	echo 20 > $many/run
	echo '!stacktrace' > $T/events/pe/$1/trigger
	awk -v f="$2" '/^ => / { text = text $2 "\n"; has = has || $2 == f; next }
		has { exit } { text = "" } END { if (has) printf "%s", text }' $T/trace
}
callers() { sed -n '/^run_set$/,$p' "$1"; }
stack plain pe_many_500 > /tmp/plain
callers /tmp/plain > /tmp/callers
has /tmp/callers '^ksys_write$'

# whole NAME FUNCTION COMMAND COMMAND: code makes the record of the first; that of the second, whose string
# cannot be read, it leaves to C by FUNCTION
whole() {
	printf '%s\n' "$3" "$4" >> kprobe_events
	echo 1 > events/c/enable
	within 60 compiled c/e0
	within 60 compiled c/e1
	stack texts pe_code_rest_hit > /tmp/stack
	has /tmp/stack "^$2\$"
	callers /tmp/stack | diff /tmp/callers - > /tmp/diff || fail "$1: $(cat /tmp/stack)"
	echo 0 > events/c/enable
	echo '-:c/' >> kprobe_events
}
s='s=+2147483647(%sp):string'
whole 'an entry' pe_rest_stub 'p:c/e0 pe_many:pe_many_010' "p:c/e1 pe_many:pe_many_010 $s"
whole 'a jump' pe_code_detour_rest "p:c/e0 pe_many:pe_many_011+$inside" "p:c/e1 pe_many:pe_many_011+$inside $s"
whole 'a return' pe_code_return_rest 'r:c/e0 pe_many:pe_many_012' "r:c/e1 pe_many:pe_many_012 $s"
echo 'r:x/back pe_many:pe_many_013' >> kprobe_events
echo 1 > events/x/enable
whole 'an entry with a return' pe_code_call_rest 'p:c/e0 pe_many:pe_many_013' "p:c/e1 pe_many:pe_many_013 $s"
echo 0 > events/x/enable
echo > kprobe_events
echo > $T/kprobe_events
rmmod pe_many
