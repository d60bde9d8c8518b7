/* SPDX-License-Identifier: GPL-2.0 */
/*
 * small_file.h - file operations of small texts on a struct pe_view.
 *
 *	static int NAME_show(struct seq_file *m, void *v);	m->private: the view
 *	static int NAME_store(struct pe_view *view, unsigned long val);	number, or
 *	static int NAME_store(struct pe_view *view, char *word);	word
 *
 *	PE_TEXT_FILE(NAME, FOPS)	read only; PE_STATIC_TEXT_FILE(NAME, FOPS)
 *	PE_NUMBER_FILE(NAME, FOPS)	takes a decimal number
 *	PE_WORD_FILE(NAME, FOPS)	takes a word, blanks around it ignored
 *
 * store gives 0 or -errno.
 */
#ifndef PE_SMALL_FILE_H
#define PE_SMALL_FILE_H

#include <linux/fs.h>
#include <linux/kstrtox.h>
#include <linux/module.h>
#include <linux/seq_file.h>
#include "kernel/compat.h"
#include "kernel/trace/probefs/fs.h"
#include "kernel/trace/event/instance.h"

static inline int pe_small_open(struct inode *inode, struct file *file,
				int (*show)(struct seq_file *m, void *v))
{
	struct pe_view *view = pe_view_open(inode);
	int ret;

	if (!view)
		return -ENODEV;
	ret = pe_fs_single_open(file, show, view);
	if (ret)
		pe_view_close(view);
	return ret;
}

static inline struct pe_view *pe_small_view(struct file *file)
{
	return ((struct seq_file *)file->private_data)->private;
}

static inline int pe_small_release(struct inode *inode, struct file *file)
{
	pe_view_close(pe_small_view(file));
	return single_release(inode, file);
}

static inline ssize_t pe_small_number(struct file *file, const char __user *buf,
				      size_t count,
				      int (*store)(struct pe_view *, unsigned long))
{
	unsigned long val;
	int ret = kstrtoul_from_user(buf, count, 10, &val);

	if (!ret)
		ret = store(pe_small_view(file), val);
	return ret ? ret : count;
}

static inline ssize_t pe_small_word(struct file *file, const char __user *buf,
				    size_t count,
				    int (*store)(struct pe_view *, char *))
{
	char word[64];
	ssize_t ret = pe_fs_copy_word(word, sizeof(word), buf, count);

	if (ret >= 0)
		ret = store(pe_small_view(file), word);
	return ret ? ret : count;
}

#define PE_SMALL_OPEN(name, fops)					\
	static int fops##_open(struct inode *inode, struct file *file)	\
	{								\
		return pe_small_open(inode, file, name##_show);		\
	}

#define PE_SMALL_OPS(fops)						\
	.owner		= THIS_MODULE,					\
	.open		= fops##_open,					\
	.read_iter	= seq_read_iter,				\
	.splice_read	= pe_splice_read,				\
	.llseek		= pe_fs_llseek,					\
	.release	= pe_small_release

#define PE_TEXT_FILE(name, fops)					\
	PE_SMALL_OPEN(name, fops)					\
	const struct file_operations fops = { PE_SMALL_OPS(fops) }

/* One that only its own file knows. */
#define PE_STATIC_TEXT_FILE(name, fops)					\
	PE_SMALL_OPEN(name, fops)					\
	static const struct file_operations fops = { PE_SMALL_OPS(fops) }

#define PE_STORE_FILE(name, fops, kind)					\
	PE_SMALL_OPEN(name, fops)					\
	static ssize_t fops##_write(struct file *file,			\
				    const char __user *buf,		\
				    size_t count, loff_t *ppos)		\
	{								\
		return kind(file, buf, count, name##_store);		\
	}								\
	const struct file_operations fops = {				\
		PE_SMALL_OPS(fops),					\
		.write		= fops##_write,				\
	}

#define PE_NUMBER_FILE(name, fops)	PE_STORE_FILE(name, fops, pe_small_number)
#define PE_WORD_FILE(name, fops)	PE_STORE_FILE(name, fops, pe_small_word)

#endif
