#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: trace-cmd record, report, stream and extract on our files; report says what trace says
# kernels: all
# packages: trace-cmd

set -eu

is() {
	[ "$2" = "$3" ] || { echo "$1: wanted '$2', got '$3'"; exit 1; }
}

# view DIR: our files, by links. trace-cmd finds events by a filter file, and reads all
# symbols, which takes long and says nothing here.
view() {
	local path

	(cd "$PROBES" && find . -type d) | while read -r path; do mkdir -p "$1/$path"; done
	(cd "$PROBES" && find . -type f) | while read -r path; do ln -s "$PROBES/$path" "$1/$path"; done
	for path in "$1"/events/*/{,*/}enable; do
		[ -e "${path%enable}filter" ] || echo none > "${path%enable}filter"
	done
}

# The same records as lines of "CPU PID COMM TIME EVENT ARGUMENTS".
of_trace() { sed -nE 's/^ *(.*)-([0-9]+) +\[([0-9]+)\] \S+ +([0-9.]+): (\w+): \(\S+\) (.*)$/\3 \2 \1 \4 \5 \6/p'; }
of_report() { sed -nE 's/^ *(.*)-([0-9]+) +\[([0-9]+)\] +([0-9.]+): (\w+): +\(\S+\) (.*)$/\3 \2 \1 \4 \5 \6/p'; }

echo 'p:t/zero read_zero count=%dx:u32 reg=%di:x64 comm=$comm' > "$PROBES/kprobe_events"
echo 'p:t/null write_null file=+0(+0(%di)):x16' >> "$PROBES/kprobe_events"
# Where the kernel has no tracefs, ours is the one that trace-cmd finds.
if [ "$PROBES" != /sys/kernel/tracing ]; then
	mkdir -p /tmp/view
	view /tmp/view
	mountpoint -q /sys/kernel/tracing || mount -t tracefs tracefs /sys/kernel/tracing
	mount --bind /tmp/view /sys/kernel/tracing
fi
grep ' [tT] read_zero$' /proc/kallsyms > /tmp/kallsyms
mount --bind /tmp/kallsyms /proc/kallsyms
load='for i in 1 2 3 4 5; do dd if=/dev/zero of=/dev/null bs=1 count=1000 status=none; done'

cd /tmp
timeout 100 trace-cmd record -q -e t -o /tmp/record.dat sh -c "$load" > /tmp/log 2>&1 ||
	{ cat /tmp/log; exit 1; }
trace-cmd report -i /tmp/record.dat > /tmp/report
is 'record' '5000 5000' "$(grep -c ' zero: ' /tmp/report) $(grep -c ' null: ' /tmp/report)"
if grep -E 'DROPPED|UNKNOWN|FAILED|<\.\.\.>-' /tmp/report; then exit 1; fi

# stream shows records while the command runs, when its output is not kept back.
timeout 100 stdbuf -oL trace-cmd stream -e t:zero sh -c \
	'dd if=/dev/zero of=/dev/null bs=1 count=3 status=none; sleep 5; date +"end %s" >&2' \
	2> /tmp/stream.err | while read -r line; do
		printf '%s %s\n' "$(date +%s)" "$line"
	done > /tmp/stream
is 'stream' 3 "$(grep -c ' zero: ' /tmp/stream)"
first=$(awk '/ zero: / { print $1; exit }' /tmp/stream)
end=$(awk '$1 == "end" { print $2 }' /tmp/stream.err)
[ "$first" -lt "$end" ] || { echo "streamed at $first, command ended at $end"; exit 1; }

# extract: the same records as text and through raw pages.
cd "$PROBES"
echo > trace
echo 1 > tracing_on
echo 1 > events/t/enable
sh -c "$load"
echo 0 > tracing_on
of_trace < trace > /tmp/want
is 'trace' 10000 "$(wc -l < /tmp/want)"
cd /tmp
timeout 100 trace-cmd extract -o /tmp/extract.dat > /tmp/log 2>&1 || { cat /tmp/log; exit 1; }
trace-cmd report -i /tmp/extract.dat | of_report > /tmp/got
is 'extract' 10000 "$(wc -l < /tmp/got)"
cut -d ' ' -f 1-3,5- /tmp/want > /tmp/want.no_time
cut -d ' ' -f 1-3,5- /tmp/got > /tmp/got.no_time
cmp /tmp/want.no_time /tmp/got.no_time
# Both round to microseconds.
paste -d ' ' <(cut -d ' ' -f 4 /tmp/want) <(cut -d ' ' -f 4 /tmp/got) |
	awk '{ d = ($1 - $2) * 1e6; if (d > 1.5 || d < -1.5) { print NR, $0; exit 1 } }'
umount /proc/kallsyms
[ "$PROBES" = /sys/kernel/tracing ] || umount /sys/kernel/tracing
