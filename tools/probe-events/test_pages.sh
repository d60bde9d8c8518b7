#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
#
# test_pages.sh PROGRAM: each verb has a manual page beside the program, which man can show, with what the verb's help
# has: its name and summary, how it is called, its example, and its options, or the page that has them.
set -u
program=$1
dir=$(dirname "$program")
failed=0
wrong() { echo "$*"; failed=1; }
type groff > /dev/null || { echo 'no groff: apt-get install groff-base'; exit 1; }
# shown PAGE: as it is read, without lines that are broken
shown() { groff -man -Tascii -P-cbou -rLL=5000n "$1" 2>&1; }

main=$(dirname "$0")/probe-events.1
summaries=$("$program" --help | sed -n 's/^  \([a-z][a-z]*\)  *\(.*\)/\1 \2/p')
[ "$(wc -l <<< "$summaries")" -ge 14 ] || wrong 'no verbs'
shown "$dir/probe-events-count.1" > "$dir/count.shown"
while read -r verb summary; do
	page=$dir/probe-events-$verb.1
	complaints=$(groff -man -Tutf8 -ww -z "$page" 2>&1) || wrong "$verb: no page"
	[ -z "$complaints" ] || wrong "$verb: $complaints"
	shown "$page" > "$dir/shown"
	grep -qxF "     probe-events-$verb - $summary" <(sed 's/^ */     /' "$dir/shown") || wrong "$verb: no summary '$summary'"
	for section in NAME SYNOPSIS DESCRIPTION EXAMPLES 'EXIT STATUS' 'SEE ALSO'; do
		grep -qx "$section" "$dir/shown" || wrong "$verb: no $section"
	done
	# How it is called, once for each line of the synopsis of the whole page.
	lines=$(sed -n '/^SYNOPSIS/,/^DESCRIPTION/p' "$dir/shown" | grep -c "^ *probe-events $verb")
	usages=$("$program" "$verb" --help | grep -c "^\(usage:\|      \) probe-events $verb")
	[ "$lines" -ge 1 ] && [ "$lines" -ge "$usages" ] || wrong "$verb: $lines lines in the synopsis, $usages in the help"
	example=$("$program" "$verb" --help | grep -m 1 "^    probe-events $verb")
	grep -qF -- "${example#    }" <(sed -n '/^EXAMPLES/,$p' "$dir/shown") || wrong "$verb: not the example '$example'"
	# The statuses that its help names, and no others; top has those of count.
	of=$verb
	[ "$verb" != top ] || of=count
	wanted=$("$program" "$of" --help | sed -n '/^Exit status/,$p' | grep -oE '\b([0-9]|12[0-9])\b' | sort -un)
	got=$(sed -n '/^EXIT STATUS/,/^SEE ALSO/p' "$dir/shown" | sed -n 's/^ *\([0-9][0-9]*\) .*/\1/p' | sort -un)
	[ "$wanted" = "$got" ] || wrong "$verb: statuses $(echo $got), its help has $(echo $wanted)"
	# A description of its own, not only what others have.
	[ "$(sed -n '/^DESCRIPTION/,/^EXAMPLES/p' "$dir/shown" | wc -w)" -ge 20 ] || wrong "$verb: no description"
	for option in $("$program" "$verb" --help | grep -oE '(^ |  )--?[a-zA-Z][a-z-]*' | sort -u); do
		grep -qE -e "(^| |\[|\()$option\b" "$dir/shown" "$dir/count.shown" || wrong "$verb: no $option"
	done
	grep -qx "\.BR probe-events-$verb (1)[,.]" "$main" || wrong "$verb: the page of all does not name it"
	grep -q "verbs.*\b$verb\b" "$(dirname "$0")/Makefile" || wrong "$verb: not made"
done <<< "$summaries"
exit $failed
