// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * value_print.c - the value of an argument in a record, and as an operand in a format file.  [P]
 *
 * Only the record's length is trusted.  An argument that is not inside the record prints as
 * "(fault)".  A string prints so, too, if its data is not inside the record, or could not be read.
 */
#include <linux/kernel.h>
#include <linux/seq_file.h>
#include <linux/string.h>
#include "kernel/trace/parse/arg.h"
#include "kernel/trace/parse/sym_text.h"
#include "safe_text.h"
#include "value.h"

#define FAULT_TEXT	"(fault)"

u64 pe_value_number(const struct pe_printed *src, unsigned int off, unsigned int size)
{
	u64 value = 0;

	memcpy(&value, src->rec + off, size);
	return value;
}

static s64 pe_sign_extend(u64 value, unsigned int size)
{
	unsigned int unused = 64 - 8 * size;

	return (s64)(value << unused) >> unused;
}

void pe_value_print_symbol(struct seq_file *m, struct pe_printed *src, u64 addr)
{
	pe_sprint_symbol(src->symbol, sizeof(src->symbol), addr);
	seq_puts(m, src->symbol);
}

/* The text of a task has its name, which is its user's choice. */
static void pe_print_task(struct seq_file *m, const char *text, unsigned int size)
{
	char name[32];

	size = min(size, sizeof(name) - 1 + 0U);
	memcpy(name, text, size);
	name[size] = '\0';
	pe_seq_safe_text(m, name);
}

/* @loc: length << 16 | offset. */
static void pe_print_string(struct seq_file *m, const struct pe_printed *src,
			    const struct pe_type *type, u32 loc, bool quoted)
{
	unsigned int len = loc >> 16, off = loc & 0xffff;

	if (!len || off > src->len || len > src->len - off) {
		seq_puts(m, FAULT_TEXT);
		return;
	}
	if (type->class == PE_CLASS_TASK) {
		pe_print_task(m, src->rec + off, len);
		return;
	}
	quoted &= type->class != PE_CLASS_RWBS;
	if (quoted)
		seq_putc(m, '"');
	seq_write(m, src->rec + off, strnlen(src->rec + off, len));
	if (quoted)
		seq_putc(m, '"');
}

static void pe_print_value(struct seq_file *m, struct pe_printed *src,
			   const struct pe_type *type, unsigned int off, bool quoted)
{
	u64 value;

	if (off > src->len || type->size > src->len - off) {
		seq_puts(m, FAULT_TEXT);
		return;
	}
	value = pe_value_number(src, off, type->size);
	switch (type->class) {
	case PE_CLASS_UINT:
		seq_printf(m, "%llu", value);
		break;
	case PE_CLASS_SINT:
		seq_printf(m, "%lld", pe_sign_extend(value, type->size));
		break;
	case PE_CLASS_HEX:
		seq_printf(m, "0x%llx", value);
		break;
	case PE_CLASS_CHAR:
		seq_printf(m, "'%c'", (int)value);
		break;
	case PE_CLASS_SYMBOL:
		pe_value_print_symbol(m, src, value);
		break;
	default:
		pe_print_string(m, src, type, value, quoted);
	}
}

void pe_value_print(struct seq_file *m, struct pe_printed *src, const struct pe_arg *arg)
{
	unsigned int i;

	if (!arg->count) {
		pe_print_value(m, src, arg->type, arg->offset, true);
		return;
	}
	seq_putc(m, '{');
	for (i = 0; i < arg->count; i++) {
		if (i)
			seq_putc(m, ',');
		pe_print_value(m, src, arg->type, arg->offset + i * arg->type->size, true);
	}
	seq_putc(m, '}');
}

void pe_value_print_plain(struct seq_file *m, struct pe_printed *src, const struct pe_arg *arg)
{
	pe_print_value(m, src, arg->type, arg->offset, false);
}

void pe_value_print_fmt(struct seq_file *m, const struct pe_arg *arg)
{
	unsigned int i;

	if (!arg->count) {
		seq_puts(m, arg->type->fmt);
		return;
	}
	for (i = 0; i < arg->count; i++) {
		seq_putc(m, i ? ',' : '{');
		seq_puts(m, arg->type->fmt);
	}
	seq_putc(m, '}');
}

void pe_value_print_operand(struct seq_file *m, const struct pe_arg *arg)
{
	const char *head = ", REC->", *tail = "";
	unsigned int i;

	if (pe_type_is_string(arg->type)) {
		head = ", __get_str(";
		tail = ")";
	}
	if (!arg->count) {
		seq_printf(m, "%s%s%s", head, arg->name, tail);
		return;
	}
	for (i = 0; i < arg->count; i++)
		seq_printf(m, "%s%s[%u]%s", head, arg->name, i, tail);
}
