# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# shellcheck shell=bash
#
# Say on stderr what takes minutes, and now and then how far it is. Sourced, after lib.sh;
# what is said begins with $subject.
subject=${subject:-${0##*/}}

# A line at least so often, in seconds, says how far it is.
pause=30
[ ! -t 2 ] || pause=15

minutes() { printf '%s: %d:%02d' "$subject" $(($1 / 60)) $(($1 % 60)); }

# Until it is killed, or this script is gone: tick HOW-FAR
tick() {
	local start=$SECONDS nap=''
	trap 'kill $nap 2>/dev/null; exit' TERM
	while kill -0 $$ 2>/dev/null; do
		sleep $pause &
		nap=$!
		wait $nap
		note "$(minutes $((SECONDS - start))), $("$1")"
	done
}

# during WHAT HOW-FAR COMMAND...: run COMMAND; say what it does and, now and then, what HOW-FAR prints.
during() {
	local far=$2 ticker status=0
	note "$subject: $1"
	shift 2
	tick "$far" </dev/null >&2 &
	ticker=$!
	"$@" || status=$?
	kill $ticker 2>/dev/null || true
	wait $ticker 2>/dev/null || true
	return $status
}

# progress LOG TOP: of a build whose messages are on stdin, a line now and then: how long, how much,
# where (below TOP). The whole log is in the file.
progress() {
	local line got start=$SECONDS last=$SECONDS objects=0 where='preparing'
	while
		got=0
		IFS= read -r -t $pause line || got=$?
		[ $got -eq 0 ] || [ $got -gt 128 ]	# the latter: nothing for so long
	do
		[ -z "$line" ] || printf '%s\n' "$line" >&3
		case $line in
		'  CC  '*|'  AS  '*) objects=$((objects + 1)) where=${line##* } ;;
		'  '*) where=${line##* } ;;
		esac
		[ $((SECONDS - last)) -ge $pause ] || continue
		last=$SECONDS
		note "$(minutes $((last - start))), $objects objects, ${where#"$2/"}"
	done 3>"$1"
	note "$(minutes $((SECONDS - start))), $objects objects"
}
