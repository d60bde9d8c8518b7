/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * print.h - records and their formats as text.
 */
#ifndef PE_PRINT_H
#define PE_PRINT_H

#include <linux/types.h>

struct pe_arg;
struct pe_layout;
struct seq_file;

/* "name: (sym+0x0/0x10) a=1 b=2\n", or as the event's text says; never reads past @len. */
void pe_record_print(struct seq_file *m, const struct pe_layout *event,
		     const void *rec, unsigned int len);

/* " NAME=VALUE" of one of its arguments */
void pe_record_print_arg(struct seq_file *m, const struct pe_arg *arg, const void *rec,
			 unsigned int len);

/* The record as its event's text says: text_print.c. */
void pe_text_print(struct seq_file *m, const struct pe_layout *event, const void *rec,
		   unsigned int len);
void pe_text_print_fmt(struct seq_file *m, const struct pe_layout *event);

/* Columns before a record that can be left out. */
#define PE_COLUMN_TGID		0x1	/* after the task, its thread group */
#define PE_COLUMN_FLAGS		0x2	/* after the CPU, five letters about the context */

/**
 * struct pe_record_origin - text before a record that is not from the record
 * @comm: name of the task
 * @tgid: its thread group; 0: not known
 * @cpu: the CPU whose ring it is in
 * @ts: its time
 * @in_ns: @ts is in ns; otherwise it is a count
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

/* "name: text\n" and "# id buf: 01 02\n"; never read past @len. */
void pe_marker_print(struct seq_file *m, const void *rec, unsigned int len);
void pe_marker_raw_print(struct seq_file *m, const void *rec, unsigned int len);

/* The event's format file. */
void pe_format_print(struct seq_file *m, const struct pe_layout *event);

/* The part of that file after "print fmt: ". */
void pe_format_print_fmt(struct seq_file *m, const struct pe_layout *event);

/* The format files of records of trace_marker and trace_marker_raw. */
void pe_format_print_marker(struct seq_file *m);
void pe_format_print_raw_data(struct seq_file *m);

/* The format file of stack records, and their lines in a trace; never reads past @len. */
void pe_format_print_stack(struct seq_file *m);
void pe_record_print_stack(struct seq_file *m, const void *rec, unsigned int len);

#endif
