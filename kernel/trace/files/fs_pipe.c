// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * fs_pipe.c - the file trace_pipe: takes records out of the buffer as text.
 *
 * A read fills a private text buffer with whole lines and hands out from it.  A record is
 * consumed when its line is in that buffer.  So closing the file loses at most the lines
 * read ahead, and a failing copy to the user loses nothing.
 *
 * A read waits for records, also while tracing is off.  But if the file has given something
 * before, off means the end.  Either one opener has the file of all CPUs, or the file of
 * each CPU has at most one opener.
 */
#include <linux/cpumask.h>
#include <linux/fs.h>
#include <linux/lockdep.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/poll.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/uio.h>
#include "files.h"
#include "kernel/know/compat.h"
#include "kernel/trace/event/instance.h"
#include "kernel/trace/ring/rb_wait.h"
#include "kernel/trace/trace_instance.h"
#include "reader.h"
#include "refusal.h"

#define TEXT_SIZE	(16 * 1024)

/**
 * struct pipe_file - an open trace_pipe
 * @view: what it shows
 * @reader: consuming
 * @lock: one read at a time; not held while waiting
 * @text: lines; only buf, size and count are used
 * @sent: bytes of @text already given
 * @seen: the file has given something before
 */
struct pipe_file {
	struct pe_view *view;
	struct pe_reader *reader;
	struct mutex lock;
	struct seq_file text;
	size_t sent;
	bool seen;
};

#define READER_LEN	(TASK_COMM_LEN + 40)

/* Guards pe_view.piped of all views. */
static DEFINE_MUTEX(pe_piped_mutex);

/* An open view that @view cannot be read beside: 0 is of all CPUs, 1 and up are of one CPU each. */
static const struct pe_view *pe_find_piped(const struct pe_view *view)
{
	const struct pe_view *views = view->inst->views;
	unsigned int i;

	if (views[0].piped)
		return views;
	if (view != views)
		return view->piped ? view : NULL;
	for (i = 1; i <= nr_cpu_ids; i++)
		if (views[i].piped)
			return &views[i];
	return NULL;
}

static void pe_say_reader(const struct pe_view *view, char *buf, size_t size)
{
	scnprintf(buf, size, "trace_pipe is being read by %s-%d", view->comm, view->pid);
}

bool pe_pipe_reader(const struct pe_instance *inst, char *buf, size_t size)
{
	const struct pe_view *other;

	mutex_lock(&pe_piped_mutex);
	other = pe_find_piped(inst->views);
	if (other)
		pe_say_reader(other, buf, size);
	mutex_unlock(&pe_piped_mutex);
	return other;
}

static int pe_claim_view(struct pe_view *view, const struct file *file)
{
	const struct pe_view *other;
	char reader[READER_LEN];

	mutex_lock(&pe_piped_mutex);
	other = pe_find_piped(view);
	if (other) {
		pe_say_reader(other, reader, sizeof(reader));
	} else {
		view->piped = true;
		view->pid = current->tgid;
		get_task_comm(view->comm, current);
	}
	mutex_unlock(&pe_piped_mutex);
	if (!other)
		return 0;
	pe_refused_text(view->inst, file, "", -EBUSY, reader);
	return -EBUSY;
}

static void pe_release_view(struct pe_view *view)
{
	mutex_lock(&pe_piped_mutex);
	view->piped = false;
	mutex_unlock(&pe_piped_mutex);
}

static void pe_free_pipe(struct pipe_file *pipe)
{
	pe_reader_free(pipe->reader);
	kvfree(pipe->text.buf);
	kfree(pipe);
}

static struct pipe_file *pe_alloc_pipe(struct pe_view *view)
{
	struct pipe_file *pipe = kzalloc(sizeof(*pipe), GFP_KERNEL);

	if (!pipe)
		return NULL;
	mutex_init(&pipe->lock);
	pipe->view = view;
	pipe->reader = pe_reader_alloc(view, true, false);
	pipe->text.size = TEXT_SIZE;
	pipe->text.buf = kvmalloc(TEXT_SIZE, GFP_KERNEL);
	if (!pipe->reader || !pipe->text.buf) {
		pe_free_pipe(pipe);
		return NULL;
	}
	return pipe;
}

static int pe_pipe_open(struct inode *inode, struct file *file)
{
	struct pe_view *view = pe_view_open(inode);
	struct pipe_file *pipe;
	int ret;

	if (!view)
		return -ENODEV;
	ret = pe_claim_view(view, file);
	if (ret)
		goto close;
	pipe = pe_alloc_pipe(view);
	if (!pipe) {
		ret = -ENOMEM;
		goto release;
	}
	file->private_data = pipe;
	/* The file has no position: reads would wait for its lock, and no signal ends that. */
	return stream_open(inode, file);

release:
	pe_release_view(view);
close:
	pe_view_close(view);
	return ret;
}

