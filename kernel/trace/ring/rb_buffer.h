/* SPDX-License-Identifier: GPL-2.0 */
/*
 * rb_buffer.h - the rings of all CPUs: memory, sizes, switches, waiting.
 *
 * Of each possible CPU there is a struct pe_buffer_cpu.  Its ring has memory from
 * pe_buffer_add_ring() on, which comes before the CPU does, and keeps it when the CPU
 * goes.  Before that it is empty and disabled, so readers need not care.
 *
 * @cpu arguments: a CPU's number, or PE_ALL_CPUS where said.  Functions are for
 * process context and may sleep unless marked [H].
 *
 * Order of locks: the kernel's of CPU hotplug, those of the instance (snapshot.c),
 * pe_buffer.resize, then the CPUs' reader locks.
 */
#ifndef PE_RB_BUFFER_H
#define PE_RB_BUFFER_H

#include <linux/atomic.h>
#include <linux/container_of.h>
#include <linux/cpumask.h>
#include <linux/irq_work.h>
#include <linux/minmax.h>
#include <linux/mm_types.h>
#include <linux/mutex.h>
#include <linux/smp.h>
#include <linux/types.h>
#include <linux/wait.h>
#include <linux/workqueue.h>
#include "rb.h"

struct file;
struct poll_table_struct;

extern struct cpumask pe_waking_cpus;

/* May an irq_work be queued here?  hotplug.c says why not always.  Preemption is off.  [H] */
static inline bool pe_can_wake(void)
{
	return cpumask_test_cpu(raw_smp_processor_id(), &pe_waking_cpus);
}

#define PE_ALL_CPUS		(-1)
#define PE_BUFFER_DEFAULT_KB	1408u	/* per CPU, once expanded */
#define PE_BUFFER_MAX_SHIFT	(PAGE_SHIFT + 7)

/**
 * struct pe_buffer_cpu - one CPU's ring and who waits for it
 * @rb: the ring
 * @reader: whoever uses the reader side of @rb holds it
 * @waiting: somebody sleeps and wants to be woken by the next record
 * @wait_pages: like @waiting, but from this many complete pages on; 0: nobody
 * @linger: who waits for @wait_pages wants to know of less some time after the next
 *	record
 * @ripe: that time has passed
 * @kick: wakes them, out of the hit path
 * @next: memory that it is to get, see pe_buffer_prepare(); all 0: none
 * @small_slots: tables of a ring of PE_RB_MIN_PAGES, unless it was made so while it
 *	used them
 * @small_pages: likewise
 * @asked: bytes that were asked for; it has as many whole pages as that takes
 * @next_asked: what @asked is to become, else the same
 */
struct pe_buffer_cpu {
	struct pe_rb rb;
	int waiting;
	unsigned int wait_pages;
	int linger;
	bool ripe;
	struct pe_buffer *buffer;
	struct irq_work kick;
	struct mutex reader;
	struct pe_rb_memory next;
	u64 small_slots[PE_RB_MIN_PAGES];
	struct pe_rb_page small_pages[PE_RB_MIN_PAGES + 1];
	unsigned long asked;
	unsigned long next_asked;
	int cpu;
};

/**
 * struct pe_buffer_common - what buffers that change places share
 * @counter: of PE_CLOCK_COUNTER
 * @all: who waits for a record on any CPU
 * @cpu: [cpu], who waits for one on that CPU
 *
 * It outlives them all: whichever goes first, the works of another may still wake.
 */
struct pe_buffer_common {
	atomic64_t counter;
	wait_queue_head_t all;
	wait_queue_head_t cpu[];
};

/**
 * struct pe_buffer - rings of all CPUs
 * @cpus: [cpu], NULL where not possible
 * @resize: sizes, clock, mode, disabling
 * @held: whose readers and writers are kept out at the moment
 * @page_shift: log2 of the size of sub-buffers
 * @common: what it shares
 * @waiting_all: like pe_buffer_cpu.waiting, for a record on any CPU
 * @recheck: looks once more after somebody went to sleep, see rb_wait.c
 * @ripen: makes rings ripe, see rb_wait.c
 */
