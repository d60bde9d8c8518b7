#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: mount options uid, gid and mode, remounting, owners that chown chose
# seconds: 3
# tier: 6.12-cloud 6.1-cloud bare

set -eu
# shellcheck source=tests/func/lib/check_lib.sh
. /host/check_lib.sh

type=$(findmnt -n -o FSTYPE "$PROBES")

as_nobody() { setpriv --reuid "$1" --regid "$2" --clear-groups "${@:3}"; }
# With a source named, mount(8) does not add the options of before.
remount() { mount -o "remount,$1" none "$PROBES"; }
owner() { stat -c %a,%u:%g "$PROBES/$1"; }
options() { findmnt -n -o FS-OPTIONS "$1"; }

is 'root by default' 700,0:0 "$(owner .)"
is 'file to write' 640,0:0 "$(owner trace)"
is 'file to read' 440,0:0 "$(owner README)"
is 'directory' 750,0:0 "$(owner per_cpu/cpu0)"
is 'options by default' rw "$(options "$PROBES")"

# One superblock: a second mount shows the same, with its options applied.
mkdir -p /tmp/other
mount -t "$type" -o gid=44 none /tmp/other
is 'gid by a second mount' 640,0:44 "$(owner trace)"
is 'gid of the root' 700,0:44 "$(owner .)"
is 'gid shown' rw,gid=44 "$(options "$PROBES")"
is 'gid shown there, too' rw,gid=44 "$(options /tmp/other)"
mkdir -p /tmp/third
mount -t "$type" none /tmp/third
is 'no option, no change' rw,gid=44 "$(options "$PROBES")"
umount /tmp/third
umount /tmp/other

# A remount changes what it names.
remount mode=755
is 'mode' 755,0:44 "$(owner .)"
is 'mode and gid shown' rw,gid=44,mode=755 "$(options "$PROBES")"
remount uid=7,gid=8
is 'uid and gid' 440,7:8 "$(owner README)"
is 'all shown' rw,uid=7,gid=8,mode=755 "$(options "$PROBES")"

# What chown chose stays until a remount names it.
chown 100:101 "$PROBES/trace"
chmod 660 "$PROBES/trace"
chown :102 "$PROBES/per_cpu"
is 'chown' 660,100:101 "$(owner trace)"
is 'chown of the group only' 750,7:102 "$(owner per_cpu)"
remount gid=9
is 'gid is taken back' 660,100:9 "$(owner trace)"
is 'of directories, too' 750,7:9 "$(owner per_cpu)"

# What is below the top, or in an instance, follows the directory instances if that was
# given to a user, and the top directory; other directories pass nothing on.
mkdir "$PROBES/instances/before"
chgrp 30 "$PROBES/instances"
mkdir "$PROBES/instances/after"
for f in instances instances/{before,after}{,/events,/events/ftrace/print/format,/per_cpu/cpu0/trace}; do
	is "follows instances: $f" 7:30 "$(stat -c %u:%g "$PROBES/$f")"
done
is 'not what is beside it' 640,7:9 "$(owner tracing_on)"
chown 31:32 "$PROBES"
is 'follows the top' 640,31:32 "$(owner tracing_on)"
is 'down to the leaves' 640,31:32 "$(owner per_cpu/cpu0/trace)"
is 'follows both' 640,31:30 "$(owner instances/after/tracing_on)"
chgrp 33 "$PROBES/events"
is 'of events' 755,31:33 "$(owner events)"
is 'not in it' 755,31:32 "$(owner events/ftrace)"
is 'has one of its own' 660,100:32 "$(owner trace)"
refused . as_nobody 65534 30 rmdir "$PROBES/instances/after"
as_nobody 31 30 test -w "$PROBES/instances/after/tracing_on"
chmod 770 "$PROBES/instances"
chmod 711 "$PROBES"
as_nobody 65534 30 mkdir "$PROBES/instances/theirs"
as_nobody 65534 30 cat "$PROBES/instances/theirs/tracing_on" > /dev/null
as_nobody 65534 30 rmdir "$PROBES"/instances/{before,after,theirs}
chmod 750 "$PROBES/instances"
chmod 755 "$PROBES"
as_nobody 65534 65534 ls "$PROBES/events/ftrace" > /dev/null
remount uid=7,gid=9
is 'all is taken back' 640,7:9 "$(owner tracing_on)"
chown 100:101 "$PROBES/trace"
remount gid=9
echo 3 > /proc/sys/vm/drop_caches
is 'kept without inode' 660,100:9 "$(owner trace)"

