# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# shellcheck shell=bash
#
# The command probe-events, and what it leaves. In our directory.

# shellcheck source=tests/func/lib/check_lib.sh
. /host/check_lib.sh
tool=/host/probe-events
# More hits are made than a machine should bear, but where limits are the subject.
export PROBE_EVENTS_LIMIT=none
cd "$PROBES"

# tool_left: all that a verb may leave
tool_left() { cat dynamic_events kprobes/list kprobes/refused sessions; ls instances; }
before=$(tool_left)
tool_nothing_left() { [ "$(tool_left)" = "$before" ]; }
tool_none_left() { is "left after $1" "$before" "$(tool_left)"; }

# tool_says STATUS WORDS...: what it says goes to /tmp/out and /tmp/err, and is shown as far as it is short
tool_says() {
	local got=0

	"$tool" "${@:2}" > /tmp/out 2> /tmp/err || got=$?
	head -c 3000 /tmp/out
	cat /tmp/err
	is "status of ${*:2}" "$1" "$got"
}

# tool_run STATUS WORDS...: the same, and nothing is left
tool_run() {
	tool_says "$@"
	tool_none_left "${*:2}"
}

# tool_verbs: each verb that the tool has
tool_verbs() { "$tool" --help | sed -n '/^Verbs:/,/^$/s/^  \([a-z]*\)  .*/\1/p'; }
