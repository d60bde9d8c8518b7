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
struct inode;
struct pe_view;
struct seq_file;
struct seq_operations;

/**
 * struct pe_small_file - the text of a file, and its writes
 * @show: m->private is the view
 * @number: a write is a decimal number
 * @word: a write is a word, blanks around it ignored
 * @write: a write is anything else; bytes taken, or -errno
 * @tells: its writes say themselves why they fail
 *
 * A file has one of @number, @word and @write, or none: then a write is -EINVAL.  The first two
 * return 0 or -errno.
 */
struct pe_small_file {
	int (*show)(struct seq_file *m, void *v);
	int (*number)(struct pe_view *view, unsigned long val);
	int (*word)(struct pe_view *view, char *word);
	ssize_t (*write)(struct file *file, const char __user *buf, size_t count);
	bool tells;
};

/* small_file.c */
extern const struct file_operations pe_small_fops;

/* The row and the view of an open file; the view also of a list's. */
const struct pe_small_file *pe_small_how(const struct file *file);
struct pe_view *pe_small_view(const struct file *file);

/* A list about a view, which is m->private. */
int pe_view_list_open(struct inode *inode, struct file *file, const struct seq_operations *sops);
int pe_view_list_release(struct inode *inode, struct file *file);

#endif
