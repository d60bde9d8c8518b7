/* SPDX-License-Identifier: GPL-2.0 */
/*
 * rb_wait.h - who waits for records of a buffer.
 */
#ifndef PE_RB_WAIT_H
#define PE_RB_WAIT_H

#include <linux/cpumask.h>
#include <linux/minmax.h>
#include <linux/poll.h>
#include <linux/smp.h>
#include <linux/types.h>
#include "rb_buffer.h"

struct file;

/* rb_wait.c */

/* CPUs where an irq_work is sure to run: event/hotplug.c keeps it. */
extern struct cpumask pe_waking_cpus;

/* May an irq_work be queued here?  event/hotplug.c says why not always.  Preemption is off.  [H] */
static inline bool pe_can_wake(void)
{
	return cpumask_test_cpu(raw_smp_processor_id(), &pe_waking_cpus);
}

/* NULL without memory. */
struct pe_buffer_common *pe_buffer_common_create(void);
/* No buffer that shares it may be left. */
void pe_buffer_common_destroy(struct pe_buffer_common *common);

/* How many complete pages @percent of a ring are; 0: any record. */
static inline unsigned int pe_buffer_pages_of(const struct pe_buffer *buf, int cpu,
					      unsigned int percent)
{
	u64 nr_pages = READ_ONCE(buf->cpus[cpu]->rb.nr_pages);

	/* One page is always in work. */
	return percent ? clamp_t(u64, nr_pages * percent / 100, 1, nr_pages - 1) : 0;
}

/**
 * pe_buffer_wait() - sleep until there is something to read
 * @where: the buffer; looked at again after each wake-up, as it may have changed
 *	places with its twin
 * @cpu: or PE_ALL_CPUS
 * @pages: 0: any record; else that many complete pages, or less when the ring is
 *	ripe (not for PE_ALL_CPUS)
 * @stop: asked before sleeping and on every wake-up, in a state in which it must
 *	not sleep itself: true ends the wait; may be NULL
 *
 * Return: 0 (readable, or @stop said so), -ERESTARTSYS.
 */
int pe_buffer_wait(struct pe_buffer **where, int cpu, unsigned int pages,
		   bool (*stop)(void *arg), void *arg);
/* Makes every pe_buffer_wait() ask its stop() again. */
void pe_buffer_wake(struct pe_buffer *buf);
/* EPOLLIN | EPOLLRDNORM when readable.  Same @where, @cpu and @pages. */
__poll_t pe_buffer_poll(struct pe_buffer **where, int cpu, unsigned int pages,
			struct file *file, struct poll_table_struct *pt);
/* No lock.  @cpu or PE_ALL_CPUS; so it was at that moment. */
bool pe_buffer_maybe_data(struct pe_buffer *buf, int cpu);

void pe_buffer_kick(struct pe_buffer_cpu *bc);	/* [H] */

/* Its part of making and ending a buffer: no writer or waiter is left. */
void pe_buffer_init_waits(struct pe_buffer *buf);
void pe_buffer_init_waits_cpu(struct pe_buffer_cpu *bc);
void pe_buffer_end_waits(struct pe_buffer *buf);

#endif
