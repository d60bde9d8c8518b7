# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# Completion of probe-events for bash.  Words come from `probe-events --help` and from the files of
# the module, where they can be read; nothing is loaded or mounted for it.

_probe_events_verbs()
{
	"$1" --help 2>/dev/null | sed -n 's/^  \([a-z][a-z]*\) .*/\1/p'
}

# Functions that begin so: as many as ftrace knows, or the kernel's symbols.
_probe_events_functions()
{
	local list=/sys/kernel/tracing/available_filter_functions

	[ -r /sys/kernel/probes/available_filter_functions ] &&
		list=/sys/kernel/probes/available_filter_functions
	if [ -r "$list" ]; then
		sed -n "s/^\\($1[^ ]*\\).*/\\1/p" "$list" 2>/dev/null
	else
		sed -n "s/^[^ ]* [tT] \\($1[^ \\t]*\\).*/\\1/p" /proc/kallsyms 2>/dev/null
	fi | head -n 2000 | sort -u
}

_probe_events_presets()
{
	"$1" help @ 2>/dev/null | sed -n 's/^  \(@[^ ]*\) .*/\1/p'
}

_probe_events_events()
{
	local dir

	for dir in /sys/kernel/probes /sys/kernel/tracing; do
		[ -r "$dir/kprobes/cost" ] && sed -n '2,$s/^\([^#\t]*\)\t.*/\1/p' "$dir/kprobes/cost"
	done
}

_probe_events_sessions()
{
	local dir

	for dir in /sys/kernel/probes /sys/kernel/tracing; do
		[ -r "$dir/sessions" ] && sed -n 's/^\([0-9]*\)\t.*/\1/p' "$dir/sessions"
	done
}

# Directories below where cgroup2 is.
_probe_events_cgroups()
{
	local root

	root=$(sed -n 's/^[^ ]* \([^ ]*\) cgroup2 .*/\1/p' /proc/self/mounts | sort | head -n 1)
	[ -z "$root" ] || (cd "$root" && compgen -S / -d -- "${1#/}")
}

# top has those of lat, but for what a screen has no place for.
_probe_events_options()
{
	local of=$2 but=-

	[ "$2" != top ] || { of=lat; but='-[fka]|--keep|--engine'; }
	"$1" "$of" --help 2>/dev/null | grep -oE '(^|[ ,|[])--?[a-zA-Z][a-z-]*' |
		grep -oE -- '-.*' | grep -vxE -e "$but" | sort -u
}

