#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
# What a person sees at the end of `make demo`. Every command that matters is shown as it is
# run; nothing here is canned.
set -eu
cd "$PROBES"
export LC_ALL=C

say() { printf '\n'; printf '# %s\n' "$@"; }
# Show a command line, then run it.
run() { printf '$ %s\n' "$1"; eval "$1"; }

echo
echo "Linux $(uname -r), as Debian ships it. Loaded beside it:"
lsmod | awk '/^probe_/ { printf "  %s (%d KiB)\n", $1, $2 / 1024 }'
echo "Our files are in $PROBES."

say "Who opens what? A probe at the entry of the kernel's function for open(), with the" \
	"directory and the name, read from the memory of the program that asks:"
run "echo 'p:open do_sys_openat2 dfd=%di:s32 file=+0(%si):ustring' >kprobe_events"
say "Who starts programs, and who writes how much? (A system call has its arguments in a" \
	"struct pt_regs: at 0x70 of it is the first, here the address of a name.)"
run "echo 'p:exec __x64_sys_execve program=+0(+0x70(%di)):ustring' >>kprobe_events"
run "echo 'p:write ksys_write fd=%di:u32 bytes=%dx:u64 comm=\$comm' >>kprobe_events"
say "What the kernel now has, as it was understood:"
run "cat kprobe_events"
run "cat events/kprobes/open/format"

say "Switch them on, let real programs work, switch them off."
cat >/tmp/hello.sh <<'END'
#!/bin/bash
echo "hello from $0" > /tmp/hello.txt
END
run "echo 1 >events/kprobes/enable"
run "ls /etc >/dev/null"
run "cat /etc/hostname >/dev/null"
run "bash /tmp/hello.sh"
run "echo 0 >events/kprobes/enable"

say "What was recorded: the header, and of the rest what these programs did themselves."
run "head -n 12 trace"
run "grep -E '(ls|cat|bash|hello.sh)-[0-9]' trace | grep -v '\.so\|/dev/null' | head -n 20"
say "Each event's hits and misses, and where every hit went:"
run "cat kprobe_profile"
[ ! -e kprobe_losses ] || run "cat kprobe_losses"
run "cat kprobes/list"

say "A mistake is answered with a place and a reason:"
printf '$ %s\n' "echo 'p:bad do_sys_openat2 name=+0(%xx):ustring' >kprobe_events"
echo 'p:bad do_sys_openat2 name=+0(%xx):ustring' >kprobe_events || true
run "cat error_log"

say "And away with it: the kernel is as it was."
run "echo >kprobe_events"

say "Two questions, and their answers. Who reads, and how long does it take? Who opens what, in vain?"
PATH=$PATH:/host
run "probe-events lat vfs_read by comm -a -- bash /tmp/hello.sh"
run "probe-events trace @open if ret lt 0 -a -- ls /nowhere 2>/dev/null | tail -n 12"
