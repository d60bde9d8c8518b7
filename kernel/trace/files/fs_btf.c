// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * fs_btf.c - kprobes/btf: type data, from an ELF file that is written here.
 *
 * Writes are collected until the file is as long as its headers say.  The last of them takes the
 * type data in, and gets the errno if it is refused: every program sees errors of its writes.
 * Nothing is kept of a file that is left unfinished.
 */
#include <linux/errno.h>
#include <linux/fs.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/seq_file.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <pe/btf_file.h>
#include "files.h"
#include "kernel/trace/event/error_log.h"
#include "kernel/trace/probefs/fs.h"

#define MAX_FILE	SZ_32M
#define FIRST_ROOM	SZ_64K

/**
 * struct upload - an open file that is being written
 * @lock: the rest, between writers that share the open file
 * @bytes: what has been written, if no more is known of it
 * @len: bytes
 * @room: for bytes
 * @ended: the file has been taken in, or refused: the errno of more writes
 */
struct upload {
	struct mutex lock;
	u8 *bytes;
	size_t len, room;
	int ended;
};

static void pe_fs_btf_log_refusal(const char *reason)
{
	struct pe_parse_err err = { .code = PE_ERR_BTF_FILE, .detail = reason };

	if (reason)
		pe_error_log("btf", "btf", &err);
}

static struct upload *pe_upload_of(struct file *file)
{
	return ((struct seq_file *)file->private_data)->private;
}

static void pe_fs_btf_end(struct upload *up, int err)
{
	kvfree(up->bytes);
	up->bytes = NULL;
	up->len = 0;
	up->room = 0;
	up->ended = err;
}

static int pe_fs_btf_refuse(struct upload *up, int err, const char *reason)
{
	pe_fs_btf_log_refusal(reason);
	pe_fs_btf_end(up, err);
	return err;
}

static int pe_fs_btf_make_room(struct upload *up, size_t len)
{
	size_t room = max_t(size_t, up->room, FIRST_ROOM);
	u8 *bytes;

	if (len <= up->room)
		return 0;
	while (room < len)
		room *= 2;
	bytes = kvmalloc(room, GFP_KERNEL_ACCOUNT);
	if (!bytes)
		return -ENOMEM;
	if (up->len)
		memcpy(bytes, up->bytes, up->len);
	kvfree(up->bytes);
	up->bytes = bytes;
	up->room = room;
	return 0;
}

/* Is it as long as it says?  Then it is taken in. */
static int pe_take_in(struct upload *up)
{
	u64 size = pe_btf_elf_size(up->bytes, up->len);
	const char *reason;
	int err;

	if (size > MAX_FILE)
		return pe_fs_btf_refuse(up, -EFBIG, "the file is larger than 32 MB");
	if (size > up->len)
		return 0;
	if (size && size < up->len)
		return pe_fs_btf_refuse(up, -EINVAL, "data follows the end of the ELF file");
	err = pe_btf_load(up->bytes, up->len, &reason);
	if (err)
		return pe_fs_btf_refuse(up, err, reason);
	pe_fs_btf_end(up, -EEXIST);
	return 0;
}

static int pe_fs_btf_append(struct upload *up, const char __user *buf, size_t count)
{
	const char *reason;
	int err;

	if (up->ended)
		return up->ended;
	err = pe_btf_may_load(&reason);
	if (err)
		return pe_fs_btf_refuse(up, err, reason);
	if (count > MAX_FILE - up->len)
		return pe_fs_btf_refuse(up, -EFBIG, "the file is larger than 32 MB");
	err = pe_fs_btf_make_room(up, up->len + count);
	if (err)
		return err;
	if (copy_from_user(up->bytes + up->len, buf, count))
		return -EFAULT;
	up->len += count;
	return pe_take_in(up);
}

/* Everything is appended, wherever it is written. */
static ssize_t pe_btf_write(struct file *file, const char __user *buf, size_t count, loff_t *ppos)
{
	struct upload *up = pe_upload_of(file);
	int err = 0;

	mutex_lock(&up->lock);
	if (count)
		err = pe_fs_btf_append(up, buf, count);
	mutex_unlock(&up->lock);
	return err ?: count;
}

/* The closing task is told that there should be more; another task may still write it. */
static int pe_btf_flush(struct file *file, fl_owner_t id)
{
	struct upload *up = pe_upload_of(file);
	int err = 0;

	if (!up)
		return 0;
	mutex_lock(&up->lock);
	if (up->len) {
		pe_fs_btf_log_refusal("the file is truncated");
		err = -EINVAL;
	}
	mutex_unlock(&up->lock);
	return err;
}

static int pe_fs_btf_show(struct seq_file *m, void *v)
{
	pe_btf_show(m);
	return 0;
}

static int pe_btf_open(struct inode *inode, struct file *file)
{
	struct upload *up = NULL;
	int err;

	if (file->f_mode & FMODE_WRITE) {
		up = kzalloc(sizeof(*up), GFP_KERNEL);
		if (!up)
			return -ENOMEM;
		mutex_init(&up->lock);
	}
	err = pe_fs_single_open(file, pe_fs_btf_show, up);
	if (err)
		kfree(up);
	return err;
}

static int pe_btf_release(struct inode *inode, struct file *file)
{
	struct upload *up = pe_upload_of(file);

	if (up)
		kvfree(up->bytes);
	kfree(up);
	return single_release(inode, file);
}

const struct file_operations pe_btf_fops = {
	.owner		= THIS_MODULE,
	.open		= pe_btf_open,
	.read_iter	= seq_read_iter,
	.write		= pe_btf_write,
	.flush		= pe_btf_flush,
	.llseek		= pe_fs_llseek,
	.release	= pe_btf_release,
};
