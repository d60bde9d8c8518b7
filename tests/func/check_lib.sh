# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Comparing and waiting, for tests. A test waits for what it wants to see, never for a time: a
# slow machine only takes longer.

# is WHAT WANTED GOT
is() {
	[ "$2" = "$3" ] || { echo "$1: wanted '$2', got '$3'"; exit 1; }
}

# not COMMAND...: it must fail ("!" alone would not stop the script).
not() {
	if "$@"; then
		echo "unexpected success: $*"
		exit 1
	fi
}

# refused ERROR COMMAND...: it fails with this message.
refused() {
	local err

	if err=$("${@:2}" 2>&1); then
		echo "unexpected success: ${*:2}"
		exit 1
	fi
	grep -q "$1" <<< "$err" || { echo "${*:2}: $err"; exit 1; }
}

# within SECONDS COMMAND...: it becomes true in time, or the test fails. Tries are counted, not
# seconds: what a machine spends elsewhere does not count.
within() {
	local tries=$(($1 * 20))

	until "${@:2}"; do
		if [ $((tries -= 1)) -lt 0 ]; then
			echo "not within $1 s: ${*:2}"
			exit 1
		fi
		sleep 0.05
	done
}

# For within: what a process or a file has become.
alive() { kill -0 "$1" 2> /dev/null; }
gone() { ! alive "$1"; }
asleep() { [ "$(awk '{ print $3 }' 2> /dev/null < "/proc/$1/stat")" = S ]; }
# has FILE N PATTERN: lines of FILE with it
has() { [ "$(grep -c -- "$3" "$1")" = "$2" ]; }

# stress_calls KIND: of pe_stress.ko's function so far: task, softirq, irq, nmi, total
stress_calls() { sed -E "s/.*$1=([0-9]+).*/\1/" /sys/module/pe_stress/parameters/calls; }

# stress_saw N KIND...: each has come at least N times; for within
stress_saw() {
	local kind

	for kind in "${@:2}"; do
		[ "$(stress_calls "$kind")" -ge "$1" ] || return
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

# value EVENT COLUMN [PLACE]: of kprobe_losses
value() {
	awk -v e="$1" -v c="$2" -v p="${3:-}" '
		NR == 1 { for (i = 1; i <= NF; i++) if ($i == c) col = i; next }
		$1 == e && (p == "" || $2 == p) { print $col }' kprobe_losses
}

# sums: for every probe hits + extra, which is last, = records and all losses between
sums() {
	awk 'NR == 1 { n = NF; bad = $NF != "extra" || $4 != "records"; next }
		NF != n { print "columns: " $0; bad = 1 }
		{ s = 0; for (i = 4; i < NF; i++) s += $i
		  if (s != $3 + $NF) { print "sum: " $0; bad = 1 } }
		END { exit bad || NR < 2 }' kprobe_losses
}

# mount_ours: where it was, when the modules have been loaded again
mount_ours() {
	local type=probefs

	grep -qw probefs /proc/filesystems || type=tracefs
	mount -t $type $type "$PROBES"
}
