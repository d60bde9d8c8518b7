#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: handlers that change registers, divert and see the end of instructions, as the kernel's kprobes do
# tier: 6.12-cloud 6.12-rt 6.1-cloud bare
# seconds: 6
# modules: pe_target pe_divert_test pe_stress pe_probe
set -eu
# shellcheck source=tests/func/lib/engine_lib.sh
. /host/engine_lib.sh
# shellcheck source=tests/func/lib/events_lib.sh
. /host/events_lib.sh

load pe_target
run_cases pe_divert_test
rmmod pe_target

# ---- under load, from every context ----

load pe_stress pe_probe
S=/sys/module/pe_stress/parameters
SYM=pe_stress_target
INSIDE=$SYM+$(cat $S/site)
calls() { sed -n 's/.*total=//p' $S/calls; }

# accounted PROBE...: each call since "before" is a hit or a miss
accounted() {
	local probe made
	made=$(($(calls) - before))
	at_least 'calls' 100 $made
	for probe; do
		is "$what: hits and misses of $probe" $made "$(($(field $probe 2) + $(field $probe 3)))"
	done
	lacks $P/hits BAD_IP
	lacks $P/hits BAD_POST
	echo "$what: $made calls"
}
storm() { before=$(calls); echo 1 > $S/run; }
calm() { echo 0 > $S/run; }

# Observers and probes that change; a pair of each at both places.
what='beside observers'
for p in $SYM c:$SYM $INSIDE c:$INSIDE; do add $p; done
storm
stress_more 30 task softirq irq nmi
calm
accounted $SYM c:$SYM $INSIDE c:$INSIDE
is 'missed' 0 "$(field c:$INSIDE 3)"

# One that diverts all calls, and what follows it.
what='diverted'
for p in $SYM c:$SYM $INSIDE c:$INSIDE; do del $p; done
for p in $SYM d:$SYM c:$SYM $INSIDE; do add $p; done
storm
stress_more 30 task softirq irq nmi
calm
accounted $SYM d:$SYM
expect_hits c:$SYM 0
expect_hits $INSIDE 0
for p in d:$SYM c:$SYM; do del $p; done
what='diverted inside'
del $SYM; del $INSIDE
for p in $SYM $INSIDE d:$INSIDE c:$INSIDE; do add $p; done
storm
stress_more 30 task softirq irq nmi
calm
accounted $SYM $INSIDE d:$INSIDE
expect_hits c:$INSIDE 0
for p in d:$INSIDE c:$INSIDE $SYM $INSIDE; do del $p; done

# They come and go, beside observers that must see every call.
what='coming and going'
for p in $SYM $INSIDE; do add $p; done
returns=r:$SYM
if [ "$(field $SYM 4)" = int3 ]; then
	add c:$SYM
	expect_refusal r:$SYM busy 'post handler'
	del c:$SYM
	returns=
fi
storm
for ((i = 0; i < $(length 4 30); i++)); do
	for p in c:$SYM c:$INSIDE $returns; do add $p; done
	echo c:$INSIDE > $P/disable
	del c:$SYM
	echo c:$INSIDE > $P/enable
	del c:$INSIDE
	add c:$SYM
	[ -z "$returns" ] || del $returns
	del c:$SYM
done
stress_more 30 task softirq irq nmi
calm
accounted $SYM $INSIDE
is "$what: misses" 0 "$(($(field $SYM 3) + $(field $INSIDE 3)))"
for p in $SYM $INSIDE; do del $p; done

# All is as before.
storm
stress_more 20 task
calm
rmmod pe_probe pe_stress
