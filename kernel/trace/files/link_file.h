/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * link_file.h - texts about a struct pe_event_link: a row of a table of files has &pe_link_fops
 * and a struct pe_link_file.
 */
#ifndef PE_LINK_FILE_H
#define PE_LINK_FILE_H

#include <linux/types.h>

struct file;
struct file_operations;
struct inode;
struct pe_event_link;
struct seq_file;

/**
 * struct pe_link_file - the text of a file, and its writes
 * @show: the text
 * @store: a write is a text of up to PE_FILTER_MAX_TEXT characters
 * @set: a write is 0 or 1
 *
 * A file has one of the last two, or none: then a write is -EINVAL.  They return 0, or -errno when
 * they have said why.  All are called with pe_event_mutex held, and only while the event exists;
 * after that the file answers -ENODEV.
 */
struct pe_link_file {
	void (*show)(struct seq_file *m, const struct pe_event_link *link);
	int (*store)(struct pe_event_link *link, char *text);
	int (*set)(struct pe_event_link *link, bool on);
};

/* fs_event.c */
extern const struct pe_link_file pe_event_trigger_file;
extern const struct pe_link_file pe_event_inside_file;

/* link_file.c */
extern const struct file_operations pe_link_fops;

/* For files of other texts about a link: seq_file's private data is the link. */
int pe_link_single_open(struct inode *inode, struct file *file,
			int (*show)(struct seq_file *m, void *v));
struct pe_event_link *pe_link_file_of(const struct file *file);
int pe_link_file_release(struct inode *inode, struct file *file);

/* A write of "0" or "1".  0 or -errno. */
int pe_parse_switch(const char __user *buf, size_t count, bool *on);

/* A copy of a write to a filter or a trigger, or ERR_PTR(); kfree() it. */
char *pe_copy_text(const char __user *buf, size_t count);

#endif
