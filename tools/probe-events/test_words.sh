#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
#
# test_words.sh PROGRAM: what bash completes is what the program knows; every verb has help with an
# example, is in the manual page, and takes no option that its help does not name.
set -u
program=$1
failed=0
wrong() { echo "$*"; failed=1; }
dir=$(dirname "$0")
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
# shellcheck source=tools/probe-events/probe-events.bash
. "$dir/probe-events.bash"

# complete WORDS...: the last one is what is being typed
completed() {
	COMP_WORDS=("$program" "$@")
	COMP_CWORD=$#
	_probe_events
	printf '%s ' "${COMPREPLY[@]}"
}
same() { [ "$2" = "$3" ] || wrong "$1: got '$3', wanted '$2'"; }

verbs=$("$program" --help | sed -n 's/^  \([a-z][a-z]*\) .*/\1/p')
same 'verbs' "${verbs//$'\n'/ } --help --version " "$(completed '')"
same 'a verb' 'count ' "$(completed cou)"
same 'keys' 'caller comm cpu ' "$(completed count x by c | tr ' ' '\n' | sort | xargs) "
same 'a second key' 'comm,cpu ' "$(completed count x by comm,cp)"
same 'forms' 'json ' "$(completed lat x -f j)"
same 'forms of trace' 'dat ' "$(completed trace x -f d)"
same 'forms of inside' 'text json csv ' "$(completed inside x -f '')"
same 'forms of watch' 'text dat ' "$(completed watch x -f '')"
same 'orders of count' 'calls comm cpu ' "$(completed count x by comm,cpu -s '')"
same 'orders of lat' 'p50 p90 p99 pid ' "$(completed lat x by pid -s p)"
same 'keys of trace' 'comm tid pid cpu func caller ret errno ns ' "$(completed trace x by '')"
same 'keys of a table' 'stack ' "$(completed lat x by s)"
same 'words of a limit' 'cpu= ' "$(completed limit a/b c)"
# What a verb refuses is not offered.
while read -r words; do
	# shellcheck disable=SC2086
	same "after $words" ' ' "$(set -f; completed $words '')"
done <<-END
	top x -f
	find x
	find x by
	find x -f
	watch x -L 1ms by
	watch x -s
	watch x -w
	watch x --engine
	trace x -s
	top x --engine
	list -f
	limit 12
END
[ -n "$(completed exec ls -l '' | tr -d ' ')" ] || wrong 'after an option of a command: nothing is completed'
same 'words of watch' 'if ' "$(completed watch x '')"
same 'options of top' '' "$(completed top x - | xargs -n 1 | grep -xE -e '-f|-k|--keep|-a' | xargs)"
same 'an option of top' '-s ' "$(completed top x -s)"
same 'events, after the colon' 'a/b ' "$(_probe_events_events() { echo a/b; }; completed top e :)"
same 'engines' 'kernel ' "$(completed lat x --engine k)"
same 'words' 'by ' "$(completed lat x b)"
same 'presets' '@pages ' "$(completed count @pa)"
# Functions are completed where a verb takes one, and any number where it takes several.
_probe_events_functions() { compgen -W 'vfs_read vfs_rmdir' -- "$1"; }
for verb in count lat trace top watch find check inside; do
	same "functions of $verb" 'vfs_read vfs_rmdir ' "$(completed "$verb" vfs_r)"
done
for verb in check inside; do
	same "more functions of $verb" 'vfs_rmdir ' "$(completed "$verb" vfs_read vfs_rm)"
done
same "a file of a preset" "$dir/probe-events.1 " "$(completed inside @dir "$dir/probe-events.1")"
# top is a screen.
for words in '-f json' '-k 1h' '--keep 1h' '-- true' '-a -- true'; do
	# shellcheck disable=SC2086
	said=$("$program" top vfs_read $words 2>&1 < /dev/null)
	same "status of top $words" 2 $?
	grep -q '^probe-events: top: -f, -k and a command are for count and lat' <<<"$said" || wrong "top $words: $said"
