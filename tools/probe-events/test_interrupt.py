# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
#
# test_interrupt.py PROGRAM: report reads a large file on a terminal, and a signal ends it: the line
# that says how far it is does not stay, and the signal is what the shell sees.
import os
import pty
import select
import signal
import sys
import tempfile
import time

START = (b'{"type":"start","v":1,"t":10.0,"verb":"trace","what":"vfs_read","by":[],"host":"h",'
         b'"kernel":"6.12","time":"2026-01-02T03:04:05Z","commands":["p:x"]}\n')
HIT = (b'{"type":"hit","v":1,"t":11.25,"cpu":0,"tid":7,"comm":"a","func":"vfs_read",'
       b'"args":{"ret":-2,"ns":100,"file":"/x"}}\n')


def interrupted(program, path, number):
    """What is on the terminal, and how the program ended."""
    pid, terminal = pty.fork()
    if not pid:
        os.environ["TERM"] = "xterm"
        for one in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(one, signal.SIG_DFL)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        os.execv(program, [program, "report", path, "by", "ret"])
    said, sent, deadline = b"", False, time.time() + 60
    while time.time() < deadline:
        if not select.select([terminal], [], [], 1)[0]:
            continue
        try:
            more = os.read(terminal, 4096)
        except OSError:         # it has ended
            more = b""
        said += more
        if not more:
            break
        if not sent and b"reading" in said:
            sent = True
            if number == signal.SIGINT:
                os.write(terminal, b"\x03")
            else:
                os.kill(pid, number)
    else:
        os.kill(pid, signal.SIGKILL)
    return said, os.waitpid(pid, 0)[1]


def main():
    failed = 0
    with tempfile.NamedTemporaryFile() as large:
        large.write(START)
        for _ in range(400):
            large.write(HIT * 1000)
        large.flush()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            said, status = interrupted(sys.argv[1], large.name, number)
            if not os.WIFSIGNALED(status) or os.WTERMSIG(status) != number:
                print(f"{number.name}: it ended with {status:#x}: {said!r}")
                failed = 1
            if b"reading" not in said or not said.endswith(b"\r\x1b[K"):
                print(f"{number.name}: left on the terminal: {said!r}")
                failed = 1
    return failed


sys.exit(main())
