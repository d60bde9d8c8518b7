#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: a function that is probed again and again takes one slot, however its calls end
# seconds: 4 debug=8
# modules: pe_calls pe_probe
#
# Calls that end with their task never return. Without a pause between the rounds, so that the
# engine is in the middle of letting the probes before go; some functions are armed through
# ftrace, where there is one, and others by a breakpoint.
set -eu
# shellcheck source=tests/func/lib/engine_lib.sh
. /host/engine_lib.sh

load pe_calls pe_probe
calls=/sys/module/pe_calls/parameters
functions_in_use() { cut -d' ' -f1 $P/usage; }
none_in_use() { [ "$(functions_in_use)" = 0 ]; }
rounds=$(length 25 300)

# again_and_again FUNCTION CALL...: the call is made in each round
again_and_again() {
	local i f=r:$1

	for ((i = 0; i < rounds; i++)); do
		add "$f"
		"${@:2}"
		differs "mechanism of $f" none "$(field "$f" 4)"
		del "$f"
	done
	echo "$1: $(cat $P/usage)"
}

again_and_again pe_calls:pe_calls_fast eval "echo 3 > $calls/fast"
within 60 none_in_use
again_and_again pe_calls:pe_calls_never eval "echo 1 > $calls/never"
is 'functions that never return' 1 "$(functions_in_use)"
again_and_again pe_calls:pe_calls_never_notrace eval "echo 1 > $calls/never_notrace"
is 'with one that has no place for ftrace' 2 "$(functions_in_use)"
again_and_again do_exit true
# Others may be on their way through it.
is 'with do_exit()' 3 "$(functions_in_use)"
rmmod pe_probe
