#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: places: alternatives, clones, one of several functions of a name, what a refusal suggests
# tier: 6.12-cloud 6.1-cloud
# seconds: 15 debug=26
# modules: pe_target

set -eu
cd "$PROBES"
# shellcheck source=tests/func/lib/events_lib.sh
. /host/events_lib.sh
evidence+=(kprobe_events error_log)
cat /proc/kallsyms > /tmp/kallsyms

# says COMMAND ERROR TEXT: refused, with that line in error_log, which has three lines
says() {
	: > error_log
	refused "$2" append "$1" kprobe_events
	is "error of '$1'" "trace_kprobe: error: $3" "$(sed '1!d; s/^\[ *[0-9.]*\] //' error_log)"
	is 'lines of error_log' 3 "$(wc -l < error_log)"
}

# shown COMMAND LINE: accepted, and shown as that
shown() {
	echo "$1" > kprobe_events
	holds kprobe_events "$2"
}

# Alternatives: the first that exists.
shown 'p:e no_such|vfs_open+0|vfs_read a=%di' 'p:kprobes/e vfs_open a=%di'
shown 'p no_such|vfs_read' 'p:kprobes/p_vfs_read_0 vfs_read'
shown 'r:e no_such|vfs_read $retval' 'r:kprobes/e vfs_read arg1=$retval'
shown 'p:e no_such|vfs_read%return' 'r:kprobes/e vfs_read'
shown 'p:e no_such_module:f|vfs_read' 'p:kprobes/e vfs_read'
shown 'p:e no_such|no_such_module:f' 'p:kprobes/e no_such_module:f'
echo > kprobe_events
refused 'Invalid argument' append 'p:e vfs_read|' kprobe_events
refused 'Invalid argument' append 'p:e vfs_read|vfs_open+x' kprobe_events
refused 'Invalid argument' append 'p:e |vfs_read' kprobe_events
echo 'f:e no_such*|vfs_rea[d]' > dynamic_events
holds dynamic_events 'f:fprobes/e vfs_rea[d]'
echo > dynamic_events

# What is near.
says 'p vfs_raed' 'Invalid argument' 'Invalid probed address or symbol (did you mean vfs_read?)'
says 'p sys_openat' 'Invalid argument' "Invalid probed address or symbol (did you mean __x64_sys_openat?)"
says 'p nothing_is_like_this' 'Invalid argument' 'Invalid probed address or symbol (no such symbol; it may be inlined everywhere, or its module is not loaded)'
: > error_log
refused 'Invalid or incomplete' append 'p vfs_read+1' kprobe_events
has error_log 'Probe point is not an instruction boundary (vfs_read is [0-9]* bytes long; instructions begin at +0 and +[0-9]*)$'
near=$(sed -n 's/.* at +0 and +\([0-9]*\)).*/\1/p' error_log)
size=$(sed -n 's/.*vfs_read is \([0-9]*\) .*/\1/p' error_log)
echo "p:e vfs_read+$near" > kprobe_events
echo > kprobe_events

# Names of ours: they take none away, no other name is near, and alone they are refused.
refused 'Invalid argument' append 'p:e pe_prober_owns' kprobe_events
insmod /modules/pe_target.ko
shown 'p:e pe_prober_owns' 'p:kprobes/e pe_prober_owns'
has kprobes/list ' pe_prober_owns+0x[04]  *pe_target '
echo > kprobe_events
rmmod pe_target
: > error_log
refused 'Invalid argument' append 'p:e pe_prober_own' kprobe_events
lacks error_log 'mean pe_prober'

# Past its end, no instruction is its.
for ((n = size + 40; n < size + 80; n++)); do
	: > error_log
	append "p:e vfs_read+$n" kprobe_events 2> /dev/null || ! grep -q 'instruction boundary' error_log || break
done
has error_log "boundary (vfs_read is $size bytes long)$"
# Before its end, only the last one begins. A function is wanted that does not end with single bytes.
for f in vfs_read vfs_write vfs_open vfs_fsync vfs_statx vfs_getattr vfs_truncate vfs_fallocate; do
	append "p:e $f+1" kprobe_events 2> /dev/null || true
	size=$(sed -n "s/.*($f is \([0-9]*\) .*/\1/p" error_log | tail -n 1)
	: > error_log
	append "p:e $f+$((size - 1))" kprobe_events 2> /dev/null || ! grep -q 'the last' error_log || break
done
has error_log "boundary ($f is $size bytes long; the last instruction begins at +[0-9]*)$"
last=$(sed -n 's/.* begins at +\([0-9]*\))$/\1/p' error_log)
at_least "the last of $size bytes" $((size - 15)) "$last"
echo "p:e $f+$last" > kprobe_events
echo > kprobe_events
# A place that is given as an address: nothing says where a symbol is.
: > error_log
refused 'Invalid or incomplete' append "p 0x$(awk '$3 == "vfs_read" { print $1; exit }' /tmp/kallsyms | sed 's/0$/1/')" kprobe_events
has error_log "boundary (the nearest instructions begin 1 bytes before it and $((near - 1)) after it)$"

# What the rest of the command may have meant.
for pair in 'p:udp_send_skb si=%si|did you mean p udp_send_skb' 'p :mine vfs_read|did you mean p:mine vfs_read' \
	'p vfs_read %rsi|did you mean %si' 'r vfs_read $ret|did you mean $retval' 'p vfs_read %si:string|did you mean +0(%si):string' \
	'p vfs_read %si:int|did you mean s32' 'p SyS_execve|did you mean __x64_sys_execve'; do
	: > error_log
	refused . append "${pair%|*}" kprobe_events
	has error_log "(.*${pair#*|}?.*)$"
