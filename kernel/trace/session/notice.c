// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * notice.c - what readers of a session's file are told, line by line.
 *
 * A session whose file is not read keeps MAX_NOTICES lines, and counts later ones.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/list.h>
#include <linux/poll.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include "kernel/trace/trace_session.h"
#include "session.h"

#define MAX_NOTICES	1024

/**
 * struct pe_notice - a line
 * @list: in pe_notices.lines
 * @done: bytes that have been read
 * @len: of @text
 * @text: with its newline, without a NUL
 */
struct pe_notice {
	struct list_head list;
	size_t done;
	size_t len;
	char text[];
};

void pe_notices_init(struct pe_notices *notices)
{
	spin_lock_init(&notices->lock);
	INIT_LIST_HEAD(&notices->lines);
	init_waitqueue_head(&notices->wait);
}

void pe_notices_free(struct pe_notices *notices)
{
	struct pe_notice *notice, *next;

	list_for_each_entry_safe(notice, next, &notices->lines, list)
		kfree(notice);
}

static struct pe_notice *pe_notice_vmake(const char *fmt, va_list args) __printf(1, 0);
static struct pe_notice *pe_notice_make(const char *fmt, ...) __printf(1, 2);

static struct pe_notice *pe_notice_vmake(const char *fmt, va_list args)
{
	struct pe_notice *notice;
	va_list again;
	size_t len;

	va_copy(again, args);
	len = vsnprintf(NULL, 0, fmt, again) + 1;
	va_end(again);
	notice = kzalloc(struct_size(notice, text, len), GFP_KERNEL_ACCOUNT);
	if (!notice)
		return NULL;
	vsnprintf(notice->text, len, fmt, args);
	notice->text[len - 1] = '\n';
	notice->len = len;
	return notice;
}

static struct pe_notice *pe_notice_make(const char *fmt, ...)
{
	struct pe_notice *notice;
	va_list args;

	va_start(args, fmt);
	notice = pe_notice_vmake(fmt, args);
	va_end(args);
	return notice;
}

/* Without memory, or if the file is not read, it is only counted. */
static void pe_notice_add(struct pe_notices *notices, struct pe_notice *notice, bool last)
{
	spin_lock(&notices->lock);
	if (!notices->ended && notice && (last || notices->nr < MAX_NOTICES)) {
		list_add_tail(&notice->list, &notices->lines);
		notices->nr++;
		notice = NULL;
	} else if (!notices->ended) {
		notices->lost++;
	}
	if (last)
		notices->ended = true;
	spin_unlock(&notices->lock);
	kfree(notice);
	wake_up_interruptible_poll(&notices->wait, EPOLLIN | EPOLLRDNORM);
}

void pe_notice(struct pe_notices *notices, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	pe_notice_add(notices, pe_notice_vmake(fmt, args), false);
	va_end(args);
}

void pe_notice_last(struct pe_notices *notices, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	pe_notice_add(notices, pe_notice_vmake(fmt, args), true);
	va_end(args);
}

bool pe_notices_ready(struct pe_notices *notices)
{
	bool ready;

	spin_lock(&notices->lock);
	ready = notices->ended || notices->lost || !list_empty(&notices->lines);
	spin_unlock(&notices->lock);
	return ready;
}

/* How many there have been before the next line, if there were too many. */
static unsigned long pe_notices_lost(struct pe_notices *notices)
{
	unsigned long lost = 0;

	spin_lock(&notices->lock);
	if (notices->nr <= notices->ended)
		swap(lost, notices->lost);
	spin_unlock(&notices->lock);
	return lost;
}

/* The oldest line, which is the caller's now.  Losses are told before the last one. */
static struct pe_notice *pe_notice_take(struct pe_notices *notices, bool *ended)
{
	unsigned long lost = pe_notices_lost(notices);
	struct pe_notice *notice = NULL;

	if (lost)
		notice = pe_notice_make("lost %lu", lost);
	spin_lock(&notices->lock);
	if (lost && !notice) {
		notices->lost += lost;		/* later, when there is memory */
	} else if (!notice) {
		notice = list_first_entry_or_null(&notices->lines, struct pe_notice, list);
		if (notice) {
			list_del(&notice->list);
			notices->nr--;
		}
	}
	*ended = notices->ended;
	spin_unlock(&notices->lock);
	return notice;
}

/* It has not been read to its end. */
static void pe_notice_put_back(struct pe_notices *notices, struct pe_notice *notice)
{
	spin_lock(&notices->lock);
	list_add(&notice->list, &notices->lines);
	notices->nr++;
	spin_unlock(&notices->lock);
}

ssize_t pe_notices_read(struct pe_notices *notices, char __user *buf, size_t count)
{
	struct pe_notice *notice;
	size_t done = 0, n;
	bool ended = false;

	while (done < count) {
		notice = pe_notice_take(notices, &ended);
		if (!notice)
			break;
		n = min(notice->len - notice->done, count - done);
		if (copy_to_user(buf + done, notice->text + notice->done, n)) {
			pe_notice_put_back(notices, notice);
			return done ?: -EFAULT;
		}
		done += n;
		notice->done += n;
		if (notice->done < notice->len)
			pe_notice_put_back(notices, notice);
		else
			kfree(notice);
	}
	return done || ended || !count ? done : -EAGAIN;
}
