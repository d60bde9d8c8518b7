#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: trace-cmd record, report, stream and extract on our files; report says what trace says
# seconds: 12 debug=30
# packages: trace-cmd

set -eu
# shellcheck source=tests/func/lib/check_lib.sh
. /host/check_lib.sh

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
timeout 200 trace-cmd record -q -e t -o /tmp/record.dat sh -c "$load" > /tmp/log 2>&1 ||
	fail "trace-cmd record: $(cat /tmp/log)"
trace-cmd report -i /tmp/record.dat > /tmp/report
is 'record' '5000 5000' "$(count ' zero: ' /tmp/report) $(count ' null: ' /tmp/report)"
lacks /tmp/report 'DROPPED|UNKNOWN|FAILED|<\.\.\.>-' -E

# stream shows records while the command runs, when its output is not kept back: the command
# waits for it.
cat > /tmp/wait <<'END'
dd if=/dev/zero of=/dev/null bs=1 count=3 status=none
for i in $(seq 600); do
	if [ "$(grep -c ' zero: ' /tmp/stream)" = 3 ]; then echo > /tmp/live; break; fi
	sleep 0.1
done
END
: > /tmp/stream
timeout 200 stdbuf -oL trace-cmd stream -e t:zero sh /tmp/wait > /tmp/stream 2> /tmp/stream.err
is 'stream' 3 "$(count ' zero: ' /tmp/stream)"
exists /tmp/live	# or it streamed only when the command had ended

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
timeout 200 trace-cmd extract -o /tmp/extract.dat > /tmp/log 2>&1 || fail "trace-cmd extract: $(cat /tmp/log)"
trace-cmd report -i /tmp/extract.dat | of_report > /tmp/got
is 'extract' 10000 "$(wc -l < /tmp/got)"
# Times, too: both round nanoseconds to microseconds.
cmp /tmp/want /tmp/got || fail "extract: $(diff /tmp/want /tmp/got | head)"
umount /proc/kallsyms
[ "$PROBES" = /sys/kernel/tracing ] || umount /sys/kernel/tracing