done

# Alternatives: the first that can be probed. Not an instruction, not an entry, not to be probed.
for bad in vfs_read+1 asm_exc_int3; do
	shown "p:e $bad|vfs_open a=%di" 'p:kprobes/e vfs_open a=%di'
done
shown 'r:e vfs_read+20|asm_exc_int3|vfs_open x=$arg1' 'r:kprobes/e vfs_open x=$arg1'
echo > kprobe_events
echo 'f:e asm_exc_int3|vfs_open' > dynamic_events
holds dynamic_events 'f:fprobes/e vfs_open'
echo > dynamic_events
: > error_log
refused . append 'p vfs_read+1|asm_exc_int3|no_such' kprobe_events
has error_log ' error: Invalid probed address or symbol (vfs_read+1: .*boundary.*; asm_exc_int3: Failed.*; no_such: no such symbol)$'

# Several functions of one name: refused, and chosen by number, in the order of addresses.
# Of a name without others beside it, in text that can be probed
read -r twice first second < <(awk 'NF == 3 && $2 ~ /[tT]/ && $3 !~ /[^a-z0-9_]/ { n[$3]++; at[$3] = at[$3] " 0x" $1 }
	NF > 3 { others[$3] = 1 }
	END { for (f in n) if (n[f] == 2 && !(f in others)) print f at[f] }' /tmp/kallsyms | sort |
	while read -r name a b; do
		echo "p:e $a" > kprobe_events 2> /dev/null && echo "p:e $b" >> kprobe_events 2> /dev/null || continue
		echo "$name $a $b"
		break
	done)
echo "# twice: $twice $first $second"
differs 'a name of two functions' '' "$second"
echo > kprobe_events
shown "p:e $twice|vfs_open" 'p:kprobes/e vfs_open'
echo > kprobe_events
says "p $twice" 'Invalid argument' "The symbol is not unique (choose one of $twice,1 to $twice,2)"
echo "p:one $twice,1" > kprobe_events
echo "p:two $twice,2" >> kprobe_events
holds kprobe_events "p:kprobes/one $twice,1
p:kprobes/two $twice,2"
# address N: where kprobes/list says the Nth is; past an ENDBR64, if there is one
address() { sed -n "$1s/^\([0-9a-f]*\) .*/0x\1/p" < <(grep -F " $twice+0x" kprobes/list | sort); }
for pair in "1 $first" "2 $second"; do
	off=$(($(address "${pair% *}") - ${pair#* }))
	[ $off = 0 ] || [ $off = 4 ] || fail "the function ${pair% *} is at +$off"
done
for n in 3 0 1x 4294967297; do
	refused 'Invalid argument' append "p:more $twice,$n" kprobe_events
	has error_log 'error: Invalid probed address or symbol (.*)$'
done
echo > kprobe_events
# An fprobe takes both, as the kernel's does.
echo "f:e $twice" > dynamic_events
holds dynamic_events "f:fprobes/e $twice"
is 'functions' 2 "$(grep -c " $twice+0x" kprobes/list)"
echo > dynamic_events

# A clone stands for its function, if there is no other; a part does not.
clone=$(awk 'NF == 3 && $2 ~ /[tT]/ { all[$3] = 1; if (split($3, part, ".") == 3) n[part[1]]++
		if ($3 ~ /^[a-z0-9_]*\.(isra|constprop)\.0$/ && $3 !~ /^__/) clone[part[1]] = $3 }
	END { for (f in clone) if (!(f in all) && n[f] == 1) print clone[f] }' /tmp/kallsyms | sort |
	while read -r name; do
		echo "p:e $name" > kprobe_events 2> /dev/null || continue
		echo "$name"
		break
	done)
echo "# clone: $clone"
if [ -n "$clone" ]; then
	shown "p:e ${clone%%.*}" "p:kprobes/e $clone"
	shown "p:e no_such|${clone%%.*}+0" "p:kprobes/e $clone"
	echo > kprobe_events
	echo "f:e ${clone%%.*}" > dynamic_events
	holds dynamic_events "f:fprobes/e $clone"
fi
part=$(awk 'NF == 3 && $2 ~ /[tT]/ { all[$3] = 1; plain = $3; sub(/\..*/, "", plain); n[plain]++
		if ($3 ~ /^[a-z0-9_]*\.part\.0$/) part[plain] = $3 }
	END { for (f in part) if (!(f in all) && n[f] == 1) print part[f] }' /tmp/kallsyms | sort | head -n 1)
echo "# part: $part"
if [ -n "$part" ]; then
	says "p ${part%%.*}" 'Invalid argument' "Invalid probed address or symbol (inlined, except for $part)"
fi
differs 'a clone or a part' '' "$clone$part"
echo > dynamic_events

# What kprobe_events shows to who may not see addresses removes the event, too.
echo "p:at/e $first" > kprobe_events
echo 2 > /proc/sys/kernel/kptr_restrict
line=$(< kprobe_events)
differs 'a hashed address' "p:at/e $first" "$line"
refused 'No such file' append "-:at/e 0x1" kprobe_events
echo "-${line#p}" >> kprobe_events
echo 0 > /proc/sys/kernel/kptr_restrict
holds kprobe_events ''
