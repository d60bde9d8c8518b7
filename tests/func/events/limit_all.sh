#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: the limit of all events: the dearest are stopped, the others go on; hits exactly; what is told
# tier: 6.12-cloud 6.12-cloud@interpreted 6.12-rt debug
# modes: default interpreted
# tools: session
# modules: pe_stress
# seconds: 30 debug=90

set -eu
cd "$PROBES"
# shellcheck source=tests/func/lib/session_lib.sh
. /host/session_lib.sh
evidence+=(limits kprobes/cost)

stopped() { grep -q '^tripped: ' "events/kprobes/$1/limit" && [ "$(cat "events/kprobes/$1/enable")" = 0 ]; }
on() { holds "events/kprobes/$1/enable" 1; lacks "events/kprobes/$1/limit" '^tripped: '; }

# What it is not.
holds limits none		# until it is written
bad() {
	refused 'Invalid argument' put "$1" limits
	has error_log "limits: error: Invalid limit ($2)"
	has error_log "^$(printf '%*s' $((11 + $3)) '')^\$"
	echo > error_log
	holds limits 'cpu=90%'
}
echo 'cpu=90%' > limits
bad 'cpu=0%' 'cpu=P%, from 0.001% to 100%' 4
bad 'hits=1 speed=2' 'cpu=, one=, hits=, rate=, ttl=, or none' 7
bad '' 'cpu=, one=, hits=, rate=, ttl=, or none' 0
echo '  one=3% cpu=90% ' > limits
holds limits 'cpu=90% one=3%'

# Of three events the one that costs is stopped, and told as any that its own limit stops.
cat > kprobe_events <<-END
	p:rare read_null
	p:dear read_zero n=%dx:u64
	p:none write_full
END
mkdir instances/i
echo 'cpu=0.5%' > limits
echo 'ttl=1h' > events/kprobes/rare/limit
echo 1 > events/kprobes/enable
echo 1 > instances/i/events/kprobes/dear/enable
head -c 1 /dev/null
within 40 eval 'read_zeros 5000; stopped dear'
head -n 3 limits events/kprobes/dear/limit
has limits '^cpu=0.5%$'
has limits '^tripped: cpu [0-9.]*% of 0.5% after [0-9]* of [0-9]* ms at [0-9.]*: kprobes/dear$'
has events/kprobes/dear/limit '^tripped: limits: cpu [0-9.]*% of 0.5% after .* ms, its part [0-9.]*% at [0-9.]*$'
has instances/i/trace 'limit_reached: kprobes/dear: limits: cpu .* of 0.5% '
has trace 'limit_reached: kprobes/dear: limits: cpu .* of 0.5% '
holds instances/i/events/kprobes/dear/enable 0
has error_log 'limit: error: Stopped by its limit (limits: cpu .*% of 0.5% after .*)'
has error_log '  Command: kprobes/dear$'
has kprobes/cost '^kprobes/dear	.*	tripped	none$'
on rare
on none
sums
# They are served, and it comes back when it is enabled.
head -c 1 /dev/null
value_is kprobes/rare records 2
echo none > limits
holds limits none
before=$(value kprobes/dear hits)
echo 1 > events/kprobes/dear/enable
on dear
read_zeros 5000
value_is kprobes/dear hits $((before + 5000))
on dear

# A share of one CPU. That of two events which cost the same is too much: one of them may stay. One
# that costs little there is never stopped for them, though they have paused when it is looked for.
echo 0 > events/enable
echo 0 > instances/i/events/enable
echo > kprobe_events
printf '%s\n' 'p:a read_zero n=%dx:u64' 'p:b read_zero n=%dx:u64' 'p:few write_full' > kprobe_events
echo 'one=2% cpu=100%' > limits
echo 1 > events/kprobes/enable
# Fewer hits than one that is timed stands for.
taskset -c 1 bash -c 'for i in {1..60}; do sleep 0.1; echo > /dev/full; done' 2> /dev/null &
few=$!
within 40 eval 'read_zeros_on 1 5000; stopped a || stopped b'
has limits '^tripped: one [0-9.]*% of 2% of CPU 1 after '
for i in 1 2 3; do
	echo 1 > events/kprobes/enable
	for j in $(seq 10); do
		read_zeros_on 1 5000
		sleep 0.03
	done
