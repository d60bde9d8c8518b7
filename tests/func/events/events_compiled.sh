#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: compiled hits: same records as interpreted ones, no hit lost while they come and go
# modes: default
# tier: 6.12-cloud 6.1-cloud
# needs: ftrace
# seconds: 17
# modules: pe_stress pe_probe pe_calls
# tools: ktext
#
# It changes both switches itself, and says when hits must be compiled.

set -eu
cd "$PROBES"
# shellcheck source=tests/func/lib/events_lib.sh
. /host/events_lib.sh
# shellcheck source=tests/func/lib/compiled_lib.sh
. /host/compiled_lib.sh
evidence+=(kprobe_losses kprobes/compiled)
insmod /modules/pe_stress.ko
fn=pe_stress:pe_stress_target
changes=$(length 24 120)		# each of 8 kinds, with and without looking

/host/ktext save /tmp/text
{
	echo 'p:c/zero read_zero file=%di n=%dx:u32 s=%dx:s8'
	echo 'p:c/name do_sys_openat2 n=+0(%dx):x64 m=+8(%dx):b4@2/16 f=+0(%si):ustring g=+0(%si):string d=%di:s32'
	echo 'p:c/text vfs_write c=$comm k=+0(+0(%di)):x8 low=+0(%dx)'
	echo 'p:c/array vfs_fsync_range a=+0(%di):u8[2]'
	echo 'r:c/ret write_null r=$retval:x64 n=$retval:u8 di=%di sp=$stack'
	echo 'r:c/saves read_null a=$arg1'
	echo "p:c/stress $fn ctx=%di:u32"
	# Into the page of vsyscalls, and in it
	echo 'p:c/edge read_zero a=+0(\0xffffffffff5fffff):x16 b=+0(\0xffffffffff5ffffd):x32' \
		'c=+0(\0xffffffffff5ffff9):x64 d=+0(\0xffffffffff600000):x8 e=+0(\0xffffffffff600000):x64'
} > kprobe_events
is 'state of an event that is off' 'interpreted: it is not enabled' "$(compiled_state c/zero)"
for e in zero name text array ret saves stress edge; do
	echo 1 > events/c/$e/enable
done
is 'state of registers' compiled "$(compiled_state c/zero)"
is 'state of memory and strings' compiled "$(compiled_state c/name)"
is 'state of a name' compiled "$(compiled_state c/text)"
is 'state of an array' 'interpreted: an argument is an array' "$(compiled_state c/array)"
is 'state of a return' compiled "$(compiled_state c/ret)"
is 'state of a return with an argument' compiled "$(compiled_state c/saves)"
is 'state at a module' compiled "$(compiled_state c/stress)"
[ "$(compiled_bytes)" -gt 200 ] || fail "$(compiled_bytes) bytes of code"

# What keeps an event from being compiled, and that it is compiled again after it.
# but WHY DO UNDO
but() {
	eval "$2"
	is "state after $2" "interpreted: $1" "$(compiled_state c/zero)"
	eval "$3"
	is "state after $3" compiled "$(compiled_state c/zero)"
}
but 'kprobes/compile is 0' 'echo 0 > kprobes/compile' 'echo 1 > kprobes/compile'
but 'trace_clock is not local' 'echo mono > trace_clock' 'echo local > trace_clock'
but 'it has triggers' 'echo stacktrace > events/c/zero/trigger' "echo '!stacktrace' > events/c/zero/trigger"
but 'the instance filters by pid' 'echo 1 > set_event_pid' ': > set_event_pid'
but 'the instance records stacks' 'echo 1 > options/stacktrace' 'echo 0 > options/stacktrace'

# A disabled event comes and goes beside another one, whose code stays.  A round waits for all tasks,
# which does not end as one of them goes on and on in the kernel: what is not compiled now stays so.
state_now() { dd if=kprobes/compiled iflag=nonblock bs=64k status=none | sed -n "s,^$1 [^ ]* ,,p"; }
insmod /modules/pe_calls.ko
echo 1 > /sys/module/pe_calls/parameters/spin
echo 0 > events/c/ret/enable
sleep 0.5
for beside in 'p:c/beside read_zero a=%di' 'r:c/beside read_zero'; do
	echo "$beside" >> kprobe_events
	is "state with '$beside'" compiled "$(state_now c/zero)"
	echo '-:c/beside' >> kprobe_events
	is "state without '$beside'" compiled "$(state_now c/zero)"
