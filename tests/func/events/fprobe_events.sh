#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: f: definitions: one function, patterns of many, returns, modules, what is refused and listed
# tier: 6.12-cloud 6.1-cloud bare
# seconds: 9 debug=32
# modules: pe_many pe_target

set -eu
cd "$PROBES"
# shellcheck source=tests/func/lib/events_lib.sh
. /host/events_lib.sh
evidence+=(dynamic_events kprobe_losses error_log)
run=/sys/module/pe_many/parameters/run
memory() { awk -v k="$1" '$1 == k { print $2 }' kprobes/memory; }
dynamic() { append "$1" dynamic_events; }

# One function: the names that the kernel gives, and only in the file for all kinds of events.
dynamic 'f vfs_read n=$arg3:u64'
dynamic 'f vfs_read%return ret=$retval:s64'
dynamic 'f4:g/also vfs_read $retval'
holds kprobe_events ''
holds dynamic_events 'f:fprobes/vfs_read__entry vfs_read n=$arg3:u64
f:fprobes/vfs_read__exit vfs_read%return ret=$retval:s64
f4:g/also vfs_read%return arg1=$retval'
echo 1 > events/fprobes/enable
head -c 7 /dev/zero > /dev/null
echo 0 > events/fprobes/enable
has trace 'vfs_read__entry: (vfs_read+0x[04]/0x[0-9a-f]*) n=7$'
has trace 'vfs_read__exit: (ksys_read+0x[0-9a-f]*/0x[0-9a-f]* <- vfs_read) ret=7$'
sums
# What the other file says is not about them.
refused 'Invalid argument' append 'f vfs_open' kprobe_events
refused 'No such file' append '-:also' kprobe_events
echo > kprobe_events
is 'fprobes' 3 "$(count '^f' dynamic_events)"
dynamic 'p:g/k vfs_read'
refused 'File exists' dynamic 'f:g/k vfs_read'
has error_log 'trace_fprobe: error: Given group/event name is already used by another event$'
refused 'File exists' dynamic 'f:g/also vfs_write'
has error_log 'trace_fprobe: error: Probe type is different from existing probe$'
dynamic '-:g/also vfs_read'
dynamic '!f:fprobes/vfs_read__exit'
holds dynamic_events 'f:fprobes/vfs_read__entry vfs_read n=$arg3:u64
p:g/k vfs_read'
echo > dynamic_events
holds dynamic_events ''

# A thousand functions of a module, in one command: one event, and one line in every file.
refused 'Invalid argument' dynamic 'f:many/all pe_many:pe_many_[0-9]*'
has error_log 'Failed to register probe event (a pattern cannot wait for its module)$'
insmod /modules/pe_many.ko
before=$(memory probes)
dynamic 'f:many/all pe_many:pe_many_[0-9]*'
is 'probes' $((before + 1000)) "$(memory probes)"
at_most 'bytes of a probe' 1400 "$(memory bytes/probe)"
for file in dynamic_events kprobe_profile; do
	is "lines of $file" 1 "$(count . $file)"
done
is 'lines of kprobe_losses' 2 "$(count . kprobe_losses)"
holds kprobes/refused ''
echo 20000 > buffer_size_kb
echo 1 > events/many/all/enable
echo 1 > $run
value_is many/all hits 1000
value_is many/all records 1000
is 'functions in trace' 1000 "$(grep -o ' all: (pe_many_[0-9]*+0x' trace | sort -u | wc -l)"
sums
# The filter knows the function by its name.
echo > trace
echo '__probe_ip.function == pe_many_123' > events/many/all/filter
echo 1 > $run
is 'records with a filter' 1 "$(records all)"
has trace ' all: (pe_many_123+0x'
echo 0 > events/many/all/filter
# Compiled or not: it is the same when code has been made, and when some has no code.
head -n 1 kprobes/compiled
echo > trace
echo 1 > $run
is 'records of compiled hits' 1000 "$(records all)"
value_is many/all hits 3000
sums
# More functions join while it is enabled.
dynamic 'f:many/all vfs_rea[d]'
head -c 1 /dev/zero > /dev/null
has trace ' all: (vfs_read+0x'
refused 'File exists' dynamic 'f:many/all vfs_rea[d]'
refused 'Device or resource busy' dynamic '-:many/'
# One of the commands is taken back, as one of several probes.
dynamic '-:many/all vfs_rea[d]'
holds dynamic_events 'f:many/all pe_many:pe_many_[0-9]*'

