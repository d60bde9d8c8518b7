#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: $current, casts, per-CPU variables: values known from elsewhere, compiled and interpreted
# seconds: 4 debug=8
# tier: 6.12-cloud 6.1-cloud 6.12-rt bare
# modes: default
#
# It switches compiling itself. Without type data there are only numbers.

set -eu
cd "$PROBES"
# shellcheck source=tests/func/lib/events_lib.sh
. /host/events_lib.sh
# shellcheck source=tests/func/lib/compiled_lib.sh
. /host/compiled_lib.sh
evidence+=(error_log kprobes/compiled /tmp/trace)
types=/sys/kernel/btf/vmlinux

has_code() { [ "$(compiled_state c/e)" = compiled ]; }

# define COMMAND: the event c/e, enabled, with compiled hits if that can be here
define() {
	printf '%s\n' "$1" > kprobe_events
	echo 1 > events/c/e/enable
	compile=1
	within 60 has_code
}

# each_way CHECK: of the records of c/e that a few calls have left in /tmp/trace, compiled and interpreted
each_way() {
	for compile in 1 0; do
		echo $compile > kprobes/compile
		echo > trace
		taskset -c 0 dd if=/dev/zero of=/dev/null bs=7 count=20 status=none
		grep ' e: (' trace > /tmp/trace || fail "compile $compile: no records"
		$1
	done
	echo 1 > kprobes/compile
	echo 0 > events/c/e/enable
	: > kprobe_events
}

