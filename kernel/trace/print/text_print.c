// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * text_print.c - records of static events as their texts say, and those in format files.  [P]
 *
 * As elsewhere only the record's length is trusted.  The text has been checked.
 */
#include <linux/kernel.h>
#include <linux/seq_file.h>
#include <linux/string.h>
#include "kernel/trace/parse/arg.h"
#include "kernel/trace/parse/event_text.h"
#include "print.h"
#include "value.h"

static void pe_put_str(struct seq_file *m, struct pe_str s)
{
	seq_write(m, s.p, s.len);
}

/* @value: with all 64 bits, by its sign */
static void pe_put_number(struct seq_file *m, const struct pe_text_number *how, u64 value)
{
	int width = how->width;

	if (how->letter == 'd')
		seq_printf(m, how->zeros ? "%0*lld" : "%*lld", width, (long long)value);
	else if (how->letter == 'u')
		seq_printf(m, how->zeros ? "%0*llu" : "%*llu", width, value);
	else
		seq_printf(m, how->zeros ? "%0*llx" : "%*llx", width, value);
}

static void pe_put_name(struct seq_file *m, struct pe_str names, u64 value)
{
	struct pe_str name;
	u64 one;

	while (pe_event_text_name(&names, &one, &name)) {
		if (one == value) {
			pe_put_str(m, name);
			return;
		}
	}
	seq_printf(m, "0x%llx", value);
}

/* A number of the record; false if it is not inside. */
static bool pe_text_value(const struct pe_arg *arg, bool is_signed, const void *rec,
			  unsigned int len, u64 *value)
{
	unsigned int size = arg->type->size, unused = 64 - 8 * size;

	if (arg->offset > len || size > len - arg->offset)
		return false;
	*value = 0;
	memcpy(value, rec + arg->offset, size);
	if (is_signed)
		*value = (s64)(*value << unused) >> unused;
	return true;
}

static void pe_put_field(struct seq_file *m, const struct pe_arg *arg, struct pe_str how,
			 const void *rec, unsigned int len)
{
	struct pe_text_number number = {};
	struct pe_printed src;
	u64 value;

	src.rec = rec;
	src.len = len;
	if (pe_type_is_string(arg->type) && !arg->count) {
		pe_value_print_plain(m, &src, arg);
	} else if (!how.len) {
		pe_value_print(m, &src, arg);
	} else {
		pe_event_text_number(how, &number);
		if (!pe_text_value(arg, number.letter == 'd', rec, len, &value))
			seq_puts(m, "(fault)");
		else if (number.letter)
			pe_put_number(m, &number, value);
		else
			pe_put_name(m, how, value);
	}
}

void pe_text_print(struct seq_file *m, const struct pe_layout *event, const void *rec,
		   unsigned int len)
{
	struct pe_str rest = pe_str_of(event->text);
	struct pe_text_piece piece;

	if (!event->text_is_line)
		seq_printf(m, "%s: ", event->name);
	while (pe_event_text_next(&rest, &piece)) {
		if (piece.is_field)
			pe_put_field(m, pe_event_text_arg(piece.words, event->nargs, event->args),
				     piece.how, rec, len);
		else
			pe_put_str(m, piece.words);
	}
	seq_putc(m, '\n');
}

/* ---- in a format file ---- */

static void pe_put_conversion(struct seq_file *m, const struct pe_arg *arg, struct pe_str how)
{
	struct pe_text_number number = {};

	if (pe_type_is_string(arg->type) && !arg->count) {
		seq_puts(m, "%s");
		return;
	}
	if (!how.len) {
		pe_value_print_fmt(m, arg);
		return;
	}
	pe_event_text_number(how, &number);
	if (!number.letter) {
		seq_puts(m, "%s");
		return;
	}
	seq_printf(m, "%%%s", number.zeros ? "0" : "");
	if (number.width)
		seq_printf(m, "%u", number.width);
	seq_printf(m, "%s%c", arg->type->size == 8 ? "l" : "", number.letter);
}

static void pe_put_names(struct seq_file *m, const struct pe_arg *arg, struct pe_str names)
{
	struct pe_str name;
	u64 value;

	seq_printf(m, ", __print_symbolic(REC->%s", arg->name);
	while (pe_event_text_name(&names, &value, &name)) {
		seq_printf(m, ", { %llu, \"", value);
		pe_put_str(m, name);
		seq_puts(m, "\" }");
	}
	seq_putc(m, ')');
}

static void pe_put_operand(struct seq_file *m, const struct pe_arg *arg, struct pe_str how)
{
	struct pe_text_number number = {};

	if (how.len)
		pe_event_text_number(how, &number);
	if (how.len && !number.letter)
		pe_put_names(m, arg, how);
	else
		pe_value_print_operand(m, arg);
}

void pe_text_print_fmt(struct seq_file *m, const struct pe_layout *event)
{
	struct pe_str rest = pe_str_of(event->text);
	struct pe_text_piece piece;

	seq_putc(m, '"');
	while (pe_event_text_next(&rest, &piece)) {
		if (!piece.is_field)
			pe_put_str(m, piece.words);
		else
			pe_put_conversion(m, pe_event_text_arg(piece.words, event->nargs,
							       event->args), piece.how);
	}
	seq_putc(m, '"');
	rest = pe_str_of(event->text);
	while (pe_event_text_next(&rest, &piece))
		if (piece.is_field)
			pe_put_operand(m, pe_event_text_arg(piece.words, event->nargs,
							    event->args), piece.how);
}
