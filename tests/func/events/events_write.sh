#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: how writes are cut into commands: long, unterminated, binary, many
# seconds: 4

set -eu
cd "$PROBES"
# shellcheck source=tests/func/lib/events_lib.sh
. /host/events_lib.sh

# write FILE: its bytes, in one write()
write() { dd if="$1" of=kprobe_events bs=4M conv=notrunc oflag=append status=none; }

# probes N: there are so many
probes() { is 'probes' "$1" "$(wc -l < kprobe_events)"; }

: > kprobe_events

# Without a newline at the end; empty lines, comments, carriage returns.
printf 'p:a vfs_read\np:b vfs_read' > /tmp/w
write /tmp/w
probes 2
printf '\n\n  \n# p:c vfs_read\np:d vfs_read # p:e\n\t\n#\n' > /tmp/w
write /tmp/w
probes 3
printf 'p:cr vfs_read\r\n' > /tmp/w
write /tmp/w
probes 4
: > kprobe_events

# Longer than one buffer in all, lines across its edges.
for i in $(seq 300); do
	printf 'p:many/e%d vfs_read arg=%%di # %*s\n' "$i" $((i % 97)) x
done > /tmp/w
write /tmp/w
probes 300
: > kprobe_events

# Byte by byte, each write is a command: "p" is none.
refused 'Invalid argument' write <(printf p)
refused . dd if=<(printf 'p:a vfs_read\n') of=kprobe_events bs=1 conv=notrunc status=none
probes 0

# The longest line, one more, far more.
pad() { head -c "$1" /dev/zero | tr '\0' ' '; }
{ printf 'p:a vfs_read'; pad 4082; echo; } > /tmp/w
write /tmp/w
probes 1
: > kprobe_events
{ printf 'p:a vfs_read'; pad 4083; echo; } > /tmp/w
refused 'Invalid argument' write /tmp/w
{ printf 'p:a vfs_read'; pad 1048576; echo; } > /tmp/w
refused 'Invalid argument' write /tmp/w
head -c 1048576 /dev/zero | tr '\0' p > /tmp/w
refused 'Invalid argument' write /tmp/w
{ echo 'p:first vfs_read'; cat /tmp/w; } > /tmp/w2
refused 'Invalid argument' write /tmp/w2
probes 1
: > kprobe_events
{ printf '#'; cat /tmp/w; } > /tmp/w2
refused 'Invalid argument' write /tmp/w2

# NUL and other bytes.
printf 'p:a vfs_read\0\n' > /tmp/w
refused 'Invalid argument' write /tmp/w
printf '\0' > /tmp/w
refused 'Invalid argument' write /tmp/w
printf 'p:a vfs_read\n\0p:b vfs_read\n' > /tmp/w
refused 'Invalid argument' write /tmp/w
probes 1
: > kprobe_events
printf 'p:a\001 vfs_read\n' > /tmp/w
refused 'Invalid argument' write /tmp/w
printf 'p:a vfs_read a=\001\n' > /tmp/w
refused 'Invalid argument' write /tmp/w
for seed in $(seq 30); do
	# Without colons: "a:b" would be a symbol of a module that may come.
	LC_ALL=C awk -v s="$seed" 'BEGIN { srand(s); printf "p"
		for (i = 0; i < 2000; i++) printf "%c", 1 + int(rand() * 255) }' |
		tr : . > /tmp/w
	refused . write /tmp/w
done
probes 0

# Too many arguments, and the most.
args() { for i in $(seq "$1"); do printf ' a%d=%%di' "$i"; done; }
{ printf 'p:most vfs_read'; args 128; } > /tmp/w
write /tmp/w
probes 1
is 'fields' 128 "$(count 'field:u64 a' events/kprobes/most/format)"
{ printf 'p:more vfs_read'; args 129; } > /tmp/w
refused . dd if=/tmp/w of=kprobe_events conv=notrunc oflag=append status=none
probes 1

: > kprobe_events
holds kprobe_events ''
no_groups