done
echo 1 > events/c/ret/enable
# Where the kernel is not preemptible, that task ends the wait each time it lets others run.
[[ $(uname -v) != *PREEMPT* ]] ||
	is 'state without a wait' 'interpreted: it has just changed' "$(state_now c/ret)"
echo 0 > /sys/module/pe_calls/parameters/spin
is 'state after a wait' compiled "$(compiled_state c/ret)"
rmmod pe_calls
but 'another user has a probe there' 'insmod /modules/pe_probe.ko; echo read_zero > /sys/module/pe_probe/parameters/add' 'rmmod pe_probe'
but 'not armed' 'echo 0 > kprobes/enabled' 'echo 1 > kprobes/enabled'
# Without type data, nothing may be known of the arguments of read_zero on the stack.
echo 'r:c/back read_zero' >> kprobe_events
echo 1 > events/c/back/enable
case $(compiled_state c/back) in
compiled) words= ;;
'interpreted: the frame of a call is large') words=unknown ;;
*) fail "state of a return of read_zero: $(compiled_state c/back)" ;;
esac
echo 0 > events/c/back/enable
echo '-:c/back' >> kprobe_events
[ "$words" ] || but 'a return probe of the function is disabled' \
	'for e in back rest; do echo "r:c/$e read_zero" >> kprobe_events; done; echo 1 > events/c/back/enable' \
	'echo 0 > events/c/back/enable; for e in back rest; do echo "-:c/$e" >> kprobe_events; done'
echo 'r:c/back read_zero' >> kprobe_events
is 'state with a return probe that is off' compiled "$(compiled_state c/zero)"
echo '-:c/back' >> kprobe_events
[ "$words" ] || but 'another user has a return probe there' \
	'insmod /modules/pe_probe.ko; echo "r:read_zero" > /sys/module/pe_probe/parameters/add' 'rmmod pe_probe'
echo 'n == 3 || s < 0' > events/c/zero/filter
is 'state with a filter' compiled "$(compiled_state c/zero)"
echo 0 > events/c/zero/filter

# The same records, hit by hit, and the same losses.
# What file it is, is not the same twice.
no_file() { sed 's/file=[^ ]*//'; }
for filter in 0 'n == 7' 's < 0 && n > 100' 'n & 1'; do
	echo "$filter" > events/c/zero/filter
	is "state with $filter" compiled "$(compiled_state c/zero)"
	compiled_like zero "filter $filter" no_file
done
echo 0 > events/c/zero/filter
compiled_but_faults name 'strings, user memory'
has /tmp/compiled 'f="/dev/zero" g="/dev/zero" d=-100'
has /tmp/compiled 'f="/x*" g="/x*"'
compiled_like text 'kernel memory' cat
is 'state of the page of vsyscalls' compiled "$(compiled_state c/edge)"
compiled_like edge 'the page of vsyscalls' cat
has /tmp/compiled ' a=0x0 b=0x0 c=0x0 d=0x0 e=0x0$'

# Returns.  Addresses are not the same twice.
no_address() { sed -E 's/(di|sp)=0x[0-9a-f]+//g'; }
for filter in 0 'r == 7' 'n != 7'; do
	echo "$filter" > events/c/ret/filter
	is "state of a return with $filter" compiled "$(compiled_state c/ret)"
	compiled_like ret "returns, filter $filter" no_address
done
echo 0 > events/c/ret/filter
grep -q 'write_null.* r=0xc8 n=200' /tmp/compiled || fail "$(head -3 /tmp/compiled)"
# Several returns of a function, what the entry saves, and hits of the entry.  Times differ.
no_time() { sed -E 's/(di|sp)=0x[0-9a-f]+//g; s/ t=[0-9]+//'; }
{
	echo 'r:c/other write_null n=$arg3:x64 k=+0($arg1):u8 t=$elapsed:u64 r=$retval:x64'
	echo 'p:c/in write_null n=%dx'
} >> kprobe_events
echo 1 > events/c/other/enable
for filter in 0 'r == 7' 'n != 7'; do
	echo "$filter" > events/c/other/filter
	is "state of a return with $filter" compiled "$(compiled_state c/ret)"
	is "state of another one with $filter" compiled "$(compiled_state c/other)"
	compiled_like other "two returns, filter $filter" no_time
	compiled_like ret "two returns, filter $filter for the other" no_time
