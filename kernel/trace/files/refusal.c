// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * refusal.c - writes that a file refuses, in error_log.
 */
#include <linux/dcache.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include "kernel/trace/event/error_log.h"
#include "kernel/trace/parse/parse_err.h"
#include "refusal.h"

#define PATH_LEN	512	/* three names, and instances/NAME before them */
#define SHOWN		256	/* bytes of a write that are shown */

void pe_refused_text(struct pe_instance *inst, const struct file *file, const char *text, int ret,
		     const char *why)
{
	struct pe_parse_err err = {
		.code = PE_ERR_REFUSED, .detail = why ?: pe_errno_text(ret),
	};
	char *path, *buf = kmalloc(PATH_LEN, GFP_KERNEL);

	if (!buf)
		return;		/* the writer has the errno */
	path = dentry_path_raw(file->f_path.dentry, buf, PATH_LEN);
	pe_error_log_in(inst, IS_ERR(path) ? "file" : path + 1, text, &err);
	kfree(buf);
}

/* The errno says all: no memory, or the writer was interrupted.  Nothing is wrong with the text. */
static bool pe_says_all(ssize_t ret)
{
	return ret >= 0 || ret == -ENOMEM || ret == -EFAULT || ret == -EINTR || ret == -ERESTARTSYS;
}

ssize_t pe_refused_why(struct pe_instance *inst, const struct file *file, const char __user *buf,
		       size_t count, ssize_t ret, const char *why)
{
	char *text;

	if (pe_says_all(ret))
		return ret;
	text = memdup_user_nul(buf, min_t(size_t, count, SHOWN));
	if (IS_ERR(text))
		return ret;
	pe_refused_text(inst, file, strim(text), ret, why);
	kfree(text);
	return ret;
}

ssize_t pe_refused(struct pe_instance *inst, const struct file *file, const char __user *buf,
		   size_t count, ssize_t ret)
{
	return pe_refused_why(inst, file, buf, count, ret, NULL);
}
