# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# shellcheck shell=bash
#
# Unmodified tracing tools on our files: for tests that have "tools: probe-events".
#
# With ON=stock in the environment the same test runs on the kernel's own files, to
# see what it expects there.

# shellcheck source=tests/func/lib/events_lib.sh
. /host/events_lib.sh

tracing=/sys/kernel/tracing
target=/sys/module/pe_target/parameters/call

# The symbols the tests' probes are at. All of /proc/kallsyms takes trace-cmd seconds per
# command under emulation.
grep -wE 'read_zero|vfs_read|vfs_write|pe_target_[a-z]*|pe_stress_target' /proc/kallsyms > /tmp/kallsyms

cat > /tmp/with_kallsyms <<'EOS'
#!/bin/sh
mount --bind /tmp/kallsyms /proc/kallsyms
exec "$@"
EOS
chmod +x /tmp/with_kallsyms

if [ "${ON:-}" = stock ]; then
	mount -t tracefs tracefs $tracing
	PROBES=$tracing
	on_ours() { unshare -m /tmp/with_kallsyms "$@"; }
elif [ "$PROBES" = $tracing ]; then	# our files are tracefs: nothing to wrap
	on_ours() { unshare -m /tmp/with_kallsyms "$@"; }
else
	on_ours() { /host/probe-events exec /tmp/with_kallsyms "$@"; }
fi

# tc ARGS...: trace-cmd; what it says is in /tmp/tc.out, and shown when it fails.
tc() {
	local status=0

	on_ours trace-cmd "$@" > /tmp/tc.out 2>&1 || status=$?
	[ $status = 0 ] || fail "trace-cmd $*: status $status, $(cat /tmp/tc.out)"
}

# report FILE [ARGS...]: its text, without the plugins, which only cost time here.
report() { on_ours trace-cmd report -N -i "$@" 2> /dev/null; }

# lost: from report's text on stdin, the sum of its "[N EVENTS DROPPED]"
lost() {
	awk '/\[EVENTS DROPPED\]/ { print "unknown"; exit }
	     /EVENTS DROPPED\]/ { n = $0; sub(/.*\[/, "", n); sum += n + 0 } END { print sum + 0 }'
}

# target_probes: pe_target and an event on each of two of its functions; /tmp/work ADDS STRINGS
# calls them so often.
target_probes() {
	insmod /modules/pe_target.ko
	echo 'p:tct/add pe_target:pe_target_add a=%di:u64 b=%si:u32' > "$PROBES/kprobe_events"
	echo 'p:tct/str pe_target:pe_target_string s=+0(%di):string n=%si:s32' >> "$PROBES/kprobe_events"
	cat > /tmp/work <<-END
		#!/bin/sh
		echo "add \$1" > $target
		echo "string \$2" > $target
	END
	chmod +x /tmp/work
}

# recorded EVENT FILE: how many of it a recording has
recorded() { report "$2" | count ": $1: "; }

# said TEXT: trace-cmd did, at last
said() { has /tmp/tc.out "$1" -F; }
