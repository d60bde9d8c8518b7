// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * rb_wait.c - sleeping until a buffer has something to read.
 *
 * Writers do nothing for readers.  A reader that is about to sleep asks for a look.  A look
 * is a work: a jiffy later it finds out what has been recorded, and wakes the readers.
 * It comes again, less and less often, while a reader waits for more than there is.
 *
 * No wake-up is lost
 * ------------------
 *   ask:B / look:B       a reader enters the wait queue, asks, queues the work, and then looks
 *           itself / the work begins.  Queueing a work is a full barrier, also if the work is
 *           queued already.  So each look that begins after that sees the request.
 *   ask:C / look_for:C   a reader enters the wait queue under its lock, then asks / the look
 *           takes the request back, then takes the lock to wake the queue.  If the look
 *           takes back a reader's request, the reader was in the queue before.  So the reader
 *           is woken, and asks again.
 *   wake_soon:A / look:A   release store of wake / xchg.  A reader that the look wakes sees
 *           what the caller of pe_waits_wake_soon() has changed.
 *
 * Each look finds the buffer at its place.  If the buffer goes to another place meanwhile,
 * the next look finds its twin.
 *
 * Polling
 * -------
 * An epoll set stays in the queue, whether a task waits for it or not.  After it has been
 * woken, no look comes on its behalf until it polls and finds nothing.  With EPOLLET
 * it does not poll, but its reader reads until there is nothing left.  So each read
 * asks for a look while anything is in the queue.
 *
 * Ripe rings
 * ----------
 * A reader that waits for complete pages would wait for ever for the last few records.
 * So the look notes in the queue when it first finds records, and where they end.  If some of
 * them are still there RIPE_AFTER later, the ring is ripe: the reader is woken, and may take
 * the page in work.
 */
#include <linux/cpumask.h>
#include <linux/jiffies.h>
#include <linux/kernel.h>
#include <linux/overflow.h>
#include <linux/poll.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/wait.h>
#include <linux/workqueue.h>
#include "rb_buffer.h"
#include "rb_read.h"
#include "rb_wait.h"

#define RIPE_AFTER	(HZ / 10)
#define FIRST_PERIOD	1u
#define LAST_PERIOD	(HZ / 20u)

static struct pe_wait_queue *pe_queue_of(struct pe_waits *waits, int cpu)
{
	BUILD_BUG_ON(PE_ALL_CPUS != -1);
	return &waits->queues[cpu + 1];
}

bool pe_buffer_maybe_data(struct pe_buffer *buf, int which)
{
	unsigned int cpu;

	pe_for_each_cpu_of(cpu, which) {
		if (pe_rb_maybe_data(&buf->cpus[cpu]->rb))
			return true;
	}
	return false;
}

/* Are records there that a look has found?  With the queue's lock. */
static bool pe_found_unread(const struct pe_wait_queue *queue, const struct pe_rb *rb)
{
	return queue->found == rb && pe_rb_unread(rb, queue->end);
}

static void pe_note_found(struct pe_wait_queue *queue, const struct pe_rb *rb)
{
	spin_lock_irq(&queue->head.lock);
	if (!pe_found_unread(queue, rb) && pe_rb_maybe_data(rb)) {
		queue->found = rb;
		queue->end = pe_rb_end_now(rb);
		queue->found_at = jiffies;
	}
	spin_unlock_irq(&queue->head.lock);
}

static bool pe_queue_is_ripe(struct pe_wait_queue *queue, const struct pe_rb *rb)
{
	bool ripe;

	spin_lock_irq(&queue->head.lock);
	ripe = pe_found_unread(queue, rb) &&
	       time_after_eq(jiffies, queue->found_at + RIPE_AFTER);
	spin_unlock_irq(&queue->head.lock);
	return ripe;
}

bool pe_waits_are_ripe(struct pe_waits *waits, int cpu)
{
	return pe_queue_is_ripe(pe_queue_of(waits, cpu), &READ_ONCE(*waits->place)->cpus[cpu]->rb);
}

static bool pe_rb_wait_readable(struct pe_waits *waits, int cpu, unsigned int pages)
{
	struct pe_buffer *buf = READ_ONCE(*waits->place);
	const struct pe_rb *rb;

	if (cpu == PE_ALL_CPUS || !pages)
		return pe_buffer_maybe_data(buf, cpu);
	rb = &buf->cpus[cpu]->rb;
	return pe_rb_full_pages(rb) >= pages || pe_queue_is_ripe(pe_queue_of(waits, cpu), rb);
}