# The module goes and comes back, and so do its probes.
rmmod pe_many
echo 0 > events/many/all/enable
echo 1 > events/many/all/enable
# The module looks at its own code when it comes: a breakpoint there is not what it wants.
[ -e available_filter_functions ] || echo 0 > events/many/all/enable
insmod /modules/pe_many.ko
echo 1 > events/many/all/enable
hits=$(value many/all hits)
echo 1 > $run
value_is many/all hits $((hits + 1000))
echo 0 > events/many/all/enable
dynamic '-:many/all'
no_groups

# Returns, by a pattern for one digit.
dynamic 'f:many/back pe_many:pe_many_12?%return ret=$retval'
is 'return probes' 10 "$(grep -c '^[0-9a-f]*  r  pe_many_12[0-9]+0x' kprobes/list)"
echo > trace
echo 1 > events/many/back/enable
echo 1 > $run
echo 0 > events/many/back/enable
is 'returns' 10 "$(records back)"
has trace ' back: (call_all+0x[0-9a-f]*/0x[0-9a-f]* \[pe_many\] <- pe_many_123) ret='
value_is many/back hits 10
value_is many/back in_flight 0
echo > dynamic_events

# What can't be probed is left out, and listed with the reason; the rest fires.
dynamic 'f:some/int do_*'
at_least 'refused functions' 1 "$(count '^some/int ' kprobes/refused)"
has kprobes/refused '^some/int do_[a-z0-9_]* [a-z]'
at_least 'functions' 100 "$(memory probes)"
echo 1 > events/some/enable
cat /proc/self/stat > /dev/null
echo 0 > events/some/enable
at_least 'hits' 1 "$(value some/int hits)"
sums
# If nothing can be, it is an error, and that of the first.
refused 'Invalid argument' dynamic 'f:none/x asm_exc_*'
has error_log 'trace_fprobe: error: Failed to register probe event ([a-z].*)$'
is 'the caret' "$(printf '%*s^' 20 '')" "$(tail -n 1 error_log)"
refused 'Invalid argument' dynamic 'f:none/x no_such_function_at_all*'
has error_log 'Failed to register probe event (no function matches)$'
lacks dynamic_events none/
echo > dynamic_events
holds kprobes/refused ''
is 'probes' "$before" "$(memory probes)"
rmmod pe_many

# A function that the event has is not added again, whatever names it.
dynamic 'f:g/e nosuch|vfs_read'
refused 'File exists' dynamic 'f:g/e nosuch|vfs_read'
has error_log 'There is already the exact same probe event$'
refused 'File exists' dynamic 'f:g/e vfs_rea[d]'
dynamic 'f:g/e vfs_re*'
has kprobes/refused '^g/e vfs_read the event already probes it$'
refused 'File exists' dynamic 'f:g/e vfs_read*'
echo 1 > events/g/e/enable
head -c 7 /dev/zero > /dev/null
echo 0 > events/g/e/enable
is 'functions with two probes' '' "$(awk '{ print $1 }' kprobes/list | sort | uniq -d)"
echo > dynamic_events

# What is shown defines the same again, and removes it.
for command in 'f [v]fs_read' 'f ?fs_read%return' 'f nosuch|vfs_write $retval' 'f5:g/m vfs_read%return' \
	'f:g/n vfs_rea[d] a=$arg1' 'f no_mod:some-what+4' 'f no_mod:9*x|no_mod:x%return'; do
	dynamic "$command"
done
shown=$(< dynamic_events)
is 'names that are no identifiers' '' \
	"$(sed 's,^f[0-9]*:[a-z]*/\([^ ]*\) .*,\1,' dynamic_events | grep -v '^[a-z_][a-z0-9_]*$' || true)"
echo > dynamic_events
echo "$shown" > dynamic_events
holds dynamic_events "$shown"
while IFS= read -r line; do
	dynamic "-:${line#f*:}"
done <<< "$shown"
holds dynamic_events ''

# Functions of one name in a module: all, or one by its number; again when the module is back.
insmod /modules/pe_target.ko
dynamic 'f:two/both pe_target:pe_target_twin'
dynamic 'f:two/one pe_target:pe_target_twin,2'
dynamic 'f:two/like pe_target:pe_target_t[v-x]*%return'
refused 'File exists' dynamic 'f:two/both pe_target:pe_target_twin,1'
holds kprobes/refused ''
for i in 1 2; do
	echo 1 > events/two/enable
	echo 'twin 3' > /sys/module/pe_target/parameters/call
	value_is two/both hits $((i * 6))
	value_is two/one hits $((i * 3))
	value_is two/like hits $((i * 6))
	echo 0 > events/two/enable
	rmmod pe_target
	insmod /modules/pe_target.ko
done
lacks kprobes/list 'REFUSED'
echo > dynamic_events
rmmod pe_target
