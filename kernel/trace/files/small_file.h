/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * small_file.h - small texts about a struct pe_view: a row of a table of files has &pe_small_fops
 * and a struct pe_small_file.
 */
#ifndef PE_SMALL_FILE_H
#define PE_SMALL_FILE_H

#include <linux/types.h>

struct file;
struct file_operations;
struct pe_view;
struct seq_file;
struct seq_operations;

/**
 * struct pe_small_file - the text of a file, and its writes
 * @text: the text, if it is always the same
 * @show: the text
 * @print: the text, if no view is needed for it
 * @try_show: the text, if making it may fail: 0 or -errno
 * @list: the text, entry by entry
 * @number: a write is a decimal number
 * @word: a write is a word, blanks around it ignored
 * @write: a write is anything else; bytes taken, or -errno
 * @truncate: it is opened for writing, without append; 0 or -errno
 * @tells: its writes say themselves why they fail
 * @pwrite: it may be written at any place, though it is a list
 *
 * A file has one of the first five; m->private is the view, and m->file leads to the row.  It has
 * one of @number, @word and @write, or none: then a write is -EINVAL.  The first two of these
 * return 0 or -errno.
 */
struct pe_small_file {
	const char *text;
	void (*show)(struct seq_file *m, const struct pe_view *view);
	void (*print)(struct seq_file *m);
	int (*try_show)(struct seq_file *m);
	const struct seq_operations *list;
	int (*number)(struct pe_view *view, unsigned long val);
	int (*word)(struct pe_view *view, char *word);
	ssize_t (*write)(struct file *file, const char __user *buf, size_t count);
	int (*truncate)(struct file *file);
	bool tells;
	bool pwrite;
};

/* small_file.c */
extern const struct file_operations pe_small_fops;

/* The row and the view of an open file. */
const struct pe_small_file *pe_small_how(const struct file *file);
struct pe_view *pe_small_view(const struct file *file);

#endif
