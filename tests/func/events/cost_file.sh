#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: kprobes/cost: hits, prices, their products and sums; shares; what state an event is in
# tier: 6.12-cloud 6.12-cloud@interpreted 6.1-cloud bare
# modes: default interpreted
# seconds: 8 debug=26

set -eu
cd "$PROBES"
# shellcheck source=tests/func/lib/events_lib.sh
. /host/events_lib.sh
evidence+=(kprobes/cost)

# cost EVENT COLUMN: 3 hits, 4 price, 5 where it is from, 6 ns, 7 share, 8 state, 9 limit
cost() { awk -F '\t' -v e="$1" -v c="$2" '$1 == e { print $c }' kprobes/cost; }

is 'headings' 'event place hits price is ns cpu state limit' "$(head -n 1 kprobes/cost | tr '\t' ' ')"
printf '%s\n' 'p:a read_zero n=%dx:u64' 'p:b read_zero' 'p:off write_full' > kprobe_events
for e in a b off; do
	is "$e, before" "0 off none" "$(cost kprobes/$e 3) $(cost kprobes/$e 8) $(cost kprobes/$e 9)"
	is "ns of $e, before" 0 "$(cost kprobes/$e 6)"
done
echo 1 > events/kprobes/a/enable
echo 1 > events/kprobes/b/enable
grep -c . kprobes/compiled > /dev/null	# waits until what can be compiled is
is 'state' 'armed off' "$(cost kprobes/a 8) $(cost kprobes/off 8)"
before=$(cost kprobes/a 5)

# What is compiled has one price, so its cost is exact, as long as no hit is left to C code: most
# times. Of what C code serves one hit in 64 is timed.
exact() {
	local hits ns

	hits=$(cost kprobes/a 3) ns=$(cost kprobes/a 6)
	read_zeros 640
	[ $(($(cost kprobes/a 3) - hits)) = 640 ] &&
		[ $(($(cost kprobes/a 6) - ns)) = $((640 * $(cost kprobes/a 4))) ]
}
read_zeros 6400
is 'hits' '6400 6400 0' "$(cost kprobes/a 3) $(cost kprobes/b 3) $(cost kprobes/off 3)"
is 'the same as kprobe_losses' "$(value kprobes/a hits)" "$(cost kprobes/a 3)"
cat kprobes/cost
for e in a b; do
	price=$(cost kprobes/$e 4) ns=$(cost kprobes/$e 6) from=$(cost kprobes/$e 5)
	at_least "price of $e" 1 "$price"
	at_least "ns of $e" $((6400 * price / 2)) "$ns"
	[ "$from" = compiled ] || at_most "ns of $e" $((6400 * (price + 1) * 2)) "$ns"
	[ "$from" = compiled ] || is "price of $e" timed "$from"
done
[ "$from" != compiled ] || within 20 exact
[ "$before" = compiled ] || is 'before a hit has been timed' assumed "$before"
is 'both have the same price, if compiled' "$(cost kprobes/a 5)" "$(cost kprobes/b 5)"

# A hit costs no more than the call took in which it was.
echo 1 > tracing_on
echo 1 > events/kprobes/a/enable
hits=$(cost kprobes/a 3) ns=$(cost kprobes/a 6)
start=$(date +%s%N)
read_zeros 20000
end=$(date +%s%N)
is 'more hits' 20000 $(($(cost kprobes/a 3) - hits))
# A sample that the host has interrupted stands for 64.
most=$((end - start))
[ "$from" = compiled ] || most=$((3 * most))
at_most 'ns of 20000 hits' $most $(($(cost kprobes/a 6) - ns))

# Shares: of the time between two looks, and of all CPUs.
costs() { [ "$(cost kprobes/a 7)" != - ] && awk -v s="$(cost kprobes/a 7)" 'BEGIN { exit s + 0 <= 0.01 }'; }
within 30 eval 'read_zeros 5000; costs'
cat kprobes/cost > /tmp/cost
cat /tmp/cost
awk -F '\t' 'NR == 1 { next } $1 == "#" { print ns == $6, int(s * 1000 + 0.5) - $7 * 1000; next }
	{ ns += $6; s += $7 }' /tmp/cost > /tmp/sums
read -r same off < /tmp/sums
is 'the total is the sum' 1 "$same"
at_least 'all shares, thousandths' -4 "$off"
at_most 'all shares, thousandths' 4 "$off"
echo 0 > events/enable

# Its limit, and what became of it.
echo 'hits=3 cpu=90%' > events/kprobes/off/limit
is 'limit' 'off cpu=90% hits=3' "$(cost kprobes/off 8) $(cost kprobes/off 9)"
echo 1 > events/kprobes/off/enable
for i in 1 2 3 4; do echo > /dev/full || true; done 2> /dev/null
within 10 eval '[ "$(cost kprobes/off 8)" = tripped ]'
none_wrong

# Hits of one definition with many functions, and of a return.
echo > kprobe_events
printf '%s\n' 'f:all vfs_read*' 'r:ret read_zero' > dynamic_events
echo 1 > events/enable
read_zeros 640
is 'returns' "$(value kprobes/ret hits)" "$(cost kprobes/ret 3)"
at_least 'ns of returns' 640 "$(cost kprobes/ret 6)"
echo 0 > events/enable
echo > dynamic_events
is 'lines left' 2 "$(grep -c . kprobes/cost)"
