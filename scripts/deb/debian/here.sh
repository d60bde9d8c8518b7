# is_here: whether the modules that are loaded belong to this system. In a chroot or a container they are
# those of the machine around it; where systemd does not run, no unit of ours has loaded any.
is_here() {
	[ -d /run/systemd/system ] || return 1
	! ischroot -t || return 1
	! systemd-detect-virt -cq
}
not_here() {
	[ ! -d /sys/module/probe_core ] ||
		echo "The modules of probe-events stay loaded: this is a chroot, a container, or a system without systemd." >&2
}
