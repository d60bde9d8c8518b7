#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
"""opcode_space.py - every opcode of every map and encoding, as a binary on stdout.

One cell of 16 bytes per combination of encoding, map, opcode, mandatory prefix, W, vector length
and a few ModRM bytes (each reg field with registers, with rip-relative memory, and with
memory through a SIB byte).  A cell is filled up with NOPs, so that a disassembler that
runs through the whole file is in step again at the next cell, whatever it made of this one.
"""
import sys

CELL = 16
TAIL = bytes((0x51, 0x12, 0x13, 0x14, 0x90))
PREFIXES = (b'', b'\x66', b'\xf3', b'\xf2')
MODRM = [mod << 6 | reg << 3 | rm
         for reg in range(8) for mod, rm in ((3, 1), (3, 6), (0, 5), (1, 4))]
NOT_OPCODES = {0x26, 0x2e, 0x36, 0x3e, 0x64, 0x65, 0x66, 0x67, 0xf0, 0xf2, 0xf3, 0x62, 0xc4,
               0xc5} | set(range(0x40, 0x50))
FEW_MODRM = [m for m in MODRM if m >> 3 & 7 in (1, 2, 6)]


def legacy():
    for escape in (b'', b'\x0f', b'\x0f\x38', b'\x0f\x3a'):
        for op in range(256):
            if not escape and op in NOT_OPCODES:
                continue
            for prefix in PREFIXES:
                for rex in (b'', b'\x48'):
                    for modrm in MODRM:
                        yield prefix + rex + escape + bytes((op, modrm))


def vex_like(lead, maps, prefixes):
    for mp in maps:
        for op in range(256):
            for rest in range(16 if prefixes == 4 else 4):
                # rest: W, L and the mandatory prefix
                pp = rest & (prefixes - 1)
                rest //= prefixes
                w, length = rest & 1, rest >> 1
                for vvvv in (15, 3):
                    for modrm in FEW_MODRM:
                        yield bytes((lead, 0xe0 | mp, w << 7 | vvvv << 3 | length << 2 | pp,
                                     op, modrm))


def evex():
    for mp in (1, 2, 3, 5, 6):
        for op in range(256):
            for pp in range(4):
                for w in (0, 1):
                    for mask in (0, 1):
                        for vvvv in (15, 3):
                            for modrm in FEW_MODRM:
                                yield bytes((0x62, 0xf0 | mp, w << 7 | vvvv << 3 | 4 | pp,
                                             0x48 | mask, op, modrm))


def main():
    out = sys.stdout.buffer
    for cells in (legacy(), vex_like(0xc4, (1, 2, 3), 4), vex_like(0x8f, (8, 9, 10), 1), evex()):
        for cell in cells:
            out.write((cell + TAIL).ljust(CELL, b'\x90'))


main()
