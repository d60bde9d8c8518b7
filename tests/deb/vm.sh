#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
#
# On a booted Debian: packages with modules that are built, and the unit.
set -u
# shellcheck source=tests/deb/steps.sh
. /root/steps.sh
export PATH=/usr/sbin:/usr/bin:/sbin:/bin
probes=/sys/kernel/probes
modules=probe-events-modules-$kernel

now() { cut -d' ' -f1 /proc/uptime; }
since() { awk -v a="$1" -v b="$(now)" 'BEGIN { printf "%.1f", b - a }'; }
recorded() { cat /etc/hostname >/dev/null; grep -m 1 "$1: .*file=\"/etc/hostname\"" $probes/trace; }
journal() { journalctl -u probe-events -o cat --no-pager; }
# within SECONDS COMMAND...: until it succeeds
within() {
	local try
	for ((try = 0; try < 2 * $1; try++)); do "${@:2}" && return; sleep 0.5; done
	return 1
}

first_record() {
	local start
	mkdir -p /etc/probe-events
	cp /root/open.events /etc/probe-events/
	start=$(now)
	# shellcheck disable=SC2046	# words
	step 'apt install' install $(debs probe-events "$modules")
	echo "measured: apt install takes $(since "$start") s"
	step 'the first record' within 30 recorded open
	echo "measured: from apt install to the first record $(since "$start") s"
	is 'the unit' active "$(systemctl is-active probe-events)"
	is 'the unit starts at boot' enabled "$(systemctl is-enabled probe-events)"
	is 'version of the module' "$version" "$(cat /sys/module/probe_events/version)"
	is '--version' "probe-events $version" "$(probe-events --version)"
	step 'doctor' probe-events doctor
	size=$(dpkg-query -W -f '${Installed-Size}' "$modules")
	echo "measured: $modules has $size KiB"
	[ "$size" -le 2048 ] && ok 'at most 2 MiB' || bad 'at most 2 MiB'
	step 'a record of an event that a file defines' bash /root/record
}

bad_lines() {
	printf '%s\n' '# bad ones among good ones' 'p:good_one vfs_read' 'p:bad_one no_such_function' 'rubbish' \
		'r:good_two vfs_write' >/etc/probe-events/bad.events
	step 'reload' systemctl reload probe-events
	says 'a bad line: file, number, reason' '/etc/probe-events/bad.events:3: ' journal
	says 'another' '/etc/probe-events/bad.events:4: ' journal
	says 'how many' '4 events defined from /etc/probe-events, 2 lines refused' journal
	says 'the others are defined' 'kprobes/good_one' cat $probes/dynamic_events
	says 'after the bad ones, too' 'kprobes/good_two' cat $probes/dynamic_events
	is 'and enabled' 1 "$(cat $probes/events/kprobes/good_two/enable)"
	rm /etc/probe-events/bad.events
	step 'reload without the file' systemctl reload probe-events
	is 'its events are gone' '' "$(grep good_ $probes/dynamic_events)"
}

# The unit's events stay its own: a restart whose stop fails, and a reload while an instance uses one
restart_in_use() {
	sleep 10000 7<$probes/trace &
	step 'restart with a file open' systemctl restart probe-events
	says 'it says who has it open' "$! (sleep)" journal
	mkdir $probes/instances/other
	echo 1 >$probes/instances/other/events/kprobes/sleeps/enable
	rm /etc/probe-events/sleeps.events
	step 'reload while an instance uses an event' systemctl reload probe-events
	says 'which stays' 'kprobes/sleeps stays: ' journal
	rmdir $probes/instances/other
	step 'reload after that' systemctl reload probe-events
	is 'it is gone' '' "$(grep sleeps $probes/dynamic_events)"
	is 'the others are there' 'kprobes/open kprobes/open_failed' \
		"$(grep -o 'kprobes/open[a-z_]*' $probes/dynamic_events | xargs)"
	kill $!
	wait $! 2>/dev/null
}