struct pe_buffer {
	struct pe_buffer_cpu **cpus;
	struct mutex resize;
	struct cpumask held;
	unsigned int clock;
	unsigned int page_shift;
	bool overwrite;
	struct pe_buffer_common *common;
	int waiting_all;
	struct delayed_work recheck;
	struct delayed_work ripen;
};

/* NULL without memory. */
struct pe_buffer_common *pe_buffer_common_create(void);
/* No buffer that shares it may be left. */
void pe_buffer_common_destroy(struct pe_buffer_common *common);

/*
 * A small buffer without rings yet, recording enabled, overwrite mode, local clock; or
 * NULL.  It can change places with others of the same @common while somebody waits.
 */
struct pe_buffer *pe_buffer_create(struct pe_buffer_common *common);
/* No writer, reader or waiter may be left. */
void pe_buffer_destroy(struct pe_buffer *buf);

/*
 * Changing sizes, in two steps: prepare takes all the memory and changes nothing, and
 * may fail; then either apply, which can't, or forget.  What several buffers are to
 * do together is prepared for all of them first.  The caller lets only one at a time
 * do that (pe_instance.snap_mutex).
 */

/**
 * struct pe_sizes - of a buffer
 * @kb: per CPU; 0: as it is
 * @cpu: whose ring @kb is for, or PE_ALL_CPUS
 * @rest_kb: for the rings of the other CPUs; 0: as they are
 * @shift: log2 of the size of sub-buffers, PAGE_SHIFT to PE_BUFFER_MAX_SHIFT
 */
struct pe_sizes {
	unsigned long kb;
	int cpu;
	unsigned long rest_kb;
	unsigned int shift;
};

/**
 * pe_buffer_prepare() - take the memory for other sizes
 *
 * The ring's own data pages are used again: growing takes the difference, shrinking
 * only new tables, of some 70 bytes per page, and shrinking to PE_RB_MIN_PAGES
 * nothing.  With another @shift sizes are rounded up to whole sub-buffers, and all
 * memory is new.
 *
 * Return: 0; -ENOMEM, and then nothing is to be applied or forgotten.
 */
int pe_buffer_prepare(struct pe_buffer *buf, const struct pe_sizes *sizes);
/* The sizes that @like has. */
int pe_buffer_prepare_like(struct pe_buffer *buf, const struct pe_buffer *like);

/*
 * Recording stops for the moment of the change (the hit path counts what it misses
 * as PE_RB_FAIL_OFF), in those rings that change.  The newest records that fit are
 * kept, with another page shift none.
 */
void pe_buffer_apply(struct pe_buffer *buf);
void pe_buffer_forget(struct pe_buffer *buf);

/* Empties it and makes it as small as when it was created.  Takes no memory. */
void pe_buffer_shrink(struct pe_buffer *buf);

/**
 * pe_buffer_add_ring() - take the memory for a CPU's ring, if it has none
 *
 * As much as was asked for meanwhile.  It is for the caller of pe_buffer_prepare() not
 * to do both at once.
 *
 * Return: 0; -ENOMEM: the CPU's hits are refused as long as it has none.
 */
int pe_buffer_add_ring(struct pe_buffer *buf, int cpu);
static inline bool pe_buffer_has_ring(const struct pe_buffer *buf, int cpu)
{
	return READ_ONCE(buf->cpus[cpu]->rb.nr_pages);
}

unsigned int pe_buffer_nr_rings(const struct pe_buffer *buf);

/* What buffer_size_kb shows; for PE_ALL_CPUS 0 when they differ ("X"). */
unsigned long pe_buffer_size_kb(struct pe_buffer *buf, int cpu);
unsigned long pe_buffer_total_kb(struct pe_buffer *buf);	/* of those that there are */

