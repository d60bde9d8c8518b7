# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# shellcheck shell=bash
#
# The part that runs in the VM: loading and unloading our modules, leaving nothing, and judging
# the kernel's log. Sourced by init, and by scripts that load and unload for themselves
# (tests/vm/run --no-modules), as /vm/guest.sh. Remarks go through remark(), which the
# sourcing script may define.

declare -F remark >/dev/null || remark() { printf '%s\n' "$*"; }

# has_fs NAME: a type of file system that the kernel knows
has_fs() { [[ $(</proc/filesystems)$'\n' == *$'\t'"$1"$'\n'* ]]; }

# load_modules [PARAMETER...]: insert ours, the last with parameters, mount our file system and set
# PROBES. Here and in what undoes it, commands are busybox's and few: it is done for each test, and
# starting others takes longer than what they do.
load_modules() {
	local had_tracefs=0
	[ ! -e /run/scanned ] || rm /run/scanned
	! has_fs tracefs || had_tracefs=1
	[ -d /sys/module/probe_arena ] || busybox insmod /modules/probe_arena.ko || return
	busybox insmod /modules/probe_core.ko || return
	[ -e /modules/probe_events.ko ] || return 0
	busybox insmod /modules/probe_events.ko "$@" || return
	if has_fs probefs; then
		PROBES=/sys/kernel/probes
		busybox mount -t probefs probefs $PROBES || return
	elif [ $had_tracefs = 0 ] && has_fs tracefs; then
		PROBES=/sys/kernel/tracing
		busybox mount -t tracefs tracefs $PROBES || return
	else
		echo "probe_events is loaded and registered no file system" >&2
		return 1
	fi
	export PROBES
}

# kill_all_but PID...: end every process but these, us, process 1 and kernel threads.
kill_all_but() {
	local dir pid keep=" 1 $$ $* "
	for dir in /proc/[0-9]*; do
		pid=${dir#/proc/}
		[[ $keep == *" $pid "* || ! -e $dir/exe ]] || kill -KILL "$pid"
	done 2>/dev/null
}

# A module or a directory is busy for a moment after its last user was killed.
patiently() {
	local try
	for try in {1..20}; do
		"$@" 2>/tmp/patiently && return
		sleep 0.5
	done
	remark "$* fails after $try attempts: $(cat /tmp/patiently)"
	return 1
}

unload_module() {
	[ ! -d "/sys/module/$1" ] || patiently busybox rmmod "$1"
}

# The arena stays as long as a task is in a probed function, which may be the main function of a
# kernel thread, or of an idle task, which is not in /proc. In doubt it stays, too: of a function
# in which tasks have ended, a leftover on a stack may look like a call. It says so, and looks
# again after some seconds. The tests ret_dying, ret_late and ret_unload want it to go.
unload_arena() {
	local try file
	for try in {1..40}; do
		[ -d /sys/module/probe_arena ] && ! busybox rmmod probe_arena 2>/tmp/patiently || return 0
		sleep 0.5
		[ $((try % 10)) = 0 ] || continue
		for file in /proc/[0-9]*/stack; do
			! grep -q '\[probe_arena\]' "$file" || return 0
		done 2>/dev/null
	done
	! dmesg | grep -q 'probe_arena: .*: staying until no task needs' || return 0
	remark "rmmod probe_arena fails after $try attempts, and no task is in it: $(cat /tmp/patiently)"
	return 1
}

# Ours may be mounted in several places; the script may have left the kernel's there.
unmount_ours() {
	local mounts i type dir
	mapfile -t mounts </proc/self/mounts
	for ((i = ${#mounts[@]} - 1; i >= 0; i--)); do
		read -r _ dir type _ <<<"${mounts[i]}"
		case $type in
		probefs|tracefs) patiently busybox umount "$dir" || true ;;
		esac
	done
}

# Test modules go first (newest first, as /proc/modules lists them), then ours.
unload() {
	local listed module bad=0
	unmount_ours
	mapfile -t listed </proc/modules
	for module in "${listed[@]}"; do
		[[ $module != pe_* ]] || unload_module "${module%% *}" || bad=1
	done
	unload_module probe_events || bad=1
	if [ -e /run/core_stays ]; then		# the test says so: it must not go
		! busybox rmmod probe_core 2>/dev/null || bad=1
		return $bad
	fi
	unload_module probe_core && unload_arena || bad=1
	return $bad
}

bad_message='WARNING: |BUG: |Oops|lockdep|possible (recursive|circular) locking|KASAN|UBSAN|'\
'KCSAN|suspicious RCU|\bleak|rcu: INFO|detected stalls?|LOCKUP|blocked for more than|general protection|'\
'Call Trace|bad page|ODEBUG|scheduling while atomic|Kernel panic|unchecked MSR'

# Memory that nothing points to. It counts when two scans find it so and it is five seconds
# old. What was found is forgotten afterwards: the next test answers for itself. Two scans take
# twenty seconds of a CPU: none when nothing of ours was loaded since the last.
#
# One leak is the kernel's own: sysfs_slab_add() forgets the name of a cache that it has no memory to
# show in sysfs. Only injected failures lead there.
kmemleak_scan() {
	local file=/sys/kernel/debug/kmemleak found
	[ -e $file ] && [ ! -e /run/scanned ] || return 0
	: >/run/scanned
	if ! echo scan >$file; then
		remark "kmemleak has switched itself off"
		return 1
	fi
	sleep 5
	echo scan >$file
	found=$(busybox awk '
		function tell() {
			if (!(named && slab)) printf "%s", report
			report = ""; named = slab = 0
		}
		/^unreferenced object/ { tell() }
		{ report = report $0 "\n" }
		/kobject_set_name_vargs/ { named = 1 }
		/sysfs_slab_add/ { slab = 1 }
		END { tell() }' $file | head -n 60)
	[ -z "$found" ] && return
	while read -r line; do remark "kmemleak: $line"; done <<<"$found"
	echo clear >$file
	return 1
}

# Lockdep says one thing and then nothing any more: silence must not look like peace.
lockdep_alive() {
	[ -e /proc/lockdep_stats ] || return 0
	[ "$(awk '$1 == "debug_locks:" { print $2 }' /proc/lockdep_stats)" = 1 ] && return
	remark "lockdep has switched itself off"
	return 1
}

# The line at which log_scan starts to look.
log_mark() {
	mark="probe-events vm: mark $((marks += 1))"
	echo "$mark" >/dev/kmsg
}

# The log since our mark; all of it when the mark was overwritten.
log_scan() {
	local found
	found=$(busybox dmesg | busybox awk -v mark="$mark" '
		index($0, mark) { n = 0; next } { line[n++] = $0 } END { for (i = 0; i < n; i++) print line[i] }' |
		grep -E "$bad_message" | grep -v 'kmemleak: [0-9]* new suspected')	# these: kmemleak_scan
	[ -z "$found" ] && return
	while read -r line; do remark "kernel log: $line"; done < <(head -n 20 <<<"$found")
	return 1
}

# reboot_verdict: for a script that ends with reboot(2): all is well so far. What the kernel says
# from now on, and how it ends, is judged by tests/vm/run.
reboot_verdict() {
	log_mark
	printf 'verdict reboot\n' >/dev/ttyS1
	stty -F /dev/ttyS1 >/dev/null
}
