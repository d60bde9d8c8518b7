/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * rb_wait.h - readers that wait for records.
 */
#ifndef PE_RB_WAIT_H
#define PE_RB_WAIT_H

#include <linux/atomic.h>
#include <linux/compiler.h>
#include <linux/minmax.h>
#include <linux/poll.h>
#include <linux/types.h>
#include <linux/wait.h>
#include <linux/workqueue.h>
#include "rb_buffer.h"
#include "rb_read.h"

struct file;

/**
 * struct pe_wait_queue - readers that wait for records of one CPU, or of any
 * @head: they sleep or poll here
 * @pages: the smallest number of complete pages that one of them waits for; 0: any
 *	record; PE_NOT_ASKED: all have been woken
 * @found: the ring in which a look has found records; @head's lock, as the next two
 * @end: where they ended
 * @found_at: jiffies then
 */
struct pe_wait_queue {
	wait_queue_head_t head;
	unsigned int pages;
	const struct pe_rb *found;
	struct pe_rb_end end;
	unsigned long found_at;
};

#define PE_NOT_ASKED	UINT_MAX

/**
 * struct pe_waits - readers that wait at a place where a buffer is
 * @place: where the buffer is found; it may change places with its twin
 * @look: looks for records while a reader waits; the top of rb_wait.c explains it
 * @period: jiffies between the last look and the next
 * @wake: the next look wakes all readers
 * @queues: [cpu + 1], so the first is that of PE_ALL_CPUS
 */
struct pe_waits {
	struct pe_buffer **place;
	struct delayed_work look;
	unsigned int period;
	bool wake;
	struct pe_wait_queue queues[];
};

/* rb_wait.c */

/* Return: NULL without memory. */
struct pe_waits *pe_waits_create(struct pe_buffer **place);
/* Call it before the buffers end.  No reader is left, and no hit that may wake one. */
void pe_waits_destroy(struct pe_waits *waits);

/* The number of complete pages that are @percent of a ring; 0: any record. */
static inline unsigned int pe_buffer_pages_of(const struct pe_buffer *buf, int cpu,
					      unsigned int percent)
{
	u64 nr_pages = READ_ONCE(buf->cpus[cpu]->rb.nr_pages);

	/* One page is always in work. */
	return percent ? clamp_t(u64, nr_pages * percent / 100, 1, nr_pages - 1) : 0;
}

/**
 * pe_waits_sleep() - sleep until there is something to read
 * @waits: readers of the buffer
 * @cpu: or PE_ALL_CPUS
 * @pages: 0: any record; else that many complete pages, or less when the ring is
 *	ripe (not for PE_ALL_CPUS)
 * @stop: true ends the wait; may be NULL.  It is called before sleeping and on every
 *	wake-up, in a state in which it must not sleep
 * @arg: for @stop
 *
 * Return: 0 (readable, or @stop said so), -ERESTARTSYS.
 */
int pe_waits_sleep(struct pe_waits *waits, int cpu, unsigned int pages,
		   bool (*stop)(void *arg), void *arg);
/* Return: EPOLLIN | EPOLLRDNORM if readable, else 0.  @cpu, @pages: as above. */
__poll_t pe_waits_poll(struct pe_waits *waits, int cpu, unsigned int pages,
		       struct file *file, struct poll_table_struct *pt);
/*
 * Call it after a read that may have found the end: an epoll set with EPOLLET does not poll
 * again before it is woken.
 */
void pe_waits_after_read(struct pe_waits *waits, int cpu, unsigned int pages);

/* Makes every pe_waits_sleep() ask its @stop again. */
void pe_waits_wake(struct pe_waits *waits);

/* The same, at the next look.  Any context.  [H] */
static inline void pe_waits_wake_soon(struct pe_waits *waits)
{
	/* A reader that the look wakes (look:A) sees what the caller has changed. */
	smp_store_release(&waits->wake, true);		/* wake_soon:A */
}

/* No lock, so it was true at that moment.  @cpu or PE_ALL_CPUS. */
bool pe_buffer_maybe_data(struct pe_buffer *buf, int cpu);
/* Have records of a CPU been there for some time?  Then a page in work may go, too. */
bool pe_waits_are_ripe(struct pe_waits *waits, int cpu);

#endif
