# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# shellcheck shell=bash
# The shell of `make shell`: says where things are.
PATH=/host:$PATH
cd "$PROBES" || exit
cat <<END

Linux $(uname -r), with the modules loaded. Our files are here, in $PROBES.
Questions:  probe-events help         with the names of ready-made ones: probe-events help @
            probe-events lat vfs_read by comm -d 5
By hand:    echo 'p:open do_sys_openat2 file=+0(%si):ustring' > kprobe_events
            echo 1 > events/kprobes/open/enable; cat trace_pipe
"exit" ends it.

END
# shellcheck disable=SC2016	# for the shell that reads it
bash --rcfile <(echo 'PS1="vm# "; . /host/probe-events.bash') || true