static int pe_pipe_release(struct inode *inode, struct file *file)
{
	struct pipe_file *pipe = file->private_data;
	struct pe_view *view = pipe->view;

	pe_release_view(view);
	pe_free_pipe(pipe);
	pe_view_close(view);
	return 0;
}

/* For a line that does not fit even alone: a record's text has no small bound. */
static int pe_grow_text(struct seq_file *text)
{
	size_t size = text->size * 2;
	char *buf = kvmalloc(size, GFP_KERNEL);

	if (!buf)
		return -ENOMEM;
	kvfree(text->buf);
	text->buf = buf;
	text->size = size;
	return 0;
}

/* Return: 1 with lines in pipe->text; 0 if there was no record; -errno. */
static int pe_fs_pipe_gather(struct pipe_file *pipe, size_t want)
{
	struct seq_file *text = &pipe->text;
	int ret;

	text->count = 0;
	pipe->sent = 0;
	while (text->count < want) {
		ret = pe_reader_consume(pipe->reader, text);
		if (!ret)
			break;
		if (ret == -ENOSPC) {
			if (text->count)
				break;
			ret = pe_grow_text(text);
			if (ret)
				return ret;
		}
		cond_resched();
	}
	return text->count ? 1 : 0;
}

static bool pe_at_end(void *arg)
{
	const struct pipe_file *pipe = arg;
	const struct pe_instance *inst = pipe->view->inst;

	return READ_ONCE(inst->dying) || (pipe->seen && !READ_ONCE(inst->tracing_on));
}

/*
 * pipe->lock is held, and released while waiting.
 * Return: 1 with text to send, 0 at the end, -errno.
 */
static int pe_fs_pipe_wait_for_text(struct pipe_file *pipe, size_t want, bool nonblock)
{
	struct pe_view *view = pipe->view;
	int ret;

	lockdep_assert_held(&pipe->lock);
	while (pipe->sent == pipe->text.count) {
		ret = pe_fs_pipe_gather(pipe, want);
		if (ret)
			return ret;
		if (nonblock && !READ_ONCE(view->inst->dying))
			return -EAGAIN;
		if (pe_at_end(pipe)) {
			/* After this, no hit is left that has seen it on. */
			synchronize_rcu();
			return pe_fs_pipe_gather(pipe, want);
		}
		if (signal_pending(current))
			return -ERESTARTSYS;
		mutex_unlock(&pipe->lock);
		ret = pe_waits_sleep(view->inst->waits, view->cpu, 0, pe_at_end, pipe);
		mutex_lock(&pipe->lock);
		if (ret)
			return ret;
	}
	return 1;
}

static ssize_t pe_send_text(struct pipe_file *pipe, struct iov_iter *to)
{
	size_t n = copy_to_iter(pipe->text.buf + pipe->sent,
				pipe->text.count - pipe->sent, to);

	pipe->sent += n;
	pipe->seen |= n;
	return n ? n : -EFAULT;
}

static ssize_t pe_pipe_read_iter(struct kiocb *iocb, struct iov_iter *to)
{
	struct file *file = iocb->ki_filp;
	struct pipe_file *pipe = file->private_data;
	bool nonblock = (file->f_flags & O_NONBLOCK) || (iocb->ki_flags & IOCB_NOWAIT);
	ssize_t ret;

	if (!iov_iter_count(to))
		return 0;
	if (mutex_lock_interruptible(&pipe->lock))
		return -ERESTARTSYS;
	ret = pe_fs_pipe_wait_for_text(pipe, iov_iter_count(to), nonblock);
	pe_waits_after_read(pipe->view->inst->waits, pipe->view->cpu, 0);
	if (ret > 0)
		ret = pe_send_text(pipe, to);
	mutex_unlock(&pipe->lock);
	return ret;
}

static __poll_t pe_pipe_poll(struct file *file, poll_table *pt)
{
	struct pipe_file *pipe = file->private_data;
	struct pe_view *view = pipe->view;
	__poll_t ret = pe_waits_poll(view->inst->waits, view->cpu, 0, file, pt);

	/* Lines read ahead.  If a read comes in between, the answer is late at worst. */
	if (READ_ONCE(pipe->sent) < READ_ONCE(pipe->text.count))
		ret |= EPOLLIN | EPOLLRDNORM;
	if (READ_ONCE(view->inst->dying))	/* a read finds the end */
		ret |= EPOLLIN | EPOLLRDNORM | EPOLLHUP;
	return ret;
}

const struct file_operations pe_pipe_fops = {
	.owner		= THIS_MODULE,
	.open		= pe_pipe_open,
	.read_iter	= pe_pipe_read_iter,
	.splice_read	= pe_splice_read,
	.poll		= pe_pipe_poll,
	.release	= pe_pipe_release,
};
