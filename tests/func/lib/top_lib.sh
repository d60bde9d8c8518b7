# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# shellcheck shell=bash
#
# probe-events top in a terminal that tmux makes: what is on it, and keys.

# shellcheck source=tests/func/lib/tool_lib.sh
. /host/tool_lib.sh
export LC_ALL=C.UTF-8 TERM=screen
# shellcheck disable=SC2034	# of check_lib.sh
evidence=(/tmp/picture)
picture() { tmux -u capture-pane -p -t top > /tmp/picture; }
# pictured PATTERN: a line of the screen has it
pictured() { picture; grep -q -e "$1" /tmp/picture; }
not_pictured() { picture; ! grep -q -e "$1" /tmp/picture; }
# null_calls NAME NUMBER: so often, one by one
null_calls() {
	bash -c "printf '$1' > /proc/self/comm; for ((i = 0; i < $2; i++)); do printf 1; done > /dev/null"
}
top_key() { echo "key $*"; tmux -u send-keys -t top "$@"; }
# begin_top SIZE WORDS...: until the first picture
begin_top() {
	local size=$1
	shift
	within 20 tmux -u new-session -d -s top -x "${size%x*}" -y "${size#*x}" "bash --norc -i"
	top_key "cd /tmp; PS1='shell> '" Enter
	within 100 pictured '^shell>'
	top_key "$tool $*; echo status \$?" Enter
	within 100 pictured "$begins_with"
}
# fits_in WIDTH: no line is longer
fits_in() {
	picture
	is "lines of more than $1 columns" '' "$(gawk -v most="$1" 'length > most' /tmp/picture)"
}
# end_top KEY [WORD]: the word is what the shell says after it, with the status
end_top() {
	top_key "$1"
	within 100 pictured "^${2:-status} [0-9]"
	cat /tmp/picture
	tmux -u kill-session -t top
	within 20 tool_nothing_left
}
