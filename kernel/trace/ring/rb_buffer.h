/* SPDX-License-Identifier: GPL-2.0 */
/*
 * rb_buffer.h - the rings of all CPUs: memory, switches.
 *
 *   rb_buffer_read.h	what readers do with them
 *   rb_resize.h	their sizes
 *   rb_wait.h		readers that wait for records
 *   rb_buffer_write.h	records in the ring of this CPU [H]
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
#include <linux/cpumask.h>
#include <linux/mm_types.h>
#include <linux/mutex.h>
#include <linux/types.h>
#include "rb.h"

#define PE_ALL_CPUS		(-1)
#define PE_BUFFER_DEFAULT_KB	1408u	/* per CPU, once expanded */
#define PE_BUFFER_MAX_SHIFT	(PAGE_SHIFT + 7)

/**
 * struct pe_buffer_cpu - one CPU's ring
 * @rb: the ring
 * @reader: whoever uses the reader side of @rb holds it
 * @marked_at: jiffies at the last pe_rb_mark(); see rb_wait.c
 * @next: memory that it is to get, see pe_buffer_prepare(); all 0: none
 * @small_slots: tables of a ring of PE_RB_MIN_PAGES, unless it was made so while it
 *	used them
 * @small_pages: likewise
 * @asked: bytes that were asked for; it has as many whole pages as that takes
 * @next_asked: what @asked is to become, else the same
 */
struct pe_buffer_cpu {
	struct pe_rb rb;
	struct pe_buffer *buffer;
	struct mutex reader;
	unsigned long marked_at;
	struct pe_rb_memory next;
	u64 small_slots[PE_RB_MIN_PAGES];
	struct pe_rb_page small_pages[PE_RB_MIN_PAGES + 1];
	unsigned long asked;
	unsigned long next_asked;
	int cpu;
};

/**
 * struct pe_buffer - rings of all CPUs
 * @cpus: [cpu], NULL where not possible
 * @resize: sizes, clock, mode, disabling
 * @held: whose readers and writers are kept out at the moment
 * @page_shift: log2 of the size of sub-buffers
 * @counter: of PE_CLOCK_COUNTER; buffers that change places share it
 */
struct pe_buffer {
	struct pe_buffer_cpu **cpus;
	struct mutex resize;
	struct cpumask held;
	unsigned int clock;
	unsigned int page_shift;
	bool overwrite;
	atomic64_t *counter;
};

/* Of pe_buffer functions that take a CPU or PE_ALL_CPUS. */
static inline bool pe_cpu_wanted(int cpu, int which)
{
	return which == PE_ALL_CPUS || which == cpu;
}

/* rb_buffer.c */

/*
 * A small buffer without rings yet, recording enabled, overwrite mode, local clock; or
 * NULL.  It can change places with others of the same @counter at any moment.
 */
struct pe_buffer *pe_buffer_create(atomic64_t *counter);
/* No writer, reader or waiter may be left. */
void pe_buffer_destroy(struct pe_buffer *buf);

/* Was memory taken for it?  See pe_buffer_add_ring(). */
static inline bool pe_buffer_has_ring(const struct pe_buffer *buf, int cpu)
{
	return READ_ONCE(buf->cpus[cpu]->rb.nr_pages);
}

/* Empties rings and counts.  @cpu or PE_ALL_CPUS. */
void pe_buffer_reset(struct pe_buffer *buf, int cpu);

/*
 * They nest.  After disable returned no writer is inside.  Two buffers at once, as
 * that takes a grace period.
 */
void pe_buffer_pair_record_disable(struct pe_buffer *a, struct pe_buffer *b,
				   const struct cpumask *cpus);
void pe_buffer_record_enable(struct pe_buffer *buf, const struct cpumask *cpus);

/* enum pe_clock_id; empties the buffer, as times would not compare. */
void pe_buffer_set_clock(struct pe_buffer *buf, unsigned int clock);
void pe_buffer_set_overwrite(struct pe_buffer *buf, bool on);

static inline struct pe_buffer_cpu *pe_buffer_cpu(struct pe_buffer *buf, int cpu)
{
	return buf->cpus[cpu];
}

#endif
