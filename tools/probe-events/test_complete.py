# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
"""test_complete.py: what bash itself makes of a TAB where a colon divides words: e:GROUP/EVENT.

Words that it completes are given to it on a terminal, with the events of another machine.
"""
import os
import pty
import select
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
EVENTS = "_probe_events_events() { echo kprobes/open kprobes/other mine/zero; }; "
FUNCTIONS = "_probe_events_functions() { echo a_function; }; "


def read_until(fd, text):
    """What is written there, until it has the text, or for a minute."""
    got = ""
    end = time.time() + 60
    while text not in got and time.time() < end:
        if select.select([fd], [], [], 0.2)[0]:
            try:
                got += os.read(fd, 4096).decode(errors="replace")
            except OSError:
                break
    return got


def completed(typed, wanted):
    """Type it in a shell of its own; return what the shell shows until that has what is wanted."""
    pid, fd = pty.fork()
    if not pid:
        os.environ.update(PS1="ready", TERM="dumb")
        os.execvp("bash", ["bash", "--norc", "--noprofile", "-i"])
    read_until(fd, "ready")
    os.write(fd, f". {HERE}/probe-events.bash; {EVENTS}{FUNCTIONS}PS1=go\n".encode())
    read_until(fd, "\ngo")
    os.write(fd, typed.encode())
    got = read_until(fd, wanted)
    os.write(fd, b"\x03")
    os.write(fd, b"exit\n")
    os.close(fd)
    os.waitpid(pid, 0)
    return got


def main():
    failed = False
    for typed, wanted in (
            ("probe-events count e:\t\t", "kprobes/open   kprobes/other  mine/zero"),
            ("probe-events top e:m\t", "e:mine/zero "),
            ("probe-events trace e:kprobes/ot\t", "e:kprobes/other "),
            ("probe-events count \t", "a_function "),
    ):
        got = completed(typed, wanted)
        if wanted not in got:
            print(f"{typed!r}: {got!r}")
            failed = True
    return failed


if __name__ == "__main__":
    sys.exit(main())
