#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
#
# What the packages run: probe-events-service, and scripts of dpkg as scripts/deb/make fills them in. They
# run on a machine that is made of files: the folders /sys, /proc, /run, /etc and /lib/modules of their
# texts are in $tmp, and commands that ask or change a kernel are ours.
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "$0")/../../scripts/lib.sh"

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
probes=$tmp/sys/kernel/probes
list=$tmp/run/probe-events/events
checks=0

fail() {
	printf '%s\n' "packages: $1"
	cat "$tmp/said"
	exit 1
}

# is NAME WANTED GOT
is() { checks=$((checks + 1)); [ "$2" = "$3" ] || fail "$1: wanted '$2', got '$3'"; }
# says NAME TEXT: in what was said last
says() { checks=$((checks + 1)); grep -qF -- "$2" "$tmp/said" || fail "$1: does not say '$2'"; }
silent() { is "$1: silent" '' "$(cat "$tmp/said")"; }

# command NAME: its text is standard input
command_is() { { echo '#!/bin/bash'; echo "tmp=$tmp probes=$probes"; cat; } >"$tmp/bin/$1"; chmod 755 "$tmp/bin/$1"; }

# moved FILE: as it runs here
moved() { sed -E "s#(^|[^a-zA-Z0-9}])/(sys|proc|run|etc|usr/libexec|lib/modules)/#\1$tmp/\2/#g" "$1"; }

# run NAME STATUS COMMAND...
run() {
	local name=$1 wanted=$2 status=0
	shift 2
	PATH=$tmp/bin:$PATH "$@" >"$tmp/said" 2>&1 || status=$?
	is "$name: status" "$wanted" "$status"
}

