#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: variables of histograms: between events, under hits of all contexts, when their trigger or event goes; snapshots
# seconds: 20 debug=17
# tier: 6.12-cloud 6.12-rt debug bare
# modules: pe_compare pe_stress
#
# What the kernel has as well is compared in hist_stock. Here: what must not be lost.
set -eu
run=/sys/module/pe_compare/parameters/run
par=/sys/module/pe_stress/parameters
insmod /modules/pe_compare.ko
insmod /modules/pe_stress.ko
cd "$PROBES"
# shellcheck source=tests/func/lib/events_lib.sh
. /host/events_lib.sh
printf '%s\n' 'p:v/a pe_cmp_target ctx=%dx:u32' 'p:v/b pe_cmp_body ctx=%di:u32' \
	"p:v/s pe_stress:pe_stress_target ctx=%di:u32 num=%si:u64" >kprobe_events
balance() { awk -F '\t' -v k="$2" '$1 == "#balance" { for (i = 2; i < NF; i += 2) if ($i == k) v = $(i + 1) } END { print v }' events/v/$1/table; }
trigger() { echo "$2" >>events/v/$1/trigger; }
sum_is() { is "$1: balance" $(($(balance $1 rows) + $(balance $1 unset))) "$(balance $1 hits)"; }

# From one event to another: each value is got once. Whichever of the two comes first in a call.
trigger a 'hist:keys=ctx:x=ctx+1'
trigger b 'hist:keys=ctx:vals=$x+0:y=$x*2:onmax($y).save(ctx)'
echo 1 >$run
echo 1 >$run
sum_is b
is 'b: hits' 14 "$(balance b hits)"
at_most 'b: not set' 7 "$(balance b unset)"
is 'b: the largest' '0 2,1 4,2 6,3 8,4 10,5 12,6 14' "$(awk '/^{/ { k = $3 } /max:/ { print k, $2 }' events/v/b/hist | sort -n | paste -sd ,)"
has kprobes/compiled 'v/a .*its table has variables or expressions'
# Who is referred to stays.
refused 'Device or resource busy' trigger a '!hist:keys=ctx:x=ctx+1'
has error_log 'hist:v:a: error: Another trigger refers to its variables'
trigger b '!hist:keys=ctx:vals=$x+0:y=$x*2:onmax($y).save(ctx)'
trigger a '!hist:keys=ctx:x=ctx+1'

# A session's trigger goes with it, though others refer to it. Then nothing sets the variable any more.
exec 7<>session
printf '%s\n' 'p:v/own pe_cmp_target ctx=%dx:u32' 'trigger v/own hist:keys=ctx:x=ctx' | cat >&7
trigger b 'hist:keys=ctx:vals=$x+0'
echo 1 >$run
# One write takes away a trigger and the one that it refers to.
printf '%s\n' 'p:v/two pe_cmp_target ctx=%dx:u32' 'p:v/three pe_cmp_target ctx=%dx:u32' \
	'trigger v/two hist:keys=ctx:q=ctx' | cat >&7
echo 'trigger v/three hist:keys=ctx:vals=$q+0' | cat >&7
printf '%s\n' 'trigger v/three !hist:keys=ctx:vals=$q+0' 'trigger v/two !hist:keys=ctx:q=ctx' | cat >&7
lacks events/v/two/trigger '^hist'
exec 7>&-
before=$(balance b unset)
echo 1 >$run
echo 1 >$run
sum_is b
at_least 'b: not set, without v/own' $((before + 7)) "$(balance b unset)"
refused . trigger b '!hist:keys=ctx:vals=$x+0'
has error_log "hist:v:b: error: Couldn't find variable"

# One table for two events: only if hits write the same, and no reader holds what it counts in.
echo 'p:v/t pe_cmp_target ctx=%dx:u32 str=+88(%di):string num=%dx:u32' >>kprobe_events
echo 'p:v/u pe_cmp_body ctx=%di:u32 str=%di:u32 num=%di:u32' >>kprobe_events
trigger u 'hist:keys=ctx:z=num:name=foo:onmax($z).save(str)'
refused 'Invalid argument' trigger t 'hist:keys=ctx:z=num:name=foo:onmax($z).save(str)'
has error_log "hist:v:t: error: Named hist trigger doesn't match"
trigger u '!hist:keys=ctx:z=num:name=foo:onmax($z).save(str)'
trigger u 'hist:keys=ctx:z=num+1:name=foo'
refused 'Invalid argument' trigger t 'hist:keys=ctx:z=num+common_tgid:name=foo'
refused 'Invalid argument' trigger t 'hist:keys=ctx:z=$z+1:name=foo'
trigger t 'hist:keys=ctx:z=num+2:name=foo'
trigger t '!hist:keys=ctx:z=num+2:name=foo'
trigger u '!hist:keys=ctx:z=num+1:name=foo'
lacks events/v/u/trigger '^hist'

# Hits of all contexts, on all CPUs: no largest value is lost, and what is beside it is of the same hit.
trigger s 'hist:keys=common_type:vals=common_timestamp.max:x=common_timestamp:onmax($x).save(ctx,common_timestamp)'
trigger s 'hist:keys=ctx:x2=num:onchange($x2).save(num)'
echo 1 >$par/run
within 120 stress_saw $(($(stress_calls nmi) + 30)) nmi
trigger s 'hist:keys=ctx:x2=num:onchange($x2).save(num):clear' 2>/dev/null && fail 'a variable is defined twice'
within 120 stress_saw $(($(stress_calls nmi) + 30)) nmi
echo 0 >$par/run
awk '/^{/ { max = $NF }
     /^\tmax:/ { n++; if ($2 != $NF || $2 != max) print "not the largest:", max, $0 }
     /^\tchanged:/ { n++; if ($2 != $NF) print "of two hits:", $0 }
     END { if (n < 5) print "rows:", n }' events/v/s/hist >/tmp/wrong
is 'largest and last values' '' "$(cat /tmp/wrong)"
echo 0 >events/v/enable

# Snapshots: of the largest of all keys. One trigger takes them; they hold its memory.
echo 1 >events/v/a/enable
trigger a 'hist:keys=ctx:x=ctx:onmax($x).snapshot()'
refused 'Device or resource busy' trigger s 'hist:keys=ctx:y=num:onchange($y).snapshot()'
has error_log 'error: The instance already has such a snapshot()'
echo 1 >$run
has events/v/a/table '^#vars	full	0	unkept	0	no_snapshot	0$'
refused 'Argument list too long' trigger t 'hist:keys=str:size=131072:w=num:onmax($w).save(ctx)'
has events/v/a/hist 'triggering value { onmax($x) }: *6	triggered by event with key: { ctx: *6 }'
has snapshot 'a: .*ctx='
refused 'Device or resource busy' append 0 snapshot
trigger a '!hist:keys=ctx:x=ctx:onmax($x).snapshot()'
echo 0 >snapshot
echo 0 >events/v/enable
