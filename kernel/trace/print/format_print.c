// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * format_print.c - the format file of an event: the offsets of its fields in a
 * record, and their print formats.  [P]
 */
#include <linux/kernel.h>
#include <linux/seq_file.h>
#include "kernel/trace/hit/record.h"
#include "kernel/trace/parse/arg.h"
#include "print.h"
#include "value.h"

static void pe_print_field(struct seq_file *m, const char *type, const char *name,
			   const char *array, unsigned int off, unsigned int size,
			   bool is_signed)
{
	seq_printf(m, "\tfield:%s %s%s;\toffset:%u;\tsize:%u;\tsigned:%d;\n",
		   type, name, array, off, size, is_signed);
}

static void pe_print_head(struct seq_file *m, const char *name, unsigned int id)
{
	seq_printf(m, "name: %s\nID: %u\nformat:\n", name, id);
	pe_print_field(m, "unsigned short", "common_type", "", 0, 2, false);
	pe_print_field(m, "unsigned char", "common_flags", "", 2, 1, false);
	pe_print_field(m, "unsigned char", "common_preempt_count", "", 3, 1, false);
	pe_print_field(m, "int", "common_pid", "", 4, 4, true);
	seq_putc(m, '\n');
}

static void pe_print_place_fields(struct seq_file *m, bool is_return)
{
	if (is_return) {
		pe_print_field(m, "unsigned long", "__probe_func", "", 8, 8, false);
		pe_print_field(m, "unsigned long", "__probe_ret_ip", "", 16, 8, false);
	} else {
		pe_print_field(m, "unsigned long", "__probe_ip", "", 8, 8, false);
	}
}

/* An array of strings has its length in the type, an array of numbers does not. */
static void pe_print_arg_field(struct seq_file *m, const struct pe_arg *arg)
{
	const struct pe_type *type = arg->type;
	unsigned int n = arg->count ? arg->count : 1;
	char c_name[64];

	if (arg->count && pe_type_is_string(type)) {
		scnprintf(c_name, sizeof(c_name), "%s[%u]", type->c_name, arg->count);
		pe_print_field(m, c_name, arg->name, "", arg->offset, n * type->size,
			       type->is_signed);
		return;
	}
	pe_print_field(m, type->c_name, arg->name, arg->count ? "[]" : "",
		       arg->offset, n * type->size, type->is_signed);
}

static void pe_print_arg_fmt(struct seq_file *m, const struct pe_arg *arg)
{
	seq_printf(m, " %s=", arg->name);
	pe_value_print_fmt(m, arg);
}

void pe_format_print_fmt(struct seq_file *m, const struct pe_layout *event)
{
	unsigned int i;

	if (event->text) {
		pe_text_print_fmt(m, event);
		return;
	}
	seq_puts(m, event->is_return ? "\"(%lx <- %lx)" : "\"(%lx)");
	for (i = 0; i < event->nargs; i++)
		pe_print_arg_fmt(m, &event->args[i]);
	seq_puts(m, event->is_return ? "\", REC->__probe_func, REC->__probe_ret_ip" :
				       "\", REC->__probe_ip");
	for (i = 0; i < event->nargs; i++)
		pe_value_print_operand(m, &event->args[i]);
}

void pe_format_print(struct seq_file *m, const struct pe_layout *event)
{
	unsigned int i;

	pe_print_head(m, event->name, event->id);
	pe_print_place_fields(m, event->is_return);
	for (i = 0; i < event->nargs; i++)
		pe_print_arg_field(m, &event->args[i]);

	seq_puts(m, "\nprint fmt: ");
	pe_format_print_fmt(m, event);
	seq_putc(m, '\n');
}

/* The kernel names eight callers, however many a record has. */
void pe_format_print_stack(struct seq_file *m)
{
	unsigned int i;

	pe_print_head(m, "kernel_stack", PE_STACK_ID);
	pe_print_field(m, "int", "size", "", 8, 4, true);
	pe_print_field(m, "unsigned long", "caller", "[8]", 16, 64, false);
	seq_puts(m, "\nprint fmt: ");
	for (i = 0; i < 8; i++)
		seq_printf(m, "%s\\t=> %%ps\\n", i % 3 ? "" : i ? "\" \"" : "\"");
	seq_putc(m, '"');
	for (i = 0; i < 8; i++)
		seq_printf(m, ", (void *)REC->caller[%u]", i);
	seq_putc(m, '\n');
}

void pe_format_print_marker(struct seq_file *m)
{
	pe_print_head(m, "print", PE_PRINT_ID);
	pe_print_field(m, "unsigned long", "ip", "", 8, 8, false);
	/* Since 6.2 the kernel builds with unsigned char, and says so here. */
	pe_print_field(m, "char", "buf", "[]", 16, 0, (char)-1 < 0);
	seq_puts(m, "\nprint fmt: \"%ps: %s\", (void *)REC->ip, REC->buf\n");
}

void pe_format_print_raw_data(struct seq_file *m)
{
	pe_print_head(m, "raw_data", PE_RAW_DATA_ID);
	pe_print_field(m, "unsigned int", "id", "", 8, 4, false);
	pe_print_field(m, "char", "buf", "[]", 12, 0, (char)-1 < 0);
	seq_puts(m, "\nprint fmt: \"id:%04x %08x\", REC->id, (int)REC->buf[0]\n");
}
