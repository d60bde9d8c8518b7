# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# shellcheck shell=bash
#
# Modes: how the engine's switches are set while a test runs. In the VM, as /vm/mode.sh.
#
#   default       as the modules are loaded: both are 1
#   interpreted   kprobes/compile is 0
#   breakpoints   kprobes/optimization is 0
#   plain         both are 0
#   toggled       both change at random intervals, all the time
#
# A test that loads the modules itself finds the switches at 1 after that, but in toggled.

mode_dir=/run/mode

# begin_mode MODE SHORTEST LONGEST: the modules are loaded. While they are toggled, the switches
# rest for so many milliseconds.
begin_mode() {
	case $1 in
	interpreted) switch_off compile ;;
	breakpoints) switch_off optimization ;;
	plain) switch_off compile optimization ;;
	toggled) begin_toggling "$2" "$3" ;;
	default) ;;
	*) echo "unknown mode $1" >&2; return 1 ;;
	esac
}

# end_mode MODE: before they are unloaded. False, and says why, when it was another mode in truth.
end_mode() {
	case $1 in
	default) ;;
	toggled) end_toggling ;;
	*) still_off ;;
	esac
}

# Another inode means that the module was loaded anew.
loaded() { stat -c %i /sys/module/probe_events 2>/dev/null; }

# switch_off NAME...
switch_off() {
	local name
	switches_off=() loaded_as=$(loaded)
	for name; do
		[ -e "$PROBES/kprobes/$name" ] || continue
		echo 0 >"$PROBES/kprobes/$name" || return
		switches_off+=("$name")
	done
}

# Not where the test has unmounted our files, or loaded the modules anew.
still_off() {
	local name
	[ "$(loaded)" = "$loaded_as" ] || return 0
	for name in "${switches_off[@]}"; do
		[ -e "$PROBES/kprobes/$name" ] && [ "$(<"$PROBES/kprobes/$name")" != 0 ] || continue
		echo "the test has changed kprobes/$name"
		return 1
	done
}

# flip NAME: false while our files are not mounted
flip() {
	local file=$PROBES/kprobes/$1 now
	{ read -r now <"$file" && echo $((1 - now)) >"$file"; } 2>/dev/null
}

toggle() {
	local shortest=$1 longest=$2 n=0 ms
	while :; do
		exec 9>$mode_dir/lock
		flock 9
		case $((RANDOM % 3)) in
		0) flip compile && n=$((n + 1)) ;;
		1) flip optimization && n=$((n + 1)) ;;
		2) flip compile && flip optimization && n=$((n + 2)) ;;
		esac
		echo $n >$mode_dir/count
		exec 9>&-
		ms=$((shortest + RANDOM % (longest - shortest + 1)))
		sleep $((ms / 1000)).$(printf %03d $((ms % 1000)))
	done
}

# An open file keeps our files from being unmounted, and probe_events from being unloaded: commands
# that do that wait for the lock. No others do: rmmod may wait for a call, and that for another rmmod.
# These are found in $PATH first, so that they wait when timeout(1) starts them, too.
begin_toggling() {
	local command
	mkdir -p $mode_dir/bin
	for command in rmmod modprobe umount; do
		cat >$mode_dir/bin/$command <<-END
			#!/bin/sh
			case "$command \$*" in
			umount*|*probe_events*) exec flock -F $mode_dir/lock $(type -P $command) "\$@" ;;
			*) exec $(type -P $command) "\$@" ;;
			esac
		END
		chmod +x $mode_dir/bin/$command
	done
	rm -f $mode_dir/count
	(cd / && toggle "$1" "$2") </dev/null >/dev/null &
	toggler=$!
}

end_toggling() {
	local ended=0 n=0
	flock $mode_dir/lock kill "$toggler" 2>/dev/null || ended=1
	wait "$toggler" 2>/dev/null
	[ ! -e $mode_dir/count ] || read -r n <$mode_dir/count
	rm -r $mode_dir
	echo "mode toggled: the switches changed $n times"
	[ $ended = 0 ] || echo "what toggles them has ended too early"
	[ $ended = 0 ] && [ "$n" -gt 0 ]
}
