/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * refusal.h - writes that a file refuses, in error_log.
 *
 * Commands of probes, filters and triggers have parsers, which say what is wrong and where.  All
 * other files that take a text say it with these.
 */
#ifndef PE_REFUSAL_H
#define PE_REFUSAL_H

#include <linux/types.h>

struct file;
struct pe_instance;

/**
 * pe_refused() - note in error_log that a write has failed, if it has
 * @inst: whose log it is; referenced
 * @file: that was written to; its path is the source of the error
 * @buf: what was written, @count bytes
 * @count: its bytes
 * @ret: what the write returns; errors are noted, but for want of memory, and of signals
 *
 * pe_refused_why() has a reason that says more than the errno.  Context: process, sleeps.
 *
 * Return: @ret.
 */
ssize_t pe_refused(struct pe_instance *inst, const struct file *file, const char __user *buf,
		   size_t count, ssize_t ret);
ssize_t pe_refused_why(struct pe_instance *inst, const struct file *file, const char __user *buf,
		       size_t count, ssize_t ret, const char *why);

/* The same of a text that is here: of an operation on @file, or of a word of a write. */
void pe_refused_text(struct pe_instance *inst, const struct file *file, const char *text, int ret,
		     const char *why);

#endif
