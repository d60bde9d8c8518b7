/* SPDX-License-Identifier: GPL-2.0 */
/*
 * link_file.h - texts about a struct pe_event_link: a row of a table of files
 * has &pe_link_fops, or &pe_link_ro_fops if it cannot be written, and a struct
 * pe_link_file.
 */
#ifndef PE_LINK_FILE_H
#define PE_LINK_FILE_H

#include <linux/types.h>

struct file_operations;
struct pe_event_link;
struct seq_file;

/**
 * struct pe_link_file - the text of a file, and its writes
 * @show: the text
 * @store: a write is a text of up to PE_FILTER_MAX_TEXT characters; 0 or -errno
 *
 * They are called with pe_event_mutex held, and only while the event exists;
 * after that the file answers -ENODEV.
 */
struct pe_link_file {
	void (*show)(struct seq_file *m, const struct pe_event_link *link);
	int (*store)(struct pe_event_link *link, char *text);
};

/* fs_event.c */
extern const struct pe_link_file pe_event_trigger_file;

/* link_file.c */
extern const struct file_operations pe_link_fops;
extern const struct file_operations pe_link_ro_fops;

/* A copy of a write to a filter or a trigger, or ERR_PTR(); kfree() it. */
char *pe_copy_text(const char __user *buf, size_t count);

#endif
