// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * fs_mirror.c - events/GROUP/EVENT/mirror: the event as one of the kernel's.
 *
 * It is about the event, and so the same in every instance.  Its operations take the kernel's
 * mutex of events, which is outside pe_event_mutex.
 */
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/seq_file.h>
#include "files.h"
#include "kernel/know/compat.h"
#include "kernel/trace/event/mirror.h"
#include "kernel/trace/probefs/fs.h"
#include "kernel/trace/trace.h"
#include "link_file.h"
#include "refusal.h"

static int pe_fs_mirror_show(struct seq_file *m, void *v)
{
	const struct pe_event_link *link = m->private;

	return pe_mirror_show(m, link->event);
}

static int pe_mirror_open(struct inode *inode, struct file *file)
{
	return pe_link_single_open(inode, file, pe_fs_mirror_show);
}

static ssize_t pe_mirror_write(struct file *file, const char __user *buf, size_t count,
			       loff_t *ppos)
{
	struct pe_event_link *link = pe_link_file_of(file);
	bool on;
	int ret = pe_parse_switch(buf, count, &on);

	/* The mirror itself says why it cannot be switched. */
	if (ret)
		return pe_refused(link->instance, file, buf, count, ret);
	return pe_mirror_switch(link->event, on) ?: count;
}

const struct file_operations pe_mirror_fops = {
	.owner		= THIS_MODULE,
	.open		= pe_mirror_open,
	.read_iter	= seq_read_iter,
	.splice_read	= pe_splice_read,
	.write		= pe_mirror_write,
	.llseek		= pe_fs_llseek,
	.release	= pe_link_file_release,
};
