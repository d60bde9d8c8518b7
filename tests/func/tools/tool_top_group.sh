#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: probe-events top -G: tasks of a cgroup alone are on the screen, also one that comes and one that goes
# seconds: 8
# needs: network
# packages: tmux ncurses-base libc-bin
# tools: probe-events
set -eu
# shellcheck source=tests/func/lib/top_lib.sh
. /host/top_lib.sh
begins_with='^total '
cg=/tmp/cg
mkdir -p $cg
mount -t cgroup2 none $cg
at_end() { rmdir $cg/a/b $cg/a $cg/c 2> /dev/null || true; umount $cg; }
trap at_end EXIT
mkdir -p $cg/a/b $cg/c

# calls_in CGROUP... NAME NUMBER: so many in each, one after the other, by one task
calls_in() {
	local number=${*: -1} name=${*: -2:1}
	local groups=("${@:1:$# - 2}")

	bash -c "printf '$name' > /proc/self/comm
		for cg in ${groups[*]}; do
			echo \$\$ > $cg/\$cg/cgroup.procs
			for ((i = 0; i < $number; i++)); do printf 1 > /tmp/null; done
		done"
}
# The shell opens what it writes to, so a descriptor to /dev/null is not enough.
ln -sf /dev/null /tmp/null

begin_top 80x24 top write_null by comm -G a -i 3
calls_in c out 50
calls_in a within 20
within 60 pictured '^within '
lacks /tmp/picture '^out '
calls_in a/b below 7
within 60 pictured '^below '
calls_in c a c mover 9
within 60 pictured '^mover '
calls_in c out 50
calls_in a last 3
within 60 pictured '^last '
lacks /tmp/picture '^out '
end_top q
has /tmp/picture '^within  *20 '
has /tmp/picture '^mover  *9 '
has /tmp/picture '^last  *3 '
has /tmp/picture '^below  *7 '
has /tmp/picture '^mover  *9 '
has /tmp/picture '^total  *39 '
lacks /tmp/picture '^out '
has /tmp/picture ' counted 39.*; none lost'
has /tmp/picture '^status 0$'

# It is removed while it is watched: that is said, and top goes on.
begin_top 80x24 top write_null by comm -G a/b
calls_in a/b first 4
within 60 pictured '^first '
rmdir $cg/a/b
end_top q
has /tmp/picture '^first  *4 '
has /tmp/picture 'the cgroup a/b has been removed meanwhile'
tool_run 1 top write_null by comm -G a/b