# The kernel: a file "open" keeps a mount, a file "busy" the modules. dynamic_events is a list of
# commands; it is carried out by who reads it.
make_kernel() {
	mkdir -p "$tmp"/{bin,sys/module,sys/kernel,proc/self,etc/probe-events,run,installed}
	printf 'nodev\tprobefs\n' >"$tmp/proc/filesystems"
	: >"$tmp/proc/self/mounts"
	command_is sleep </dev/null
	command_is dmesg </dev/null
	command_is mount <<-'END'
		echo "probefs $4 probefs rw 0 0" >>"$tmp/proc/self/mounts"
	END
	command_is umount <<-'END'
		[ ! -e "$tmp/open" ] || { echo 'target is busy' >&2; exit 32; }
		at=${1//\\/\\134} at=${at// /\\040}
		AT=$at awk '$2 == ENVIRON["AT"] { found = 1; next } { print } END { exit !found }' \
			"$tmp/proc/self/mounts" >"$tmp/mounts" || { echo "$1: not mounted" >&2; exit 32; }
		cat "$tmp/mounts" >"$tmp/proc/self/mounts"
	END
	command_is modinfo <<-'END'
		awk -v field="$2" '{ print field == "version" ? $1 : $2 }' "$tmp/installed/$3" 2>/dev/null
	END
	command_is modprobe <<-'END'
		echo "modprobe $*" >>"$tmp/called"
		if [ "$1" = -r ]; then
			[ ! -e "$tmp/busy" ] || { echo 'modprobe: FATAL: Module probe_core is in use.' >&2; exit 1; }
			rm -rf "$tmp"/sys/module/probe_{core,events} "$probes"
		fi
		[ "$1" != -r ] && [ ! -d "$tmp/sys/module/probe_events" ] || exit 0
		mkdir -p "$probes/events" "$tmp"/sys/module/probe_{arena,core/holders,events}
		: >"$probes/dynamic_events" >"$probes/error_log"
		for module in probe_core probe_events; do
			read -r version srcversion <"$tmp/installed/$module"
			echo "$version" >"$tmp/sys/module/$module/version"
			echo "$srcversion" >"$tmp/sys/module/$module/srcversion"
		done
	END
	command_is rmmod <<-'END'
		rmdir "$tmp/sys/module/$1"
	END
	command_is sed <<-'TEXT'
		if [[ ${!#} == */dynamic_events ]]; then
			awk '/^-:/ { delete line[substr($0, 3)]; next } { split($1, part, ":"); line[part[2]] = $0 }
				END { for (event in line) print line[event] }' "${!#}" >"$tmp/left"
			cat "$tmp/left" >"${!#}"
			mv "$probes/events" "$probes/before"
			mkdir "$probes/events"
			while read -r event _; do
				mkdir -p "$probes/events/${event#*:}"
				cp "$probes/before/${event#*:}/enable" "$probes/events/${event#*:}/" 2>/dev/null ||
					echo 0 >"$probes/events/${event#*:}/enable"
			done <"$tmp/left"
			rm -r "$probes/before"
		fi
		PATH=${PATH#*:} exec sed "$@"
	TEXT
}

# install_modules VERSION SRCVERSION
install_modules() { for module in probe_core probe_events; do echo "$1 $2" >"$tmp/installed/$module"; done; }

# process PID NAME: with a file of ours open, or only the files mounted
process() { mkdir -p "$tmp/proc/$1/fd"; echo "$2" >"$tmp/proc/$1/comm"; : >"$tmp/proc/$1/mounts"; }
opens() { process "$1" "$2"; ln -s "$probes/trace" "$tmp/proc/$1/fd/3"; touch "$tmp/open"; }

service() { run "$1" "$2" "$tmp/bin/service" "$3"; }
ours() { xargs <"$list"; }
loaded() { cat "$tmp/sys/module/probe_events/version"; }

# What an upgrade does with a unit whose stop fails
restart_in_use() {
	printf '%s\n' 'p:kprobes/one vfs_read' 'p:kprobes/two vfs_write' >"$tmp/etc/probe-events/my.events"
	install_modules 1.0.0 AAAA
	service start 0 start
	is 'start: events' 'kprobes/one kprobes/two' "$(ours)"

	opens 4711 less
	service 'stop in use' 1 stop
	says 'stop in use: by whom' '4711 (less)'
	says 'stop in use: what then' 'service unload'
	service 'start of the same version' 0 start
	is 'start of the same version: events' 'kprobes/one kprobes/two' "$(ours)"
	sed -i 1d "$tmp/etc/probe-events/my.events"
	service reload 0 reload
	is 'reload: events' kprobes/two "$(ours)"
	is 'reload: one is gone' '' "$("$tmp/bin/sed" -n '/one/p' "$probes/dynamic_events")"
	is 'reload: the other is enabled' 1 "$(cat "$probes/events/kprobes/two/enable")"

	install_modules 2.0.0 BBBB
	service 'stop before another version' 1 stop
	service 'another version' 1 start
	says 'another version: by whom' '4711 (less)'
	says 'another version: which' 'probe_core 1.0.0 AAAA is loaded, 2.0.0 BBBB is installed'
	says 'another version: what mends it' 'systemctl restart probe-events'
	is 'another version: the old events' kprobes/two "$(ours)"
	install_modules 1.0.0 CCCC
	service 'other sources' 1 start
	says 'other sources: which' 'probe_core 1.0.0 AAAA is loaded, 1.0.0 CCCC is installed'
	service 'reload of the old ones' 0 reload
	says 'reload of the old ones' 'probe_core 1.0.0 AAAA is loaded, 1.0.0 CCCC is installed'

	rm -rf "$tmp/open" "$tmp/proc/4711"
	install_modules 2.0.0 BBBB
	service 'no longer in use' 0 start
	is 'no longer in use: version' 2.0.0 "$(loaded)"
	is 'no longer in use: events' kprobes/two "$(ours)"
}

# A bad line of a file: the whole of its reason. The file takes a command in one write, by printf.
bad_line() {
	printf() {
		[ "$2" != "p:bad no_such" ] || {
			builtin printf '[    1.000000] trace_kprobe: error: %s\n' 'Invalid symbol (2 clones: a.1 and others)' >>"${place:?}/error_log"
			return 1
		}
		builtin printf "$@"
	}
	export -f printf
	echo 'p:bad no_such' >"$tmp/etc/probe-events/bad.events"
	service 'bad line' 0 reload
	unset -f printf
	says 'bad line: reason' "/bad.events:1: Invalid symbol (2 clones: a.1 and others): p:bad no_such"
	says 'bad line: counted' '1 lines refused'
	rm "$tmp/etc/probe-events/bad.events"
}

# The kernel shows names of folders with blanks and backslashes as numbers.
odd_places() {
	echo 'probefs /mnt/a\040b\134c probefs rw 0 0' >>"$tmp/proc/self/mounts"
	service 'stop, mounted elsewhere' 0 stop
	is 'stop, mounted elsewhere: nothing is mounted' '' "$(cat "$tmp/proc/self/mounts")"
	is 'stop, mounted elsewhere: not loaded' '' "$(ls "$tmp/sys/module")"
	service 'start after it' 0 start
}

# Who keeps the modules, and not the mount
kept_modules() {
	install_modules 3.0.0 DDDD
	touch "$tmp/busy" "$tmp/sys/module/probe_core/holders"/{probe_events,example}
	process 4712 trace-cmd
	echo "probefs /sys/kernel/tracing probefs rw 0 0" >"$tmp/proc/4712/mounts"
	service 'modules in use' 1 start
	says 'modules in use: by modules' 'used by the modules: example'
	says 'modules in use: by processes' 'used by: 4712 (trace-cmd)'
	says 'modules in use: what mends it' 'systemctl restart probe-events'
	is 'modules in use: the old version' 2.0.0 "$(loaded)"
	rm -rf "$tmp/busy" "$tmp/proc/4712"
	service 'modules no longer in use' 0 start
	is 'modules no longer in use: version' 3.0.0 "$(loaded)"
	service stop 0 stop
	is 'stop: no list' '' "$(ls "$tmp/run")"

	# Events that were defined when the modules were loaded are not those of a list from before.
	mkdir -p "${list%/*}"
	echo kprobes/two >"$list"
	service 'start after rmmod' 0 start
	is 'start after rmmod: events' kprobes/two "$(ours)"
	service 'stop at the end' 0 stop
}

# The scripts of dpkg, as they are in the packages
make_scripts() {
	local -A header_dirs=([6.1.0-56-cloud-amd64]=none)
	local version='' released='' shown
	sed -e '/^\. .*lib\.sh"$/d' -e '/^main /d' "$pe_top/scripts/deb/make" >"$tmp/make"
	# shellcheck source=/dev/null
	. "$tmp/make"
	read_version
	shown=$version
	mkdir "$tmp/packages"
	fill "$tmp/packages"
	for script in "$tmp"/packages/debian/*.{prerm,postinst}; do
		moved "$script" >"$script.moved"
	done
	mkdir -p "$tmp/usr/libexec/probe-events"
	command_is service-called <<-'END'
		echo "service $*" >>"$tmp/called"
	END
	mv "$tmp/bin/service-called" "$tmp/usr/libexec/probe-events/probe-events-service"
	command_is uname <<-'END'
		cat "$tmp/release"
	END
	command_is ischroot <<-'END'
		[ -e "$tmp/is-chroot" ]
	END
	command_is systemd-detect-virt <<-'END'
		[ -e "$tmp/is-container" ]
	END
	# In a chroot, systemctl ignores what it is asked, with status 0.
	command_is systemctl </dev/null
	command_is journalctl </dev/null
	command_is deb-systemd-invoke </dev/null
	command_is dpkg-query <<-'END'
		! grep -qx "${!#} unpacked" "$tmp/have" || { printf unpacked; exit; }
		grep -qx "${!#}" "$tmp/have" && printf installed
	END
}

script() { run "$1" "$2" sh "$tmp/packages/debian/$3.moved" "${@:4}"; }
called() { [ ! -e "$tmp/called" ] || cat "$tmp/called"; }

# removes WHERE: each package, where modules are loaded that are not its own
removes() {
	local package
	for package in probe-events probe-events-dkms probe-events-modules-6.1.0-56-cloud-amd64; do
		: >"$tmp/called"
		script "removal of $package in $1" 0 $package.prerm remove
		is "removal of $package in $1: the machine's modules" '' "$(called)"
		says "removal of $package in $1" 'stay loaded'
	done
	script "installation in $1" 0 probe-events.postinst configure
	silent "installation in $1"
}

elsewhere() {
	echo 6.1.0-56-cloud-amd64 >"$tmp/release"
	install_modules 1.0.0 AAAA
	PATH=$tmp/bin:$PATH modprobe probe_events
	touch "$tmp/busy"
	removes 'a chroot without systemd'
	mkdir -p "$tmp/run/systemd/system"
	touch "$tmp/is-chroot"
	removes 'a chroot that shares /run'
	rm "$tmp/is-chroot"
	touch "$tmp/is-container"
	removes 'a container'
	rm "$tmp/is-container" "$tmp/busy"

	: >"$tmp/called"
	script 'removal here' 0 probe-events.prerm remove
	is 'removal here' 'service unload' "$(called)"
	: >"$tmp/called"
	script 'removal of the modules here' 0 probe-events-dkms.prerm remove
	is 'removal of the modules here' 'modprobe -r probe_events probe_core' "$(called)"
	script 'a unit that has failed' 1 probe-events.postinst configure
}

# advises RELEASE TEXT: DKMS has built for that kernel
advises() {
	rm -rf "$tmp/lib/modules"
	mkdir -p "$tmp/lib/modules/$1/"{kernel,updates/dkms}
	touch "$tmp/lib/modules/$1/updates/dkms/probe_events.ko"
	echo "$1" >"$tmp/release"
	script "DKMS on $1" 0 probe-events-dkms.postinst configure
	if [ -n "$2" ]; then says "DKMS on $1" "$2"; else silent "DKMS on $1"; fi
}

# Of each flavour of Debian, and of a kernel that is not Debian's
flavours() {
	printf '%s\n' linux-headers-amd64 linux-image-{6.1.0-56-amd64,6.12.117+deb12-cloud-amd64,6.1.0-56-rt-amd64} \
		linux-image-6.1.0-0.deb11.28-cloud-amd64-unsigned linux-image-6.13-rc7-amd64 >"$tmp/have"
	advises 6.1.0-56-amd64 ''
	advises 6.12.117+deb12-cloud-amd64 'apt-get install linux-headers-cloud-amd64'
	advises 6.1.0-0.deb11.28-cloud-amd64 'apt-get install linux-headers-cloud-amd64'
	advises 6.1.0-56-rt-amd64 'apt-get install linux-headers-rt-amd64'
	advises 6.9.1-mine ''
	advises 6.13-rc7-amd64 ''
	echo 'linux-headers-rt-amd64 unpacked' >>"$tmp/have"
	advises 6.1.0-56-rt-amd64 ''	# it is configured later
	echo linux-headers-cloud-amd64 >>"$tmp/have"
	advises 6.12.117+deb12-cloud-amd64 ''
}

# A name that is none: no packages without modules are made in its place.
no_kernel() {
	command_is dpkg-buildpackage <<-'END'
		echo built >&2
		exit 1
	END
	PE_CACHE=$tmp/cache run 'no kernel' 1 "$pe_top/scripts/deb/make" -n -k none -k typo -o "$tmp/none"
	says 'no kernel: why' 'cannot make modules for: none typo'
	is 'no kernel: nothing is built' '' "$(grep built "$tmp/said")"
}

# The documents that the packages have: each link leads to a file that is there.
documents() {
	local tree=$tmp/tree file link dir
	mkdir "$tree"
	cp -r "$pe_top"/{Documentation,README.md,include} "$tree/"
	cp -r "$tmp/packages/debian" "$tree/debian"
	run documents 0 make -s -C "$tree" -f debian/rules documents
	for dir in "$tree/debian"/{probe-events/usr/share/doc/probe-events,probe-events-dev/usr/share/doc/probe-events-dev}; do
		while IFS=: read -r file link; do
			link=${link#*\](}
			[[ $link != *:* ]] || continue
			checks=$((checks + 1))
			[ -e "${file%/*}/$link" ] || [ -L "${file%/*}/$link" ] || fail "documents: dead link in ${file#"$dir"/}: $link"
		done < <(grep -rHoE --include='*.md' '\]\([^)# ]+' "$dir")
	done
	dir=$tree/debian/probe-events/usr/share/doc/probe-events
	is 'documents: all' "$(cd "$pe_top" && ls README.md Documentation/*.md)" "$(cd "$dir" && ls README.md Documentation/*.md)"
	is 'documents: no link to another is lost' '' "$(diff "$pe_top/README.md" "$dir/README.md")"
}

make_kernel
moved "$pe_top/tools/probe-events/probe-events-service" >"$tmp/bin/service"
chmod 755 "$tmp/bin/service"
restart_in_use
bad_line
odd_places
kept_modules
make_scripts
elsewhere
flavours
no_kernel
documents
echo "# what the packages run: $checks checks"