# A call is in a function with a return probe all the time; first, a file is open as well.
upgrade() {
	local sleeper reader
	echo 'r:sleeps do_nanosleep' >/etc/probe-events/sleeps.events
	systemctl reload probe-events
	sleep 10000 &
	sleeper=$!
	sleep 10000 7<$probes/trace &
	reader=$!
	packages=/root/packages/new
	# shellcheck disable=SC2046	# words
	refused 'upgrade with a file open' "$reader (sleep)" install $(debs probe-events "$modules")
	says 'which version is loaded' "probe_core $version " cat /root/said
	says 'which is installed' 'is loaded, 1000.0.1 ' cat /root/said
	says 'what mends it' 'systemctl restart probe-events' cat /root/said
	is 'it does not look installed' half-configured "$(status_of probe-events)"
	is 'the old module is loaded' "$version" "$(cat /sys/module/probe_events/version)"
	is 'with its events' kprobes/sleeps "$(grep -o kprobes/sleeps $probes/dynamic_events)"
	kill $reader
	wait $reader 2>/dev/null
	step 'upgrade with probes armed' dpkg --configure -a
	packages=/root/packages/old
	is 'the unit after the upgrade' active "$(systemctl is-active probe-events)"
	is 'the new module is loaded' 1000.0.1 "$(cat /sys/module/probe_events/version)"
	step 'a record after the upgrade' within 30 recorded open
	is 'the call is still in progress' sleep "$(cat /proc/$sleeper/comm)"
	kill $sleeper
	wait $sleeper 2>/dev/null
	restart_in_use
	# What is loaded and what is installed need not be the same.
	cp /usr/bin/probe-events /root/new-probe-events
	# shellcheck disable=SC2046	# words
	dpkg -x $(debs probe-events) /root/old
	says 'two versions are named' "another one: probe_events-1000.0.1" /root/old/usr/bin/probe-events --version
	says 'by doctor, too' "the module is version 1000.0.1, this command $version" /root/old/usr/bin/probe-events doctor
}

# A chroot that sees this machine's /proc, /sys and /run: what is done there is kept in memory.
elsewhere() {
	local dir=/root/elsewhere root=/root/elsewhere/root
	mkdir $dir
	mount -t tmpfs tmpfs $dir
	mkdir $dir/upper $dir/work $root
	step 'a chroot' mount -t overlay overlay -o lowerdir=/,upperdir=$dir/upper,workdir=$dir/work $root
	mount -t proc proc $root/proc
	mount -t sysfs sysfs $root/sys
	mount --bind /run $root/run
	mount --bind /dev $root/dev
	step 'removal in a chroot' chroot $root dpkg --remove probe-events "$modules"
	says 'it says what stays' 'modules of probe-events stay loaded' cat /root/said
	is 'it is removed there' config-files "$(chroot $root dpkg-query -W -f '${db:Status-Status}' probe-events)"
	packages=/root/packages/new
	# shellcheck disable=SC2046	# words
	step 'installation in a chroot' chroot $root dpkg --install $(debs probe-events "$modules")
	packages=/root/packages/old
	umount $root/dev $root/run $root/sys $root/proc $root $dir
	rmdir $dir
	is 'the unit of the machine' active "$(systemctl is-active probe-events)"
	step 'a record on the machine' within 30 recorded open
}

# not_removed WHAT: while the background's last process, a sleep, uses that
not_removed() {
	sleep 1
	refused "removal while $1 is in use" "$! (sleep)" apt-get -q -y remove probe-events
	says 'what to do' 'remove it again' cat /root/said
	kill $!
	wait $! 2>/dev/null
}

removal() {
	(cd $probes && exec sleep 10000) &
	not_removed 'a directory'
	sleep 10000 7<$probes/trace &
	not_removed 'a file'
	step 'removal' apt-get -q -y remove probe-events
	is 'no module' '' "$(grep -o '^probe_[a-z]*' /proc/modules)"
	is 'no mount' '' "$(grep probefs /proc/mounts)"
	step 'purge' apt-get -q -y purge probe-events "$modules"
	is 'no unit' '' "$(systemctl list-unit-files | grep probe-events)"
	inventory >/root/after
	is 'purge leaves nothing' '' "$(diff /root/before /root/after | grep '^[<>]' | grep -v "/lib/modules/$kernel/modules\.")"
}

# The switch cannot be set back: this is the last step.
signatures() {
	echo Y >/sys/module/module/parameters/sig_enforce
	# shellcheck disable=SC2046	# words
	refused 'a kernel that demands signatures' 'missing  a signature of the module' install $(debs probe-events "$modules")
	says 'what mends it' 'apt-get install probe-events-dkms' cat /root/said
	is 'it does not look installed' half-configured "$(status_of probe-events)"
	is 'the unit has failed' failed "$(systemctl is-failed probe-events)"
	is 'nothing is loaded' '' "$(grep -o '^probe_[a-z]*' /proc/modules)"
	step 'purge of it' apt-get -q -y purge probe-events "$modules"
}

main() {
	echo "# booted in $(now) s, $(uname -r)"
	is 'the kernel' "$kernel" "$(uname -r)"
	install_libraries
	inventory >/root/before
	first_record
	bad_lines
	upgrade
	elsewhere
	removal
	signatures
	verdict
}

main
