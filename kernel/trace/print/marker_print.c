// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * marker_print.c - records of trace_marker and trace_marker_raw as lines.  [P]
 *
 * As in record_print.c, only a record's length is trusted.
 */
#include <linux/kernel.h>
#include <linux/seq_file.h>
#include <linux/string.h>
#include "kernel/trace/hit/record.h"
#include "kernel/trace/parse/limits.h"
#include "kernel/trace/parse/sym_text.h"
#include "print.h"

/* A line ends even if only a part of the text is there. */
void pe_marker_print(struct seq_file *m, const void *rec, unsigned int len)
{
	const struct pe_print_record *print = rec;
	unsigned int size = offsetof(struct pe_print_record, text);
	char name[PE_MAX_SYMBOL_LEN + 64];
	size_t n;

	if (len < size) {
		seq_puts(m, "(fault)\n");
		return;
	}
	pe_sprint_symbol_name(name, sizeof(name), print->head.ip);
	n = strnlen(print->text, len - size);
	/* On a kernel without tracing it is our own function's, with a prefix (fs_marker.c). */
	seq_printf(m, "%s: ", strncmp(name, "pe_", 3) ? name : name + 3);
	seq_write(m, print->text, n);
	if (!n || print->text[n - 1] != '\n')
		seq_putc(m, '\n');
}

void pe_marker_raw_print(struct seq_file *m, const void *rec, unsigned int len)
{
	const struct pe_raw_data_record *raw = rec;
	unsigned int i, size = offsetof(struct pe_raw_data_record, data);

	if (len < size) {
		seq_puts(m, "(fault)\n");
		return;
	}
	seq_printf(m, "# %x buf:", raw->id);
	for (i = 0; i < len - size; i++)
		seq_printf(m, " %02x", raw->data[i]);
	seq_putc(m, '\n');
}
