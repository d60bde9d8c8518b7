#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: commands and what kprobe_events shows for them, there and back
# kernels: all
# seconds: 9

set -eu
cd "$PROBES"

# check COMMAND [SHOWN]: define it, see it in both files and in events/.
check() {
	local want=${2:-$1} got

	printf '%s\n' "$1" > kprobe_events
	got=$(cat kprobe_events)
	[ "$got" = "$want" ] || { echo "wrote '$1', want '$want', got '$got'"; exit 1; }
	[ "$(cat dynamic_events)" = "$want" ]
	dir=events/$(sed 's/^p:\([^ ]*\).*/\1/' <<< "$got")
	[ -d "$dir" ]
	[ "$(cat "$dir/enable")" = 0 ]
	grep -q "^ID: $(cat "$dir/id")\$" "$dir/format"
	grep -q "^name: ${dir##*/}\$" "$dir/format"
	# What is shown is a command that says the same.
	printf '%s\n' "$got" > kprobe_events
	[ "$(cat kprobe_events)" = "$want" ]
	listing+=$got$'\n'
}

listing=
check 'p vfs_read' 'p:kprobes/p_vfs_read_0 vfs_read'
check 'p vfs_read+0' 'p:kprobes/p_vfs_read_0 vfs_read'
check 'p:open do_sys_openat2' 'p:kprobes/open do_sys_openat2'
check 'p:g/e do_sys_openat2' 'p:g/e do_sys_openat2'
check 'p:g.e2 do_sys_openat2' 'p:g/e2 do_sys_openat2'
check 'p:my-group/e do_sys_openat2' 'p:my-group/e do_sys_openat2'
check 'p:g/ vfs_read' 'p:g/p_vfs_read_0 vfs_read'
check '  p:blanks   vfs_read	%di   %si  ' 'p:kprobes/blanks vfs_read arg1=%di arg2=%si'
check 'p:comment vfs_read %di # and more' 'p:kprobes/comment vfs_read arg1=%di'
check 'p:regs vfs_read a=%di:u64 b=%ip c=%sp:x32' 'p:kprobes/regs vfs_read a=%di:u64 b=%ip c=%sp:x32'
check 'p:vars vfs_read $arg1 s=$stack s2=$stack2 $comm' \
      'p:kprobes/vars vfs_read arg1=$arg1 s=$stack s2=$stack2 arg4=$comm'
check 'p:mem vfs_read j=@jiffies:u64 o=@jiffies+4:u8' 'p:kprobes/mem vfs_read j=@jiffies:u64 o=@jiffies+4:u8'
check 'p:imm vfs_read i=\1 s=\"text"' 'p:kprobes/imm vfs_read i=\1 s=\"text"'
check 'p:deref vfs_read f=+0(+8(%di)):string u=+u0(%si):ustring' \
      'p:kprobes/deref vfs_read f=+0(+8(%di)):string u=+u0(%si):ustring'
check 'p:types vfs_read a=+0(%si):x8[4] b=%di:b4@4/32 c=%ip:symbol d=%ip:symstr e=%si:char' \
      'p:kprobes/types vfs_read a=+0(%si):x8[4] b=%di:b4@4/32 c=%ip:symbol d=%ip:symstr e=%si:char'

# An address: the same place as the symbol, shown as it can be written again.
addr=$(awk '$3 == "vfs_read" { print $1; exit }' /proc/kallsyms)
check "p:addr 0x$addr %di" "p:kprobes/addr 0x$addr arg1=%di"
check "p:args 0x$addr \$arg1" "p:kprobes/args 0x$addr arg1=\$arg1"

# All of it at once, in one write, and in the order of definition.
printf '%s' "$listing" | awk '!seen[$1]++' > /tmp/all
cat /tmp/all > kprobe_events
diff /tmp/all kprobe_events
cat kprobe_events > /tmp/again
cat /tmp/again > kprobe_events
diff /tmp/all kprobe_events
[ "$(wc -l < kprobe_profile)" -eq "$(wc -l < /tmp/all)" ]

# Ids are different, and not the kernel's.
cat events/[!f]*/*/id | sort -n > /tmp/ids
[ "$(ls -d events/f*)" = events/ftrace ]
[ "$(uniq < /tmp/ids | wc -l)" -eq "$(wc -l < /tmp/all)" ]
[ "$(head -1 /tmp/ids)" -ge 32768 ]

# Directories of groups come and go with their events.
[ -d events/my-group ]
echo '-:my-group/e' >> kprobe_events
[ ! -e events/my-group ]
echo > kprobe_events
[ ! -s kprobe_events ]
[ -z "$(find events -mindepth 1 -maxdepth 1 -type d ! -name ftrace)" ]