/* Return: does a reader in the queue go on waiting? */
static bool pe_look_for(struct pe_waits *waits, int cpu)
{
	struct pe_wait_queue *queue = pe_queue_of(waits, cpu);
	unsigned int pages = READ_ONCE(queue->pages);

	if (pages == PE_NOT_ASKED)
		return false;
	if (pages && cpu != PE_ALL_CPUS)
		pe_note_found(queue, &READ_ONCE(*waits->place)->cpus[cpu]->rb);
	/* No barrier: a reader that comes meanwhile has asked for the next look (ask:B). */
	if (waitqueue_active(&queue->head) && !pe_rb_wait_readable(waits, cpu, pages))
		return true;
	WRITE_ONCE(queue->pages, PE_NOT_ASKED);		/* look_for:C */
	wake_up_all(&queue->head);
	return false;
}

static void pe_rb_wait_look(struct work_struct *work)
{
	struct pe_waits *waits = container_of(to_delayed_work(work), struct pe_waits, look);
	bool again = pe_look_for(waits, PE_ALL_CPUS);
	unsigned int period;
	int cpu;

	for_each_possible_cpu(cpu)
		again |= pe_look_for(waits, cpu);
	if (READ_ONCE(waits->wake) && xchg(&waits->wake, false))	/* look:A */
		pe_waits_wake(waits);
	if (!again)
		return;
	period = clamp(READ_ONCE(waits->period) * 2, FIRST_PERIOD, LAST_PERIOD);
	WRITE_ONCE(waits->period, period);	/* read by pe_rb_wait_look() */
	schedule_delayed_work(&waits->look, period);
}

static void pe_rb_wait_ask(struct pe_waits *waits, int cpu, unsigned int pages)
{
	struct pe_wait_queue *queue = pe_queue_of(waits, cpu);
	unsigned int now = READ_ONCE(queue->pages);

	/* ask:C */
	while (pages < now && !try_cmpxchg(&queue->pages, &now, pages))
		;
	WRITE_ONCE(waits->period, FIRST_PERIOD);
	schedule_delayed_work(&waits->look, FIRST_PERIOD);	/* ask:B */
}

struct pe_waits *pe_waits_create(struct pe_buffer **place)
{
	struct pe_waits *waits;
	unsigned int i;

	waits = kzalloc(struct_size(waits, queues, nr_cpu_ids + 1), GFP_KERNEL);
	if (!waits)
		return NULL;
	waits->place = place;
	INIT_DELAYED_WORK(&waits->look, pe_rb_wait_look);
	for (i = 0; i <= nr_cpu_ids; i++) {
		init_waitqueue_head(&waits->queues[i].head);
		waits->queues[i].pages = PE_NOT_ASKED;
	}
	return waits;
}

void pe_waits_destroy(struct pe_waits *waits)
{
	if (!waits)
		return;
	cancel_delayed_work_sync(&waits->look);
	kfree(waits);
}

int pe_waits_sleep(struct pe_waits *waits, int cpu, unsigned int pages,
		   bool (*stop)(void *arg), void *arg)
{
	wait_queue_head_t *head = &pe_queue_of(waits, cpu)->head;
	DEFINE_WAIT(wait);
	int ret = 0;

	for (;;) {
		prepare_to_wait(head, &wait, TASK_INTERRUPTIBLE);
		pe_rb_wait_ask(waits, cpu, pages);
		if (pe_rb_wait_readable(waits, cpu, pages))
			break;
		if (stop && stop(arg))
			break;
		if (signal_pending(current)) {
			ret = -ERESTARTSYS;
			break;
		}
		schedule();
	}
	finish_wait(head, &wait);
	return ret;
}

__poll_t pe_waits_poll(struct pe_waits *waits, int cpu, unsigned int pages,
		       struct file *file, struct poll_table_struct *pt)
{
	poll_wait(file, &pe_queue_of(waits, cpu)->head, pt);
	if (pe_rb_wait_readable(waits, cpu, pages))
		return EPOLLIN | EPOLLRDNORM;
	pe_rb_wait_ask(waits, cpu, pages);
	return 0;
}

void pe_waits_after_read(struct pe_waits *waits, int cpu, unsigned int pages)
{
	/* No barrier: a reader that comes meanwhile asks itself. */
	if (waitqueue_active(&pe_queue_of(waits, cpu)->head))
		pe_rb_wait_ask(waits, cpu, pages);
}

void pe_waits_wake(struct pe_waits *waits)
{
	unsigned int i;

	for (i = 0; i <= nr_cpu_ids; i++)
		wake_up_all(&waits->queues[i].head);
}
