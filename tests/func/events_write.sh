#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: how writes are cut into commands: long, unterminated, binary, many
# kernels: all
# seconds: 10

set -eu
cd "$PROBES"

# refused FILE [ERROR]: writing FILE's bytes in one write() fails.
refused() {
	local err error=${2:-Invalid argument}

	if err=$(dd if="$1" of=kprobe_events bs=4M conv=notrunc oflag=append status=none 2>&1); then
		echo "line ${BASH_LINENO[0]}: $1 was accepted"
		exit 1
	fi
	grep -q "$error" <<< "$err" || { echo "line ${BASH_LINENO[0]}: $err"; exit 1; }
}

accepted() {
	dd if="$1" of=kprobe_events bs=4M conv=notrunc oflag=append status=none
}

count() {
	[ "$(wc -l < kprobe_events)" -eq "$1" ] || { cat kprobe_events; exit 1; }
}

: > kprobe_events

# Without a newline at the end; empty lines, comments, carriage returns.
printf 'p:a vfs_read\np:b vfs_read' > /tmp/w
accepted /tmp/w
count 2
printf '\n\n  \n# p:c vfs_read\np:d vfs_read # p:e\n\t\n#\n' > /tmp/w
accepted /tmp/w
count 3
printf 'p:cr vfs_read\r\n' > /tmp/w
accepted /tmp/w
count 4
: > kprobe_events

# Longer than one buffer in all, lines across its edges.
for i in $(seq 300); do
	printf 'p:many/e%d vfs_read arg=%%di # %*s\n' "$i" $((i % 97)) x
done > /tmp/w
accepted /tmp/w
count 300
: > kprobe_events

# Byte by byte, each write is a command: "p" is none.
refused <(printf p)
dd if=<(printf 'p:a vfs_read\n') of=kprobe_events bs=1 conv=notrunc status=none 2>/dev/null && exit 1
count 0

# The longest line, one more, far more.
pad() { head -c "$1" /dev/zero | tr '\0' ' '; }
{ printf 'p:a vfs_read'; pad 4082; echo; } > /tmp/w
accepted /tmp/w
count 1
: > kprobe_events
{ printf 'p:a vfs_read'; pad 4083; echo; } > /tmp/w
refused /tmp/w
{ printf 'p:a vfs_read'; pad 1048576; echo; } > /tmp/w
refused /tmp/w
head -c 1048576 /dev/zero | tr '\0' p > /tmp/w
refused /tmp/w
{ echo 'p:first vfs_read'; cat /tmp/w; } > /tmp/w2
refused /tmp/w2
count 1
: > kprobe_events
{ printf '#'; cat /tmp/w; } > /tmp/w2
refused /tmp/w2

# NUL and other bytes.
printf 'p:a vfs_read\0\n' > /tmp/w
refused /tmp/w
printf '\0' > /tmp/w
refused /tmp/w
printf 'p:a vfs_read\n\0p:b vfs_read\n' > /tmp/w
refused /tmp/w
count 1
: > kprobe_events
printf 'p:a\001 vfs_read\n' > /tmp/w
refused /tmp/w
printf 'p:a vfs_read a=\001\n' > /tmp/w
refused /tmp/w
for seed in $(seq 30); do
	# Without colons: "a:b" would be a symbol of a module that may come.
	LC_ALL=C awk -v s="$seed" 'BEGIN { srand(s); printf "p"
		for (i = 0; i < 2000; i++) printf "%c", 1 + int(rand() * 255) }' |
		tr : . > /tmp/w
	refused /tmp/w .
done
count 0

# Too many arguments, and the most.
args() { for i in $(seq "$1"); do printf ' a%d=%%di' "$i"; done; }
{ printf 'p:most vfs_read'; args 128; } > /tmp/w
accepted /tmp/w
count 1
[ "$(grep -c 'field:u64 a' events/kprobes/most/format)" -eq 128 ]
{ printf 'p:more vfs_read'; args 129; } > /tmp/w
if dd if=/tmp/w of=kprobe_events conv=notrunc oflag=append status=none 2>/dev/null; then exit 1; fi
count 1

: > kprobe_events
[ ! -s kprobe_events ]
[ -z "$(find events -mindepth 1 -maxdepth 1 -type d ! -name ftrace)" ]