done
# What cannot be written is said, once, and is no success.
echo '{"type":"start","verb":"count","by":[],"v":1,"t":1.0,"what":"x","host":"h","kernel":"k","time":"t","commands":[]}
{"type":"total","v":1,"t":2.0,"hits":6,"seconds":1.0,"rows":0,"other":0}
{"type":"end","v":1,"t":2.0,"status":0,"balance":{"hits":6,"counted":6,"lost":{}}}' > "$tmp/saved"
for words in "find vfs_*" doctor --help help 'help lat' 'help @' --version 'lat --help' "report $tmp/saved" \
	'count vfs_read --dry-run' 'trace vfs_read --dry-run'; do
	# shellcheck disable=SC2086
	said=$(set -f; "$program" $words 2>&1 > /dev/full)
	same "status of $words > /dev/full" 1 $?
	same "$words > /dev/full: $said" 1 "$(grep -c '^probe-events: cannot write' <<<"$said")"
done
# The line is kept with what is left armed, all of it.
same 'words with blanks' "comment count vfs_read by comm -n 'Web Content' -k 1h --dry-run" \
	"$("$program" count vfs_read by comm -n 'Web Content' -k 1h --dry-run | head -n 1)"
same 'keys of trace' 'comment trace vfs_read by comm,cpu --dry-run' "$("$program" trace vfs_read by comm,cpu --dry-run | grep '^comment')"
long=$(seq -s, -f 'function_%g' 40)
said=$("$program" count "$long" by comm -k 1h --dry-run 2>&1)
same 'status of a long line that is to be kept' 2 $?
grep -q '^probe-events: count: -k: the line is too long' <<<"$said" || wrong "a long line that is to be kept: $said"
said=$("$program" count "$long" by comm --dry-run | head -n 1)
same 'a long line' "comment count ${long:0:$((255 - 10))} ..." "$said"
# A verb that is nearly one.
said=$("$program" cuont vfs_read 2>&1)
same 'status of cuont' 2 $?
same 'cuont' 'probe-events: no such verb: cuont (meant: count?)' "$(head -n 1 <<<"$said")"
# Every preset is in the manual page.
for preset in $("$program" help @ | sed -n 's/^  \(@[a-z]*\) .*/\1/p'); do
	grep -q "^\.B[IR]* $preset\b" "$dir/probe-events.1" || wrong "$preset: not in the manual page"
done
for option in -d -i -p -t -C -n -L -s -r -u -f -o -k -q -a -w -x -T -v -M --fail --dry-run --ascii --expect \
	--cpu --one --rate --ttl --no-limit --engine --fine --keep; do
	case " $(completed count x -)" in
	*" $option "*) ;;
	*) wrong "count $option: not completed" ;;
	esac
done
for verb in $verbs; do
	help=$("$program" "$verb" --help) || wrong "$verb --help: status $?"
	grep -q "^usage: probe-events $verb" <<<"$help" || wrong "$verb --help: no usage"
	grep -q "^    probe-events $verb" <<<"$help" || wrong "$verb --help: no example"
	grep -q "Exit status:" <<<"$help" || wrong "$verb --help: no exit status"
	! grep -E '.{91}' <<<"$help" || wrong "$verb --help: long line"
	grep -q "^\.SS .*\b$verb\b" "$dir/probe-events.1" || wrong "$verb: not in the manual page"
done
# Each option of the help is in the manual page.
for verb in count lat trace report watch; do
	for option in $("$program" "$verb" --help | grep -oE '(^ |  )--?[a-zA-Z][a-z-]*' | sort -u); do
		sed 's/\\-/-/g' "$dir/probe-events.1" | grep -q -e "[ \"]$option" || wrong "$option of $verb: not in the manual page"
	done
done
exit $failed