done
echo 't > 5' > events/c/other/filter
is 'state of a return with a time' 'interpreted: the filter compares the elapsed time' "$(compiled_state c/other)"
echo 0 > events/c/other/filter
mkdir instances/back
echo 1 > instances/back/events/c/other/enable
echo 1 > events/c/in/enable
is 'state of the entry with returns' compiled "$(compiled_state c/in)"
is 'state of returns with the entry' compiled "$(compiled_state c/other)"
compiled_like in 'an entry with returns' no_time
compiled_like other 'returns with an entry' no_time
grep -q 'other: .* n=0xc8 k=.* t=[0-9]* r=0xc8' trace || fail "$(grep other: trace | head -3)"
diff <(compiled_fields other) <(grep "^ *dd-.* other: " instances/back/trace | tail -n "$(compiled_fields other | wc -l)" |
	sed -E 's/^ *dd-[0-9]+ *//; s/ +[0-9]+\.[0-9]+: / /; s/^(\[[0-9]+\] .)./\1/') > /tmp/diff ||
	fail "two instances: $(head -5 /tmp/diff)"
sums || fail 'sums of an entry and returns'
echo 0 > instances/back/events/c/other/enable
rmdir instances/back
for e in in other; do
	echo 0 > events/c/$e/enable
	echo "-:c/$e" >> kprobe_events
done
is 'state of a return that is alone again' compiled "$(compiled_state c/ret)"
sums || fail "sums of returns"

# Several records of a hit: two events, the first in two instances.
echo 'p:c/again read_zero n=%dx:u32 c=$comm' >> kprobe_events
echo 1 > events/c/again/enable
mkdir instances/two
echo 1 > instances/two/events/c/zero/enable
echo 'n == 7' > instances/two/events/c/zero/filter
is 'state of two events, the first' compiled "$(compiled_state c/zero)"
is 'state of two events, the second' compiled "$(compiled_state c/again)"
before=$(value c/zero hits)
again=$(value c/again records)
compiled_calls
is 'hits of the first' 100 $(($(value c/zero hits) - before))
is 'records of the second' 100 $(($(value c/again records) - again))
is 'records of the first' 100 "$(compiled_fields zero | wc -l)"
is 'records in the other instance' 50 "$(grep -c 'zero: .* n=7 ' instances/two/trace)"
sums || fail "sums of several records"
compiled_like again 'the second event' cat
echo 0 > instances/two/events/c/zero/enable
rmdir instances/two
echo 0 > events/c/again/enable
echo '-:c/again' >> kprobe_events

# Inside a function: a breakpoint that has become a jump.  Not all of them do.
offsets=
for ((offset = 10; offset < 60; offset++)); do
	! { echo "p:c/in$offset vfs_read+$offset n=%dx:u32 file=%di c=\$comm" >> kprobe_events; } 2>/dev/null ||
		offsets+=" $offset"
done
for offset in $offsets; do echo 1 > events/c/in$offset/enable; done
jump=
a_jump() {
	for offset in $offsets; do
		[ "$(compiled_state c/in$offset)" != compiled ] || jump=c/in$offset
	done
	[ -n "$jump" ]
}
within 60 a_jump
for offset in $offsets; do
	[ "$jump" = c/in$offset ] || { echo 0 > events/c/in$offset/enable; echo "-:c/in$offset" >> kprobe_events; }
