#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
#
# tests/vm/mode.sh, on files that look like the switches: each mode sets them, and end_mode finds
# out when a test has run in another mode in truth.
set -eu
cd "$(dirname "$0")/../.."
# shellcheck source=tests/vm/mode.sh
. tests/vm/mode.sh

tmp=$(mktemp -d)	# no trap removes it: a subshell that is killed early would run that, too
export PROBES=$tmp/probes
mode_dir=$tmp/mode
loaded() { echo "$as"; }	# in place of the module's inode

fail() {
	echo "modes: $*" >&2
	rm -rf "$tmp"
	exit 1
}

# switches: what they are
switches() { cat "$PROBES"/kprobes/{compile,optimization} | tr '\n' ' '; }
fresh() {
	as=1
	mkdir -p "$PROBES/kprobes"
	echo 1 | tee "$PROBES/kprobes/compile" >"$PROBES/kprobes/optimization"
}

# sets MODE SWITCHES
sets() {
	fresh
	begin_mode "$1" 1 5
	[ "$(switches)" = "$2 " ] || fail "$1: the switches are $(switches)"
	end_mode "$1" || fail "$1: a test that leaves them alone fails"
}

# finds_out MODE COMMAND...: that does in a test what it may not do
finds_out() {
	fresh
	begin_mode "$1" 1 5
	"${@:2}"
	! end_mode "$1" >/dev/null || fail "$1: does not find out: ${*:2}"
}

sets default '1 1'
sets interpreted '0 1'
sets breakpoints '1 0'
sets plain '0 0'
! begin_mode other 2>/dev/null || fail "there is no mode 'other'"

finds_out interpreted eval 'echo 1 >$PROBES/kprobes/compile'
finds_out plain eval 'echo 1 >$PROBES/kprobes/optimization'
fresh
begin_mode plain
fresh
as=2
end_mode plain || fail "plain: the modules were loaded anew"

# Both switches change, and are left alone while a command is busy that unmounts.
both() { [ "$(sort -u "$tmp"/seen_compile | wc -l)" = 2 ] && [ "$(sort -u "$tmp"/seen_optimization | wc -l)" = 2 ]; }
fresh
begin_mode toggled 1 5
: >"$tmp/seen_compile"
: >"$tmp/seen_optimization"
for ((i = 0; i < 3000; i++)); do
	for name in compile optimization; do cat "$PROBES/kprobes/$name" >>"$tmp/seen_$name"; done
	! both || break
done
both || fail "toggled: they do not change"
grep -q flock "$mode_dir/bin/umount" || fail "toggled: umount does not wait"
exec 8>"$mode_dir/lock"
flock 8
before=$(switches)
sleep 0.2
[ "$(switches)" = "$before" ] || fail "toggled: they change under the lock"
exec 8>&-
end_mode toggled | grep -q 'changed [1-9][0-9]* times' || fail "toggled: does not say how often"

finds_out toggled eval 'kill $toggler; wait $toggler 2>/dev/null || true'
fresh
mv "$PROBES" "$tmp/elsewhere"
begin_mode toggled 1 5
sleep 0.1
! end_mode toggled >/dev/null || fail "toggled: nothing has changed"
rm -rf "$tmp"
