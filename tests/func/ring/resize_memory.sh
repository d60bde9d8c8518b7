#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: a change of size takes the difference only, and both buffers have it or none
# seconds: 4
#
# With buffers so large that the machine could not hold them twice.

set -eu
cd "$PROBES"
# shellcheck source=tests/func/lib/events_lib.sh
. /host/events_lib.sh
cpus=$(find per_cpu -maxdepth 1 -name 'cpu[0-9]*' | wc -l)
free=$(awk '$1 == "MemAvailable:" { print $2 }' /proc/meminfo)
# part PERCENT: of that, for each CPU, in KB
part() { echo $((free / 100 * $1 / cpus)); }
# about KB: that is the size, in whole pages.
about() {
	at_least 'buffer_size_kb' "$1" "$(cat buffer_size_kb)"
	at_most 'buffer_size_kb' $(($1 + 15)) "$(cat buffer_size_kb)"
}

# What is refused is so as a whole, also while the buffer has not got its full size.
small=$(cat buffer_size_kb)
has buffer_size_kb expanded
refused 'Cannot allocate memory' put 99999999999 per_cpu/cpu0/buffer_size_kb
is 'refused for one CPU' "$small" "$(cat buffer_size_kb)"
put 100 per_cpu/cpu0/buffer_size_kb
rest=$(cat per_cpu/cpu1/buffer_size_kb)
put 1408 buffer_size_kb
is 'for one CPU' "$(cat buffer_size_kb)" "$rest"

echo 'p:t/zero read_zero' > kprobe_events
echo 1 > events/t/zero/enable

# One buffer: a little more or less of it than the most of all memory.
read_zeros_on 0 10
for kb in $(part 60) $(($(part 60) - 2000)) $(($(part 60) + 2000)) $(part 30) $(part 50); do
	echo "$kb" > buffer_size_kb
	about "$kb"
	is "records in $kb KB" 10 "$(records zero trace)"
done
echo 1408 > buffer_size_kb
echo > trace

# state: what must be as before, also when the two have changed places
state() {
	local i

	for i in 1 2; do
		echo "$(records zero trace) $(records zero snapshot) $(cat buffer_size_kb buffer_subbuf_size_kb per_cpu/cpu*/buffer_size_kb | paste -sd ' ')"
		echo 1 > snapshot
	done
}

# Both: there is memory for the new size of one, but not of the other.
read_zeros_on 0 10
echo 1 > snapshot
read_zeros_on 0 5
state > /tmp/before
is 'records' '5 10' "$(head -n 1 /tmp/before | cut -d ' ' -f 1,2)"
refused 'Cannot allocate memory' put "$(part 65)" buffer_size_kb
state > /tmp/after
diff /tmp/before /tmp/after || fail 'not as before'
refused 'Cannot allocate memory' put $((free / 100 * 65)) per_cpu/cpu1/buffer_size_kb
state > /tmp/after
diff /tmp/before /tmp/after || fail 'not as before'

# Other sub-buffers take other memory, for both.
part 28 > buffer_size_kb
state > /tmp/before
is 'records' '5 10' "$(head -n 1 /tmp/before | cut -d ' ' -f 1,2)"
refused 'Cannot allocate memory' put 8 buffer_subbuf_size_kb
state > /tmp/after
diff /tmp/before /tmp/after || fail 'not as before'

# All of it comes back.
echo 0 > snapshot
echo 1 > buffer_size_kb
back() { [ "$(awk '$1 == "MemAvailable:" { print $2 }' /proc/meminfo)" -gt $((free / 100 * 85)) ]; }
within 20 back
is 'emptied' 0 "$(records zero snapshot)"
echo 1408 > buffer_size_kb
read_zeros_on 0 7
at_least 'records' 7 "$(records zero trace)"
sums
