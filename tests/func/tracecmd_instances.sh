#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# description: unmodified trace-cmd: record into instances
# kernels: 6.12-cloud
# timeout: 600
# packages: trace-cmd
# tools: probe-events
# modules: pe_target

set -eu
# shellcheck source=tests/func/tracing_lib.sh
. /host/tracing_lib.sh
target_probes

# trace-cmd -B puts files where it is.
cd /tmp

# Each has its own events and buffer, and is gone afterwards.
tc record -B in1 -e tct:add -B in2 -e tct:str -o /tmp/b.dat -- /tmp/work 300 5
report /tmp/b.dat > /tmp/b
is 'in1' 300 "$(count '^in1: .*: add: ' < /tmp/b)"
is 'in2' 5 "$(count '^in2: .*: str: ' < /tmp/b)"
is 'no others' 305 "$(count ': \(add\|str\): ' < /tmp/b)"
is 'gone' '' "$(ls "$PROBES/instances")"
# And beside the top one, with a filter of its own.
tc record -e tct -B in1 -e tct:add -f 'a < 20' -o /tmp/b.dat -- /tmp/work 300 5
report /tmp/b.dat > /tmp/b
is 'filtered in1' 20 "$(count '^in1: .*: add: ' < /tmp/b)"
is 'the top one' 325 "$(count ': \(add\|str\): ' < /tmp/b)"
