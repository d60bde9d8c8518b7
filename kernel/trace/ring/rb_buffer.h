/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * rb_buffer.h - the rings of all CPUs: memory, switches.
 *
 *   rb_buffer_read.h	what readers do with them
 *   rb_resize.h	their sizes
 *   rb_wait.h		readers that wait for records
 *   rb_buffer_write.h	records in the ring of this CPU [H]
 *
 * Each possible CPU has a struct pe_buffer_cpu.  Its ring gets memory in
 * pe_buffer_add_ring(), before the CPU comes up, and keeps it when the CPU goes down.
 * Until then the ring is empty and disabled, so readers need no special case.
 *
 * @cpu arguments: a CPU's number, or PE_ALL_CPUS where that is said.  Functions are for
 * process context and may sleep unless marked [H].
 *
 * Order of locks: the kernel's CPU hotplug lock, those of the instance (snapshot.c),
 * pe_buffer.resize, then the CPUs' reader locks.
 */
#ifndef PE_RB_BUFFER_H
#define PE_RB_BUFFER_H

#include <linux/atomic.h>
#include <linux/build_bug.h>
#include <linux/cache.h>
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
 * @buffer: whose ring it is
 * @reader: held by a reader while it uses the reader side of @rb
 * @next: memory that the ring will get, see pe_buffer_prepare(); all 0: none
 * @small_slots: tables of a ring of PE_RB_MIN_PAGES.  A ring that becomes small while it
 *	uses them gets others
 * @small_pages: likewise
 * @asked: bytes that were asked for; the ring has as many whole pages as they need
 * @next_asked: the next value of @asked; the same if it will not change
 * @cpu: the CPU
 */
struct pe_buffer_cpu {
	struct pe_rb rb;
	struct pe_buffer *buffer;
	struct mutex reader;
	struct pe_rb_memory next;
	u64 small_slots[PE_RB_MIN_PAGES];
	struct pe_rb_page small_pages[PE_RB_MIN_PAGES + 1];
	unsigned long asked;
	unsigned long next_asked;
	int cpu;
};

/* Writers write to lines that hold nothing of other CPUs'. */
static_assert(offsetof(struct pe_buffer_cpu, rb) == 0);
static_assert(offsetof(struct pe_buffer_cpu, buffer) % SMP_CACHE_BYTES == 0);

/**
 * struct pe_buffer - rings of all CPUs
 * @resize: guards sizes, clock, mode, disabling
 * @held: CPUs whose readers and writers are kept out
 * @clock: enum pe_clock_id, of all rings
 * @page_shift: log2 of the size of sub-buffers
 * @overwrite: the mode, of all rings
 * @counter: of PE_CLOCK_COUNTER; buffers that change places share it
 * @cpus: [cpu]; NULL for a CPU that is not possible
 */
struct pe_buffer {
	struct mutex resize;
	struct cpumask held;
	unsigned int clock;
	unsigned int page_shift;
	bool overwrite;
	atomic64_t *counter;
	struct pe_buffer_cpu *cpus[];
};

/* rb_buffer.c */

/**
 * pe_cpu_next() - the possible CPUs that are meant by an argument @which
 * @cpu: the one before, or -1
 * @which: a CPU or PE_ALL_CPUS
 *
 * A function, as the kernel's inline search may become one where a file has many of it, and takes
 * the kernel's name away.
 * Return: nr_cpu_ids or more after the last.
 */
unsigned int pe_cpu_next(int cpu, int which);
#define pe_for_each_cpu_of(cpu, which) \
	for ((cpu) = -1; ((cpu) = pe_cpu_next(cpu, which)) < nr_cpu_ids;)

/*
 * A small buffer whose rings have no memory yet, recording enabled, overwrite mode, local
 * clock; or NULL.  It can change places with a buffer of the same @counter at any moment.
 */
struct pe_buffer *pe_buffer_create(atomic64_t *counter);
/* The caller has seen to it that no writer, reader or waiter is left. */
void pe_buffer_destroy(struct pe_buffer *buf);

/* Does the CPU's ring have memory?  See pe_buffer_add_ring(). */
static inline bool pe_buffer_has_ring(const struct pe_buffer *buf, int cpu)
{
	return READ_ONCE(buf->cpus[cpu]->rb.nr_pages);
}

/* Empties rings and counts.  @cpu or PE_ALL_CPUS. */
void pe_buffer_reset(struct pe_buffer *buf, int cpu);

/*
 * Calls nest.  After disable has returned, no writer is inside.  It takes two buffers at once,
 * because they then share one grace period.
 */
void pe_buffer_pair_record_disable(struct pe_buffer *a, struct pe_buffer *b,
				   const struct cpumask *cpus);
void pe_buffer_record_enable(struct pe_buffer *buf, const struct cpumask *cpus);

/* @clock: enum pe_clock_id.  Empties the buffer, because times would not compare. */
void pe_buffer_set_clock(struct pe_buffer *buf, unsigned int clock);
void pe_buffer_set_overwrite(struct pe_buffer *buf, bool on);

static inline struct pe_buffer_cpu *pe_buffer_cpu(struct pe_buffer *buf, int cpu)
{
	return buf->cpus[cpu];
}

#endif
