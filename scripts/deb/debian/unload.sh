#HERE#
# Who replaces this package brings modules as well: what is loaded stays.
if [ "$1" = remove ] && [ "$2" != in-favour ] && [ -d /sys/module/probe_core ] &&
		[ "${kernel:-$(uname -r)}" = "$(uname -r)" ]; then
	if ! is_here; then
		not_here
	elif ! modprobe -r probe_events probe_core; then
		echo "The modules of probe-events are in use: unmount their files and unload what uses" >&2
		echo "probe_core (lsmod | grep probe_core), then remove this package again." >&2
		exit 1
	else
		rmmod probe_arena 2>/dev/null ||
			echo "probe_arena stays until the calls in progress have returned; then: rmmod probe_arena" >&2
	fi
fi
