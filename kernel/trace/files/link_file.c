// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * link_file.c - file operations of all texts about a link.
 */
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/kstrtox.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/uio.h>
#include "kernel/know/compat.h"
#include "kernel/trace/event/error_log.h"
#include "kernel/trace/event/event.h"
#include "kernel/trace/event/event_link.h"
#include "kernel/trace/event/owner.h"
#include "kernel/trace/parse/filter.h"
#include "kernel/trace/parse/parse_err.h"
#include "kernel/trace/probefs/fs.h"
#include "kernel/trace/trace.h"
#include "link_file.h"
#include "refusal.h"

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

struct pe_event_link *pe_link_file_of(const struct file *file)
{
	return ((struct seq_file *)file->private_data)->private;
}

static const struct pe_link_file *pe_link_file_how(const struct file *file)
{
	return pe_fs_how(file_inode(file));
}

static int pe_link_show(struct seq_file *m, void *v)
{
	const struct pe_event_link *link = m->private;
	int ret = 0;

	mutex_lock(&pe_event_mutex);
	if (link->event->dead)
		ret = -ENODEV;
	else
		pe_link_file_how(m->file)->show(m, link);
	mutex_unlock(&pe_event_mutex);
	return ret;
}

int pe_link_single_open(struct inode *inode, struct file *file,
			int (*show)(struct seq_file *m, void *v))
{
	struct pe_event_link *link = pe_link_open(inode);
	int ret;

	if (!link)
		return -ENODEV;
	ret = pe_fs_single_open(file, show, link);
	if (ret)
		pe_link_close(link);
	return ret;
}

static int pe_link_file_open(struct inode *inode, struct file *file)
{
	return pe_link_single_open(inode, file, pe_link_show);
}

int pe_link_file_release(struct inode *inode, struct file *file)
{
	pe_link_close(pe_link_file_of(file));
	return single_release(inode, file);
}

/*
 * A text that has been read to its end does not ask pe_link_show() again, without pe_event_mutex.
 */
static ssize_t pe_link_file_read(struct kiocb *iocb, struct iov_iter *to)
{
	if (READ_ONCE(pe_link_file_of(iocb->ki_filp)->event->dead))
		return -ENODEV;
	return seq_read_iter(iocb, to);
}

char *pe_copy_text(const char __user *buf, size_t count)
{
	return count > PE_FILTER_MAX_TEXT ? ERR_PTR(-EINVAL) : memdup_user_nul(buf, count);
}

/* In the instance where a session works with its event, only the session may write. */
static int pe_link_file_check_owner(const struct file *file, const struct pe_event_link *link,
				    const char *text)
{
	char who[PE_OWNER_TEXT];
	struct pe_parse_err err = { .detail = who };

	if (pe_event_may(link->event, link->instance, NULL))
		return 0;
	err.code = pe_event_owner_error(link->event, who);
	pe_error_log_in(link->instance, file->f_path.dentry->d_name.name, text, &err);
	return -EPERM;
}

static ssize_t pe_link_file_write(struct file *file, const char __user *buf, size_t count,
				  loff_t *ppos)
{
	const struct pe_link_file *how = pe_link_file_how(file);
	struct pe_event_link *link = pe_link_file_of(file);
	char *text = NULL;
	bool on = false, dead;
	int ret;

	if (!how->store && !how->set)
		return -EINVAL;
	if (how->store) {
		text = pe_copy_text(buf, count);
		ret = PTR_ERR_OR_ZERO(text);
	} else {
		ret = pe_parse_switch(buf, count, &on);
	}
	if (ret)
		return pe_refused(link->instance, file, buf, count, ret);
	mutex_lock(&pe_event_mutex);
	/* A link that is going can still be switched off. */
	dead = how->store || on ? pe_link_gone(link) : link->event->dead;
	if (dead)
		ret = -ENODEV;
	else if (!how->store)
		ret = how->set(link, on);
	else
		ret = pe_link_file_check_owner(file, link, text) ?: how->store(link, text);
	mutex_unlock(&pe_event_mutex);
	kfree(text);
	if (dead)
		return pe_refused(link->instance, file, buf, count, ret);
	return ret ? ret : count;
}

const struct file_operations pe_link_fops = {
	.owner		= THIS_MODULE,
	.open		= pe_link_file_open,
	.read_iter	= pe_link_file_read,
	.splice_read	= pe_splice_read,
	.write		= pe_link_file_write,
	.llseek		= pe_fs_llseek,
	.release	= pe_link_file_release,
};
