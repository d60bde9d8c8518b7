#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: inside: which calls have not returned, of whom, for how long, with what arguments
# tier: 6.12-cloud bare
# seconds: 8
# tools: leftovers

set -eu
cd "$PROBES"
# shellcheck source=tests/func/lib/events_lib.sh
. /host/events_lib.sh
evidence+=(/tmp/inside)

# uptime_ms: of the clock that the kernel and $elapsed have; a hundredth of a second is its step
uptime_ms() {
	local up

	read -r up _ < /proc/uptime
	echo $((${up%.*} * 1000 + 10#${up#*.} * 10))
}
# inside EVENT [PID]: its lines, of one task
inside() {
	cat "events/kprobes/$1/inside" > /tmp/inside
	grep "^pid ${2:-[0-9]*} " /tmp/inside || true
}
is_inside() { [ -n "$(inside "$1" "$2")" ]; }
# age_ms LINE
age_ms() {
	local ns=${1#* since }

	ns=${ns%% *}
	ns=${ns/./}
	echo $((10#${ns#\~} / 1000000))
}

echo 'p:plain hrtimer_nanosleep' > kprobe_events
holds events/kprobes/plain/inside '# not a return event: its calls are not followed'
echo 'r:nap hrtimer_nanosleep mode=$arg2:u32 left=$retval ns=$elapsed' > kprobe_events
echo 'r:untimed hrtimer_nanosleep mode=$arg2:u32' >> kprobe_events
echo 'r:in vfs_read size=$arg3 text=+0(@saved_command_line):string who=$comm to=+0($arg2):u8 user=+0($arg2):ustring ns=$elapsed' \
	>> kprobe_events
holds events/kprobes/nap/inside '# 0 calls, in_flight 0'
echo 1 > events/enable

# The age is between that of the last moment before the call and of the first after it.
early=$(uptime_ms)
sleep 1000 & one=$!
within 60 is_inside nap $one
late=$(uptime_ms)
sleep 1000 & two=$!
within 60 is_inside nap $two
for event in nap untimed; do
	is "calls of $event" "$one $two" "$(inside $event | awk '$4 == "sleep" { print $2 }' | sort -n | tr '\n' ' ' | sed 's/ $//')"
done
before=$(uptime_ms)
line=$(inside nap $one)
after=$(uptime_ms)
matches 'of a task that sleeps' "pid $one comm sleep state S since *.????????? cpu - func hrtimer_nanosleep args mode=1 left=- ns=*" "$line"
at_least 'age' $((before - late - 20)) "$(age_ms "$line")"
at_most 'age' $((after - early + 20)) "$(age_ms "$line")"
matches 'without a time' "pid $one comm sleep state S since - cpu - func hrtimer_nanosleep args mode=1" "$(inside untimed $one)"
is 'the oldest is first' "$one" "$(inside nap | awk '$4 == "sleep" { print $2; exit }')"
has /tmp/inside '^# 2 calls, in_flight 2$'
age=$(age_ms "$line")
later() { [ "$(age_ms "$(inside nap $one)")" -gt "$age" ]; }
within 60 later
kill $one
wait $one || true
is 'who is left' "$two" "$(inside nap | cut -d ' ' -f 2)"

# What only the task or the return can tell is not told. The reader is inside, too.
mkfifo /tmp/never
exec 4<> /tmp/never
dd bs=17 count=1 < /tmp/never > /tmp/got 2> /tmp/err & reader=$!
within 60 is_inside in $reader
line=$(inside in $reader)
matches 'of a task that reads' "pid $reader comm dd state S since * cpu - func vfs_read args size=0x11 text=\"*console=*\" who=- to=- user=- ns=*" "$line"
matches 'the reader' '*state R since * cpu [0-9]* func vfs_read args size=*' "$(grep ' comm cat ' /tmp/inside)"

# What a call has left on a stack is not taken for a call.
hits=$(value kprobes/in hits)
/host/leftovers 100 & many=$!
read_all() { [ "$(value kprobes/in records)" -ge $((hits + 2000)) ]; }
within 60 read_all
sleep 1
cat events/kprobes/in/inside > /tmp/inside
is 'reads that have ended' '' "$(grep 'comm leftovers .* since [0-9]' /tmp/inside)"
kill $many
wait $many || true

# A name that would reach the terminal.
bash -c 'printf "a\033b" > /proc/$$/comm; read -r x < /tmp/never' & odd=$!
within 60 is_inside in $odd
matches 'its name' "pid $odd comm a\\\\x1bb state *" "$(inside in $odd)"
kill $odd
wait $odd || true

# Gone, and another with the same name: calls of the first belong to neither.
refused 'busy' append '-:nap' kprobe_events
echo 0 > events/enable
echo '-:nap' >> kprobe_events
echo 'r:nap hrtimer_nanosleep mode=$arg2:u32 left=$retval ns=$elapsed' >> kprobe_events
echo 1 > events/kprobes/nap/enable
holds events/kprobes/nap/inside '# 0 calls, in_flight 0'

# One event of several functions, several probes of one function, calls in calls.
if [ -e available_filter_functions ]; then
	echo 'f:kprobes/all vfs_read%return ns=$elapsed' >> dynamic_events
	echo 'f:kprobes/all hrtimer_nanosleep%return ns=$elapsed' >> dynamic_events
	echo 1 > events/enable
	dd bs=18 count=1 < /tmp/never > /tmp/got2 2> /tmp/err & other=$!
	within 60 is_inside all $other
	sleep 1000 & three=$!
	within 60 is_inside all $three
	is 'of both functions' "$three" "$(inside nap $three | cut -d ' ' -f 2)"
	matches 'which it is' '* func hrtimer_nanosleep args *' "$(inside all $three)"
	matches 'which the other is' '* func vfs_read args *' "$(inside all $other)"
	kill $other $three
	wait $other $three || true
fi

# While calls come and go by the thousand, and events too.
while :; do read_zeros 200; done & storm=$!
while :; do
	echo 0 > events/kprobes/nap/enable
	echo 1 > events/kprobes/nap/enable
done 2> /dev/null & toggle=$!
for ((i = 0; i < $(length 40 400); i++)); do
	inside in > /dev/null
	[ "$(wc -l < /tmp/inside)" -ge 2 ] || fail 'no task is inside'
	is 'lines that are none' '' "$(grep -v '^pid [0-9]* comm .* state [A-Z] since ~*[0-9]*\.[0-9]\{9\} cpu [0-9-]* func vfs_read args size=\|^# ' /tmp/inside)"
done
kill $storm $toggle
wait $storm $toggle 2> /dev/null || true
kill $two $reader
wait $two $reader || true
echo 0 > events/enable
echo > dynamic_events
