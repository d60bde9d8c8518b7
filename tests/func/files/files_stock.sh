#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: switches, sizes, trace, trace_pipe, snapshot, options and logs answer as in the kernel's own tracefs
# not: 5.10-cloud 6.1-cloud 7.3-cloud: their texts are of other versions
# not: 6.12-rt debug: the texts of 6.12-cloud
# needs: tracefs
# seconds: 12
# tools: fileops
# files: ../../../Documentation/kprobe-events.md
#
# Beside control_stock, which has set_event, pids, CPUs, markers and instances. The same
# is done in both directories; what is printed and answered has to be equal. Ours differs
# on purpose in the following, which is not asked or cut out:
#
#   a read in small pieces    ours goes on where it stopped; the kernel's filter,
#                             header_page, header_event end after the first piece,
#                             tracing_cpumask refuses it
#   help in trigger, snapshot what there is here
#   echo 0 > enable           leaves an unused buffer as it is; the kernel's gets its size
#   saved_cmdlines_size       another default
#   an event that is off but armed for a trigger
#                             counts as off for its group's enable and in set_event;
#                             the kernel's only for its own enable
#   buffer_size_kb after buffer_subbuf_size_kb
#                             what there is; the kernel's what there was
#   snapshot_raw, trace_pipe  poll() says what there is
#   trace_marker              takes a few bytes less of a text that does not fit
#   lseek(), pwrite()         to the end, and anywhere, in more of the files that can be written
set -eu
# shellcheck source=tests/func/lib/stock_lib.sh
. /host/stock_lib.sh

text() { sed -E 's/ +[0-9]+\.[0-9]{6}: / TIME: /; s/^ +[^ ]+-[0-9]+ +.[0-9]{3}. [^ ]{5}/TASK/' "$@"; }
print_lines() { local l; mapfile -t l < "$1"; echo ${#l[@]}; }
hit() { dd if=/dev/zero of=/dev/null bs=1 count=$1 status=none; }
pipe() { dd if=${1:-trace_pipe} bs=${2:-4096} count=${3:-9} iflag=nonblock status=none; }
# show FILE...: what cat does, without a process.
show() { local f l; for f; do mapfile -t l < "$f" && printf '%s\n' "${l[@]}"; done; }
# set_all FILE TEXT...: write each, and show the file.
set_all() {
	local f=$1 w
	shift
	for w; do
		echo "${w:0:20}"
		echo "$w" > "$f"
		show "$f"
	done
}
# same_hits: the same, with an event recording. Only during the command: both see all hits.
same_hits() {
	same "$1" "echo > trace; echo 1 > events/q/a/enable; $2
		echo 0 > events/q/a/enable; echo > trace"
}

for dir in "$PROBES" $stock; do
	printf '%s\n' 'p:g/a vfs_fallocate' 'p:g/b write_full len=%dx:u32' 'p:h/a vfs_truncate' \
		'p:q/a read_zero count=%dx:u64' 'p:q/b write_null' > $dir/kprobe_events
	echo > $dir/error_log		# of an earlier test
	echo > $dir/trace
	echo 1408 > $dir/buffer_size_kb
done
long=$(printf 'x%.0s' {1..5000})
blank=$(printf ' %.0s' {1..300})
numbers=('' x 2 -1 1x ' ' 0 0x0 +1 '0 1' 00000000000000000000000 18446744073709551616 "$long" '1 ' ' 1' "0$blank" "$blank")

# Numbers and words, well and badly written.
for f in tracing_on options/overwrite events/g/enable events/g/a/enable events/enable trace_clock trace_options current_tracer; do
	case $f in
	events/enable) words=('' x 2 0) see=events/g/enable ;;	# all of the kernel's events are left alone
	trace_clock) words=("${numbers[@]}" global 'mono ' ' boot' x86-tsc '[mono]' 'mono boot' monox local) see=$f ;;
	trace_options) words=('' no nope noannotate ' annotate' 'noannotate ' 'no annotate' nonoannotate ANNOTATE "$long" annotate) see=options/annotate ;;
	current_tracer) words=('' x nopx 'nop x' ' nop' 'nop ' nop) see=$f ;;
	*) words=("${numbers[@]}") see=$f ;;
	esac
	same "$f" 'for w in "${words[@]}"; do echo "${w:0:20}"; echo "$w" > $f; show $see; done; : > $f; show $see
		printf 1 > $f; printf "0\\0" >> $f; printf "\\0" > $f; printf "0\n0\n" > $f; show $see'
	[ $f = trace_options ] || same "$f, one descriptor" 'exec 5<> $f; cat <&5 | tail -n 1; echo 0 >&5; cat <&5; echo 1 >&5; show $see; echo 0 >&5; show $see'
done
for dir in "$PROBES" $stock; do echo 1 > $dir/tracing_on; echo 1 > $dir/options/overwrite; done

