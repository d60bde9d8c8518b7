// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * fs_group.c - the files of a group: enable and filter.
 */
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include "files.h"
#include "kernel/know/compat.h"
#include "kernel/trace/event/event.h"
#include "kernel/trace/event/event_enable.h"
#include "kernel/trace/event/event_filter.h"
#include "kernel/trace/event/event_link.h"
#include "kernel/trace/probefs/fs.h"
#include "kernel/trace/trace.h"
#include "link_file.h"
#include "refusal.h"

/* Enable files of several events: of a group, or of all if the group is NULL. */

int pe_several_show(struct seq_file *m, const struct pe_group *group,
		    const struct pe_instance *inst)
{
	bool dead;
	char state;

	mutex_lock(&pe_event_mutex);
	dead = group && !group->nr_events;
	state = pe_events_state(group ? group->name : NULL, inst);
	mutex_unlock(&pe_event_mutex);
	if (dead)
		return -ENODEV;
	seq_printf(m, "%c\n", state);
	return 0;
}

ssize_t pe_several_write(const struct file *file, const struct pe_group *group,
			 struct pe_instance *inst, const char __user *buf, size_t count)
{
	bool on, dead;
	int ret = pe_parse_switch(buf, count, &on);

	if (ret)
		return pe_refused(inst, file, buf, count, ret);
	mutex_lock(&pe_event_mutex);
	dead = group && !group->nr_events;
	if (!dead)
		ret = pe_events_enable(group ? group->name : NULL, NULL, inst, on);
	mutex_unlock(&pe_event_mutex);
	if (dead)
		return pe_refused(inst, file, buf, count, -ENODEV);
	return ret ?: count;
}

/* A group has no filter of its own to show. */
static int pe_group_filter_show(struct seq_file *m, void *v)
{
	seq_puts(m, "### global filter ###\n"
		 "# Use this to set filters for multiple events.\n"
		 "# Only events with the given fields will be affected.\n"
		 "# If no events are modified, an error message will be displayed here\n");
	return 0;
}

static struct pe_group_dir *pe_group_dir_of(const struct file *file)
{
	return ((struct seq_file *)file->private_data)->private;
}

static ssize_t pe_group_filter_write(struct file *file, const char __user *buf, size_t count)
{
	struct pe_group_dir *gdir = pe_group_dir_of(file);
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

static int pe_group_enable_show(struct seq_file *m, void *v)
{
	const struct pe_group_dir *gdir = m->private;

	return pe_several_show(m, gdir->group, gdir->instance);
}

static ssize_t pe_group_enable_write(struct file *file, const char __user *buf, size_t count)
{
	const struct pe_group_dir *gdir = pe_group_dir_of(file);

	return pe_several_write(file, gdir->group, gdir->instance, buf, count);
}

/* A file of a group: its text, and its writes, which say themselves why they fail. */
struct pe_group_file {
	int (*show)(struct seq_file *m, void *v);
	ssize_t (*write)(struct file *file, const char __user *buf, size_t count);
};

const struct pe_group_file pe_group_enable_file = { pe_group_enable_show, pe_group_enable_write };
const struct pe_group_file pe_group_filter_file = { pe_group_filter_show, pe_group_filter_write };

static int pe_group_open(struct inode *inode, struct file *file)
{
	const struct pe_group_file *how = pe_fs_how(inode);
	struct pe_group_dir *gdir = pe_group_dir_open(inode);
	int ret;

	if (!gdir)
		return -ENODEV;
	ret = pe_fs_single_open(file, how->show, gdir);
	if (ret)
		pe_group_dir_close(gdir);
	return ret;
}

static int pe_group_release(struct inode *inode, struct file *file)
{
	pe_group_dir_close(pe_group_dir_of(file));
	return single_release(inode, file);
}

static ssize_t pe_group_write(struct file *file, const char __user *buf, size_t count,
			      loff_t *ppos)
{
	const struct pe_group_file *how = pe_fs_how(file_inode(file));

	return how->write(file, buf, count);
}

const struct file_operations pe_group_fops = {
	.owner = THIS_MODULE,
	.open = pe_group_open,
	.read_iter = seq_read_iter,
	.splice_read = pe_splice_read,
	.write = pe_group_write,
	.llseek = pe_fs_llseek,
	.release = pe_group_release,
};
