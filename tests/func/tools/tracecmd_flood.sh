#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: trace-cmd and a flood on every CPU, from all contexts: recorded + reported lost = hits
# not: 6.12-rt 6.1-cloud: shows what 6.12-cloud does
# seconds: 6
# packages: trace-cmd
# tools: probe-events
# modules: pe_stress
#
# Two counters that are not ours: dd reads /dev/zero so often, and pe_stress counts its calls
# from tasks, softirq, irq and NMI. The buffers are far too small.

set -eu
# shellcheck source=tests/func/lib/tracing_lib.sh
. /host/tracing_lib.sh
insmod /modules/pe_stress.ko
par=/sys/module/pe_stress/parameters
cd "$PROBES"
echo 'p:flood/zero read_zero bytes=%dx:u32' > kprobe_events
echo 'p:flood/all pe_stress:pe_stress_target context=%di:u8 n=%si:u8' >> kprobe_events
cat > /tmp/work <<END
#!/bin/sh
recorders=\$(pgrep -P \$PPID -x trace-cmd)
kill -STOP \$recorders	# for a while, so that the buffers overflow
echo 1 > $par/run
for cpu in \$(seq 0 $(($(nproc) - 1))); do
	taskset -c \$cpu dd if=/dev/zero of=/dev/null bs=3 count=10000 2> /dev/null &
done
wait
kill -CONT \$recorders
sleep 1
echo 0 > $par/run
END
chmod +x /tmp/work

before=$(stress_calls total)
tc record -b 48 -e flood -o /tmp/flood.dat -- /tmp/work
hits=$(($(nproc) * 10000 + $(stress_calls total) - before))
report /tmp/flood.dat > /tmp/flood
records=$(count ': \(zero\|all\): ' < /tmp/flood)
lost=$(lost < /tmp/flood)
# What never reached a buffer.
unrecorded=$(awk 'NR == 1 { while ($++first != "records") ; next }
	/^flood/ { for (i = first + 1; i <= NF; i++) sum += $i } END { print sum + 0 }' kprobe_losses)
echo "$hits hits: $records recorded, $lost reported lost, $unrecorded in kprobe_losses"
differs 'reported lost' 0 "$lost"
is 'all accounted for' "$hits" $((records + lost + unrecorded))
# Records come from every CPU and, where the flood lets them, from every context.
for cpu in $(seq 0 $(($(nproc) - 1))); do
	has /tmp/flood "\[00$cpu\].* all: "
done
for context in 0 1 2 3; do
	grep -q " all: .*context=$context n=$((context + 1))\$" /tmp/flood || echo "no record of context $context"
done
