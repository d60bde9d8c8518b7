#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# description: a task's name is known before its record can be read
# seconds: 2
#
# Each command on CPU 1 is a task whose name is not known yet, and makes one record at once. A
# reader on CPU 0 prints each record as soon as it is there. (Nothing can stop a CPU in the code
# that saves names: it runs at hits.)

set -eu
cd "$PROBES"
# shellcheck source=tests/func/lib/events_lib.sh
. /host/events_lib.sh
tasks=$(length 100 2000)

echo 8192 > saved_cmdlines_size
echo 'p:t/zero read_zero' > kprobe_events
echo 1 > events/t/zero/enable
taskset -c 0 cat trace_pipe > /tmp/piped &
pipe=$!
taskset -c 1 bash -c "for ((i = 0; i < $tasks; i++)); do head -c 1 /dev/zero > /dev/null; done"
echo 0 > events/t/zero/enable
all_are_there() { [ "$(sed -n 's/^ *.*-\([0-9]*\) *\[001\].* zero: .*/\1/p' /tmp/piped | sort -u | wc -l)" -ge "$tasks" ]; }
within 60 all_are_there
kill $pipe
wait $pipe || true
lacks /tmp/piped '<\.\.\.>'
