// SPDX-License-Identifier: GPL-2.0
/*
 * fs_event.c - events/: enable files on three levels, format and id.
 *
 * Every open file of an event or a group holds a reference on it.  Names of
 * events that are gone may be in use again by others, so each operation looks
 * whether its own event or group is still alive.
 */
#include <linux/errno.h>
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/seq_file.h>
#include "event.h"
#include "fs.h"
#include "record.h"

static struct pe_node *events_dir;

/* "1\n" for a reader. */
static ssize_t read_state(char state, char __user *buf, size_t count, loff_t *ppos)
{
	const char text[] = { state, '\n' };

	return simple_read_from_buffer(buf, count, ppos, text, sizeof(text));
}

static int parse_switch(const char __user *buf, size_t count, bool *on)
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

/* Files of one event. */

static struct pe_event *event_of_inode(struct inode *inode)
{
	struct pe_event *event;

	mutex_lock(&pe_event_mutex);
	event = pe_fs_data(inode);
	if (event)
		pe_event_get(event);
	mutex_unlock(&pe_event_mutex);
	return event;
}

static int event_open(struct inode *inode, struct file *file)
{
	file->private_data = event_of_inode(inode);
	return file->private_data ? 0 : -ENODEV;
}

static int event_release(struct inode *inode, struct file *file)
{
	pe_event_put(file->private_data);
	return 0;
}

static ssize_t event_enable_read(struct file *file, char __user *buf, size_t count,
				 loff_t *ppos)
{
	const struct pe_event *event = file->private_data;
	bool dead, on;

	mutex_lock(&pe_event_mutex);
	dead = event->dead;
	on = pe_event_enabled(event, &pe_top);
	mutex_unlock(&pe_event_mutex);
	if (dead)
		return -ENODEV;
	return read_state(on ? '1' : '0', buf, count, ppos);
}

static ssize_t event_enable_write(struct file *file, const char __user *buf,
				  size_t count, loff_t *ppos)
{
	struct pe_event *event = file->private_data;
	bool on;
	int ret;

	ret = parse_switch(buf, count, &on);
	if (ret)
		return ret;
	mutex_lock(&pe_event_mutex);
	ret = event->dead ? -ENODEV : pe_event_enable(event, &pe_top, on);
	mutex_unlock(&pe_event_mutex);
	return ret ?: count;
}

static const struct file_operations event_enable_fops = {
	.owner = THIS_MODULE,
	.open = event_open,
	.read = event_enable_read,
	.write = event_enable_write,
	.llseek = default_llseek,
	.release = event_release,
};

static ssize_t event_id_read(struct file *file, char __user *buf, size_t count,
			     loff_t *ppos)
{
	const struct pe_event *event = file->private_data;
	char text[8];
	int len;

	if (READ_ONCE(event->dead))
		return -ENODEV;
	len = scnprintf(text, sizeof(text), "%u\n", event->id);
	return simple_read_from_buffer(buf, count, ppos, text, len);
}

static const struct file_operations event_id_fops = {
	.owner = THIS_MODULE,
	.open = event_open,
	.read = event_id_read,
	.llseek = default_llseek,
	.release = event_release,
};

static int event_format_show(struct seq_file *m, void *v)
{
	const struct pe_event *event = m->private;
	struct pe_layout layout;

	if (READ_ONCE(event->dead))
		return -ENODEV;
	pe_event_layout(event, &layout);
	pe_format_print(m, &layout);
	return 0;
}

static int event_format_open(struct inode *inode, struct file *file)
{
	struct pe_event *event = event_of_inode(inode);
	int ret;

	if (!event)
		return -ENODEV;
	ret = single_open(file, event_format_show, event);
	if (ret)
		pe_event_put(event);
	return ret;
}

static int event_format_release(struct inode *inode, struct file *file)
{
	struct seq_file *m = file->private_data;

	pe_event_put(m->private);
	return single_release(inode, file);
}

