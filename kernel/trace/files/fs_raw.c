// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * fs_raw.c - the files trace_pipe_raw and snapshot_raw: take records out of a CPU's
 * buffer, or snapshot, as whole binary sub-buffers.
 *
 * read() gives what there is, the page in work included.  The file keeps one image until it
 * has been read to its end, so reads may be of any size.  Closing the file loses the rest of
 * the image.
 *
 * splice() waits for buffer_percent of the buffer, or for records that have been there
 * for some time (rb_wait.c).  So programs that stream see each record soon, and under
 * load only complete pages go.  Complete pages are not copied: the ring's page itself goes
 * into the pipe, and the ring gets a fresh one.  Pages in a pipe are ordinary ones, freed by
 * the last reference, with the kernel's own pipe operations.  So they need nothing of ours,
 * not even this module.
 *
 * A call that waits ends, and gives what there is or 0, after one of these:
 *
 *   - tracing is switched off; not if the call began while it was off and this file has
 *     given nothing yet
 *   - flush
 *   - ioctl(fd, 0), by which a program wakes its own threads
 *
 * Otherwise a blocking splice() fails only by a signal, without memory, or if the pipe has
 * no readers.
 */
#include <linux/fs.h>
#include <linux/lockdep.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/pipe_fs_i.h>
#include <linux/poll.h>
#include <linux/rcupdate.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/splice.h>
#include <linux/uio.h>
#include "files.h"
#include "kernel/trace/event/instance.h"
#include "kernel/trace/probefs/fs.h"
#include "kernel/trace/ring/rb_buffer.h"
#include "kernel/trace/ring/rb_buffer_read.h"
#include "kernel/trace/ring/rb_wait.h"
#include "kernel/trace/trace_instance.h"

/**
 * struct raw_file - an open trace_pipe_raw or snapshot_raw
 * @view: the instance, and the CPU that is read
 * @snapshot: read the snapshot.  No records are added to it, so calls do not wait
 * @lock: one read at a time; not held while waiting
 * @image: for read(): the sub-buffer that is being handed out
 * @size: bytes in @image
 * @sent: bytes of @image already given
 * @wakes: how often calls that wait have been told to end
 * @seen: the file has given something before
 */
struct raw_file {
	struct pe_view *view;
	bool snapshot;
	struct mutex lock;
	struct pe_buffer_page image;
	size_t size;
	size_t sent;
	unsigned int wakes;
	bool seen;
};

/* The state that a call that may wait found when it began. */
struct raw_call {
	struct raw_file *raw;
	unsigned int wakes;
	bool was_on;
};

static void pe_begin_call(struct raw_call *call, struct raw_file *raw)
{
	call->raw = raw;
	call->wakes = READ_ONCE(raw->wakes);
	call->was_on = READ_ONCE(raw->view->inst->tracing_on) || READ_ONCE(raw->seen);
}

static bool pe_told_to_stop(void *arg)
{
	const struct raw_call *call = arg;
	const struct pe_instance *inst = call->raw->view->inst;

	return call->raw->snapshot || READ_ONCE(inst->dying) ||
	       READ_ONCE(call->raw->wakes) != call->wakes ||
	       (call->was_on && !READ_ONCE(inst->tracing_on));
}

/*
 * A call that a signal has interrupted is not restarted after a handler, whatever flags the
 * handler has.  The handler's ioctl() was meant for this call, and a restarted call would
 * not know of it.  Without a handler (SIGSTOP and SIGCONT, a debugger) the call begins anew.
 */
static int pe_fs_raw_interrupted(int ret)
{
	return ret == -ERESTARTSYS ? -ERESTARTNOHAND : ret;
}

static struct pe_waits *pe_waits_of(const struct raw_file *raw)
{
	struct pe_instance *inst = raw->view->inst;

	return raw->snapshot ? inst->snap_waits : inst->waits;
}

static struct pe_buffer *pe_buffer_of(const struct raw_file *raw)
{
	return READ_ONCE(*pe_waits_of(raw)->place);
}

/*
 * Sub-buffers may become larger at any moment: what counts is the size of @page.
 * Return: 1 with a sub-buffer in @page; 0 if there is nothing; -EINVAL if it would
 * be larger than @room; -ENOMEM.
 */
