// SPDX-License-Identifier: GPL-2.0
/*
 * fs_filter.c - the filter file of a group.
 */
#include <linux/errno.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "files.h"
#include "kernel/know/compat.h"
#include "kernel/trace/event/event.h"
#include "kernel/trace/event/event_filter.h"
#include "kernel/trace/event/event_link.h"
#include "kernel/trace/probefs/fs.h"
#include "link_file.h"
#include "refusal.h"

/* A group has no filter of its own to show. */
static int pe_group_filter_show(struct seq_file *m, void *v)
{
	seq_puts(m, "### global filter ###\n"
		 "# Use this to set filters for multiple events.\n"
		 "# Only events with the given fields will be affected.\n"
		 "# If no events are modified, an error message will be displayed here\n");
	return 0;
}

static int pe_group_filter_open(struct inode *inode, struct file *file)
{
	struct pe_group_dir *gdir = pe_group_dir_open(inode);
	int ret;

	if (!gdir)
		return -ENODEV;
	ret = pe_fs_single_open(file, pe_group_filter_show, gdir);
	if (ret)
		pe_group_dir_close(gdir);
	return ret;
}

static int pe_group_filter_release(struct inode *inode, struct file *file)
{
	struct seq_file *m = file->private_data;

	pe_group_dir_close(m->private);
	return single_release(inode, file);
}

static ssize_t pe_group_filter_write(struct file *file, const char __user *buf,
				     size_t count, loff_t *ppos)
{
	struct pe_group_dir *gdir = ((struct seq_file *)file->private_data)->private;
	char *text = pe_copy_text(buf, count);
	int ret;

	if (IS_ERR(text))
		return pe_refused(gdir->instance, file, buf, count, PTR_ERR(text));
	mutex_lock(&pe_event_mutex);
	if (gdir->group->nr_events)
		ret = pe_group_set_filter(gdir->group->name, gdir->instance, text);
	else
		ret = -ENODEV;
	mutex_unlock(&pe_event_mutex);
	kfree(text);
	return pe_refused(gdir->instance, file, buf, count, ret ? ret : count);
}

const struct file_operations pe_group_filter_fops = {
	.owner = THIS_MODULE,
	.open = pe_group_filter_open,
	.read_iter = seq_read_iter,
	.splice_read = pe_splice_read,
	.write = pe_group_filter_write,
	.llseek = pe_fs_llseek,
	.release = pe_group_filter_release,
};
