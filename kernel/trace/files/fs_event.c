// SPDX-License-Identifier: GPL-2.0
/*
 * fs_event.c - events/ of each instance: enable files on three levels, format,
 * trigger and id; mirror is in fs_mirror.c.
 *
 * Every open file of an event holds a reference to the event's link, and one of
 * a group to the group's directory, and so to the instance.  Another event may
 * have the name of a removed one.  So each operation checks that its own event
 * or group still exists.
 */
#include <linux/errno.h>
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/seq_file.h>
#include "files.h"
#include "kernel/know/tracing.h"
#include "kernel/trace/event/event.h"
#include "kernel/trace/event/event_dir.h"
#include "kernel/trace/event/event_enable.h"
#include "kernel/trace/event/event_filter.h"
#include "kernel/trace/event/event_link.h"
#include "kernel/trace/event/event_trigger.h"
#include "kernel/trace/event/instance.h"
#include "kernel/trace/parse/arg.h"
#include "kernel/trace/print/print.h"
#include "kernel/trace/probefs/fs.h"
#include "kernel/trace/probefs/fs_dir.h"
#include "kernel/trace/trace.h"
#include "kernel/trace/trace_instance.h"
#include "link_file.h"
#include "refusal.h"

/* "1\n" for a reader. */
static ssize_t pe_read_state(char state, char __user *buf, size_t count, loff_t *ppos)
{
	const char text[] = { state, '\n' };

	return simple_read_from_buffer(buf, count, ppos, text, sizeof(text));
}

int pe_parse_switch(const char __user *buf, size_t count, bool *on)
{
	unsigned long val;
	int ret;

	ret = kstrtoul_from_user(buf, count, 10, &val);
	if (ret)
		return ret;
	if (val > 1)
		return -EINVAL;
	*on = val;
	return 0;
}

/* Files of one event in an instance. */

static int pe_event_open(struct inode *inode, struct file *file)
{
	file->private_data = pe_link_open(inode);
	return file->private_data ? 0 : -ENODEV;
}

static int pe_event_release(struct inode *inode, struct file *file)
{
	pe_link_close(file->private_data);
	return 0;
}

static ssize_t pe_event_enable_read(struct file *file, char __user *buf, size_t count,
				    loff_t *ppos)
{
	const struct pe_event_link *link = file->private_data;
	char text[4];
	bool dead;
	int len;

	mutex_lock(&pe_event_mutex);
	dead = link->event->dead;
	len = scnprintf(text, sizeof(text), "%d%s\n", READ_ONCE(link->enabled),
			link->soft ? "*" : "");
	mutex_unlock(&pe_event_mutex);
	if (dead)
		return -ENODEV;
	return simple_read_from_buffer(buf, count, ppos, text, len);
}

static ssize_t pe_event_enable_write(struct file *file, const char __user *buf,
				     size_t count, loff_t *ppos)
{
	struct pe_event_link *link = file->private_data;
	bool on, dead;
	int ret = pe_parse_switch(buf, count, &on);

	if (ret)
		return pe_refused(link->instance, file, buf, count, ret);
	mutex_lock(&pe_event_mutex);
	dead = link->event->dead;
	if (!dead)
		ret = pe_event_enable(link->event, link->instance, on);
	mutex_unlock(&pe_event_mutex);
	if (dead)
		return pe_refused(link->instance, file, buf, count, -ENODEV);
	/* Arming tells itself what it refuses. */
	return ret ?: count;
}

static const struct file_operations pe_event_enable_fops = {
	.owner = THIS_MODULE,
	.open = pe_event_open,
	.read = pe_event_enable_read,
	.write = pe_event_enable_write,
	.llseek = default_llseek,
	.release = pe_event_release,
};

static ssize_t pe_event_id_read(struct file *file, char __user *buf, size_t count,
				loff_t *ppos)
{
	const struct pe_event_link *link = file->private_data;
	const struct pe_event *event = link->event;
	char text[8];
	int len;

	if (READ_ONCE(event->dead))
		return -ENODEV;
	len = scnprintf(text, sizeof(text), "%u\n", event->id);
	return simple_read_from_buffer(buf, count, ppos, text, len);
}

static const struct file_operations pe_event_id_fops = {
	.owner = THIS_MODULE,
	.open = pe_event_open,
	.read = pe_event_id_read,
	.llseek = default_llseek,
	.release = pe_event_release,
};

static void pe_show_format(struct seq_file *m, const struct pe_event_link *link)
{
	struct pe_layout layout;

	pe_event_layout(link->event, &layout);
	pe_format_print(m, &layout);
}

static const struct pe_link_file pe_event_format_file = { .show = pe_show_format };

/* Take an empty text for no trigger, as the kernel does. */
static int pe_store_trigger(struct pe_event_link *link, char *text)
{
	return *text ? pe_trigger_write(link, text) : 0;
}

const struct pe_link_file pe_event_trigger_file = {
	.show = pe_link_show_triggers,
	.store = pe_store_trigger,
};

static const struct pe_link_file pe_event_filter_file = {
	.show = pe_link_show_filter,
	.store = pe_link_set_filter,
};

/* Enable files of several events: of a group, or of all if the group is NULL. */

static ssize_t pe_several_read(const struct pe_group *group, const struct pe_instance *inst,
			       char __user *buf, size_t count, loff_t *ppos)
{
	bool dead;
	char state;

	mutex_lock(&pe_event_mutex);
	dead = group && !group->nr_events;
	state = pe_events_state(group ? group->name : NULL, inst);
	mutex_unlock(&pe_event_mutex);
	if (dead)
		return -ENODEV;
	return pe_read_state(state, buf, count, ppos);
}

