#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: a breakpoint becomes a jump that hits as often, and a breakpoint again when it must
# modes: default
# tier: 6.12-cloud 6.1-cloud
# seconds: 17 debug=270
# modules: pe_probe pe_target pe_jump
#
# It changes the switch of jumps itself, and says when sites must be jumps.
set -eu
# shellcheck source=tests/func/lib/engine_lib.sh
. /host/engine_lib.sh

load pe_target pe_probe
declare -a offs times
while read -r off n; do offs+=("$off"); times+=("$n"); done < /sys/module/pe_target/parameters/mix

mechanism() { field "$1" 4; }
is_jump() { [ "$(mechanism "$1")" = jump ]; }
is_int3() { [ "$(mechanism "$1")" = int3 ]; }
jumps() { gawk '$4 == "jump"' $P/hits | wc -l; }
site() { echo "pe_target:pe_target_mix+${offs[$1]}"; }

# All instructions of a function, a fifth of them at a time: those of one fifth are apart.
total=0 tried=0
for phase in 0 1 2 3 4; do
	for ((i = phase; i < ${#offs[@]}; i += 5)); do add "$(site $i)"; tried=$((tried + 1)); done
	most() { [ "$(jumps)" -ge 7 ]; }
	within 60 most
	now=$(jumps)
	call mix 50
	for ((i = phase; i < ${#offs[@]}; i += 5)); do
		expect_hits "$(site $i)" $((50 * times[i]))
		is "misses of $(site $i)" 0 "$(field "$(site $i)" 3)"
	done
	echo "phase $phase: $now jumps"
	cat $P/hits
	total=$((total + now))
	echo 0 > $P/optimization
	is 'jumps' 0 "$(jumps)"
	call mix 50
	for ((i = phase; i < ${#offs[@]}; i += 5)); do
		expect_hits "$(site $i)" $((100 * times[i]))
		del "$(site $i)"
	done
	echo 1 > $P/optimization
done
echo "$total of $tried sites became jumps"
at_least 'jumps' $((tried / 2)) $total

# The window of the third instruction, of 3 bytes, has the fourth in it.
a=$(site 2) b=$(site 3)
count=0
run() { call mix 10; count=$((count + 10)); expect_hits "$1" $count; }
add "$a"
within 60 is_jump "$a"
has /proc/pe_probe_list '\[OPTIMIZED\]'
lacks /proc/pe_probe_list '\[INT3\]'
run "$a"

echo 'another probe within it'
add "$b"
is 'mechanism' int3 "$(mechanism "$a")"
run "$a"
expect_hits "$b" 10
within 60 is_jump "$b"
is 'mechanism' int3 "$(mechanism "$a")"
run "$a"
expect_hits "$b" 20
del "$b"
within 60 is_jump "$a"
run "$a"

echo 'a probe that changes registers, with a post handler'
add "c:$a"
is 'mechanism' int3 "$(mechanism "$a")"
run "$a"
expect_hits "c:$a" 10
lacks $P/hits BAD
del "c:$a"
within 60 is_jump "$a"
run "$a"

echo 'disabled, enabled'
echo "$a" > $P/disable
is 'mechanism' none "$(mechanism "$a")"
call mix 10
expect_hits "$a" $count
echo "$a" > $P/enable
run "$a"
within 60 is_jump "$a"
run "$a"
echo 0 > $P/armed
is 'mechanism' none "$(mechanism "$a")"
echo 1 > $P/armed
within 60 is_jump "$a"
run "$a"

echo 'changes that do not end'
echo "$a" > $P/disable
rm -f /tmp/stop
while [ ! -e /tmp/stop ]; do echo 1 > $P/optimization; done &
echo "$a" > $P/enable
within 60 is_jump "$a"
touch /tmp/stop
wait
run "$a"

echo 'padding, and what looks like it'
insmod /modules/pe_jump.ko
if grep -q ' jump_label_text_reserved$' /proc/kallsyms; then padded=int3; else padded=jump; fi
add pe_jump:pe_jump_padded_site
add pe_jump:pe_jump_label_site
within 60 is_jump pe_jump:pe_jump_padded_site
is 'mechanism before the nop of a jump label' $padded "$(mechanism pe_jump:pe_jump_label_site)"
del pe_jump:pe_jump_padded_site
del pe_jump:pe_jump_label_site
rmmod pe_jump

if [ -e /modules/pe_stock.ko ]; then
	echo 'kprobes of the kernel'
	S=/sys/module/pe_stock/parameters
	insmod /modules/pe_stock.ko
	stock() { echo "$1" > $S/add; }
	refused 'busy' stock "$b"
	refused 'busy' stock "$a"
	run "$a"
	del "$a"
	stock "$b"
	add "$a"
	echo 0 > $P/optimization
	echo 1 > $P/optimization
	count=0
	# Another site says when the worker has been there.
	add "$(site 40)"
	within 60 is_jump "$(site 40)"
	is 'mechanism beside a kprobe of the kernel' int3 "$(mechanism "$a")"
	run "$a"
	has $S/hits "$b 10 "
	echo "$b" > $S/del		# we are not told
	within 60 is_jump "$a"
	del "$(site 40)"
	run "$a"
	rmmod pe_stock
fi

echo 'the module goes'
rmmod pe_target
has $P/hits 'GONE'
del "$a"
rmmod pe_probe
