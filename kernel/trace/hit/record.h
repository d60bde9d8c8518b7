/* SPDX-License-Identifier: GPL-2.0 */
/*
 * record.h - a record's bytes: who writes them, who prints them.
 *
 *   0  u16 common_type     2  u8 common_flags     3  u8 common_preempt_count
 *   4  s32 common_pid      8  u64 __probe_ip      16 arguments, packed
 * of a return probe:       8  u64 __probe_func    16 u64 __probe_ret_ip
 *			   24  arguments, packed
 *
 * Strings stand as a u32 in the fixed part: length with NUL << 16 | offset from
 * the record's start; length 0 says the memory could not be read.
 */
#ifndef PE_RECORD_H
#define PE_RECORD_H

#include <linux/types.h>
#include "kernel/trace/parse/spec.h"

struct pt_regs;
struct seq_file;

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
 * Records of trace_marker and trace_marker_raw: ids that they have in the kernel,
 * too.  The bytes behind the fixed part go to the record's end.
 */
#define PE_PRINT_ID		5
#define PE_RAW_DATA_ID		18

struct pe_print_record {
	struct pe_record_head head;
	char text[];
};

struct pe_raw_data_record {
	u8 common[8];
	u32 id;
	u8 data[];
};

/* Who called, behind another record and with the same head: fields as the kernel's. */
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

/*
 * Seams: what the pure code asks of its surroundings, besides the memory reads
 * of include/pe/kprobe.h.  In the module they are sym_text.c's and cmdlines.c's;
 * in user space tests/unit/stubs.c's.  Any context.
 *
 * pe_sprint_symbol() writes "name+0xoff/0xsize [mod]" as %pS does;
 * pe_sprint_symbol_name() the name alone.  Both cut at @size and return the
 * length written, without the NUL.  pe_current_comm() copies the current task's
 * name; it may be torn by a rename, but is always terminated.
 */
int pe_sprint_symbol(char *buf, size_t size, unsigned long addr);
int pe_sprint_symbol_name(char *buf, size_t size, unsigned long addr);
/* "0x" and 16 digits, as the kernel shows pointers to everybody: hashed. */
int pe_sprint_hashed(char *buf, size_t size, unsigned long addr);
void pe_current_comm(char comm[16]);

/* Where values come from. */
struct pe_fetch_source {
	const struct pt_regs *regs;
	const u64 *saved;		/* of a return probe: what the entry saved */
};

/**
 * pe_fetch_saved() - at entry, save the arguments that a return probe wants [H]
 * @to: a word for each
 * @saved: pe_spec.saved, @nr of them; words for PE_SAVE_TIME are left alone
 */
void pe_fetch_saved(u64 *to, const u16 *saved, unsigned int nr,
		    const struct pt_regs *regs);

/**
 * pe_fetch_args() - run the fetch programs of a probe [H]
 * @rec: the record's start; the fixed part is written at the args' offsets
 * @room: bytes that string data may use up to, from @rec
 * @fixed: bytes of the fixed part: string data goes behind it
 *
 * Any context.  Memory that can't be read gives 0, or a string of length 0.
 *
 * Return: bytes of the record with its string data.
 */
unsigned int pe_fetch_args(void *rec, unsigned int room, unsigned int fixed,
			   const struct pe_arg *args, unsigned int nargs,
			   const char *pool, const struct pe_fetch_source *from);

/* What the printers need of an event. */
struct pe_layout {
	const char *name;
	u16 id;
	bool is_return;
	unsigned int nargs;
	const struct pe_arg *args;
};

/* "name: (sym+0x0/0x10) a=1 b=2\n"; never reads behind @len. */
void pe_record_print(struct seq_file *m, const struct pe_layout *event,
		     const void *rec, unsigned int len);

/* Columns before a record that can be left out. */
#define PE_COLUMN_TGID		0x1	/* after the task, its thread group */
#define PE_COLUMN_FLAGS		0x2	/* after the CPU, five letters about the context */

/**
 * struct pe_record_origin - what stands before a record, but for what is in it
 * @comm: name of the task
 * @tgid: its thread group; 0: not known
 * @cpu: whose buffer it is in
 * @ts: when
 * @in_ns: in ns; else it is a count
 * @columns: PE_COLUMN_...
 */
struct pe_record_origin {
	const char *comm;
	s32 tgid;
	unsigned int cpu;
	u64 ts;
	bool in_ns;
	unsigned int columns;
};

/* "            bash-123     [000] d..1.    12.345678: " */
void pe_record_print_head(struct seq_file *m, const void *rec,
			  const struct pe_record_origin *origin);

/* Names of the columns, as lines of comment. */
void pe_record_print_columns(struct seq_file *m, unsigned int columns);

/* "name: text\n" and "# id buf: 01 02\n"; never read behind @len. */
void pe_marker_print(struct seq_file *m, const void *rec, unsigned int len);
void pe_marker_raw_print(struct seq_file *m, const void *rec, unsigned int len);

/* The event's format file. */
void pe_format_print(struct seq_file *m, const struct pe_layout *event);

/* The format files of records of trace_marker and trace_marker_raw. */
void pe_format_print_marker(struct seq_file *m);
void pe_format_print_raw_data(struct seq_file *m);

/* common_type of a struct pe_stack_record, likewise the kernel's. */
#define PE_STACK_ID	4

/* Its format file, and its lines in a trace; never reads behind @len. */
void pe_format_print_stack(struct seq_file *m);
void pe_record_print_stack(struct seq_file *m, const void *rec, unsigned int len);

#endif