# States of enable, and files that outlive their event.
same 'states' 'for e in g:a g:b g h:a; do echo $e >> set_event; show events/{g,h,q,g/a,g/b}/enable; done; echo > set_event; show events/{g,h,q}/enable'
same 'armed' 'echo traceoff > events/g/a/trigger; show events/g/a/enable; echo 1 > events/g/a/enable; show events/{g,g/a}/enable
	echo 1 > events/g/enable; show events/{g,g/a,g/b}/enable; echo 0 > events/g/enable; show events/{g/a,g/b}/enable
	echo !traceoff > events/g/a/trigger; show events/{g,g/a}/enable'
same 'gone' 'echo "p:z/a vfs_read" >> kprobe_events; exec 5<>events/z/a/filter; echo "-:z/a" >> kprobe_events; echo "common_pid == 1" >&5; echo 0 >&5'

# Sizes.
same 'sizes' 'set_all buffer_size_kb 1 4 5 7 9 101 1000 0 "" x 9007199254740993; show buffer_total_size_kb; set_all per_cpu/cpu1/buffer_size_kb 20 0 x 33
	show buffer_size_kb buffer_total_size_kb; echo 33 > buffer_size_kb; show buffer_size_kb'
for kb in 18014398509481984 18014398509481991; do
	apart "$kb KB" '1 kept status 0' '0 changed status 0' "was=\$(show buffer_size_kb); echo $kb > buffer_size_kb 2> /dev/null; echo \$?
		[ \"\$(show buffer_size_kb)\" = \"\$was\" ] && echo kept || echo changed; echo 1408 > buffer_size_kb"
done
same 'sub-buffers' 'set_all buffer_subbuf_size_kb 4 5 8 9 0 x 512 513 1024 4; show events/header_page'; for dir in "$PROBES" $stock; do echo 1408 > $dir/buffer_size_kb; done
same 'percent' 'set_all buffer_percent 0 1 100 101 -1 x "" 50'
same 'free' 'show buffer_size_kb; echo x > free_buffer; show buffer_size_kb tracing_on; echo disable_on_free > trace_options; exec 5> free_buffer; echo 33 > buffer_size_kb
	show buffer_size_kb tracing_on; exec 5>&-; show buffer_size_kb tracing_on; cat free_buffer; echo nodisable_on_free > trace_options; echo 1 > tracing_on; echo 1408 > buffer_size_kb'

# trace, trace_pipe and their raw brother.
same_hits 'trace' 'hit 3; text trace; exec 5<>trace; echo ignored >&5; print_lines trace; echo x >> trace; print_lines trace; exec 5<trace
	read -r -N 30 a <&5; echo "$a"; hit 2; print_lines trace; echo > trace; text trace'
same_hits 'of one CPU' 'hit 3; echo > per_cpu/cpu0/trace; echo > per_cpu/cpu1/trace; text trace; taskset -c 1 head -c 1 /dev/zero | wc -c
	text per_cpu/cpu0/trace; text per_cpu/cpu1/trace; echo x >> per_cpu/cpu1/trace; print_lines trace; : > per_cpu/cpu1/trace; print_lines trace'
same_hits 'in pieces' 'hit 50; dd if=trace bs=100 skip=3 count=1 status=none | text; tail -c 5 trace; tail -n 2 trace | text; echo > trace'
same_hits 'plain' 'hit 2; echo noannotate > trace_options; echo nocontext-info > trace_options; text trace; echo annotate > trace_options; text trace; echo context-info > trace_options; echo > trace'
same_hits 'trace_pipe' 'hit 5; pipe | text; pipe; hit 5; pipe trace_pipe 40 3 | text; pipe | text; hit 1; pipe trace_pipe 4096 1 | text; text trace'
same 'its openers' 'exec 5<trace_pipe; : <trace_pipe; : <per_cpu/cpu0/trace_pipe; exec 5<per_cpu/cpu0/trace_pipe; : <per_cpu/cpu1/trace_pipe; : <per_cpu/cpu0/trace_pipe; : <trace_pipe'
same_hits 'its end' 'hit 1; echo 0 > tracing_on; timeout 30 cat trace_pipe | text; echo 1 > tracing_on; exec 5<trace_pipe; hit 1; echo 0 > tracing_on; timeout 30 cat <&5 | text; echo 1 > tracing_on'
same 'writing there' 'echo > trace_pipe; echo > per_cpu/cpu0/trace_pipe_raw; : <> trace_pipe'
same_hits 'clocks' 'for c in global counter uptime mono mono_raw boot tai perf x86-tsc local; do hit 1; print_lines trace; echo $c > trace_clock; show trace_clock timestamp_mode; print_lines trace; done'
# read_zero by a shell itself: a task that is still there, and known, when it looks.
named='p=$BASHPID; exec 6</dev/zero; printf "a name" > /proc/$p/comm; sleep 0.2; read -r -d "" -u 6; sleep 0.2'
same_hits 'tasks' 'echo record-tgid > trace_options; ('"$named"'; sed -n "s/^$p /PID /p" saved_cmdlines; sed -n "s/^$p $p$/PID PID/p" saved_tgids); echo norecord-tgid > trace_options'
same_hits 'columns' 'echo record-tgid > trace_options; '"$named"'; for o in record-tgid noirq-info norecord-tgid irq-info; do echo $o > trace_options
		sed -E "s/[0-9]+\.[0-9]{6}: /TIME: /; s/-$p +/-PID /; s/\( +$p\)/(PID)/; s/\[00[01]\]/[CPU]/; s/\] [^ ]{5} /] FLAGS /" trace; done; cat options/{record-tgid,irq-info}'

# Snapshots.
same_hits 'snapshot' 'hit 3; echo 1 > snapshot; text trace snapshot; hit 1; echo 1 > snapshot; text trace snapshot; echo 2 > snapshot; head -n 4 snapshot; hit 2; echo 1 > snapshot
	for i in 0 1 x ""; do echo "$i" > per_cpu/cpu0/snapshot; done; echo 2 > per_cpu/cpu0/snapshot; echo 5 > per_cpu/cpu1/snapshot; grep -c " a: " snapshot
	: > snapshot; echo 0 > snapshot; head -n 4 snapshot; echo 2 > snapshot; head -n 4 per_cpu/cpu0/snapshot'
same 'words for it' 'for w in "${numbers[@]}"; do echo "$w" > snapshot; echo $?; done; echo 0 > snapshot'
same_hits 'and sizes' 'hit 3; echo 1 > snapshot; echo 100 > buffer_size_kb; print_lines trace; echo 8 > buffer_subbuf_size_kb; show buffer_size_kb; echo 4 > buffer_subbuf_size_kb; echo 0 > snapshot; echo 1408 > buffer_size_kb; echo > trace'

# Calls that no shell makes.
apart 'a marker from nowhere' '0 status 0' '1 status 0' 'echo > trace; /host/fileops trace_marker > /tmp/calls; grep -c "<faulted>" trace; echo > trace'
for f in events/{g,g/a}/{enable,filter} events/g/a/{trigger,format,id} events/header_page events/ftrace/print/{format,id} free_buffer kprobe_profile \
	trace_options options/{overwrite,markers} per_cpu/cpu0/{buffer_size_kb,stats,trace,snapshot,snapshot_raw,trace_pipe,trace_pipe_raw} printk_formats \
	README saved_cmdlines saved_cmdlines_size saved_tgids set_event set_event_pid snapshot timestamp_mode trace trace_clock trace_marker trace_marker_raw \
	trace_pipe tracing_cpumask tracing_on buffer_{percent,size_kb,total_size_kb,subbuf_size_kb} error_log current_tracer available_tracers kprobe_events; do
	case $f in
	tracing_cpumask)	but='read (of nothing|at the end)' ;;
	*snapshot_raw|*trace_pipe) but='poll|ready' ;;
	trace_marker)		but='a lot|a page' ;;
	events/g/a/[tf]*|printk_formats|available_tracers|free_buffer|trace_options|saved_*|set_*|t*_mode|trace_clock|error_log|kprobe_*|events/*/*/format)
				but='lseek|at a place' ;;
	*)			but=none ;;
	esac
	same "$f: calls" '/host/fileops $f | grep -vE "$but"'
