#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: parameters, fields and return values by name: as the kernel's, or a clear refusal
# kernels: all
# tier: 6.12-cloud 6.1-cloud bare
# seconds: 25
# files: btf_args.defs
# btf: yes
#
# Where the kernel has the language itself (6.12 with type data), it is asked the same: the
# definitions of btf_args.defs, and "$arg*" of functions drawn at random (PE_SEED). Compared are
# errno, what error_log says, its caret, the list and the format file. On all kernels with type
# data a few definitions have known answers, and hits record what the shell has done. Without
# type data every name is refused, and error_log says why; with that of a file, all is as on
# a kernel that has its own.
set -eu
export LC_ALL=C
# shellcheck source=tests/func/lib/check_lib.sh
. /host/check_lib.sh
stock=/sys/kernel/tracing
out=/tmp/btf
mkdir -p $out

# submit COMMAND, in the directory of the files: to $answer "errno|text|caret|list|format".
submit() {
	local line errno=ok text='' at='' shown='' format='' event

	: >error_log
	if printf '%s\n' "$1" 2>$out/errno >>kprobe_events; then
		IFS= read -r shown <kprobe_events
		event=${shown%% *}
		while IFS= read -r line; do
			[[ $line = ID:* ]] || format+=$line
		done <"events/${event#*:}/format"
		: >kprobe_events
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
	# The kernel shows the number of instances that it has chosen.
	answer="$errno|${text%% (*}|$at|${shown/#r10:/r:}|$format"
}

# Where we differ, and Documentation/kprobe-events.md says so. differs_as_told COMMAND KERNEL'S OURS
differs_as_told() {
	# A caret after fields is any number there.
	[[ $1 = *'->'* && ${2%%|*} = "${3%%|*}" && $2 = *'does not fit for string'* &&
		$3 = *'does not fit for string'* ]] && return
	# There the kernel takes a number's size for the number of a type.
	[[ $1 = *string* && $3 = *'|This type does not fit for string.|'* ]] && return
	# Both refuse; the kernel does so earlier.
	[[ $2 = *'Failed to register probe event'* && $3 != ok* ]]
}

compare() {
	local command stocks

	while IFS= read -r command; do
		[[ $command = '#'* ]] && continue
		cd $stock
		submit "$command"
		stocks=$answer
		cd "$PROBES"
		submit "$command"
		asked=$((asked + 1))
		[[ $stocks != ok* ]] || accepted=$((accepted + 1))
		if [ "$stocks" = "$answer" ]; then
			same=$((same + 1))
		elif differs_as_told "$command" "$stocks" "$answer"; then
			echo "# as told: $command"
			told=$((told + 1))
		else
			wrong "$command"
			printf '\tkernel: %s\n\tours:   %s\n' "$stocks" "$answer"
		fi
	done
}

compare_with_kernel() {
	local seed=${PE_SEED:-$(length 1 $((RANDOM * 32768 + RANDOM)))} functions

	echo "# PE_SEED=$seed"
	functions=$(length 40 2000)
	asked=0 accepted=0 same=0 told=0
	compare </host/btf_args.defs
	echo "# $asked definitions, $same with the same answer, $accepted accepted, $told differ as told"
	at_least 'accepted definitions' 60 $accepted
	awk -v seed="$seed" -v n="$functions" '
		BEGIN { srand(seed) }
		NF == 1 && !/[.]/ { name[++known] = $1 }
		END { for (; n > 0; n--)
			print (n % 4 ? "p" : "r") ":f " name[1 + int(rand() * known)] " $arg*" \
				(n % 4 ? "" : n % 8 ? " $retval" : " ret=$retval") }' \
		"$PROBES/available_filter_functions" >$out/random
	asked=0 accepted=0 same=0 told=0
	compare <$out/random
	echo "# $asked random functions, $same with the same answer, $accepted accepted, $told differ as told"
	at_least 'random functions accepted' $((functions / 3)) $accepted
}

# answers COMMAND ANSWER, where "*" is anything
answers() { submit "$1"; matches "$1" "$2" "$answer"; }

# The same on 6.1 and 6.12.
known_answers() {
	answers 'p:e vfs_read $arg*' \
		'ok|||p:kprobes/e vfs_read file=file buf=buf count=count pos=pos|*"(%lx) file=0x%Lx buf=0x%Lx count=%Lu pos=0x%Lx"*'
	answers 'p:e do_sys_openat2 dfd n=filename:ustring how->flags' \
		'ok|||p:kprobes/e do_sys_openat2 dfd=dfd n=filename:ustring arg3=how->flags|*dfd=%d n=*arg3=%Lu"*'
	answers 'r:e vfs_read count $retval' \
		'ok|||r:kprobes/e vfs_read count=count arg2=$retval|*count=%Lu arg2=%Ld"*'
	answers 'p:e vfs_read $arg5' "No such file or directory|This variable is not found at this probe point|13||"
	answers 'p:e vfs_read file->nosuch' "No such file or directory|This field is not found.|19||"
	answers 'r:e kvfree $retval' "No such file or directory|This function returns 'void' type|11||"
}

# Hits have what this shell does.
hits() {
	echo 'some text' >$out/the_file
	printf '%s\n' 'r:r vfs_read count name=file->f_path.dentry->d_name.name:string same=file:%pD iname=file->f_path.dentry->d_iname:string ret=$retval' \
		'p:o do_sys_openat2 dfd filename:ustring how->mode' \
		'p:t task_dump_owner task->pid task->tgid task->comm:string task->in_execve task->flags' >kprobe_events
	echo 1 >events/kprobes/enable
	read -r line <$out/the_file
	read -r line </proc/self/comm
	echo 0 >events/kprobes/enable
	cat trace >$out/trace
	: >kprobe_events
	evidence=("$out/trace")
	has $out/trace 'r: (ksys_read.* <- vfs_read) count=[0-9]* name="the_file" same="the_file" iname="the_file" ret=10$'
	has $out/trace "o: (do_sys_openat2.*) dfd=-100 filename=\"$out/the_file\" arg3=0\$"
	has $out/trace "t: (task_dump_owner.*) arg1=$$ arg2=$$ arg3=\"$(</proc/$$/comm)\" arg4=0 arg5=[0-9]*\$"
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
known_answers
hits
case $(uname -r) in
6.1.* | *-bare | *-debug) echo '# the kernel has no such language' ;;
*)
	mountpoint -q $stock || mount -t tracefs tracefs $stock
	echo 1 >/sys/kernel/rcu_expedited
	compare_with_kernel ;;
esac
none_wrong
