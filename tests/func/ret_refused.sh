#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: what looks like a function and is none has no return probe; code that no probe may stand in
# kernels: all

set -eu
cd "$PROBES"
# shellcheck source=tests/func/check_lib.sh
. /host/check_lib.sh

# refused DEFINITION REASON
refused() {
	echo > error_log
	if { echo "$1" >> kprobe_events; } 2> /tmp/err; then echo "accepted: $1"; exit 1; fi
	grep -q 'Invalid argument' /tmp/err
	grep -q "error: Failed to register probe event ($2)" error_log || { cat error_log; exit 1; }
}
symbols() { awk -v re="$1" '$2 ~ /[tT]/ && $3 ~ re && !$4 { print $3 }' /proc/kallsyms | sort | uniq -u; }

# What the compiler has put elsewhere is jumped to, a few of them with nothing on the stack:
# they can as well be called.
n=0 called=0
for f in $(symbols '[.]cold$' | shuf -n 20); do
	size=$(grep -A 1 " [tT] $f\$" /proc/kallsyms | wc -l)
	[ "$size" = 2 ] || continue
	echo "p:g/e $f" > kprobe_events 2> /dev/null || continue	# an instruction of somebody's
	n=$((n + 1))
	if echo "r:g/r $f" >> kprobe_events 2> /dev/null; then called=$((called + 1)); continue; fi
	refused "r:g/r $f" 'nobody calls this: .*'
done
echo "$n parts of functions, $called with nothing on the stack"
[ $called -le $((n / 3 + 1)) ]
echo > kprobe_events
if symbols '^do_syslog[.]cold$' | grep -q .; then refused 'r:g/r do_syslog.cold' 'nobody calls this: .*'; fi

# ftrace copies its own code, and what stands in it.
for f in $(symbols '^ftrace_(regs_)?call'); do
	refused "p:g/e $f" "ftrace's own code"
done
for f in start_secondary native_write_cr4 relocate_kernel identity_mapped; do
	if symbols "^$f\$" | grep -q .; then refused "p:g/e $f" 'runs without handlers of exceptions'; fi
done
f=$(symbols '^native_play_dead$')
[ -z "$f" ] || refused "r:g/r $f" 'runs on a CPU that nobody waits for any more'
# Others of the same kind are fine.
echo 'r:g/r vfs_read' > kprobe_events
echo 'r:g/r2 vfs_write' >> kprobe_events
is 'functions' 2 "$(wc -l < kprobe_events)"
echo > kprobe_events
