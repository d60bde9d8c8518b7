# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# shellcheck shell=bash disable=SC2154
#
# Events on random places, each armed or refused with a reason. $tmp is a directory.

# shellcheck source=tests/func/lib/check_lib.sh
. /host/check_lib.sh

# define_all FILE FORMAT: an event for each line of FILE; FORMAT is printf's, for the number and
# the first word of the line. Lines go to $tmp/armed, or after the reason to $tmp/refused.
define_all() {
	local line why n=0

	while IFS= read -r line; do
		n=$((n + 1))
		# shellcheck disable=SC2059
		if printf "$2\n" $n "${line%% *}" >> kprobe_events 2> /dev/null; then
			echo "$line" >> "$tmp/armed"
		else
			find_reason
			echo "$why	$line" >> "$tmp/refused"
		fi
	done < "$1"
}

# find_reason: the one line of error_log that says why the last command was refused, into $why. No fork:
# there are many.
find_reason() {
	local text

	why=
	while IFS= read -r text; do
		case $text in *': error: '*) why=${text##*: error: } ;; esac
	done < error_log
}

# all_decided COUNT: each was armed, or refused with a reason
all_decided() {
	local armed refused

	armed=$(wc -l < "$tmp/armed") refused=$(wc -l < "$tmp/refused")
	cut -f1 "$tmp/refused" | sort | uniq -c | sort -rn
	is 'armed or refused' "$1" $((armed + refused))
	lacks "$tmp/refused" '^	'
}
