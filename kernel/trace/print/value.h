/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * value.h - the values of arguments, for printers of records and formats only.
 */
#ifndef PE_VALUE_H
#define PE_VALUE_H

#include <linux/types.h>
#include "kernel/trace/parse/limits.h"

struct pe_arg;
struct seq_file;

/**
 * struct pe_printed - a record that is being printed
 * @rec: its bytes
 * @len: how many
 * @symbol: room for the text of an address
 */
struct pe_printed {
	const char *rec;
	unsigned int len;
	char symbol[PE_MAX_SYMBOL_LEN + 64];
};

/* @size bytes at @off, which are inside. */
u64 pe_value_number(const struct pe_printed *src, unsigned int off, unsigned int size);

void pe_value_print_symbol(struct seq_file *m, struct pe_printed *src, u64 addr);

/* As its type is printed; arrays in braces. */
void pe_value_print(struct seq_file *m, struct pe_printed *src, const struct pe_arg *arg);

/* A text that is no element of an array, without quotes. */
void pe_value_print_plain(struct seq_file *m, struct pe_printed *src, const struct pe_arg *arg);

/* "%u", or "{%u,%u}" of an array: the conversions of "print fmt" */
void pe_value_print_fmt(struct seq_file *m, const struct pe_arg *arg);

/* ", REC->NAME" of each, there */
void pe_value_print_operand(struct seq_file *m, const struct pe_arg *arg);

#endif
