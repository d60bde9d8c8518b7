#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
#
# Each test that Documentation/kprobes-clauses.md names is there, with the text that stands after
# its name, up to the next "; " or the end of the column.  Prints the number of what was checked.
set -euo pipefail
cd "$(dirname "$0")/../.."
document=${1:-Documentation/kprobes-clauses.md}
checked=0 bad=0

complain() {
	echo "clauses: $*" >&2
	bad=$((bad + 1))
}

while IFS= read -r item; do
	file=tests/${item%%\`*}
	text=${item#*\`}
	text=${text# }
	checked=$((checked + 1))
	if [ ! -f "$file" ]; then
		complain "$file does not exist"
	elif [ -z "$text" ]; then
		complain "$file: the case is missing"
	elif ! grep -qF -e "$text" "$file"; then
		complain "$file has no '$text'"
	fi
done < <(sed -n 's/^| .* | \(.*\) |$/\1/p' "$document" | sed 's/; /\n/g' |
	grep -oE '`(func|modules|unit)/[^`]*`.*' | sed 's/^`//; s/, .*//')
[ $checked -ge 80 ] || complain "only $checked are named"
[ $bad = 0 ] || exit 1
echo "clauses: $checked"
