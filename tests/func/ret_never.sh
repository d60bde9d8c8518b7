#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: a function that is probed again and again takes one slot, however its calls end
# kernels: all
# modules: pe_calls pe_probe
#
# Calls that end with their task never return. Without a pause between the rounds, so that the
# engine is in the middle of letting the probes before go; some functions are armed through
# ftrace, where there is one, and others by a breakpoint.
set -eu
. /host/engine_lib.sh
# shellcheck source=tests/func/check_lib.sh
. /host/check_lib.sh

load pe_calls pe_probe
calls=/sys/module/pe_calls/parameters
functions() { cut -d' ' -f1 $P/usage; }
no_functions() { [ "$(functions)" = 0 ]; }
rounds=$(length 25 300)

# again FUNCTION CALL...: the call is made in each round
again() {
	local i f=r:$1

	for ((i = 0; i < rounds; i++)); do
		add "$f"
		"${@:2}"
		[ "$(field "$f" 4)" != none ] || fail "$f is not armed"
		del "$f"
	done
	echo "$1: $(cat $P/usage)"
}

again pe_calls:pe_calls_fast eval "echo 3 > $calls/fast"
within 60 no_functions
again pe_calls:pe_calls_never eval "echo 1 > $calls/never"
is 'functions that never return' 1 "$(functions)"
again pe_calls:pe_calls_never_notrace eval "echo 1 > $calls/never_notrace"
is 'with one that has no place for ftrace' 2 "$(functions)"
again do_exit true
# Others may be on their way through it.
is 'with do_exit()' 3 "$(functions)"
rmmod pe_probe
