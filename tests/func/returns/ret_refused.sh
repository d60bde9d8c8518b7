#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: what looks like a function and is none has no return probe; code that no probe may stand in
# tier: 6.12-cloud 6.1-cloud bare
# seconds: 6
# modules: pe_target

set -eu
cd "$PROBES"
# shellcheck source=tests/func/lib/check_lib.sh
. /host/check_lib.sh

because() { has error_log "error: Failed to register probe event ($1)"; }
# no_probe REASON DEFINITION
no_probe() {
	echo > error_log
	refused 'Invalid argument' append "$2" kprobe_events
	because "$1"
}
symbols() { awk -v re="$1" '$2 ~ /[tT]/ && $3 ~ re && !$4 { print $3 }' /proc/kallsyms | sort | uniq -u; }

# What the compiler has put elsewhere is jumped to, a few of them with nothing on the stack:
# they can as well be called.
n=0 called=0
for f in $(symbols '[.]cold$' | shuf -n 20); do
	echo "p:g/e $f" > kprobe_events 2> /dev/null || continue	# an instruction of another tracer's
	n=$((n + 1))
	echo > error_log
	if append "r:g/r $f" kprobe_events 2> /dev/null; then called=$((called + 1)); else because 'not a call target: .*'; fi
done
echo "$n parts of functions, $called with nothing on the stack"
at_most 'parts with nothing on the stack' $((n / 3 + 1)) $called
case $(uname -r) in *-bare|*-debug) at_least 'parts of functions' 4 $n ;; esac
echo > kprobe_events

# What a call goes through, and what it calls, is ours.
for f in probe_arena:pe_return_enter probe_arena:pe_return_entry probe_core:pe_return_enter_probes; do
	no_probe 'the prober itself' "p:g/e $f"
done

# ftrace copies its own code, and what stands in it.
for f in $(symbols '^ftrace_(regs_)?call'); do
	no_probe "ftrace's own code" "p:g/e $f"
done
# none_of REASON FUNCTION...: those that the kernel has
none_of() {
	local f
	for f in "${@:2}"; do
		if symbols "^$f\$" | grep -q .; then no_probe "$1" "p:g/e $f"; fi
	done
}
none_of 'runs without handlers of exceptions' start_secondary machine_kexec do_suspend_lowlevel
# Newer kernels have it among their data until then.
copied='copied to another place before it runs'
[ -z "$(symbols '^__relocate_kernel_start$')" ] || copied='not kernel text'
none_of "$copied" relocate_kernel identity_mapped
f=$(symbols '^native_play_dead$')
[ -z "$f" ] || no_probe 'runs on a CPU that has reported itself dead' "r:g/r $f"
# Others of the same kind are fine.
echo 'r:g/r vfs_read' > kprobe_events
echo 'r:g/r2 vfs_write' >> kprobe_events
is 'functions' 2 "$(wc -l < kprobe_events)"
echo > kprobe_events

# Five probes with 32 saved words are too much for a function, or four beside 48 words of arguments. Each reason has
# the size of its own frame, and keeps it.
insmod /modules/pe_target.ko
words=$(printf ' $arg%d' $(seq 32)) n=0
while append "r:g/full$n pe_target:pe_target_mix$words" kprobe_events 2> /dev/null; do n=$((n + 1)); done
case $n in
4) frame=1296 ;;
3) frame=1424 ;;
*) fail "$n probes fit" ;;
esac
reason="the function's return probes need a frame of $frame bytes, more than 1280"
because "$reason"
append "f:g/some pe_target:pe_target_[lm]*[px]%return$words" dynamic_events
append "f:g/less pe_target:pe_target_[lm]*[px]%return${words% *}" dynamic_events
is 'refused' "g/some pe_target:pe_target_mix $reason
g/less pe_target:pe_target_mix ${reason/$frame/$((frame - 8))}" "$(cat kprobes/refused)"
echo > dynamic_events
rmmod pe_target