# all AWK: the condition holds for each record; value(NAME) is that of an argument, pid the task
all() {
	awk "function value(name) { return match(\$0, \" \" name \"=[^ ]*\") ? \
			substr(\$0, RSTART + length(name) + 2, RLENGTH - length(name) - 2) : \"none\" }
		{ task = \$1; pid = \$1; sub(/.*-/, \"\", pid); sub(/-[0-9]*\$/, \"\", task) }
		!($1) { print; bad = 1 } END { exit bad }" /tmp/trace ||
		fail "compile $compile: a record for which not $1"
}

# not_taken COMMAND ERRNO TEXT COLUMN: refused so
not_taken() {
	: > error_log
	refused "$2" append "$1" kprobe_events
	has error_log ": error: $3" -F
	is "the caret of $1" "$4" "$(($(sed -n 's/\^$//p' error_log | wc -c) - 12))"
}

# The idle task of the first CPU is the variable init_task.
idle_task() {
	local init

	init=$(sed -n 's/^\([0-9a-f]*\) . init_task$/0x\1/p' /proc/kallsyms)
	echo 'p:c/i tick_nohz_idle_enter t=$current' > kprobe_events
	echo 'common_pid == 0' > events/c/i/filter
	echo 1 > events/c/i/enable
	for compile in 1 0; do
		echo $compile > kprobes/compile
		echo > trace
		within 20 has_idle
		grep '\[000\].* i: (' trace > /tmp/trace
		all "value(\"t\") == \"$init\""
	done
	echo 1 > kprobes/compile
	echo 0 > events/c/i/enable
	: > kprobe_events
}
has_idle() { grep -q '\[000\].* i: (' trace; }

whole_records() {
	all 'value("p") == pid && value("g") == pid && value("l") == pid'
	all 'value("c") == value("n")'
	has /tmp/trace ' c="dd" '
}

idle_task
define 'p:c/e vfs_read t=$current first=+0($current):x64'
one_task() { is 'tasks that are current in dd' 1 "$(sed -n 's/^ *dd-.* t=\(0x[0-9a-f]*\) .*/\1/p' /tmp/trace | sort -u | wc -l)"; }
each_way one_task
# A file's name by its parameter, and by casts of a register, of its dentry and of a member.
names='a=file->f_path.dentry->d_name.name:string b=(file)%di->f_path.dentry->d_name.name:string'
names+=' c=file->f_path.dentry->d_flags d=(dentry)(file->f_path.dentry)->d_flags'
same_names() {
	all 'value("a") == value("b")'
	all 'value("c") == value("d") && value("c") != "none"'
	has /tmp/trace ' a="zero" '
}

same_pid() { all 'value("c") == pid'; }
same_flags() { all 'value("a") == value("b") && value("a") != "none"'; }

# The first of an inode's dentries, by its member in their list, has the inode. That member is in a
# union, which has no name on newer kernels.
container() { echo "x=(dentry,$1)(file->f_inode->i_dentry.first)->d_inode y=file->f_inode"; }
same_inodes() { all 'value("x") == value("y") && value("x") ~ /^0xff/'; }

# behind_entry ARGS: after the instruction that ftrace patches, where only registers are known, and have
# not changed; where that is depends on the kernel
behind_entry() {
	append "p:c/e vfs_read+9 $1" kprobe_events 2> /tmp/err || append "p:c/e vfs_read+5 $1" kprobe_events
	echo 1 > events/c/e/enable
}
only_registers() {
	all 'value("a") ~ /^"/ && value("p") == pid'
	has /tmp/trace ' a="zero" '
}

# What the kernel itself keeps for each CPU: the task, and the number. A module's variable is one, too.
task=pcpu_hot number=pcpu_hot+12
grep -q ' pcpu_hot$' /proc/kallsyms || task=current_task number=cpu_number
this_cpu() {
	all 'value("a") == value("t") && value("b") == value("t") && value("n") == substr($0, match($0, /\[/) + 1, 3) + 0'
	all 'value("p") ~ /^0xff/ && value("m") ~ /^0xff/'
	has /tmp/trace ' n=0 '
}
args="t=\$current a=this_cpu_read(@$task) b=+0(this_cpu_ptr(@$task)) n=this_cpu_read(@$number):u32"
define "p:c/e vfs_read $args p=this_cpu_ptr(@$task) m=this_cpu_ptr(@pe_cmdline_last)"
each_way this_cpu
not_taken 'p:c/e vfs_read x=this_cpu_read(@jiffies)' 'Invalid argument' 'Failed to register probe event' 6
has error_log 'is no per-CPU variable'
not_taken 'p:c/e vfs_read x=this_cpu_read(@this_cpu_off)->a' 'Invalid argument' 'Invalid fetch argument' 45

if [ ! -e $types ]; then
	not_taken 'p:c/e vfs_read x=(file)%di->f_flags' 'Operation not supported' 'BTF is not available or not supported' 17
	not_taken 'p:c/e vfs_read $current->pid' 'Operation not supported' 'BTF is not available or not supported' 15
	exit
fi
define 'p:c/e vfs_read p=$current->pid g=$current->tgid c=$current->comm:string n=$comm l=$current->group_leader->pid'
each_way whole_records
define "p:c/e vfs_read $names"
each_way same_names
alias=d_u.d_alias
append "p:c/e vfs_read $(container $alias)" kprobe_events 2> /tmp/err || alias=d_alias
define "p:c/e vfs_read $(container $alias)"
each_way same_inodes
define 'r:c/e vfs_read a=(file)$arg1->f_flags b=file->f_flags'
each_way same_flags
behind_entry 'a=(file)%di->f_path.dentry->d_name.name:string p=(task_struct)$current->pid'
each_way only_registers
not_taken 'p:c/e vfs_read x=(file)%di' 'Invalid argument' 'Typecast requires a field access' 26
not_taken 'p:c/e vfs_read x=(nosuch_struct)%di->a' 'Invalid argument' 'This is not a pointer to union/structure.' 18
not_taken 'p:c/e vfs_read x=(file,f_path->mnt)%di->f_flags' 'Invalid argument' \
	'Typecast field option does not support -> operator' 29
define 'p:c/e vfs_read c=(task_struct)this_cpu_read(@'$task')->pid k=this_cpu_ptr(@'$task')'
each_way same_pid
