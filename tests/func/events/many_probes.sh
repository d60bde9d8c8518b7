#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: 10,000 functions probed by one write: hits, text, kprobes/memory, each CPU in its ring
# not: debug: the checkers take memory of their own
# modes: default toggled
# needs: ftrace
# seconds: 25
# machine: -m 2G
# tools: ktext
# modules: pe_many

set -eu
cd "$PROBES"
# shellcheck source=tests/func/lib/events_lib.sh
. /host/events_lib.sh
# shellcheck source=tests/func/lib/compiled_lib.sh
. /host/compiled_lib.sh
probes=10000
evidence+=(kprobes/memory error_log)

memory() { awk -v k="$1" '$1 == k { print $2 }' kprobes/memory; }

# Functions with a name of their own, outside of all ranges that cannot be probed
awk '{ n[$3]++; at[$3] = $1 }
	END { for (s in n) if (n[s] == 1 && s ~ /^[A-Za-z0-9_]+$/) print at[s], 1, s }' /proc/kallsyms > /tmp/unique
sed -E 's/^0x([0-9a-f]+)-0x([0-9a-f]+).*/\1 0 \2/' kprobes/blacklist | sort - /tmp/unique |
	awk '$2 == 0 { if ($3 > end) end = $3; next } $1 >= end { print $3 }' | sort > /tmp/allowed
awk '{ print $1 }' available_filter_functions | sort -u | comm -12 - /tmp/allowed |
	head -n $probes | awk '{ print "p:many/e" NR " " $1 }' > /tmp/definitions
# define FILE: in one write(2)
define() { dd if="$1" of=kprobe_events bs=8M status=none; }

insmod /modules/pe_many.ko
inside=$(< /sys/module/pe_many/parameters/inside)
jump_is_compiled() { [ "$(compiled_state jump/e)" = compiled ]; }
jump_compiles() {
	echo "p:jump/e pe_many:pe_many_000+$inside" >> kprobe_events
	echo 1 > events/jump/e/enable
	within 60 jump_is_compiled
	echo 0 > events/jump/e/enable
	echo '-:jump/e' >> kprobe_events
}

# What stays allocated after a first time is not counted.
/host/ktext save /tmp/text
jump_compiles
head -n 500 /tmp/definitions > /tmp/first
define /tmp/first
echo 1 > events/many/enable
taken=$(settled_memory)
cat kprobes/list kprobes/memory kprobe_events > /dev/null
echo 0 > events/enable
echo > kprobe_events
before=$(settled_memory)
define /tmp/definitions
echo 1 > events/many/enable
taken=$((before - $(settled_memory)))
is 'probes defined by one write' $probes "$(grep -c . kprobe_events)"
is 'probes' $probes "$(memory probes)"
# 5.10 names the place of a weak function that another one has replaced after the function before it.
misnamed=0
[[ $(uname -r) != 5.10.* ]] || misnamed=$(grep -c 'OPTIMIZED\|INT3' kprobes/list || true)
at_most 'functions whose name is that of another place' 3 "$misnamed"
is 'armed' $((probes - misnamed)) "$(grep -c '\[FTRACE\]' kprobes/list)"
# Detours, slots and compiled hits are in the modules' text, which is there anyway.
told=$((($(memory bytes) - $(memory detours) - $(memory slots) - $(memory compiled)) / 1024))
echo "taken $taken KB, told $told KB, $(memory bytes/probe) bytes each"
cat kprobes/memory
at_most 'bytes of a probe' 2048 "$(memory bytes/probe)"
# What is told has been taken from the machine, and some more: the kernel's list of functions that
# call ftrace (32 bytes each), unused objects of slabs, unused room in pages of counters.
at_most 'KB told' "$taken" $((told * 97 / 100))
at_least 'KB told' $((taken * 80 / 100)) "$told"

# Entries for which there is no room do not keep a jump after them from being compiled.
at_least 'entries without room' 1 "$(grep -c '^many/.*: no room for more code$' kprobes/compiled)"
jump_compiles

# Hits of each CPU are in its ring, and nothing else of them is.
echo 'p:apart/e read_zero' >> kprobe_events
echo > trace
echo 0 > events/many/enable
echo > trace
echo 1 > events/apart/enable
read_zeros_on 0 500 & read_zeros_on 1 700
wait
echo 0 > events/apart/enable
for pair in 0:500 1:700; do
	at_least "records of CPU ${pair%:*}" "${pair#*:}" $(($(stat_of "${pair%:*}" entries) + $(stat_of "${pair%:*}" overrun)))
	is "reads of CPU ${pair%:*}" 0 "$(stat_of "${pair%:*}" 'read events')"
done
is 'records' "$(value apart/e hits)" $(($(stat_of 0 entries) + $(stat_of 0 overrun) + $(stat_of 1 entries) + $(stat_of 1 overrun)))
sums

echo > kprobe_events
is 'probes' 0 "$(memory probes)"
is 'bytes of sites' 0 "$(memory sites)"
within 60 detours_forgotten
/host/ktext diff /tmp/text

# A second time takes nothing that stays. Names of functions are kept for 10 seconds after a task
# looked for one. Of its chunks of per-CPU memory, the kernel keeps one when all is freed.
removed_memory() {
	echo 0 > events/enable
	echo > kprobe_events
	within 60 detours_forgotten
	sleep 11
	settled_memory
}
# What per-CPU memory takes: KB of its pages, and of its chunks
percpu_memory() {
	awk '/^Percpu:/ { n += $2 } /pcpu_create_chunk/ && match($0, /pages=[0-9]+/) {
		n += 4 * substr($0, RSTART + 6, RLENGTH - 6) } END { print n }' /proc/meminfo /proc/vmallocinfo
}
before=$(removed_memory) percpu=$(percpu_memory)
define /tmp/definitions
echo 1 > events/many/enable
is 'armed again' $((probes - misnamed)) "$(grep -c '\[FTRACE\]' kprobes/list)"
stayed=$((before - $(removed_memory))) kept=$(($(percpu_memory) - percpu))
is 'probes' 0 "$(memory probes)"
echo "stayed: $stayed KB, $kept KB of them in per-CPU memory"
at_most 'KB that stayed' 1000 $((stayed - kept))
at_most 'KB of per-CPU memory' 4500 $kept

# One of an armed event's commands goes in time that grows with its probes, not with their square: it
# takes as long as when the event is not armed.  Nothing is hit, as everything is switched off.
echo 0 > kprobes/enabled
# removal ON: milliseconds
removal() {
	local start

	printf '%s\n' 'f:big/e vfs_fallocate' 'f:big/e *_[a-d]*' > dynamic_events
	echo "$1" > events/big/e/enable
	at_least 'members' 8000 "$(grep -c '' kprobes/list)" >&2
	start=$(date +%s%N)
	echo '-:big/e *_[a-d]*' >> dynamic_events
	echo $((($(date +%s%N) - start) / 1000000))
	holds dynamic_events 'f:big/e vfs_fallocate' >&2
	echo 0 > events/big/e/enable
	echo > dynamic_events
}
# The machine may stand still in one of them, but not in each.
for attempt in 1 2 3 4; do
	off=$(removal 0)
	on=$(removal 1)
	echo "removed in $off ms; of an armed event in $on ms"
	[ "$on" -gt $((4 * off + 100)) ] || break
done
at_most "ms of an armed event, attempt $attempt" $((4 * off + 100)) "$on"
echo 1 > kprobes/enabled
