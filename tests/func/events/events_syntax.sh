#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: commands and what kprobe_events shows for them, there and back
# seconds: 3

set -eu
cd "$PROBES"
# shellcheck source=tests/func/lib/events_lib.sh
. /host/events_lib.sh

# shown COMMAND [SHOWN]: define it, see it in both files and in events/.
shown() {
	local want=${2:-$1} got

	put "$1" kprobe_events
	got=$(< kprobe_events)
	is "list after '$1'" "$want" "$got"
	holds dynamic_events "$want"
	dir=events/$(sed 's/^p:\([^ ]*\).*/\1/' <<< "$got")
	exists "$dir"
	holds "$dir/enable" 0
	has "$dir/format" "^ID: $(< "$dir/id")\$"
	has "$dir/format" "^name: ${dir##*/}\$"
	# What is shown is a command that says the same.
	put "$got" kprobe_events
	holds kprobe_events "$want"
	listing+=$got$'\n'
}

listing=
shown 'p vfs_read' 'p:kprobes/p_vfs_read_0 vfs_read'
shown 'p vfs_read+0' 'p:kprobes/p_vfs_read_0 vfs_read'
shown 'p:open do_sys_openat2' 'p:kprobes/open do_sys_openat2'
shown 'p:g/e do_sys_openat2' 'p:g/e do_sys_openat2'
shown 'p:g.e2 do_sys_openat2' 'p:g/e2 do_sys_openat2'
shown 'p:my-group/e do_sys_openat2' 'p:my-group/e do_sys_openat2'
shown 'p:g/ vfs_read' 'p:g/p_vfs_read_0 vfs_read'
shown '  p:blanks   vfs_read	%di   %si  ' 'p:kprobes/blanks vfs_read arg1=%di arg2=%si'
shown 'p:comment vfs_read %di # and more' 'p:kprobes/comment vfs_read arg1=%di'
shown 'p:regs vfs_read a=%di:u64 b=%ip c=%sp:x32' 'p:kprobes/regs vfs_read a=%di:u64 b=%ip c=%sp:x32'
shown 'p:vars vfs_read a=$arg1 s=$stack s2=$stack2 $comm' \
      'p:kprobes/vars vfs_read a=$arg1 s=$stack s2=$stack2 arg4=$comm'
shown 'p:mem vfs_read j=@jiffies:u64 o=@jiffies+4:u8' 'p:kprobes/mem vfs_read j=@jiffies:u64 o=@jiffies+4:u8'
shown 'p:imm vfs_read i=\1 s=\"text"' 'p:kprobes/imm vfs_read i=\1 s=\"text"'
shown 'p:deref vfs_read f=+0(+8(%di)):string u=+u0(%si):ustring' \
      'p:kprobes/deref vfs_read f=+0(+8(%di)):string u=+u0(%si):ustring'
shown 'p:types vfs_read a=+0(%si):x8[4] b=%di:b4@4/32 c=%ip:symbol d=%ip:symstr e=%si:char' \
      'p:kprobes/types vfs_read a=+0(%si):x8[4] b=%di:b4@4/32 c=%ip:symbol d=%ip:symstr e=%si:char'

# An address: the same place as the symbol, shown as it can be written again.
addr=$(awk '$3 == "vfs_read" { print $1; exit }' /proc/kallsyms)
shown "p:addr 0x$addr %di" "p:kprobes/addr 0x$addr arg1=%di"
shown "p:args 0x$addr a=\$arg1" "p:kprobes/args 0x$addr a=\$arg1"

# All of it at once, in one write, and in the order of definition.
printf '%s' "$listing" | awk '!seen[$1]++' > /tmp/all
cat /tmp/all > kprobe_events
diff /tmp/all kprobe_events || fail "the list"
cat kprobe_events > /tmp/again
cat /tmp/again > kprobe_events
diff /tmp/all kprobe_events || fail "the list"
is 'lines of kprobe_profile' "$(wc -l < /tmp/all)" "$(wc -l < kprobe_profile)"

# Ids are different, and not the kernel's.
cat events/[!f]*/*/id | sort -n > /tmp/ids
is 'groups of another kind' events/ftrace "$(ls -d events/f*)"
is 'different ids' "$(wc -l < /tmp/all)" "$(uniq < /tmp/ids | wc -l)"
at_least 'the first id' 32768 "$(head -1 /tmp/ids)"

# Directories of groups come and go with their events.
exists events/my-group
echo '-:my-group/e' >> kprobe_events
missing events/my-group
echo > kprobe_events
holds kprobe_events ''
no_groups
