/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * stock_hist.h - the kernel's own file hist, as the text of a table.
 *
 * No library reads that file.  Pure: its text comes from the caller.
 */
#ifndef PE_TOOL_STOCK_HIST_H
#define PE_TOOL_STOCK_HIST_H

#include <stdbool.h>
#include <stddef.h>

/**
 * struct stock_key - a key of a histogram
 * @name: as the file has it, without its modifier
 * @text: it is a text; else a number
 * @log2: the powers of 2 of a time are the steps of a distribution, whose sum is in @value
 */
struct stock_key {
	char name[64];
	bool text, log2;
};

/**
 * stock_hist_table() - a histogram
 * @hist: the file's text
 * @keys: its keys, in order
 * @nr: how many
 * @value: the value that is summed up beside the hits; NULL: none
 * @since: seconds of the monotonic clock when it began
 * @now: when it was read
 * @wrong: gets what is wrong with it, if something is: a static text
 *
 * A task may choose a name that looks like a part of the file: numbers are believed only where a
 * name cannot be.
 *
 * Return: the text of a table, for table_read() and free(); NULL: @wrong, or no memory.
 */
char *stock_hist_table(const char *hist, const struct stock_key *keys, size_t nr,
		       const char *value, double since, double now, const char **wrong);

#endif
