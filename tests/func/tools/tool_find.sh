#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: probe-events find: what it lists and refuses is what an event of that pattern arms and refuses
# tier: 6.12-cloud bare
# seconds: 9 debug=10
# tools: probe-events
set -eu
# shellcheck source=tests/func/lib/check_lib.sh
. /host/check_lib.sh
tool=/host/probe-events
cd "$PROBES"

# find_names PATTERN: into /tmp/good and /tmp/bad, names without module and prototype
find_names() {
	"$tool" find "$1" > /tmp/found 2> /tmp/err
	sed -n '$!{/^$/!p}' /tmp/found | gawk '
		/^    cannot be probed: / { bad[last]; next }
		{ last = $1; sub(/\(.*/, "", last); sub(/.*:/, "", last); all[last] }
		END { for (f in all) print f > (f in bad ? "/tmp/bad" : "/tmp/good") }'
	sort -o /tmp/good /tmp/good
	touch /tmp/bad
	sort -o /tmp/bad /tmp/bad
}

for pattern in 'vfs_*' '*_nmi*'; do
	rm -f /tmp/good /tmp/bad
	echo "f:find/all $pattern" > dynamic_events
	gawk '{ sub(/\+.*/, "", $3); print $3 }' kprobes/list | sort -u > /tmp/armed
	echo > dynamic_events
	find_names "$pattern"
	echo "$pattern: $(wc -l < /tmp/armed) in the event, $(wc -l < /tmp/good) found, $(wc -l < /tmp/bad) refused"
	at_least "functions of $pattern" 5 "$(wc -l < /tmp/armed)"
	is "$pattern: in the event, not found" '' "$(comm -23 /tmp/armed /tmp/good)"
	is "$pattern: in the event and refused" '' "$(comm -12 /tmp/armed /tmp/bad)"
done
at_least 'refused functions' 1 "$(wc -l < /tmp/bad)"

# Parameters, where the kernel has type data; a part of a name where there is none of it.
if [ -e /sys/kernel/btf/vmlinux ]; then
	"$tool" find vfs_fsyn > /tmp/found
	is 'a part of a name' 'vfs_fsync(struct file *file, int datasync) -> int' "$(head -n 1 /tmp/found)"
	"$tool" find vfs_read > /tmp/found
	has /tmp/found '^vfs_read(struct file \*file, char \*buf, size_t count, loff_t \*pos) -> ssize_t$'
	has /tmp/found '^1 function$'
else
	"$tool" find vfs_fsyn > /tmp/found 2> /tmp/err
	is 'a part of a name' vfs_fsync "$(head -n 1 /tmp/found)"
	has /tmp/err 'no type data'
fi

# status WANTED TEXT WORDS...: its status, and what it says
status() {
	local got=0
	"$tool" find "${@:3}" > /tmp/found 2> /tmp/err || got=$?
	is "status of find ${*:3}" "$1" "$got"
	has /tmp/err "$2"
}
status 1 'no such function: no_such_function' no_such_function
status 1 'no such function: vfs_raed (meant: vfs_read?)$' vfs_raed
status 1 'no such function: vfs_raed\*$' 'vfs_raed*'
status 2 'which function' ''
status 2 'which function' a b
status 2 'which function'
cd /
umount "$PROBES"
status 0 "not at $PROBES: mount -t" vfs_fsync