_probe_events()
{
	local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} verb=${COMP_WORDS[1]}
	local keys="comm pid tid cpu func caller stack ret errno" options words head= i
	case $verb in
	report) keys="comm tid cpu func event stack caller ret errno" ;;
	trace) keys="comm tid pid cpu func caller ret errno ns" ;;
	watch|find) keys="" ;;
	esac

	COMPREPLY=()
	if [ "$COMP_CWORD" -eq 1 ]; then
		words=$(_probe_events_verbs "${COMP_WORDS[0]}")
		mapfile -t COMPREPLY < <(compgen -W "$words --help --version" -- "$cur")
		return
	fi
	# The longest list comes from the verb itself, so it is never older than the program.
	options=$(_probe_events_options "${COMP_WORDS[0]}" "$verb")
	# What follows an option that the verb does not have is no value of it. Another command's options are its own.
	case $verb,\ ${COMP_WORDS[*]:0:COMP_CWORD}\ ,$prev in
	exec,* | *\ --\ *) ;;
	*,-[a-zA-Z]|*,--color|*,--engine) grep -qx -e "$prev" <<<"$options" || return 0 ;;
	esac
	case $prev in
	by)
		case $cur in *,*) head=${cur%,*},; esac
		mapfile -t COMPREPLY < <(compgen -P "$head" -W "$keys" -- "${cur##*,}")
		return ;;
	-f)
		words="text json csv html openmetrics folded"
		case $verb in
		trace) words="text json dat folded" ;;
		check|inside) words="text json csv" ;;
		watch) words="text dat" ;;
		esac
		mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
		return ;;
	-s)
		words="calls"
		[ "$verb" = count ] || words="calls p50 p90 p99 max total"
		# Of the keys, those of the question.
		for ((i = 2; i < COMP_CWORD - 1; i++)); do
			[ "${COMP_WORDS[i]}" != by ] || words+=" ${COMP_WORDS[i + 1]//,/ }"
		done
		mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
		return ;;
	--color)
		mapfile -t COMPREPLY < <(compgen -W "never auto always" -- "$cur")
		return ;;
	--engine)
		mapfile -t COMPREPLY < <(compgen -W "kernel modules" -- "$cur")
		return ;;
	-u)
		mapfile -t COMPREPLY < <(compgen -W "ns us ms s" -- "$cur")
		return ;;
	-x)
		mapfile -t COMPREPLY < <(compgen -W "EPERM ENOENT EINTR EIO EAGAIN ENOMEM EACCES EFAULT EBUSY EEXIST
			ENODEV EINVAL ENOSPC EPIPE ETIMEDOUT ECONNREFUSED" -- "$cur")
		return ;;
	-G)
		mapfile -t COMPREPLY < <(_probe_events_cgroups "$cur")
		# As names of files: a user who may make a cgroup chooses its name.
		compopt -o nospace -o filenames
		return ;;
	-o|-w)
		mapfile -t COMPREPLY < <(compgen -f -- "$cur")
		return ;;
	esac
	case $cur in
	-*)
		mapfile -t COMPREPLY < <(compgen -W "$options" -- "$cur")
		return ;;
	@*)
		mapfile -t COMPREPLY < <(compgen -W "$(_probe_events_presets "${COMP_WORDS[0]}")" -- "$cur")
		return ;;
	esac
	case $verb in
	report)
		words="by if"
		[ "$COMP_CWORD" -gt 2 ] || words="count lat trace"
		mapfile -t COMPREPLY < <(compgen -f -W "$words" -- "$cur") ;;
	check|inside)
		# Any number of functions; after a preset the file that it is about.
		case ${COMP_WORDS[2]} in
		@*) mapfile -t COMPREPLY < <(compgen -f -- "$cur") ;;
		*) mapfile -t COMPREPLY < <(compgen -W "$(_probe_events_functions "$cur")" -- "$cur") ;;
		esac ;;
	count|lat|trace|top|watch|find)
		# The colon of e:GROUP/EVENT is a word of its own, and the one that is typed right after it.
		if [ "$cur" = : ] && [ "$prev" = e ]; then
			mapfile -t COMPREPLY < <(compgen -W "$(_probe_events_events)")
			return
		fi
		if [ "$prev" = : ] && [ "${COMP_WORDS[COMP_CWORD - 2]}" = e ]; then
			mapfile -t COMPREPLY < <(compgen -W "$(_probe_events_events)" -- "$cur")
			return
		fi
		case $cur in *,*) head=${cur%,*}, ;; esac
		if [ "$head" ]; then
			words=$(_probe_events_functions "${cur##*,}")
			mapfile -t COMPREPLY < <(compgen -P "$head" -W "$words" -- "${cur##*,}")
			return
		fi
		words="$(_probe_events_functions "$cur")"
		if [ "$COMP_CWORD" -gt 2 ]; then
			case $verb in
			find) words="" ;;
			watch) words="if" ;;
			*) words="by if" ;;
			esac
		fi
		mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur") ;;
	limit)
		words="all $(_probe_events_sessions) $(_probe_events_events)"
		# That of a session is shown, and not set.
		if [ "$COMP_CWORD" -gt 2 ]; then
			words="cpu= one= hits= rate= ttl= none"
			[ -n "${COMP_WORDS[2]//[0-9]/}" ] || words=""
		fi
		mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur") ;;
	list|rm)
		mapfile -t COMPREPLY < <(compgen -W "$(_probe_events_sessions)" -- "$cur") ;;
	exec)
		mapfile -t COMPREPLY < <(compgen -c -- "$cur") ;;
	esac
}

complete -F _probe_events probe-events