/* Empties rings and counts.  @cpu or PE_ALL_CPUS. */
void pe_buffer_reset(struct pe_buffer *buf, int cpu);

/*
 * They nest.  After disable returned no writer is inside.  Two buffers at once, as
 * that takes a grace period.
 */
void pe_buffers_record_disable(struct pe_buffer *a, struct pe_buffer *b,
			       const struct cpumask *cpus);
void pe_buffer_record_enable(struct pe_buffer *buf, const struct cpumask *cpus);

/* enum pe_clock_id; empties the buffer, as times would not compare. */
void pe_buffer_set_clock(struct pe_buffer *buf, unsigned int clock);
void pe_buffer_set_overwrite(struct pe_buffer *buf, bool on);

static inline struct pe_buffer_cpu *pe_buffer_cpu(struct pe_buffer *buf, int cpu)
{
	return buf->cpus[cpu];
}

/* The ring of a CPU for reading: hold it as short as records are looked at. */
struct pe_rb *pe_buffer_lock_reader(struct pe_buffer *buf, int cpu);
void pe_buffer_unlock_reader(struct pe_buffer *buf, int cpu);

/**
 * struct pe_buffer_page - memory for a sub-buffer, outside of any ring
 * @data: NULL, or 1 << @shift bytes: pages of their own with one reference, which
 *	can as well be put_page()'d by whoever gets them
 */
struct pe_buffer_page {
	struct pe_rb_data_page *data;
	unsigned int shift;
};

/* Of the buffer's present size, again if it is of another one.  -ENOMEM. */
int pe_buffer_page_alloc(struct pe_buffer *buf, int cpu, struct pe_buffer_page *page);
void pe_buffer_page_free(struct pe_buffer_page *page);
/* pe_buffer_lock_reader() with a page of the ring's size; NULL when out of memory. */
struct pe_rb *pe_buffer_lock_with_page(struct pe_buffer *buf, int cpu,
				       struct pe_buffer_page *page);

/**
 * pe_buffer_take_page() - consume a sub-buffer, see pe_rb_take_page()
 * @page: from pe_buffer_page_alloc()
 * @partial: also the page in work; otherwise only when the ring is ripe
 *
 * Return: bytes of records, 0 when there is nothing, -EAGAIN when @page has the
 * wrong size by now.
 */
int pe_buffer_take_page(struct pe_buffer *buf, int cpu, struct pe_buffer_page *page,
			bool partial);

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

/* per_cpu/cpuN/stats; @oldest_ts is 0 when empty.  -ENOMEM. */
struct pe_buffer_stats {
	struct pe_rb_stats rb;
	u64 oldest_ts;
	u64 now_ts;
};
int pe_buffer_stats(struct pe_buffer *buf, int cpu, struct pe_buffer_stats *st);

void pe_buffer_kick(struct pe_buffer_cpu *bc);	/* [H] */

/* rb_wait.c's part of making and ending a buffer: no writer or waiter is left. */
void pe_buffer_init_waits(struct pe_buffer *buf);
void pe_buffer_init_waits_cpu(struct pe_buffer_cpu *bc);
void pe_buffer_end_waits(struct pe_buffer *buf);

/*
 * Writing, [H]: any context with preemption off from reserve to commit.
 * Everything as in rb.h; commit also wakes readers (through irq_work).
 */
static inline void *pe_buffer_reserve(struct pe_buffer *buf, unsigned int len,
				      struct pe_rb_handle *h)
{
	return pe_rb_reserve(&buf->cpus[raw_smp_processor_id()]->rb, len, h);
}

static inline void pe_buffer_commit(struct pe_buffer *buf, struct pe_rb_handle *h)
{
	struct pe_buffer_cpu *bc = container_of(h->rb, struct pe_buffer_cpu, rb);

	pe_rb_commit(h);
	if (unlikely(READ_ONCE(bc->waiting) | READ_ONCE(bc->wait_pages) |
		     READ_ONCE(buf->waiting_all)))
		pe_buffer_kick(bc);
}

#endif
