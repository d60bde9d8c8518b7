#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
#
# test_terminal.py PROGRAM: a file that another user has made has sequences for a terminal in all its
# texts: report shows none as it is.  A file gets them whole, of csv.
import json
import os
import pty
import subprocess
import sys
import tempfile

# The title of the window, the cursor, the same by one character of the upper half, backwards.
EVIL = "\x1b]0;gone\x07\x1b[2J\r\u009b2J\u202e\x7f"
SHOWN = "\\x1b]0;gone\\x07\\x1b[2J\\x0d\\xc2\\x9b2J\\xe2\\x80\\xae\\x7f"
failed = 0


def line(kind, **values):
    return {"type": kind, "v": 1, "t": 20.0, **values}


def start(verb, by, what):
    return line("start", verb=verb, what=what, by=by, host="h", kernel="6.12", time="", commands=["p:x"])


END = line("end", status=0, balance={"hits": 1, "not_asked_for": 0, "in_flight": 0, "later": 0,
                                     "lost": {EVIL: 1}})
HEX = {"hex": EVIL.encode().hex()}
FILES = {
    "table.json": [start("count", ["comm", "stack", EVIL], HEX),
                   line("error", what=EVIL),
                   line("row", hits=1, key={"comm": HEX, "stack": [EVIL, "b"], EVIL: 1}),
                   line("total", hits=1, seconds=1.0, rows=1, other=0), END],
    "hits.json": [start("trace", [], EVIL),
                  line("hit", cpu=0, tid=7, comm=EVIL, func=EVIL, args={EVIL: EVIL}),
                  END],
}


def on_terminal(program, words):
    """What is on a terminal that is all that the program has."""
    pid, terminal = pty.fork()
    if not pid:
        os.environ["TERM"] = "xterm"
        os.execv(program, [program, "report", *words, "-q", "--color", "never"])
    said = b""
    while True:
        try:
            more = os.read(terminal, 4096)
        except OSError:         # it has ended
            break
        if not more:
            break
        said += more
    os.waitpid(pid, 0)
    os.close(terminal)
    return said.decode()


def check(what, good, said):
    global failed
    if not good:
        print(f"{what}: {said!r}")
        failed = 1


def main(program):
    with tempfile.TemporaryDirectory() as place:
        os.chdir(place)
        for name, lines in FILES.items():
            with open(name, "w", encoding="utf-8") as out:
                out.writelines(json.dumps(one, ensure_ascii=False) + "\n" for one in lines)
        for words in (["table.json"], ["table.json", "-f", "csv"], ["table.json", "-f", "folded"],
                      ["table.json", "-f", "json"], ["table.json", "-f", "openmetrics"], ["hits.json"],
                      ["hits.json", "-f", "json"], ["hits.json", "table.json"]):
            said = on_terminal(program, words)
            check(f"{words} on a terminal", said and not any(c in said.replace("\r\r\n", "").replace("\r\n", "") for c in
                                                            "\x1b\x07\r\x7f\u009b\u202e"), said)
            if words[-1] == "table.json":
                check(f"the messages of {words}", f"table.json: {SHOWN}\r\n" in said or
                      "another question" in said, said)
        said = on_terminal(program, ["table.json"])
        check("the title", f"\r\n{SHOWN}, 1.0 s\r\n" in said, said)
        # A pipe gets the text as it was.
        said = subprocess.run([program, "report", "table.json", "by", "comm", "-f", "csv"], check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout.decode()
        check("csv in a pipe", said == f'comm,calls\r\n"{EVIL}",1\r\n', said)
        said = on_terminal(program, ["table.json", "by", "comm", "-f", "csv"])
        check("csv on a terminal", f'\r\n"{SHOWN}",1\r\r\n' in said, said)
    return failed


sys.exit(main(os.path.abspath(sys.argv[1])))