done

# The kernel's files that do not exist here, as kprobe-events.md lists them.
names() { (cd $1 && ls -d * options/* per_cpu/cpu0/* events/header* events/ftrace/* events/g/* events/g/a/*); }
absent=$(sed -n '/files that do not exist here: /,/; *$/p' /host/kprobe-events.md | grep -o '`[a-z_]*`' | tr -d '`' | sort | paste -sd ' ')
is 'absent files' "$absent" "$(comm -23 <(names $stock) <(names "$PROBES") | grep -v /ftrace/ | sort | paste -sd ' ')"

# Definitions and their log.
same 'errors' 'echo > error_log; cat error_log; echo "p:g/a vfs_read foo=%zz" >> kprobe_events; sed "s/^.*\]//; s/ (.*)$//" error_log
	for i in 1 2 3 4 5 6 7 8 9; do echo "p:a nope$i" >> kprobe_events; done; grep -c error: error_log; : >> error_log; grep -c error: error_log; echo x >> error_log; grep -c error: error_log
	: > error_log; grep -c error: error_log'
same 'several lines' 'printf "p:m/a vfs_read\np:m/b vfs_write\nbad\np:m/c vfs_open" >> kprobe_events; tail -n 2 kprobe_events; printf "\n\n# comment\n  \np:m/d vfs_open # tail\n" >> kprobe_events
	tail -n 1 dynamic_events; echo "-:m/a" >> dynamic_events; echo "!p:m/b" >> dynamic_events; tail -n 1 kprobe_events; echo "-:m/" >> kprobe_events; ls -d events/m; echo > error_log'
same 'busy' 'echo 1 > events/q/a/enable; : > kprobe_events; print_lines kprobe_events; echo "-:q/a" >> kprobe_events; echo 0 > events/q/a/enable; exec 5<events/q/a/enable; echo "-:q/a" >> kprobe_events; print_lines kprobe_events
	exec 5<&-; : > kprobe_events; print_lines kprobe_events; ls events/q'
same 'not written' 'echo > kprobe_profile; echo > available_events; echo > README; echo > timestamp_mode; echo > saved_cmdlines; echo > buffer_total_size_kb'

cd /
umount $stock
echo "$n comparisons"
at_least 'comparisons' 86 "$n"