done
within 60 eval '[ "$(compiled_state $jump)" = compiled ]'
only_dd() { grep '^\[000\].* c="dd"' | no_file; }
compiled_like "${jump#c/}" "a jump" only_dd
echo 0 > kprobes/optimization
is 'state of what was a jump' 'interpreted: a breakpoint, which is not a jump' "$(compiled_state $jump)"
echo 1 > kprobes/optimization
within 60 eval '[ "$(compiled_state $jump)" = compiled ]'
sums || fail 'sums of a jump'
echo 0 > events/$jump/enable
echo "-:$jump" >> kprobe_events

# Each call is counted: what the function counts by itself is what the probe has.
counted() {
	is "hits and misses after $1" "$(stress_calls total)" \
		"$(($(value c/stress hits) + $(value c/stress recursion)))"
	sums || fail "sums after $1"
}
stress_run 3000
counted 'plain calls'

# Changes of all kinds while it is called from all contexts.
echo 1 > /sys/module/pe_stress/parameters/run
for ((i = 0; i < changes; i++)); do
	case $((i % 8)) in
	0) echo 0 > kprobes/compile ;;
	1) echo 1 > kprobes/compile ;;
	2) echo 'ctx == 99' > events/c/stress/filter ;;
	3) echo 0 > events/c/stress/filter ;;
	4) echo 0 > tracing_on ;;
	5) echo 1 > tracing_on ;;
	6) echo 1 > snapshot ;;
	7) echo $((64 + i)) > buffer_size_kb ;;
	esac
	[ $((i % 3)) != 0 ] || compiled_state c/stress > /dev/null
done
echo 0 > /sys/module/pe_stress/parameters/run
counted 'changes'

# Definitions come and go while calls are made.
echo 1 > /sys/module/pe_stress/parameters/run
for ((i = 0; i < changes / 2; i++)); do
	echo "p:d/e $fn ctx=%di:u32" >> kprobe_events
	echo 1 > events/d/e/enable
	[ $((i % 2)) != 0 ] || compiled_state d/e > /dev/null
	echo 0 > events/d/e/enable
	echo '-:d/e' >> kprobe_events
done
echo 0 > /sys/module/pe_stress/parameters/run
counted 'definitions'

# Returns, while all that changes.
# returns WHAT: of d/r
returns() {
	local i calls

	calls=$(($(stress_calls total) - $(value d/r hits) - $(value d/r recursion) -
		$(value d/r no_stack) - $(value d/r dropped)))
	echo 1 > /sys/module/pe_stress/parameters/run
	for ((i = 0; i < changes; i++)); do
		case $((i % 6)) in
		0) echo 0 > kprobes/compile ;;
		1) echo 1 > kprobes/compile ;;
		2) echo 'r == 99' > events/d/r/filter ;;
		3) echo 0 > events/d/r/filter ;;
		4) echo 0 > tracing_on ;;
		5) echo 1 > tracing_on ;;
		esac
		[ $((i % 3)) != 0 ] || compiled_state d/r > /dev/null
	done
	echo 0 > /sys/module/pe_stress/parameters/run
	is "calls and returns, $1" $(($(stress_calls total) - calls)) \
		$(($(value d/r hits) + $(value d/r recursion) + $(value d/r no_stack) + $(value d/r dropped)))
	is "calls in flight, $1" 0 "$(value d/r in_flight)"
	sums || fail "sums of returns, $1"
}
echo 0 > events/c/stress/enable
echo "r:d/r $fn r=\$retval" >> kprobe_events
echo 1 > events/d/r/enable
is 'state of a return at a module' compiled "$(compiled_state d/r)"
returns alone
echo "r:d/s $fn ctx=\$arg1 t=\$elapsed" >> kprobe_events
echo 1 > events/d/s/enable
is 'state of a return that saves' compiled "$(compiled_state d/s)"
returns 'beside one that saves'
echo 1 > events/c/stress/enable
is 'state of an entry with returns' compiled "$(compiled_state c/stress)"
before=$(($(stress_calls total) - $(value c/stress hits) - $(value c/stress recursion)))
returns 'with an entry'
is 'hits of the entry' $(($(stress_calls total) - before)) "$(($(value c/stress hits) + $(value c/stress recursion)))"
echo 0 > events/d/enable

echo 0 > events/c/enable
echo > kprobe_events
is 'bytes of code at the end' 0 "$(compiled_bytes)"
/host/ktext diff /tmp/text
