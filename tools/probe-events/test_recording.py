#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
# Copyright (C) 2026 The probe-events maintainers
"""test_recording.py FILE TYPE PID IP: a recording as trace-cmd makes it, version 6, of one record.

TYPE, PID and IP are where the record's fields are, as the file says."""
import struct
import sys

PAGE = 4096


def field(kind, name, offset, size, signed):
    return f"\tfield:{kind} {name};\toffset:{offset};\tsize:{size};\tsigned:{signed};\n"


def counted(text, form="<Q"):
    return struct.pack(form, len(text)) + text


path, at_type, at_pid, at_ip = sys.argv[1], *(int(word) for word in sys.argv[2:])
page_fields = (field("u64", "timestamp", 0, 8, 0) + field("local_t", "commit", 8, 8, 1) +
               field("int", "overwrite", 8, 1, 1) + field("char", "data", 16, PAGE - 16, 1))
event_head = ("# compressed entry header\n\ttype_len    :    5 bits\n\ttime_delta  :   27 bits\n"
              "\tarray       :   32 bits\n\n\tpadding     : type == 29\n\ttime_extend : type == 30\n"
              "\ttime_stamp : type == 31\n\tdata max type_len  == 28\n")
event = ("name: open\nID: 500\nformat:\n" + field("unsigned short", "common_type", at_type, 2, 0) +
         field("unsigned char", "common_flags", 2, 1, 0) +
         field("unsigned char", "common_preempt_count", 3, 1, 0) +
         field("int", "common_pid", at_pid, 4, 1) + "\n" +
         field("unsigned long", "__probe_ip", at_ip, 8, 0) +
         "\nprint fmt: \"%lx\", REC->__probe_ip\n")
head = b"\x17\x08\x44tracing6\0\0\x08" + struct.pack("<I", PAGE)
head += b"header_page\0" + counted(page_fields.encode())
head += b"header_event\0" + counted(event_head.encode())
head += struct.pack("<II", 0, 1) + b"kprobes\0" + struct.pack("<I", 1) + counted(event.encode())
head += counted(b"ffffffff81000000 T vfs_read\n", "<I") + struct.pack("<I", 0)
head += counted(b"5 bash\n")
head += struct.pack("<I", 1) + b"options  \0" + struct.pack("<H", 0) + b"flyrecord\0"
begin = -(-(len(head) + 16) // PAGE) * PAGE
record = struct.pack("<HBBi", 500, 0, 0, 5) + struct.pack("<Q", 0xffffffff81000000)
data = struct.pack("<I", len(record) // 4 | 10 << 5) + record
page = struct.pack("<QQ", 1000000, len(data)) + data
with open(path, "wb") as out:
    out.write((head + struct.pack("<QQ", begin, PAGE)).ljust(begin, b"\0") + page.ljust(PAGE, b"\0"))
