#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: texts, modes and errors of the files beside the kernel's own tracefs
# not: 5.10-cloud 6.1-cloud 7.3-cloud: their texts are of other versions
# not: 6.12-rt: the texts of 6.12-cloud
# needs: tracefs kprobes
# seconds: 4

set -eu
# shellcheck source=tests/func/lib/stock_lib.sh
. /host/stock_lib.sh

# The kernel's stays expanded when another test of this boot has used it.
if grep -q expanded $stock/buffer_size_kb; then
	same 'not expanded' 'cat buffer_size_kb buffer_total_size_kb per_cpu/cpu*/buffer_size_kb'
else
	echo "the kernel's buffer is expanded already: not compared before"
	echo 1408 > $stock/buffer_size_kb	# another test may have left another
fi
same 'clocks' 'cat trace_clock'
same 'tracer' 'cat current_tracer; cat tracing_on'
same 'options that we have' "grep -x 'annotate\|context-info\|overwrite' trace_options; cat options/overwrite"
same 'keys of stats' "sed 's/:.*//' per_cpu/cpu0/stats"

# The same events, in all CPUs' buffers, in both.
for dir in "$PROBES" $stock; do
	cd $dir
	echo 'p:t/zero read_zero' > kprobe_events
	echo > trace
	echo 1 > events/t/zero/enable
done
taskset -c 0 dd if=/dev/zero of=/dev/null bs=1 count=20 status=none
taskset -c 1 dd if=/dev/zero of=/dev/null bs=1 count=30 status=none
for dir in "$PROBES" $stock; do
	echo 0 > $dir/events/t/zero/enable
done
text="sed -E 's/ +[0-9]+\.[0-9]{6}: / TIME: /; s/\] [^ ]{5} /] FLAGS /'"
same 'expanded' 'cat buffer_size_kb buffer_total_size_kb per_cpu/cpu*/buffer_size_kb'
same 'trace' "$text trace"
same 'trace of a CPU' "$text per_cpu/cpu1/trace"
same 'counts' "grep -v 'bytes\|ts: ' per_cpu/cpu*/stats"
same 'form of times' "sed -n 's/[0-9][0-9]*\./N./; s/\.[0-9]\{6\}$/.N6/; /ts: /p' per_cpu/cpu0/stats | tr -s ' '"
same 'no context' "echo nocontext-info > trace_options; cat trace; echo context-info > trace_options"
same 'pipe' "dd if=per_cpu/cpu0/trace_pipe iflag=nonblock bs=100k count=1 status=none | $text"
same 'counts after reading' "grep -v 'bytes\|ts: ' per_cpu/cpu*/stats"
same 'nothing to read' 'dd if=per_cpu/cpu0/trace_pipe iflag=nonblock bs=100k count=1 status=none'
same 'the rest' "$text trace"
same 'tracing off: all, then the end' "echo 0 > tracing_on; timeout 100 cat trace_pipe | $text; echo 1 > tracing_on"
same 'one reader' 'exec 5< trace_pipe; cat per_cpu/cpu0/trace_pipe; cat trace_pipe'
same 'cleared' 'echo > trace; cat trace'

# Sizes and errors.
same 'sizes' 'echo 100 > buffer_size_kb; cat buffer_size_kb; echo 7 > per_cpu/cpu0/buffer_size_kb;
	cat buffer_size_kb buffer_total_size_kb per_cpu/cpu*/buffer_size_kb; echo 1408 > buffer_size_kb'
for bad in 0 -1 x '' 1x ' 1'; do
	same "size '$bad'" "echo '$bad' > buffer_size_kb; cat buffer_size_kb"
done
for word in 0 1 2 x '' -1 00 99999999999999999999 ' 1' '1 '; do
	same "tracing_on '$word'" "echo '$word' > tracing_on; cat tracing_on; echo 1 > tracing_on"
done
for word in global '[mono]' ' mono ' x '' local; do
	same "clock '$word'" "echo '$word' > trace_clock; cat trace_clock"
done
for word in nop x '' ' nop '; do
	same "tracer '$word'" "echo '$word' > current_tracer; cat current_tracer"
done
for word in nooverwrite overwrite x no '' nono ' overwrite'; do
	same "option '$word'" "echo '$word' > trace_options; cat options/overwrite"
done
for word in 0 1 2 x ''; do
	same "option file '$word'" "echo '$word' > options/annotate; cat options/annotate"
done

# Overwritten buffers.
for dir in "$PROBES" $stock; do
	cd $dir
	echo 1 > options/annotate
	echo 20 > buffer_size_kb
	echo > trace
	echo 1 > events/t/zero/enable
done
taskset -c 0 dd if=/dev/zero of=/dev/null bs=1 count=3000 status=none
taskset -c 1 dd if=/dev/zero of=/dev/null bs=1 count=3000 status=none
for dir in "$PROBES" $stock; do
	echo 0 > $dir/events/t/zero/enable
done
same 'annotated' "grep -c '^##### CPU 1 buffer started ####' trace; grep -c '^#####' trace"
same 'CPU files are not' "grep -c '^#####' per_cpu/cpu1/trace"
same 'lost' "dd if=per_cpu/cpu0/trace_pipe iflag=nonblock bs=10k count=1 status=none | head -n 1 | sed 's/[0-9][0-9]* EVENTS/N EVENTS/'"

# Files: modes, what can be opened how.
for f in trace trace_pipe tracing_on trace_clock buffer_size_kb buffer_total_size_kb available_tracers \
	current_tracer trace_options options/overwrite per_cpu per_cpu/cpu0 per_cpu/cpu0/trace per_cpu/cpu0/trace_pipe \
	per_cpu/cpu0/stats per_cpu/cpu0/buffer_size_kb kprobe_events kprobe_profile events/enable \
	events/t/zero/enable events/t/zero/format events/t/zero/id events events/t events/t/zero events/ftrace; do
	same "$f" "stat -c '%a %s %F' $f"
done
same 'creating' 'echo 1 > nonsense'
same 'missing' 'cat nonsense'
same 'directory' 'mkdir events/nonsense'
same 'remove' 'rm -f trace'
same 'writing what is read only' 'echo 1 > buffer_total_size_kb'

cd "$PROBES"
echo > kprobe_events
echo 1408 > buffer_size_kb
cd $stock
echo > kprobe_events
cd /
umount $stock