static int pe_fs_raw_take(struct raw_file *raw, struct pe_buffer_page *page, size_t room,
			  bool partial)
{
	struct pe_buffer *buf = pe_buffer_of(raw);
	int ret;

	do {
		ret = pe_buffer_page_alloc(buf, raw->view->cpu, page);
		if (!ret && 1UL << page->shift > room)
			return -EINVAL;
		if (!ret)
			ret = pe_buffer_take_page(buf, raw->view->cpu, page, partial);
	} while (ret == -EAGAIN);
	return ret > 0 ? 1 : ret;
}

/* The number of complete pages that are worth waking up for; 0: any record. */
static unsigned int pe_pages_wanted(const struct raw_file *raw)
{
	const struct pe_instance *inst = raw->view->inst;

	/* While tracing is off no records are added, so any record counts. */
	if (raw->snapshot || !READ_ONCE(inst->tracing_on))
		return 0;
	return pe_buffer_pages_of(pe_buffer_of(raw), raw->view->cpu,
				  READ_ONCE(inst->buffer_percent));
}

static int pe_raw_open(struct inode *inode, struct file *file)
{
	const bool *snapshot = pe_fs_how(inode);
	struct pe_view *view = pe_view_open(inode);
	struct raw_file *raw;

	if (!view)
		return -ENODEV;
	raw = kzalloc(sizeof(*raw), GFP_KERNEL);
	if (!raw) {
		pe_view_close(view);
		return -ENOMEM;
	}
	mutex_init(&raw->lock);
	raw->view = view;
	raw->snapshot = *snapshot;
	file->private_data = raw;
	/* The file has no position: reads would wait for its lock, and no signal ends that. */
	return stream_open(inode, file);
}

static int pe_raw_release(struct inode *inode, struct file *file)
{
	struct raw_file *raw = file->private_data;

	pe_buffer_page_free(&raw->image);
	mutex_destroy(&raw->lock);
	pe_view_close(raw->view);
	kfree(raw);
	return 0;
}

static int pe_wake_own(struct raw_file *raw)
{
	WRITE_ONCE(raw->wakes, raw->wakes + 1);	/* read by pe_told_to_stop() */
	pe_waits_wake(pe_waits_of(raw));
	return 0;
}

static int pe_raw_flush(struct file *file, fl_owner_t id)
{
	return pe_wake_own(file->private_data);
}

static long pe_raw_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	return cmd ? -ENOTTY : pe_wake_own(file->private_data);
}

/* Fills raw->image.  raw->lock is held, and released while waiting. */
static int pe_wait_for_image(struct raw_file *raw, bool nonblock)
{
	struct raw_call call;
	int ret;

	lockdep_assert_held(&raw->lock);
	pe_begin_call(&call, raw);
	while (raw->sent == raw->size) {
		bool dying = READ_ONCE(raw->view->inst->dying), stop = pe_told_to_stop(&call);

		ret = pe_fs_raw_take(raw, &raw->image, SIZE_MAX, true);
		if (!ret && stop && (!nonblock || dying)) {
			synchronize_rcu();	/* hits that saw it on are done */
			ret = pe_fs_raw_take(raw, &raw->image, SIZE_MAX, true);
		}
		if (ret > 0) {
			raw->size = 1UL << raw->image.shift;
			raw->sent = 0;
			break;
		}
		if (ret)
			return ret;
		if (nonblock && !dying)
			return -EAGAIN;
		if (stop)
			return 0;
		mutex_unlock(&raw->lock);
		ret = pe_waits_sleep(pe_waits_of(raw), raw->view->cpu, 0, pe_told_to_stop, &call);
		mutex_lock(&raw->lock);
		if (ret)
			return pe_fs_raw_interrupted(ret);
	}
	return 1;
}

static ssize_t pe_raw_read_iter(struct kiocb *iocb, struct iov_iter *to)
{
	struct file *file = iocb->ki_filp;
	struct raw_file *raw = file->private_data;
	bool nonblock = (file->f_flags & O_NONBLOCK) || (iocb->ki_flags & IOCB_NOWAIT);
	ssize_t ret;

	if (!iov_iter_count(to))
		return 0;
	if (mutex_lock_interruptible(&raw->lock))
		return -ERESTARTSYS;
	ret = pe_wait_for_image(raw, nonblock);
	pe_waits_after_read(pe_waits_of(raw), raw->view->cpu, 0);
	if (ret > 0) {
		ret = copy_to_iter((u8 *)raw->image.data + raw->sent,
				   raw->size - raw->sent, to);
		raw->sent += ret;
		if (ret)
			WRITE_ONCE(raw->seen, true);	/* read by pe_begin_call() */
		else
			ret = -EFAULT;
	}
	mutex_unlock(&raw->lock);
	return ret;
}

