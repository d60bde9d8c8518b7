// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * small_file.c - file operations of all small texts about a view.
 */
#include <linux/errno.h>
#include <linux/fs.h>
#include <linux/kstrtox.h>
#include <linux/module.h>
#include <linux/seq_file.h>
#include "kernel/know/compat.h"
#include "kernel/trace/event/instance.h"
#include "kernel/trace/probefs/fs.h"
#include "kernel/trace/trace_instance.h"
#include "refusal.h"
#include "small_file.h"

const struct pe_small_file *pe_small_how(const struct file *file)
{
	return pe_fs_how(file_inode(file));
}

struct pe_view *pe_small_view(const struct file *file)
{
	return ((struct seq_file *)file->private_data)->private;
}

static int pe_small_show(struct seq_file *m, void *v)
{
	const struct pe_small_file *small = pe_small_how(m->file);

	if (small->try_show)
		return small->try_show(m);
	if (small->text)
		seq_puts(m, small->text);
	else if (small->print)
		small->print(m);
	else
		small->show(m, m->private);
	return 0;
}

static int pe_small_begin(struct file *file, struct pe_view *view)
{
	const struct pe_small_file *small = pe_small_how(file);
	int ret;

	if (!small->list)
		return pe_fs_single_open(file, pe_small_show, view);
	ret = seq_open(file, small->list);
	if (ret)
		return ret;
	((struct seq_file *)file->private_data)->private = view;
	if (small->pwrite)
		file->f_mode |= FMODE_PWRITE;	/* seq_open() has cleared it */
	return 0;
}

static int pe_small_release(struct inode *inode, struct file *file)
{
	pe_view_close(pe_small_view(file));
	return pe_small_how(file)->list ? seq_release(inode, file) : single_release(inode, file);
}

static int pe_small_open(struct inode *inode, struct file *file)
{
	int (*truncate)(struct file *file) = pe_small_how(file)->truncate;
	struct pe_view *view = pe_view_open(inode);
	int ret;

	if (!view)
		return -ENODEV;
	ret = pe_small_begin(file, view);
	if (ret) {
		pe_view_close(view);
		return ret;
	}
	/* This comes last: an open that fails must not have changed anything. */
	if (truncate && (file->f_mode & FMODE_WRITE) && (file->f_flags & O_TRUNC))
		ret = truncate(file);
	if (ret)
		pe_small_release(inode, file);
	return ret;
}

static ssize_t pe_write_number(struct file *file, const char __user *buf, size_t count)
{
	unsigned long val;
	int ret = kstrtoul_from_user(buf, count, 10, &val);

	if (!ret)
		ret = pe_small_how(file)->number(pe_small_view(file), val);
	return ret ? ret : count;
}

static ssize_t pe_write_word(struct file *file, const char __user *buf, size_t count)
{
	char word[64];
	ssize_t ret = pe_fs_copy_word(word, sizeof(word), buf, count);

	if (ret >= 0)
		ret = pe_small_how(file)->word(pe_small_view(file), word);
	return ret ? ret : count;
}

static ssize_t pe_small_write(struct file *file, const char __user *buf, size_t count, loff_t *ppos)
{
	const struct pe_small_file *small = pe_small_how(file);
	ssize_t ret;

	if (small->number)
		ret = pe_write_number(file, buf, count);
	else if (small->word)
		ret = pe_write_word(file, buf, count);
	else if (small->write)
		ret = small->write(file, buf, count);
	else
		return -EINVAL;
	if (small->tells)
		return ret;
	return pe_refused_why(pe_small_view(file)->inst, file, buf, count, ret,
			      small->word && ret == -EINVAL ?
			      "read the file for the values it accepts" : NULL);
}

const struct file_operations pe_small_fops = {
	.owner		= THIS_MODULE,
	.open		= pe_small_open,
	.read_iter	= seq_read_iter,
	.splice_read	= pe_splice_read,
	.write		= pe_small_write,
	.llseek		= pe_fs_llseek,
	.release	= pe_small_release,
};
