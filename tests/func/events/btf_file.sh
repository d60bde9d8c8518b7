#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: type data from a file: only the kernel's own, only as a whole, only once
# tier: 6.12-cloud bare
# seconds: 1
# btf: yes
#
# A kernel that has type data takes no other. On others, files that are damaged, cut off at
# random (PE_SEED), too large or another kernel's are refused, by the errno of a write or of the end of
# the file, and in error_log; writers die in the middle. Then the right file is taken, however it is
# cut into writes. Probes that were there before go on, and names are known at once: btf_args
# asks for more of them.
set -eu
export LC_ALL=C
# shellcheck source=tests/func/lib/check_lib.sh
. /host/check_lib.sh
out=/tmp/btf_file
mkdir -p $out

# not_taken REASON ERRNO WHAT: a file on stdin is
not_taken() {
	: >error_log
	if cat 2>$out/errno >kprobes/btf; then
		fail "$3: taken: $(cat kprobes/btf)"
	fi
	evidence=("$out/errno" error_log)
	has $out/errno "$2\$"
	has error_log "btf: error: Failed to load type data ($1)\$"
	is "$3: loaded" "$before" "$(cat kprobes/btf)"
	asked=$((asked + 1))
}

# at BYTES: where they are in the file first, in the syntax of grep -P
at() {
	local found

	found=$(/usr/bin/grep -m 1 -obUaP -e "$1" "$file" | head -n 1)
	printf '%s\n' "${found%%:*}"
}

# damaged OFFSET BYTES: the file with other bytes there, in the syntax of printf
damaged() {
	cp "$file" $out/damaged
	# shellcheck disable=SC2059
	printf "$2" | dd of=$out/damaged bs=1 seek="$1" conv=notrunc status=none
	cat $out/damaged
}

# The build id, by the kernel's notes: it follows the first "GNU".
build_id() {
	local notes

	notes=$(od -An -v -tx1 /sys/kernel/notes | tr -d ' \n')
	notes=${notes#*474e5500}
	printf '%s\n' "${notes:0:40}"
}

wrong_files() {
	local types id n i

	not_taken 'it is no ELF file of 64 bits' 'Invalid argument' 'a text' <<<'vmlinux'
	head -c 100000 /dev/urandom | tr '\177' x | not_taken 'it is no ELF file of 64 bits' 'Invalid argument' 'random bytes'
	not_taken 'it has no type data' 'Invalid argument' 'a program' <"$(type -P cat)"
	id=$(($(at 'GNU\x00') + 4))
	damaged $id '\1\2\3\4' | not_taken 'its build id is not that of this kernel' 'Invalid argument' "another's"
	types=$(at '\x9f\xeb\x01\x00\x18')
	damaged "$types" '\0' | not_taken 'its type data has no header' 'Invalid argument' 'no magic'
	damaged $((types + 12)) '\377\377\377\177' | not_taken 'its type data is cut off' 'Invalid argument' 'many types'
	damaged $((types + 28)) '\377\377\377\377' | not_taken 'a type is of an unknown kind' 'Invalid argument' 'a bad type'
	damaged $((types + 24)) '\377\377\377\377' | not_taken 'a name is none' 'Invalid argument' 'a bad name'
	damaged 40 '\0\0\0\0\1' | not_taken 'the file is larger than 32 MB' 'File too large' 'a large one'
	size=$(stat -c %s "$file")
	{ cat "$file"; echo; } | dd bs=$((size + 1)) iflag=fullblock status=none |
		dd bs=$((size + 1)) iflag=fullblock of=kprobes/btf 2>$out/errno && fail 'something after it: taken'
	has error_log 'data follows the end of the ELF file'
	n=$(length 10 200)
	for ((i = 0; i < n; i++)); do
		head -c $((1 + (RANDOM * 32768 + RANDOM) % (size - 1))) "$file" |
			not_taken 'the file is truncated' 'Invalid argument' 'a part'
	done
}

# It has written a part when it dies. Closing that is an error already, to which it does not listen.
dying_writer() {
	local pid status=0

	(head -c 8192 "$file" 2>/dev/null || : >$out/written; exec sleep 1000) >kprobes/btf &
	pid=$!
	until [ -e $out/written ]; do
		sleep 0.1
	done
	kill -KILL $pid
	wait $pid || status=$?
	is 'status of the writer' 137 $status
	is 'loaded by it' none "$(cat kprobes/btf)"
}

# One who began earlier comes too late.
right_file() {
	local id

	id=$(build_id)
	exec 8>kprobes/btf
	head -c 5000 "$file" >&8 2>/dev/null || true
	dd bs=1000 if="$file" of=kprobes/btf status=none
	matches 'kprobes/btf' "file, [1-9]* types, [1-9]* bytes, build id $id" "$(cat kprobes/btf)"
	before=$(cat kprobes/btf)
	echo "# $before"
	tail -c +5001 "$file" 2>$out/errno >&8 && fail 'a second file was taken'
	exec 8>&-
	has $out/errno 'File exists$'
	not_taken 'a file is loaded already' 'File exists' 'the same again' <"$file"
}

works() {
	echo 'p:names vfs_read file=file:%pD n=file->f_path.dentry->d_name.name:string count' >>kprobe_events
	echo 'r:after vfs_read count ret=$retval' >>kprobe_events
	echo 1 >events/kprobes/enable
	echo 'text' >$out/the_file
	read -r _ <$out/the_file
	echo 0 >events/kprobes/enable
	cat trace >$out/trace
	: >kprobe_events
	evidence=("$out/trace")
	has $out/trace 'names: .* file="the_file" n="the_file" count='
	has $out/trace 'before: .* ret=0x5$'
	has $out/trace 'after: .* count=[0-9]* ret=5$'
}

cd "$PROBES"
asked=0
before=$(cat kprobes/btf)
if [ -e /sys/kernel/btf/vmlinux ]; then
	is 'kprobes/btf' kernel "$before"
	not_taken 'the kernel has type data of its own' 'File exists' 'any file' <<<'any'
	exit
fi
file=/host/btf-$(uname -r)
exists "$file"
is 'kprobes/btf' none "$before"
RANDOM=${PE_SEED:-$RANDOM}
echo 'r:before vfs_read ret=$retval' >kprobe_events
echo 1 >events/kprobes/before/enable
wrong_files
dying_writer
right_file
works
echo "# $asked files refused"