/*
 * If the ring is ripe, the page in work goes, too.
 * The caller has locked the pipe, or is its only user.
 * Return: bytes moved, at most @room; 0 if there is nothing; -errno.
 */
static ssize_t pe_fs_raw_give(struct raw_file *raw, struct pipe_inode_info *pipe, size_t room,
			      bool partial)
{
	struct pe_buffer_page page = {};
	struct pipe_buffer pbuf = { .ops = &nosteal_pipe_buf_ops };
	ssize_t ret;

	partial |= pe_waits_are_ripe(pe_waits_of(raw), raw->view->cpu);
	ret = pe_fs_raw_take(raw, &page, room, partial);
	if (ret <= 0) {
		pe_buffer_page_free(&page);
		return ret;
	}
	pbuf.page = virt_to_page(page.data);
	pbuf.len = 1U << page.shift;
	ret = add_to_pipe(pipe, &pbuf);
	if (ret > 0)
		WRITE_ONCE(raw->seen, true);	/* read by pe_begin_call() */
	return ret;
}

/* As pe_fs_raw_give(), for as many sub-buffers as there are and fit into @len bytes. */
static ssize_t pe_give_all(struct raw_file *raw, struct pipe_inode_info *pipe, size_t len,
			   bool partial)
{
	size_t done = 0;
	ssize_t ret;

	/* Look first: a page that has left the ring must have a place to go. */
	if (!pipe->readers) {
		send_sig(SIGPIPE, current, 0);
		return -EPIPE;
	}
	while (done < len && !pipe_full(pipe->head, pipe->tail, pipe->max_usage)) {
		ret = pe_fs_raw_give(raw, pipe, len - done, partial);
		if (ret <= 0)
			return done ? done : ret;
		done += ret;
		partial = false;
	}
	return done;
}

static ssize_t pe_raw_splice_read(struct file *file, loff_t *ppos,
				  struct pipe_inode_info *pipe, size_t len,
				  unsigned int flags)
{
	struct raw_file *raw = file->private_data;
	struct raw_call call;
	unsigned int pages;
	bool stop, dying;
	ssize_t ret;

	pe_begin_call(&call, raw);
	for (;;) {
		pages = pe_pages_wanted(raw);
		dying = READ_ONCE(raw->view->inst->dying);
		stop = pe_told_to_stop(&call);
		ret = pe_give_all(raw, pipe, len, stop || !pages);
		pe_waits_after_read(pe_waits_of(raw), raw->view->cpu, pages);
		if (ret)
			return ret;
		if (((file->f_flags & O_NONBLOCK) || (flags & SPLICE_F_NONBLOCK)) && !dying)
			return -EAGAIN;
		if (fatal_signal_pending(current))	/* another reader may take all, each time */
			return -EINTR;
		if (stop) {
			synchronize_rcu();	/* hits that saw it on are done */
			return pe_give_all(raw, pipe, len, true);
		}
		ret = pe_waits_sleep(pe_waits_of(raw), raw->view->cpu, pages, pe_told_to_stop,
				     &call);
		if (ret)
			return pe_fs_raw_interrupted(ret);
	}
}

static __poll_t pe_raw_poll(struct file *file, poll_table *pt)
{
	struct raw_file *raw = file->private_data;
	__poll_t ret =
		pe_waits_poll(pe_waits_of(raw), raw->view->cpu, pe_pages_wanted(raw), file, pt);

	/* The rest of an image.  If a read comes in between, the answer is late at worst. */
	if (READ_ONCE(raw->sent) < READ_ONCE(raw->size))
		ret |= EPOLLIN | EPOLLRDNORM;
	return ret;
}

const struct file_operations pe_raw_fops = {
	.owner		= THIS_MODULE,
	.open		= pe_raw_open,
	.read_iter	= pe_raw_read_iter,
	.splice_read	= pe_raw_splice_read,
	.poll		= pe_raw_poll,
	.flush		= pe_raw_flush,
	.unlocked_ioctl	= pe_raw_ioctl,
	.release	= pe_raw_release,
};
