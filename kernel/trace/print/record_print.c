// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * record_print.c - a record as a line of the trace file.  [P]
 *
 * A record may come from anywhere, even a file: only its length is trusted.
 */
#include <linux/kernel.h>
#include <linux/seq_file.h>
#include <linux/string.h>
#include "kernel/trace/hit/record.h"
#include "kernel/trace/parse/arg.h"
#include "kernel/trace/parse/limits.h"
#include "kernel/trace/parse/sym_text.h"
#include "print.h"
#include "safe_text.h"
#include "value.h"

#define NSEC_PER_MICRO	1000
#define MICROS_PER_SEC	1000000

static void pe_print_arg(struct seq_file *m, struct pe_printed *src, const struct pe_arg *arg)
{
	seq_printf(m, " %s=", arg->name);
	pe_value_print(m, src, arg);
}

void pe_record_print_arg(struct seq_file *m, const struct pe_arg *arg, const void *rec,
			 unsigned int len)
{
	struct pe_printed src;

	src.rec = rec;
	src.len = len;
	pe_print_arg(m, &src, arg);
}

/* The address of executed code; 0 prints as 0. */
static void pe_print_place(struct seq_file *m, struct pe_printed *src, unsigned int off)
{
	u64 addr = 0;

	if (off + sizeof(addr) <= src->len)
		addr = pe_value_number(src, off, sizeof(addr));
	if (addr)
		pe_value_print_symbol(m, src, addr);
	else
		seq_putc(m, '0');
}

void pe_record_print(struct seq_file *m, const struct pe_layout *event,
		     const void *rec, unsigned int len)
{
	struct pe_printed src;
	unsigned int i;

	if (event->text) {
		pe_text_print(m, event, rec, len);
		return;
	}
	src.rec = rec;
	src.len = len;

	seq_printf(m, "%s: (", event->name);
	if (event->is_return) {
		u64 func = 0;

		pe_print_place(m, &src, PE_RECORD_COMMON + sizeof(u64));
		seq_puts(m, " <- ");
		if (len >= PE_RECORD_COMMON + sizeof(u64))
			func = pe_value_number(&src, PE_RECORD_COMMON, sizeof(func));
		pe_sprint_symbol_name(src.symbol, sizeof(src.symbol), func);
		seq_puts(m, src.symbol);
	} else {
		pe_print_place(m, &src, PE_RECORD_COMMON);
	}
	seq_putc(m, ')');

	for (i = 0; i < event->nargs; i++)
		pe_print_arg(m, &src, &event->args[i]);
	seq_putc(m, '\n');
}

void pe_record_print_stack(struct seq_file *m, const void *rec, unsigned int len)
{
	unsigned int off = sizeof(struct pe_stack_record);
	struct pe_printed src = { .rec = rec, .len = len };
	u64 addr;

	seq_puts(m, "<stack trace>\n");
	for (; off + sizeof(addr) <= len; off += sizeof(addr)) {
		addr = pe_value_number(&src, off, sizeof(addr));
		pe_sprint_symbol_name(src.symbol, sizeof(src.symbol), addr);
		seq_printf(m, " => %s\n", src.symbol);
	}
}

static char pe_irqs_letter(u8 flags)
{
	if (flags & PE_FLAG_BH_OFF)
		return flags & PE_FLAG_IRQS_OFF ? 'D' : 'b';
	return flags & PE_FLAG_IRQS_OFF ? 'd' : '.';
}

static char pe_resched_letter(u8 flags)
{
	bool preempt = flags & PE_FLAG_PREEMPT_RESCHED;
	bool lazy = flags & PE_FLAG_RESCHED_LAZY;

	if (flags & PE_FLAG_NEED_RESCHED)
		return preempt ? (lazy ? 'B' : 'N') : (lazy ? 'b' : 'n');
	if (lazy)
		return preempt ? 'L' : 'l';
	return preempt ? 'p' : '.';
}

static char pe_irq_letter(u8 flags)
{
	if (flags & PE_FLAG_NMI)
		return flags & PE_FLAG_HARDIRQ ? 'Z' : 'z';
	if (flags & PE_FLAG_HARDIRQ)
		return flags & PE_FLAG_SOFTIRQ ? 'H' : 'h';
	return flags & PE_FLAG_SOFTIRQ ? 's' : '.';
}

static char pe_depth_letter(unsigned int depth)
{
	return depth ? "0123456789abcdef"[depth & 0xf] : '.';
}

static void pe_print_flags(struct seq_file *m, const struct pe_record_head *head)
{
	seq_printf(m, "%c%c%c%c%c", pe_irqs_letter(head->flags), pe_resched_letter(head->flags),
		   pe_irq_letter(head->flags), pe_depth_letter(head->preempt_count & 0xf),
		   pe_depth_letter(head->preempt_count >> 4));
}

void pe_record_print_head(struct seq_file *m, const void *rec,
			  const struct pe_record_origin *origin)
{
	char comm[PE_SAFE_CHAR * 16];
	struct pe_record_head head;

	/* The head line does not need the address after these bytes. */
	memcpy(&head, rec, PE_RECORD_COMMON);
	pe_safe_text(comm, sizeof(comm), origin->comm);
	seq_printf(m, "%16s-%-7d ", comm, head.pid);
	if (origin->columns & PE_COLUMN_TGID) {
		if (origin->tgid)
			seq_printf(m, "(%7d) ", origin->tgid);
		else
			seq_puts(m, "(-------) ");
	}
	seq_printf(m, "[%03u] ", origin->cpu);
	if (origin->columns & PE_COLUMN_FLAGS)
		pe_print_flags(m, &head);
	if (origin->in_ns) {
		/* Rounded, as the kernel and trace-cmd do. */
		u64 us = (origin->ts + NSEC_PER_MICRO / 2) / NSEC_PER_MICRO;

		seq_printf(m, " %5llu.%06llu: ", us / MICROS_PER_SEC,
			   us % MICROS_PER_SEC);
	} else {
		seq_printf(m, " %12llu: ", origin->ts);
	}
}

void pe_record_print_columns(struct seq_file *m, unsigned int columns)
{
	static const char *const flags[] = {
		"  _-----=> irqs-off/BH-disabled", " / _----=> need-resched",
		"| / _---=> hardirq/softirq", "|| / _--=> preempt-depth",
		"||| / _-=> migrate-disable", "|||| /     delay",
	};
	bool tgid = columns & PE_COLUMN_TGID;
	unsigned int i;

	if (!(columns & PE_COLUMN_FLAGS)) {
		seq_printf(m, "#           TASK-PID    %s CPU#     TIMESTAMP  FUNCTION\n",
			   tgid ? "   TGID   " : "");
		seq_printf(m, "#              | |      %s   |         |         |\n",
			   tgid ? "     |    " : "");
		return;
	}
	for (i = 0; i < ARRAY_SIZE(flags); i++)
		seq_printf(m, "#%*s%s\n", tgid ? 40 : 30, "", flags[i]);
	seq_printf(m, "#           TASK-PID  %s CPU#  |||||  TIMESTAMP  FUNCTION\n",
		   tgid ? "     TGID   " : "  ");
	seq_printf(m, "#              | |    %s   |   |||||     |         |\n",
		   tgid ? "       |    " : "  ");
}