static const struct file_operations event_format_fops = {
	.owner = THIS_MODULE,
	.open = event_format_open,
	.read = seq_read,
	.llseek = seq_lseek,
	.release = event_format_release,
};

/* A group's enable file, and that of all groups, whose private_data is NULL. */

static int group_open(struct inode *inode, struct file *file)
{
	struct pe_group *group;

	mutex_lock(&pe_event_mutex);
	group = pe_fs_data(inode);
	if (group)
		pe_group_get(group);
	mutex_unlock(&pe_event_mutex);
	file->private_data = group;
	return group ? 0 : -ENODEV;
}

static int group_release(struct inode *inode, struct file *file)
{
	pe_group_put(file->private_data);
	return 0;
}

static bool group_dead(const struct pe_group *group)
{
	return group && !group->nr_events;
}

static ssize_t group_enable_read(struct file *file, char __user *buf, size_t count,
				 loff_t *ppos)
{
	const struct pe_group *group = file->private_data;
	bool dead;
	char state;

	mutex_lock(&pe_event_mutex);
	dead = group_dead(group);
	state = pe_events_state(group ? group->name : NULL, &pe_top);
	mutex_unlock(&pe_event_mutex);
	if (dead)
		return -ENODEV;
	return read_state(state, buf, count, ppos);
}

static ssize_t group_enable_write(struct file *file, const char __user *buf,
				  size_t count, loff_t *ppos)
{
	const struct pe_group *group = file->private_data;
	bool on;
	int ret;

	ret = parse_switch(buf, count, &on);
	if (ret)
		return ret;
	mutex_lock(&pe_event_mutex);
	if (group_dead(group))
		ret = -ENODEV;
	else
		ret = pe_events_enable(group ? group->name : NULL, NULL, &pe_top, on);
	mutex_unlock(&pe_event_mutex);
	return ret ?: count;
}

static const struct file_operations group_enable_fops = {
	.owner = THIS_MODULE,
	.open = group_open,
	.read = group_enable_read,
	.write = group_enable_write,
	.llseek = default_llseek,
	.release = group_release,
};

static const struct file_operations all_enable_fops = {
	.owner = THIS_MODULE,
	.read = group_enable_read,
	.write = group_enable_write,
	.llseek = default_llseek,
};

static const struct pe_fs_file event_files[] = {
	{ "enable",	PE_FS_RW,	&event_enable_fops },
	{ "format",	PE_FS_RO,	&event_format_fops },
	{ "id",		PE_FS_RO,	&event_id_fops },
	{ }
};

static const struct pe_fs_file group_files[] = {
	{ "enable",	PE_FS_RW,	&group_enable_fops },
	{ }
};

static const struct pe_fs_file all_files[] = {
	{ "enable",	PE_FS_RW,	&all_enable_fops },
	{ }
};

static struct pe_node *make_dir(struct pe_node *parent, const char *name,
				const struct pe_fs_file *files, void *data)
{
	struct pe_node *dir = pe_fs_mkdir(parent, name);
	int ret;

	if (IS_ERR(dir))
		return dir;
	ret = pe_fs_create_files(dir, files, data);
	if (ret) {
		pe_fs_remove(dir);
		return ERR_PTR(ret);
	}
	return dir;
}

int pe_fs_group_add(struct pe_group *group)
{
	struct pe_node *dir = make_dir(events_dir, group->name, group_files, group);

	if (IS_ERR(dir))
		return PTR_ERR(dir);
	group->dir = dir;
	return 0;
}

int pe_fs_event_add(struct pe_event *event)
{
	struct pe_node *dir = make_dir(event->grp->dir, event->name, event_files, event);

	if (IS_ERR(dir))
		return PTR_ERR(dir);
	event->dir = dir;
	return 0;
}

int pe_fs_events_init(void)
{
	events_dir = make_dir(NULL, "events", all_files, NULL);
	return PTR_ERR_OR_ZERO(events_dir);
}
