#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: every verb of probe-events on terminals of 80x24, 60x20 and 200x50, and in a pipe, as it was looked at
# seconds: 40
# needs: network btf
# packages: tmux ncurses-base libc-bin
# tools: probe-events
# files: tool_sizes.golden
set -eu
# shellcheck source=tests/func/lib/tool_lib.sh
. /host/tool_lib.sh
export LC_ALL=C.UTF-8 TERM=screen
mkdir /tmp/screens
mkfifo /tmp/never
"$tool" count read_zero by comm,arg3 -f json -o /tmp/saved.json -- dd if=/dev/zero of=/dev/null bs=1 count=40 status=none
echo 'p:mine/zero read_zero' >> dynamic_events
echo 'cpu=7%' > events/mine/zero/limit
"$tool" count read_null by comm -k 1h 2> /tmp/err
id=$(sed -n 's/^armed as session \([0-9]*\);.*/\1/p' /tmp/err)
# What is left, but for the session that stays: its figures grow.
others_left() { tool_left | grep -v '	kept	'; }
before=$(others_left)
dd if=/dev/null of=/dev/zero bs=1 count=1 status=none
grep -w vfs_fsync /proc/kallsyms > /tmp/kallsyms

# A process that is in the function from then on, and after that in none. Others sleep there, too: it
# has a name of its own.
ln -s "$(command -v sleep)" /tmp/sleeping
cat > /tmp/sleeper <<'END'
until grep -q 'hrtimer_nanosleep' kprobes/list && ! grep 'hrtimer_nanosleep' kprobes/list | grep -q DISABLED; do :; done
exec -a sleep /tmp/sleeping 100
END
# all SIZE: each verb, one after the other; what the terminal shows then goes to /tmp/screens
cat > /tmp/all <<END
size=\$1
screen() { tmux -u capture-pane -p "\$@" -t t; }
show() {
	local name=\$1 status=0

	shift
	if [ \$size = pipe ]; then
		{ "\$@" 2>&1; echo status \$?; } | cat > /tmp/screens/\$name.pipe
		return
	fi
	printf '\033[H\033[2J'
	"\$@" || status=\$?
	echo status \$status
	until screen | grep -q '^status '; do sleep 0.1; done
	screen > /tmp/screens/\$name.\$size.lines
	screen -J > /tmp/screens/\$name.\$size
}
zeros="dd if=/dev/zero of=/dev/null bs=7 count=3 status=none"
tool=$tool
show count \$tool count read_zero by comm,cpu,arg3 -a -- \$zeros
show lat \$tool lat read_zero by comm,arg3 -a -- \$zeros
show trace \$tool trace read_zero by arg3,ret,ns,arg1,arg2 -- \$zeros
bash /tmp/sleeper & show inside \$tool inside hrtimer_nanosleep -d 3s
kill \$!
wait
# All symbols take seconds.
show find unshare -m sh -c "mount --bind /tmp/kallsyms /proc/kallsyms; \$tool find vfs_fsync"
show check \$tool check read_zero no_such_function 'vfs_rea[d]' -d 50ms
show list \$tool list
show list_one \$tool list $id
show limit \$tool limit
show limit_one \$tool limit mine/zero
show report \$tool report /tmp/saved.json by arg3,comm
show watch \$tool watch vfs_fsync -L 1h -d 200ms
show exec \$tool exec cat /sys/kernel/tracing/kprobe_events
show rm \$tool rm 4711
show doctor \$tool doctor
if [ \$size = pipe ]; then
	show top \$tool top read_zero
else
	{
		until screen | grep -q '^COMM '; do sleep 0.1; done
		screen > /tmp/screens/top.\$size.lines
		screen -J > /tmp/screens/top.\$size
		tmux -u send-keys -t t q
	} &
	\$tool top read_zero by comm
	wait
fi
touch /tmp/done.\$size
END
for size in 80x24 60x20 200x50; do
	within 20 tmux -u new-session -d -s t -x "${size%x*}" -y "${size#*x}" "bash /tmp/all $size"
	within 300 test -e /tmp/done.$size
	within 20 sh -c '! tmux -u has-session -t t 2> /dev/null'
done
bash /tmp/all pipe
is 'left' "$before" "$(others_left)"
"$tool" rm "$id"

# Tables, and lines of hits, are never so wide that the terminal divides them.
for verb in count lat trace inside list list_one limit limit_one report top; do
	for size in 80x24 60x20 200x50; do
		is "lines of $verb on $size" "$(wc -l < /tmp/screens/$verb.$size)" "$(wc -l < /tmp/screens/$verb.$size.lines)"
	done
done

# Figures are made one, blanks are made two; what is cut, and calls of others that are inside, depend on them.
release=$(uname -r | sed 's/[.+]/\\&/g')
masked() {
	sed -E "s/$release/RELEASE/g; s/0x[0-9a-f]+/N/g; s/[0-9][0-9a-f,.:]*(ns|us|ms|s|%|KB|MB)?/N/g; s/ {2,}/  /g; s/^ +//; s/ +$//
		/^N  sleep  /d; s/count [a-z_]*~.*/CUT/; s/S  N  ~?N/S  -  N/; s/~N/N/; s/; ~ N may have ended//" "$1" | uniq |
		gawk 'NF { while (blank-- > 0) print ""; blank = 0; print; next } { blank++ }'
}
verbs='count lat trace inside find check list list_one limit limit_one report watch exec rm doctor top'
is 'verbs that are left out' '' "$(comm -23 <(tool_verbs | sort) <(tr ' ' '\n' <<< "$verbs" | sort))"
for verb in $verbs; do
	for size in 80x24 60x20 200x50 pipe; do
		echo "== $verb $size"
		# In 80 columns there is room for what was typed, or not.
		masked /tmp/screens/$verb.$size | if [ "$verb $size" = 'list 80x24' ]; then sed 's/  WHAT$//; s/  CUT$//'; else cat; fi
	done
done > /tmp/got
# What has changed on purpose is looked at, and the golden file becomes what is printed here.
diff /host/tool_sizes.golden /tmp/got > /tmp/differ || { cat /tmp/got; fail "not as it was: $(head -n 40 /tmp/differ)"; }