static ssize_t pe_several_write(const struct file *file, const struct pe_group *group,
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

/* A group's enable file. */

static int pe_group_open(struct inode *inode, struct file *file)
{
	file->private_data = pe_group_dir_open(inode);
	return file->private_data ? 0 : -ENODEV;
}

static int pe_group_release(struct inode *inode, struct file *file)
{
	pe_group_dir_close(file->private_data);
	return 0;
}

static ssize_t pe_group_enable_read(struct file *file, char __user *buf, size_t count,
				    loff_t *ppos)
{
	const struct pe_group_dir *gdir = file->private_data;

	return pe_several_read(gdir->group, gdir->instance, buf, count, ppos);
}

static ssize_t pe_group_enable_write(struct file *file, const char __user *buf,
				     size_t count, loff_t *ppos)
{
	const struct pe_group_dir *gdir = file->private_data;

	return pe_several_write(file, gdir->group, gdir->instance, buf, count);
}

static const struct file_operations pe_group_enable_fops = {
	.owner = THIS_MODULE,
	.open = pe_group_open,
	.read = pe_group_enable_read,
	.write = pe_group_enable_write,
	.llseek = default_llseek,
	.release = pe_group_release,
};

/* The enable file of all events of an instance. */

static int pe_all_open(struct inode *inode, struct file *file)
{
	file->private_data = pe_view_open(inode);
	return file->private_data ? 0 : -ENODEV;
}

static int pe_all_release(struct inode *inode, struct file *file)
{
	pe_view_close(file->private_data);
	return 0;
}

static ssize_t pe_all_enable_read(struct file *file, char __user *buf, size_t count,
				  loff_t *ppos)
{
	const struct pe_view *view = file->private_data;

	return pe_several_read(NULL, view->inst, buf, count, ppos);
}

static ssize_t pe_all_enable_write(struct file *file, const char __user *buf,
				   size_t count, loff_t *ppos)
{
	const struct pe_view *view = file->private_data;

	return pe_several_write(file, NULL, view->inst, buf, count);
}

static const struct file_operations pe_all_enable_fops = {
	.owner = THIS_MODULE,
	.open = pe_all_open,
	.read = pe_all_enable_read,
	.write = pe_all_enable_write,
	.llseek = default_llseek,
	.release = pe_all_release,
};

/*
 * The enable file of ftrace/, whose records belong to no event.  The kernel has
 * no such file.  But libtracefs takes only directories that have one for
 * groups, and treats having no group as an error.
 */

static ssize_t pe_none_enable_read(struct file *file, char __user *buf, size_t count,
				   loff_t *ppos)
{
	return pe_read_state('?', buf, count, ppos);
}

static ssize_t pe_none_enable_write(struct file *file, const char __user *buf,
				    size_t count, loff_t *ppos)
{
	const struct pe_view *view = file->private_data;
	bool on;
	int ret = pe_parse_switch(buf, count, &on);

	if (!ret && on)
		ret = -EINVAL;
	return pe_refused_why(view->inst, file, buf, count, ret ?: count,
			      "these records belong to no event");
}

const struct file_operations pe_none_enable_fops = {
	.owner = THIS_MODULE,
	.open = pe_all_open,
	.read = pe_none_enable_read,
	.write = pe_none_enable_write,
	.llseek = default_llseek,
	.release = pe_all_release,
};

static const struct pe_fs_file pe_event_files[] = {
	{ "enable",	PE_FS_RW,	&pe_event_enable_fops },
	{ "filter",	PE_FS_RW,	&pe_link_fops, &pe_event_filter_file },
	{ "format",	PE_FS_RO,	&pe_link_ro_fops, &pe_event_format_file },
	{ "trigger",	PE_FS_RW,	&pe_link_fops, &pe_event_trigger_file },
	{ "id",		PE_FS_RO,	&pe_event_id_fops },
#if PE_HAVE_TRACING
	{ "mirror",	PE_FS_RW,	&pe_mirror_fops },
#endif
	{ }
};
static_assert(ARRAY_SIZE(pe_event_files) - 1 <= PE_FS_MAX_ROWS);

static const struct pe_fs_file pe_group_files[] = {
	{ "enable",	PE_FS_RW,	&pe_group_enable_fops },
	{ "filter",	PE_FS_RW,	&pe_group_filter_fops },
	{ }
};
static_assert(ARRAY_SIZE(pe_group_files) - 1 <= PE_FS_MAX_ROWS);

static const struct pe_fs_file pe_all_files[] = {
	{ "enable",	PE_FS_RW,	&pe_all_enable_fops },
	{ }
};

int pe_fs_events_add(struct pe_instance *inst)
{
	struct pe_node *dir = pe_fs_mkdir(inst->dir, "events", PE_FS_EVENTS);
	int ret;

	if (IS_ERR(dir))
		return PTR_ERR(dir);
	ret = pe_fs_create_files(dir, pe_all_files, &inst->views[0]);
	if (ret) {
		pe_fs_remove(dir);
		return ret;
	}
	inst->events = dir;
	return 0;
}

void pe_fs_event_tables_set(void)
{
	static const struct pe_event_tables tables = { pe_event_files, pe_group_files };

	pe_event_tables_set(&tables);
}
