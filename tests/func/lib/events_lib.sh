# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# shellcheck shell=bash
#
# Events: hits that are made, records and losses that came of them. In our directory.

# shellcheck source=tests/func/lib/check_lib.sh
. /host/check_lib.sh

# read_zeros N [SIZE]: N calls of read_zero and write_null, of 1 byte or SIZE
read_zeros() { dd if=/dev/zero of=/dev/null bs="${2:-1}" count="$1" status=none; }

# read_zeros_on CPU N
read_zeros_on() { taskset -c "$1" dd if=/dev/zero of=/dev/null bs=1 count="$2" status=none; }

# records EVENT [FILE]: how many FILE has, trace if none is named
records() { count " $1: (" "${2:-trace}"; }

# value EVENT COLUMN [PLACE]: of kprobe_losses; without a process, as it is asked for often
value() {
	local rows row cells i column=

	mapfile -t rows < kprobe_losses
	read -ra cells <<< "${rows[0]}"
	for i in "${!cells[@]}"; do [ "${cells[i]}" != "$2" ] || column=$i; done
	for row in "${rows[@]:1}"; do
		[[ $row = "$1"[[:blank:]]* ]] || continue
		read -ra cells <<< "$row"
		[ "${cells[1]}" != "${3:-${cells[1]}}" ] || echo "${cells[${column:?no column $2}]}"
	done
}

# value_is EVENT COLUMN WANTED [PLACE]
value_is() { is "$2 of $1${4:+ at $4}" "$3" "$(value "$1" "$2" "${4:-}")"; }

# stat_of CPU KEY: of its stats
stat_of() { sed -n "s/^$2: *//p" "per_cpu/cpu$1/stats"; }

# free_memory: KB, those on CPUs' lists of free pages included; without a process
free_memory() {
	local line zones pages=0

	mapfile -t zones < /proc/zoneinfo
	for line in "${zones[@]}"; do
		case $line in
		*' pages free '* | *' count: '*) pages=$((pages + ${line##* })) ;;
		esac
	done
	echo $((pages * 4))
}

# settled_memory: the same, when it does not grow any more: the kernel gives memory back after a while, and
# not evenly
settled_memory() {
	local most=0 now still=0

	while [ $still -lt 2 ]; do
		[ $most = 0 ] || sleep 1
		now=$(free_memory)
		still=$((now > most ? 0 : still + 1))
		most=$((now > most ? now : most))
	done
	echo "$now"
}

# starve READS: while tasks get no time on two CPUs, as a real-time task on each reads so many zeros
starve() {
	local cpu rt

	rt=$(< /proc/sys/kernel/sched_rt_runtime_us)
	echo -1 > /proc/sys/kernel/sched_rt_runtime_us
	for cpu in 0 1; do
		chrt -f 99 taskset -c $cpu dd if=/dev/zero of=/dev/null bs=1 count="$1" status=none &
	done
	wait
	echo "$rt" > /proc/sys/kernel/sched_rt_runtime_us
}

# sums: for every probe hits + extra, which is last, = records and all losses between
sums() {
	awk 'NR == 1 { n = NF; bad = $NF != "extra" || $4 != "records"; next }
		NF != n { print "columns: " $0; bad = 1 }
		{ s = 0; for (i = 4; i < NF; i++) s += $i
		  if (s != $3 + $NF) { print "sum: " $0; bad = 1 } }
		END { if (NR < 2) print "no probes"; exit bad || NR < 2 }' kprobe_losses
}

# no_groups: there is no event of ours
no_groups() { is 'groups of events' '' "$(find events -mindepth 1 -maxdepth 1 -type d ! -name ftrace)"; }

# stress_calls KIND: of pe_stress.ko's function so far: task, softirq, irq, nmi, total
stress_calls() {
	local line

	read -r line < /sys/module/pe_stress/parameters/calls
	line=${line##*"$1"=}
	echo "${line%%[!0-9]*}"
}

# stress_saw N KIND...: each has come at least N times; for within
stress_saw() {
	local kind

	for kind in "${@:2}"; do
		[ "$(stress_calls "$kind")" -ge "$1" ] || return
	done
}

# stress_more N KIND...: until each has come N times more than now
stress_more() {
	local kind

	for kind in "${@:2}"; do
		within 120 stress_saw $(($(stress_calls "$kind") + $1)) "$kind"
	done
}

# stress_run N: let pe_stress.ko call its function at least N times more.
stress_run() {
	local run=/sys/module/pe_stress/parameters/run

	set -- $(($(stress_calls total) + $1))
	echo 1 > $run
	within 60 stress_saw "$1" total
	echo 0 > $run
}

# mount_ours: where it was, when the modules have been loaded again
mount_ours() {
	local type=probefs

	grep -qw probefs /proc/filesystems || type=tracefs
	mount -t $type $type "$PROBES"
}
