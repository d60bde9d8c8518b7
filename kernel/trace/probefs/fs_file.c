// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * fs_file.c - what file operations share.
 */
#include <linux/fs.h>
#include <linux/seq_file.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include "fs.h"

ssize_t pe_fs_copy_word(char *dst, size_t size, const char __user *src, size_t count)
{
	char *word;

	if (count >= size)
		return -EINVAL;
	if (copy_from_user(dst, src, count))
		return -EFAULT;
	dst[count] = '\0';
	word = strim(dst);
	memmove(dst, word, strlen(word) + 1);
	return strlen(dst);
}

int pe_fs_single_open(struct file *file, int (*show)(struct seq_file *m, void *v), void *data)
{
	int ret = single_open(file, show, data);

	/* seq_open() has cleared it. */
	if (!ret)
		file->f_mode |= FMODE_PWRITE;
	return ret;
}

loff_t pe_fs_llseek(struct file *file, loff_t offset, int whence)
{
	return seq_lseek(file, offset, whence == SEEK_END ? SEEK_SET : whence);
}
