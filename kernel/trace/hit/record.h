/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * record.h - a record's bytes, as hit/ writes and print/ reads them.
 *
 *   0  u16 common_type     2  u8 common_flags     3  u8 common_preempt_count
 *   4  s32 common_pid      8  u64 __probe_ip      16 arguments, packed
 * of a return probe:       8  u64 __probe_func    16 u64 __probe_ret_ip
 *			   24  arguments, packed
 *
 * A string has a u32 in the fixed part: length with NUL << 16 | offset from the
 * record's start.  Length 0 means that the memory could not be read.
 */
#ifndef PE_RECORD_H
#define PE_RECORD_H

#include <linux/types.h>

struct pe_record_head {
	u16 type;
	u8 flags;
	u8 preempt_count;
	s32 pid;
	u64 ip;				/* __probe_func of a return probe */
};

struct pe_return_head {
	struct pe_record_head head;
	u64 ret_ip;
};

/*
 * Records of trace_marker and trace_marker_raw have the kernel's ids.  The
 * bytes after the fixed part go to the record's end.
 */
#define PE_PRINT_ID		5
#define PE_RAW_DATA_ID		18

/* common_type of a struct pe_stack_record, likewise the kernel's. */
#define PE_STACK_ID		4

struct pe_print_record {
	struct pe_record_head head;
	char text[];
};

struct pe_raw_data_record {
	u8 common[8];
	u32 id;
	u8 data[];
};

/* The callers, after another record with the same head; fields as the kernel's. */
struct pe_stack_record {
	u16 type;
	u8 flags;
	u8 preempt_count;
	s32 pid;
	s32 size;			/* of @caller */
	u32 unused;
	u64 caller[];
};

/* common_flags */
#define PE_FLAG_IRQS_OFF	0x01
#define PE_FLAG_RESCHED_LAZY	0x02	/* kernels with PREEMPT_LAZY: Debian's 6.12 rt */
#define PE_FLAG_NEED_RESCHED	0x04
#define PE_FLAG_HARDIRQ		0x08
#define PE_FLAG_SOFTIRQ		0x10
#define PE_FLAG_PREEMPT_RESCHED	0x20
#define PE_FLAG_NMI		0x40
#define PE_FLAG_BH_OFF		0x80

#endif
