#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: each allocation of a write of a session fails once: all of the write is there, or nothing
# tier: none
# needs: failures
# modes: default interpreted breakpoints plain
# seconds: debug=60
# tools: inject ktext

set -eu
cd "$PROBES"
echo 0 > kprobes/optimization	# text changes at commands only
INJECT_EDGE=$(length 100 2000)	# all but most of those of an instance
# shellcheck source=tests/func/lib/inject_lib.sh
. /host/inject_lib.sh
fresh() { exec 3>&-; exec 3<> session; read -r _ nr <&3; }
echo 16 > buffer_size_kb	# otherwise the first enabling enlarges it, for good
exec 3<> session
fresh
/host/ktext save /tmp/text

sweep 'define and enable' put 3 'p:a vfs_fallocate a=%di
enable a' -- put 3 '-:a'
sweep 'all kinds of lines' put 3 'comment of a session
p:a vfs_fallocate a=%di
r:b vfs_fsync_range ret=$retval
f:c vfs_fallocate*
filter a a == 1
filter a a == 2
limit a hits=9 ttl=1h
limit a hits=8
limit b none
trigger a stacktrace if a == 3
trigger b enable_event:s'"$nr"':a
enable a
enable b
enable c' -- put 3 '-:a
-:b
-:c'
printf 'p:old vfs_fallocate\n' >&3
printf 'enable old\n' >&3
sweep 'take away and make' put 3 'p:a vfs_fsync_range
enable a
disable old
-:old' -- put 3 '-:a
p:old vfs_fallocate
enable old'
fresh
sweep 'instance' write session 'instance 8
p:a vfs_fallocate
enable a' --
sweep 'list' read sessions
exec 3>&-
swept 50