done
kill $few 2> /dev/null || true
wait $few || true
at_least 'hits of few' 5 "$(value kprobes/few hits)"
on few
echo 0 > events/enable
echo > kprobe_events
rmdir instances/i

# Hits: in all of them together, in every context, exactly so many; then it is over.
echo none > limits
insmod /modules/pe_stress.ko
target=pe_stress:pe_stress_target
site=$(cat /sys/module/pe_stress/parameters/site)
printf '%s\n' "p:a $target n=%si:u64" "p:b $target+$site" "r:c $target" > kprobe_events
echo 1 > events/kprobes/enable
stress_run 100
echo 'hits=5000 rate=1G/s' > limits
lacks kprobes/compiled ' compiled$'
all_records() { echo $(($(value kprobes/a records) + $(value kprobes/b records) + $(value kprobes/c records))); }
before=$(all_records)
stress_run 6000
within 10 eval 'stopped a && stopped b && stopped c'
is 'records' 5000 $(($(all_records) - before))
has events/kprobes/a/limit '^tripped: limits: hits 5000 of 5000 at '
has limits '^tripped: hits 5000 of 5000 at .*: kprobes/[abc] and 2 more$'
is 'what stays' 'rate=1000000000/s' "$(head -n 1 limits)"
sums
echo 1 > events/kprobes/a/enable
before=$(value kprobes/a records)
echo none > limits
stress_run 100
at_least 'records without it' $((before + 50)) "$(value kprobes/a records)"
echo 0 > events/enable
echo > kprobe_events
rmmod pe_stress

# A rate, which stops none; a time, which stops all, from the write on. A session is told.
echo 'rate=10/s ttl=1h' > limits
exec 3<> session
read -r _ nr <&3
one_write <<END
p:zero read_zero
enable zero
END
echo 'p:mine read_zero' > kprobe_events
echo 1 > events/kprobes/enable
read_zeros 2000
at_least 'beyond the rate' 1500 $(($(value s$nr/zero limited) + $(value kprobes/mine limited)))
echo 'rate=10/s ttl=1s' > limits
within 30 stopped mine
read -r told <&3
is 'told' "limit s$nr/zero limits: ttl 1s" "$told"
is 'what stays' 'rate=10/s' "$(head -n 1 limits)"
exec 3>&-
within 10 ended "$nr"
echo 0 > events/enable
echo 'ttl=1s' > limits		# none is armed: nothing happens
sleep 1.2
echo 1 > events/kprobes/mine/enable
within 10 stopped mine
echo > kprobe_events

# Tasks get no time, and C code serves hits: the gate closes in the interrupt. If tasks still had
# some, the work may have been first, which looks at another time than 100 ms, or has disarmed it before
# the next hit: once more.
echo 0 > kprobes/compile
echo 'p:e read_zero' > kprobe_events
gate_closes() {
	echo 'cpu=0.2%' > limits
	echo 1 > events/kprobes/e/enable
	starve 100000
	within 10 stopped e
	grep -q '^tripped: cpu [0-9.]*% of 0.2% after [0-9]* of 100 ms at .*: kprobes/e$' limits &&
		[ "$(value kprobes/e limited)" -ge 1 ]
}
for attempt in 1 2 3 4 5; do
	! gate_closes || break
	echo "attempt $attempt: $(sed -n 2p limits)"
	[ $attempt -lt 5 ] || fail 'the gate has not closed in the interrupt'
done
records=$(value kprobes/e records) limited=$(value kprobes/e limited)
echo "starved: $records served, $limited not: $(sed -n 2p limits)"
at_most 'served' 50000 "$records"
sums
echo > kprobe_events