# Permissions count: an unprivileged process.
as_nobody 100 65534 cat "$PROBES/trace" > /dev/null
as_nobody 65534 9 cat "$PROBES/README" > /dev/null
refused . as_nobody 65534 65534 cat "$PROBES/README"
refused . as_nobody 65534 9 sh -c "echo 1 >> $PROBES/README"
refused . as_nobody 65534 9 chmod 777 "$PROBES/trace"
remount mode=700
refused . as_nobody 65534 9 cat "$PROBES/README"

# Who may read the files need not be one who may see kernel addresses: a place that is
# one is hashed for him, and no task finds one in an event's name.
echo 1 > /proc/sys/kernel/kptr_restrict
remount mode=755
addr=$(awk '$3 == "vfs_read" { print $1; exit }' /proc/kallsyms)
printf '%s\n' "p 0x$addr" "p:named 0x$addr" > "$PROBES/kprobe_events"
named=$(grep named "$PROBES/kprobe_events")
is 'shown to root' "p:kprobes/named 0x$addr" "$named"
is 'shown to root' 2 "$(count " 0x$addr" "$PROBES/kprobe_losses")"
for file in kprobe_events dynamic_events kprobe_losses kprobe_profile available_events; do
	as_nobody 65534 9 cat "$PROBES/$file" > /tmp/seen
	is "probes in $file" 2 "$(count 'named\|p_0x' /tmp/seen)"
	lacks /tmp/seen "$addr"
done
name=$(ls "$PROBES/events/kprobes" | grep '^p_')
is 'form of the name' p_0x "$(sed -E 's/[0-9a-f]{16}$//' <<< "$name")"
differs 'address in the name' "p_0x$addr" "$name"
: > "$PROBES/kprobe_events"
: > "$PROBES/error_log"
echo 0 > /proc/sys/kernel/kptr_restrict
remount mode=700

# Bad options change nothing.
before=$(options "$PROBES")
for bad in uid=x uid=-2 uid=4294967295 gid= mode=9 mode=x nonsense nonsense=1; do
	refused . remount "$bad"
	is "after $bad" "$before" "$(options "$PROBES")"
done

# A mount after the last one is gone starts anew; chmod and chown stay.
cd /
umount "$PROBES"
is 'not mounted' '' "$(findmnt -n -o FSTYPE "$PROBES" || true)"
mount -t "$type" -o mode=711,uid=5 none "$PROBES"
is 'new mount' rw,uid=5,mode=711 "$(options "$PROBES")"
is 'new root' 711,5:0 "$(owner .)"
is 'chown and chmod stayed' 660,100:0 "$(owner trace)"
is 'the others follow the mount' 440,5:0 "$(owner README)"
chmod 640 "$PROBES/trace"
umount "$PROBES"
mount -t "$type" "$type" "$PROBES"
remount uid=0,gid=0
is 'back to the start' 640,0:0 "$(owner trace)"
is 'back to the start' rw "$(options "$PROBES")"

# Read only.
mount -o remount,ro,bind "$PROBES"
refused . sh -c "echo 0 > $PROBES/tracing_on"
cat "$PROBES/tracing_on" > /dev/null
mount -o remount,rw,bind "$PROBES"
is 'statfs' 0 "$(stat -f -c %b "$PROBES")"
