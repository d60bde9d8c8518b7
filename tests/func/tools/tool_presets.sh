#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: questions of probe-events that are prepared: typed as they are shown, answered as is known
# tier: 6.12-cloud 6.1-cloud
# not: 7.3-cloud: do_fsync() calls no vfs_fsync_range() there
# not: 6.12-rt: locks have other functions there
# seconds: 25
# needs: network
# tools: probe-events situations jsonlines
# files: ../../../tools/probe-events/schema.json
set -eu
# shellcheck source=tests/func/lib/tool_lib.sh
. /host/tool_lib.sh
pid=

armed() { grep -e "$1" kprobes/list | grep -qv DISABLED; }

armed_or_gone() { armed "$1" || gone $pid; }

# ask PLACE LINE: as a shell takes the line, without any quotes. It ends when its answer is wanted:
# a machine may be too slow for the time that it would take.
ask() {
	local words i

	echo "# $2"
	at_most "characters of '$2'" 45 ${#2}
	case $2 in *[\'\"\\\<\>\|\&\;\*\?\(\)\$]*) fail "a shell changes '$2'" ;; esac
	read -ra words <<< "$2"
	is 'the command' probe-events "${words[0]}"
	for i in "${!words[@]}"; do
		[ "${words[i]}" != -d ] || words[i + 1]=1h
	done
	"$tool" "${words[@]:1}" > /tmp/out 2> /tmp/err & pid=$!
	within 200 armed_or_gone "$1"
	alive $pid || fail "it has ended: $(cat /tmp/err)"
}

# answer: the end, as Ctrl-C makes it
answer() {
	local status=0

	kill -INT $pid
	wait $pid || status=$?
	cat /tmp/out /tmp/err
	is 'status' 0 $status
	[ ! -s /tmp/err ] || fail 'messages'
	has /tmp/out '; none lost; cost [0-9.]*% of CPU$'
	within 20 tool_nothing_left
}

# 1. Which process opens that file? Others are not shown.
[ -e /etc/resolv.conf ] || echo nameserver 127.0.0.1 > /etc/resolv.conf
ask ' do_sys_openat2' 'probe-events trace @open /etc/resolv.conf'
cat /etc/resolv.conf /etc/hostname > /dev/null 2>&1 || true
bash -c 'printf opener > /proc/$$/comm; : >> /etc/resolv.conf; : < /no/etc/resolv.conf' 2> /dev/null || true
answer
has /tmp/out '^TIME  *TID  *COMM  *RET  *FLAGS  *FILE$'
has /tmp/out '^[0-9:.]*  *[0-9]*  *cat  *[0-9]*  *RDONLY  */etc/resolv.conf$'
has /tmp/out '^[0-9:.]*  *[0-9]*  *opener  *[0-9]*  *WRONLY.CREAT.APPEND  */etc/resolv.conf$'
has /tmp/out '^[0-9:.]*  *[0-9]*  *opener  *-ENOENT  *RDONLY  */no/etc/resolv.conf$'
is 'lines' 3 "$(grep -c 'resolv.conf$' /tmp/out)"
has /tmp/out '^hits [0-9,]* = shown 3 + not asked for [0-9,]*; none lost; cost [0-9.]*% of CPU$'

# 2. Who calls fsync, how long does it take?
sync_some() {
	local i
	for i in $(seq "$1"); do
		dd if=/dev/zero of=/tmp/synced bs=1 count=1 conv=fsync status=none
	done
}
if grep -qw do_fsync /proc/kallsyms; then
	ask ' do_fsync' 'probe-events lat do_fsync by comm -d 30'
else
	ask ' vfs_fsync_range' 'probe-events lat @fsync by comm -d 30'
fi
sync_some 4
answer
has /tmp/out '^COMM  *CALLS  *P50  *P90  *P99  *MAX  *TOTAL$'
has /tmp/out '^dd  *4 '
has /tmp/out '^calls 4 = counted 4; none lost; cost [0-9.]*% of CPU$'
tool_run 0 lat @fsync by file -a -- dd if=/dev/zero of=/tmp/synced bs=1 count=1 conv=fsync status=none
has /tmp/out '^synced  *1 '

# 4. Which locks? Three wait for a directory that another one reads, for ever.
mkdir -p /srv/data
/host/situations hold /srv/data & holder=$! first=$holder
within 20 asleep $holder
ask ' rwsem_down_write_slowpath' 'probe-events lat @lock by lock,caller -d 10'
makers=()
for i in 1 2 3; do
	mkdir "/srv/data/$i" & makers+=($!)
done
for maker in "${makers[@]}"; do within 20 in_state D "$maker"; done
# Its owner is told of the next one that comes, which is read when the wait begins.
tracing() { grep "/$1	" kprobes/cost | grep -q '	armed	'; }
"$tool" trace @lock -L 100ms > /tmp/owners 2> /tmp/owners.err & owners=$!
within 20 tracing entry
within 20 tracing trace
mkdir /srv/data/last & makers+=($!)
within 20 in_state D $!

# 9. Who holds this directory? Seen from when it is armed on.
"$tool" inside @dir /srv/data -d 1h > /tmp/inside 2> /tmp/inside.err & second=$!
within 20 armed ' iterate_dir'
/host/situations hold /srv/data & other=$!
mkdir /srv/data/later & later=$!
within 20 in_state D $later
kill -INT $second
wait $second
cat /tmp/inside /tmp/inside.err
has /tmp/inside "^ *$later  mkdir  *D  *-  [0-9.]*m*s  rwsem_down_write_slowpath (waits)  [a-z_]*$"
has /tmp/inside "^ *$other  situations  .*  iterate_dir (waits)  "
has /tmp/inside '^[0-9]* shown; '
lacks /tmp/inside "^ *${makers[0]} "
owner="^lock of /srv/data (inode [0-9]*:[0-9]*/$(stat -c %i /srv/data)) is shared; situations-%d was the last reader\$"
# shellcheck disable=SC2059
has /tmp/inside "$(printf "$owner" $holder)"
kill -9 $holder $other
wait $holder $other 2> /dev/null || true
wait "${makers[@]}" $later
kill -INT $owners
wait $owners
answer
has /tmp/out '^LOCK  *CALLER  *WAITS  *P50  *P90  *P99  *MAX  *TOTAL$'
at_least 'waits for the directory' 3 "$(gawk '/^rwsem 0x[0-9a-f]* +filename_create / { n += $4 } END { print n + 0 }' /tmp/out)"
cat /tmp/owners /tmp/owners.err
has /tmp/owners '^TIME  *TID  *COMM  *LOCK  *OWNER  *NS$'
has /tmp/owners "  mkdir  *rwsem 0x[0-9a-f]*  *situations-$first (read)  *[0-9.]*m*s\$"
has /tmp/owners '; none lost; cost [0-9.]*% of CPU$'

# The lock of a process's memory has a name, in a table and as a line.
/host/situations mmap & mapper=$!
ask ' rwsem_down_write_slowpath' 'probe-events lat @lock by lock -d 10'
waits() { at_least_waits "$1" "$(gawk '$1 ~ /\/lat$/ { n += $3 } END { print n + 0 }' kprobe_losses)"; }
at_least_waits() { [ "$2" -ge "$1" ]; }
within 60 waits 5
answer
has /tmp/out '^rwsem mmap_lock  *[1-9]'
tool_run 0 trace @lock -n situations -M 3
is 'waits for memory' 3 "$(grep -c '  situations  *rwsem mmap_lock  *\(situations-[0-9]*\|-\)\( (read)\)*  *[0-9.]*[num]*s$' /tmp/out)"
tool_run 0 trace @lock -n situations -M 1 -f json
has /tmp/out '"owner":"\(situations-[0-9]*\|-\)'
tool_run 2 lat @lock by owner
has /tmp/err 'a column of trace only'
tool_run 2 trace @lock if owner has bash
kill $mapper
wait $mapper 2> /dev/null || true

/host/situations hold /srv/data & holder=$!
within 20 asleep $holder
ask ' iterate_dir' 'probe-events inside @dir /srv/data -d 30'
/host/situations hold /srv/data & other=$!
within 20 asleep $other
/host/situations hold /tmp & elsewhere=$!
within 20 asleep $elsewhere
kill -INT $pid
wait $pid
cat /tmp/out
has /tmp/out "^ *$other  situations  *S  *-  [0-9.]*m*s  iterate_dir (holds)  [a-z_]*fault$"
lacks /tmp/out "^ *$elsewhere "
lacks /tmp/out "^ *$holder "
# shellcheck disable=SC2059
has /tmp/out "$(printf "$owner" $other)"
kill -9 $holder $other $elsewhere
wait $holder $other $elsewhere 2> /dev/null || true

# 5. Who sends RSTs?
ip link set lo up
ask ' tcp_v4_send_reset' 'probe-events trace @rst'
/host/situations rst > /tmp/sent
answer
# Any task may execute the softirq that answers, and a socket that is gone may have to answer again.
is 'resets' "$(sort /tmp/sent)" "$(gawk '$4 ~ /:[0-9]*$/ { print $4, $5 }' /tmp/out | sort -u)"
at_most 'resets' 8 "$(gawk '$4 ~ /:[0-9]*$/' /tmp/out | wc -l)"
has /tmp/out '  127.0.0.1:[0-9]*  .* tcp_v4_rcv$'
if grep -q SK_RST_REASON_NO_SOCKET /sys/kernel/btf/vmlinux; then
	is 'no socket' 2 "$(gawk '/ NO_SOCKET / { print $4, $5 }' /tmp/out | sort -u | wc -l)"
fi

# 7. Who eats memory here? 64 blocks of 64 KB are 1,024 pages, and a few for the program itself.
ask ' __traceiter_mm_page_alloc' 'probe-events count @pages by comm,caller -d 5'
bash -c 'printf eater > /proc/$$/comm; exec 3> /tmp/eaten; printf "%04194304d" 0 >&3'
rm /tmp/eaten
answer
has /tmp/out '^COMM  *CALLER  *CALLS  *PAGES  *MB$'
# What bash keeps of the text is more, thrice at most.
pages=$(gawk '/^eater / { gsub(",", "", $4); n += $4 } END { print n + 0 }' /tmp/out)
at_least 'pages' 1024 "$pages"
is 'pages in all' "$(gawk '/^total / { gsub(",", "", $3); print $3 }' /tmp/out)" \
	"$(gawk '$1 == "total" || !($3 ~ /^[0-9,]+$/) || !($4 ~ /^[0-9,]+$/) { next } { gsub(",", "", $4); n += $4 } END { print n + 0 }' /tmp/out)"
# What was given back, and the difference, to a page.
number() { sed -n "s/^$1\$/\\1/p" /tmp/out | tr -d ,; }
freed=$(number 'freed \([0-9,]*\) pages, .*')
at_least 'pages that were freed' 1024 "$freed"
is 'net' $(($(gawk '/^total / { gsub(",", "", $3); print $3 }' /tmp/out) - freed)) \
	"$(number 'freed .*: net +*\(-*[0-9,]*\) pages, [-+][0-9.]* MB')"
has /tmp/out '^hits [0-9,]* = counted [0-9,]* + frees [0-9,]*\( + later [0-9,]*\)\?; none lost'
is 'calls and what is counted' "$(gawk '/^total / { print $2 }' /tmp/out)" \
	"$(sed -n 's/^hits .* = counted \([0-9,]*\) + frees .*/\1/p' /tmp/out)"

# 8. What runs on this CPU? A task knows by itself how long it has run.
ask ' __traceiter_sched_switch' 'probe-events count @oncpu by comm -C 1 -d 5'
taskset 2 bash -c 'printf spinner > /proc/$$/comm; read -r from _ < /proc/$$/schedstat
	for ((i = 0; i < 10000; i++)); do :; done
	read -r ns _ < /proc/$$/schedstat; echo $(((ns - from) / 1000)) > /tmp/ran'
answer
has /tmp/out '^COMM  *SWITCHES  *TIME  *SHARE  *LONGEST$'
has /tmp/out '^swapper/1  '
ran=$(cat /tmp/ran)
time=$(gawk '/^spinner / { t = $3 + 0; print int($3 ~ /us$/ ? t : $3 ~ /ms$/ ? t * 1e3 : t * 1e6) }' /tmp/out)
at_least 'us of the task' $((ran * 8 / 10)) "$time"
at_most 'us of the task' $((ran * 2 + 500000)) "$time"
# All of the CPU's time is some task's, but for the first and last moments.
share=$(gawk '$1 == "total" { print int($4) }' /tmp/out)
at_least 'per cent in all' 50 "$share"
at_most 'per cent in all' 100 "$share"

# The longest of a row is a part of its time, and of all rows the longest of them.
gawk 'function us(t) { return t ~ /ns$/ ? t / 1e3 : t ~ /us$/ ? t + 0 : t ~ /ms$/ ? t * 1e3 : t * 1e6 }
	!/%/ || /^hits/ || /cost/ { next }
	{ longest = us($NF); if (longest > us($(NF - 2)) * 1.001 + 0.001) print "longer than all: " $0 }
	$1 == "total" { if (most != longest) print "the longest is not " longest }
	longest > most { most = longest }' /tmp/out > /tmp/wrong
is 'wrong times' '' "$(cat /tmp/wrong)"
at_least 'us of the longest' 1 "$(gawk '/^spinner / { t = $5 + 0; print int($5 ~ /us$/ ? t : $5 ~ /ms$/ ? t * 1e3 : t * 1e6) }' /tmp/out)"
tool_run 0 lat @oncpu by comm -L 1us -a -- dd if=/dev/zero of=/dev/null bs=64k count=50 status=none
has /tmp/out '^COMM  *SWITCHES  *SHARE  *P50  *P90  *P99  *MAX  *TOTAL$'
has /tmp/out '^dd  *[0-9]'
has /tmp/out '^calls [0-9,]* = counted [0-9,]*\( + not asked for [0-9,]*\)*\( + later [0-9]*\)*; none lost; '

# What was saved of times and pages is shown again as it was.
for words in 'count @oncpu by comm' 'lat @oncpu by comm' 'count @pages by comm,caller'; do
	# shellcheck disable=SC2086
	tool_run 0 $words -w /tmp/saved -a -- dd if=/dev/zero of=/tmp/eaten bs=64k count=16 status=none
	sed 's/; cost [0-9.]*% of CPU$//' /tmp/out > /tmp/measured
	tool_says 0 report /tmp/saved
	is "$words, reported" "$(cat /tmp/measured)" "$(cat /tmp/out)"
	/host/jsonlines /host/schema.json < /tmp/saved > /tmp/types 2>&1 ||
		fail "no lines of the schema: $(cat /tmp/types)"
	rm /tmp/saved
done

# 10. Who calls this deprecated function? Asked now, answered later.
tool_says 0 count read_zero by stack -k 24h
nr=$(sed -n 's/^armed as session \([0-9]*\);.*/\1/p' /tmp/err)
dd if=/dev/zero of=/dev/null bs=1 count=12 status=none
line="probe-events list $nr"
at_most "characters of '$line'" $((18 + ${#nr})) ${#line}
tool_says 0 list "$nr"
has /tmp/out '^read_zero <- vfs_read <- .* 12$'
has /tmp/out '^hits 12 = counted 12; none lost; cost [0-9.]*% of CPU$'
tool_run 0 rm "$nr"

# The other presets.
tool_run 0 trace @exec -a -- sh -c 'cat /dev/null; /etc/hostname.not.there; true'
has /tmp/out ' cat  *0  */[a-z/]*cat$'
tool_run 137 trace @kill -a -- bash -c 'kill -9 $$'
has /tmp/out ' bash  *KILL  *[0-9]*  *bash$'
tool_run 0 trace @fork --fail -a -- bash -c 'ulimit -u 1; setpriv --reuid 1234 --clear-groups bash -c "(:)" 2> /dev/null; true'
has /tmp/out ' -EAGAIN '
lacks /tmp/out ' bash  *[1-9]'
tool_run 0 count @drop by reason -a -- bash -c ': < /dev/udp/127.0.0.1/9; printf x > /dev/udp/127.0.0.1/9; true'
reason=NO_SOCKET
[[ $(uname -r) != 5.10.* ]] || reason=-		# it tells none
has /tmp/out "^$reason  *[1-9]"

# An interval's rows are joined in the same way, and are as many pages as all of them.
tool_run 0 count @pages by comm -i 100ms -a -- sh -c 'dd if=/dev/zero of=/tmp/eaten bs=64k count=16 status=none; sleep 2'
sum=$(gawk '/^total of / { exit } $1 == "dd" { gsub(",", "", $3); n += $3 } END { print n + 0 }' /tmp/out)
is 'pages of dd' "$sum" "$(gawk '/^total of / { all = 1 } all && $1 == "dd" { gsub(",", "", $3); print $3 }' /tmp/out)"

# What is wrong is said before anything is defined.
tool_run 2 count @nosuch
has /tmp/err 'there is no preset @nosuch'
tool_run 2 lat @pages
has /tmp/err '@pages is not for lat: use count$'
tool_run 2 count @pages by comm,caller,cpu
tool_run 1 inside @dir /no/such/dir
"$tool" help @ > /tmp/out
is 'presets' 12 "$(grep -c '^  @' /tmp/out)"

# A preset of one's own, of which this kernel takes a part.
export HOME=/tmp/home
mkdir -p $HOME/.config/probe-events/presets
cat > $HOME/.config/probe-events/presets/mine <<'END'
# mine - reads of nothing
verbs count
p no_such_function n=$arg3:u64
| p read_zero n=$arg3:u64
? p no_such_function_either n=$arg3:u64
filter n >= $1
END
tool_run 0 help @mine
has /tmp/out '^p:mine read_zero n=\$arg3:u64$'
lacks /tmp/out '^p:mine no_such_function'
tool_run 0 count @mine 5 by n -a -- bash -c 'dd if=/dev/zero of=/dev/null bs=4 count=3 status=none; dd if=/dev/zero of=/dev/null bs=5 count=2 status=none'
has /tmp/out '^5  *2$'
has /tmp/out '^hits 5 = counted 2 + not asked for 3; none lost; cost [0-9.]*% of CPU$'
tool_run 0 count @mine 5 by n --dry-run
has /tmp/out '^trigger count hist:keys=n:size=65536 if (n >= 5)$'
printf '%s\n' '# words - two words of the stack' 'verbs trace' 'p read_zero two=+0(%sp):u16[2]' 'shows two' \
	> $HOME/.config/probe-events/presets/words
for form in text json; do
	tool_run 0 trace @words -M 1 -f $form -- dd if=/dev/zero of=/dev/null bs=4 count=2 status=none
	has /tmp/out 'ARRAY\[[0-9a-f][0-9a-f]\(, [0-9a-f][0-9a-f]\)\{3\}\]'
done
echo 'p no_such_function n=$arg3:u64' >> $HOME/.config/probe-events/presets/mine
tool_run 1 count @mine
has /tmp/err 'no_such_function'
