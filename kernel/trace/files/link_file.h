/* SPDX-License-Identifier: GPL-2.0 */
/*
 * link_file.h - file operations of texts on a struct pe_event_link.
 *
 *	void SHOW(struct seq_file *m, const struct pe_event_link *link);
 *	int STORE(struct pe_event_link *link, char *text);	0 or -errno
 *
 * Both with pe_event_mutex, and only while the event lives: -ENODEV else.
 *
 *	PE_LINK_FILE(FOPS, SHOW)
 *	PE_LINK_STORE_FILE(FOPS, SHOW, STORE)	a write is a text of up to
 *						PE_FILTER_MAX_TEXT characters
 */
#ifndef PE_LINK_FILE_H
#define PE_LINK_FILE_H

#include <linux/err.h>
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "kernel/trace/event/event.h"
#include "kernel/trace/event/event_link.h"
#include "kernel/trace/parse/filter.h"
#include "kernel/trace/probefs/fs.h"
#include "kernel/compat.h"
#include "kernel/trace/trace.h"

static inline struct pe_event_link *pe_link_of(struct file *file)
{
	return ((struct seq_file *)file->private_data)->private;
}

static inline int pe_link_file_open(struct inode *inode, struct file *file,
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

static inline int pe_link_file_release(struct inode *inode, struct file *file)
{
	pe_link_close(pe_link_of(file));
	return single_release(inode, file);
}

static inline int pe_link_file_show(struct seq_file *m,
				    void (*show)(struct seq_file *, const struct pe_event_link *))
{
	const struct pe_event_link *link = m->private;
	int ret = 0;

	mutex_lock(&pe_event_mutex);
	if (link->event->dead)
		ret = -ENODEV;
	else
		show(m, link);
	mutex_unlock(&pe_event_mutex);
	return ret;
}

/* What is written to a filter or a trigger, or ERR_PTR(); kfree() it. */
static inline char *pe_copy_text(const char __user *buf, size_t count)
{
	return count > PE_FILTER_MAX_TEXT ? ERR_PTR(-EINVAL) : memdup_user_nul(buf, count);
}

static inline ssize_t pe_link_file_write(struct file *file, const char __user *buf, size_t count,
					 int (*store)(struct pe_event_link *, char *))
{
	struct pe_event_link *link = pe_link_of(file);
	char *text = pe_copy_text(buf, count);
	int ret;

	if (IS_ERR(text))
		return PTR_ERR(text);
	mutex_lock(&pe_event_mutex);
	ret = link->event->dead ? -ENODEV : store(link, text);
	mutex_unlock(&pe_event_mutex);
	kfree(text);
	return ret ? ret : count;
}

#define PE_LINK_FILE_OPEN(fops, show)						\
	static int fops##_show(struct seq_file *m, void *v)			\
	{									\
		return pe_link_file_show(m, show);				\
	}									\
	static int fops##_open(struct inode *inode, struct file *file)		\
	{									\
		return pe_link_file_open(inode, file, fops##_show);		\
	}

#define PE_LINK_FILE_OPS(fops)							\
	.owner		= THIS_MODULE,						\
	.open		= fops##_open,						\
	.read_iter	= seq_read_iter,					\
	.splice_read	= pe_splice_read,					\
	.llseek		= pe_fs_llseek,						\
	.release	= pe_link_file_release

#define PE_LINK_FILE(fops, show)						\
	PE_LINK_FILE_OPEN(fops, show)						\
	static const struct file_operations fops = { PE_LINK_FILE_OPS(fops) }

#define PE_LINK_STORE_FILE(fops, show, store)					\
	PE_LINK_FILE_OPEN(fops, show)						\
	static ssize_t fops##_write(struct file *file, const char __user *buf,	\
				    size_t count, loff_t *ppos)			\
	{									\
		return pe_link_file_write(file, buf, count, store);		\
	}									\
	const struct file_operations fops = {					\
		PE_LINK_FILE_OPS(fops),						\
		.write		= fops##_write,					\
	}

#endif
