#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: parameters, fields and return values by name: known answers, or a clear refusal
# tier: 6.12-cloud 6.1-cloud 5.10-cloud bare
# seconds: 1
# btf: yes
#
# On all kernels with type data a few definitions have known answers, and hits record what the
# shell has done. Without type data every name is refused, and error_log says why; with that of a
# file, all is as on a kernel that has its own. Where the kernel has the language itself,
# syntax_stock asks it the same.
set -eu
export LC_ALL=C
# shellcheck source=tests/func/lib/check_lib.sh
. /host/check_lib.sh
out=/tmp/btf
mkdir -p $out

# submit COMMAND, in the directory of the files, to $file: to $answer "errno|text|caret|list|format".
file=kprobe_events
submit() {
	local line errno=ok text='' at='' shown='' format='' event

	: >error_log
	if printf '%s\n' "$1" 2>$out/errno >>"$file"; then
		IFS= read -r shown <"$file"
		event=${shown%% *}
		while IFS= read -r line; do
			[[ $line = ID:* ]] || format+=$line
		done <"events/${event#*:}/format"
		: >"$file"
	else
		IFS= read -r errno <$out/errno
		errno=${errno##*: }
		while IFS= read -r line; do
			case $line in
			*": error: "*) text=${line#*: error: } ;;
			"  Command: "*) ;;
			*) [[ $line =~ ^\ *\^$ ]] && at=$((${#line} - 12)) ;;
			esac
		done <error_log
	fi
	answer="$errno|${text%% (*}|$at|$shown|$format"
}

# answers COMMAND ANSWER, where "*" is anything
answers() { submit "$1"; matches "$1" "$2" "$answer"; }

# find_iname: $iname, what the array of a dentry's short name is called: newer kernels have it in a union.
find_iname() {
	iname=d_iname
	submit "p:e vfs_read file->f_path.dentry->${iname}[1]"
	[[ $answer = ok* ]] || iname=d_shortname.string
}

# The same on all kernels, but for $iname.
known_answers() {
	answers 'p:e vfs_read $arg*' \
		'ok|||p:kprobes/e vfs_read file=file buf=buf count=count pos=pos|*"(%lx) file=0x%Lx buf=0x%Lx count=%Lu pos=0x%Lx"*'
	answers 'p:e do_sys_openat2 dfd n=filename:ustring how->flags' \
		'ok|||p:kprobes/e do_sys_openat2 dfd=dfd n=filename:ustring arg3=how->flags|*dfd=%d n=*arg3=%Lu"*'
	answers 'r:e vfs_read count $retval' \
		'ok|||r:kprobes/e vfs_read count=count arg2=$retval|*count=%Lu arg2=%Ld"*'
	answers 'p:e vfs_read $arg5' "No such file or directory|This variable is not found at this probe point|13||"
	answers "p:e vfs_read file->f_path.dentry->${iname}[1] c=file->f_path.dentry->${iname}[7]:char" \
		"ok|||p:kprobes/e vfs_read arg1=*->${iname}\[1] c=*->${iname}\[7]:char|*arg1=%u c=*%c*"
	answers "p:e vfs_read file->f_path.dentry->${iname}[99]" "Invalid argument|Invalid array index|$((35 + ${#iname}))||"
	answers 'p:e vfs_read file->nosuch' "No such file or directory|This field is not found.|19||"
	answers 'r:e kvfree $retval' "No such file or directory|This function returns 'void' type|11||"
}

# A function that "f" names has parameters as well; the functions of a pattern have none in common.
fprobe_answers() {
	local file=dynamic_events

	answers 'f:e vfs_read $arg*' \
		'ok|||f:fprobes/e vfs_read file=file buf=buf count=count pos=pos|*"(%lx) file=0x%Lx buf=0x%Lx count=%Lu pos=0x%Lx"*'
	answers 'f:e do_sys_openat2%return how->flags n=filename:ustring' \
		'ok|||f:fprobes/e do_sys_openat2%return arg1=how->flags n=filename:ustring|*arg1=%Lu*'
	answers 'f:e vfs_read $arg5' "No such file or directory|This variable is not found at this probe point|13||"
	answers 'f:e vfs_rea? file' "No such file or directory|No BTF entry for this probe point|13||"
}

# Hits have what this shell does.
hits() {
	echo 'some text' >$out/the_file
	printf '%s\n' 'r:r vfs_read count name=file->f_path.dentry->d_name.name:string same=file:%pD '"iname=file->f_path.dentry->$iname:string ret="'$retval' \
		'p:o do_sys_openat2 dfd filename:ustring how->mode' \
		'p:t task_dump_owner task->pid task->tgid task->comm:string task->in_execve task->flags files=task->signal->rlim[7].rlim_cur' \
		"p:n vfs_read file->f_path.dentry->${iname}[1]:char file->f_path.dentry->${iname}[7] file[0].f_path.dentry[0].d_parent->$iname:string" >kprobe_events
	echo 1 >events/kprobes/enable
	read -r line <$out/the_file
	read -r line </proc/self/comm
	echo 0 >events/kprobes/enable
	cat trace >$out/trace
	: >kprobe_events
	evidence=("$out/trace")
	has $out/trace 'r: (ksys_read.* <- vfs_read) count=[0-9]* name="the_file" same="the_file" iname="the_file" ret=10$'
	has $out/trace "o: (do_sys_openat2.*) dfd=-100 filename=\"$out/the_file\" arg3=0\$"
	has $out/trace "t: (task_dump_owner.*) arg1=$$ arg2=$$ arg3=\"$(</proc/$$/comm)\" arg4=0 arg5=[0-9]* files=$(ulimit -S -n)\$"
	has $out/trace "n: (vfs_read.*) arg1='h' arg2=101 arg3=\"btf\"\$"
}

without_types() {
	local command

	for command in 'p:e vfs_read $arg*' 'p:e vfs_read file' 'p:e vfs_read file->f_mode' 'r:e vfs_read $retval->x' 'r:e vfs_read count'; do
		answers "$command" 'Operation not supported|BTF is not available or not supported|13||'
	done
	answers 'p:e vfs_read $arg1' 'ok|||p:kprobes/e vfs_read arg1=$arg1|*arg1=0x%Lx"*'
}

cd "$PROBES"
if [ ! -e /sys/kernel/btf/vmlinux ]; then
	without_types
	cat "/host/btf-$(uname -r)" >kprobes/btf
fi
find_iname
known_answers
fprobe_answers
hits
