// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * rb_resize.c - the sizes of a buffer and its sub-buffers.
 *
 * A change has two steps.  First each ring that changes gets
 * pe_buffer_cpu.next: new tables, and the data pages that it lacks.  If that
 * fails, nothing has changed.  Then readers and writers are kept out for the
 * moment in which the rings move there.  The memory that the rings do not need
 * afterwards is freed.
 *
 * The buffer remembers the size that was asked for, not the size that it got.
 * Otherwise each change of the size of sub-buffers would round up a size that
 * was already rounded up.
 */
#include <linux/cpumask.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/oom.h>
#include <linux/sched.h>
#include "rb.h"
#include "rb_buffer.h"
#include "rb_buffer_internal.h"
#include "rb_mem.h"
#include "rb_page.h"
#include "rb_resize.h"

static unsigned long pe_pages_for(unsigned long size, unsigned int shift)
{
	unsigned long room = (1UL << shift) - PE_RB_PAGE_HEAD;

	return max_t(unsigned long, DIV_ROUND_UP(size, room), PE_RB_MIN_PAGES);
}

/* Will the ring get other memory? */
static bool pe_rb_resize_changes(const struct pe_buffer_cpu *bc)
{
	return bc->next.page_shift;
}

/*
 * Set the ring's next memory, or nothing if the ring already has it.  A ring
 * without memory stays without.  -ENOMEM: too much.
 */
static int pe_rb_resize_want(struct pe_buffer_cpu *bc, unsigned long size, unsigned int shift)
{
	unsigned long nr_pages = pe_pages_for(size, shift);

	if (nr_pages > PE_RB_MAX_PAGES)
		return -ENOMEM;
	bc->next_asked = size;
	if (!bc->rb.nr_pages)
		nr_pages = 0;
	if (nr_pages == bc->rb.nr_pages && shift == bc->rb.page_shift)
		return 0;
	bc->next.nr_pages = nr_pages;
	bc->next.page_shift = shift;
	return 0;
}

/* Data pages that the ring needs and does not have. */
static unsigned int pe_rb_resize_missing(const struct pe_buffer_cpu *bc)
{
	const struct pe_rb_memory *next = &bc->next;

	if (!next->nr_pages)
		return 0;
	if (!bc->rb.nr_pages || next->page_shift != bc->rb.page_shift)
		return next->nr_pages + 1;
	return next->nr_pages > bc->rb.nr_pages ? next->nr_pages - bc->rb.nr_pages : 0;
}

/* Make the OOM killer choose the task that asks for too much, not a large one. */
static void pe_blame_us(bool on)
{
	if (!current->mm)
		return;
	if (on)
		set_current_oom_origin();
	else
		clear_current_oom_origin();
}

static int pe_alloc_next(struct pe_buffer *buf)
{
	int cpu, ret = 0;

	pe_blame_us(true);
	for_each_possible_cpu(cpu) {
		struct pe_buffer_cpu *bc = buf->cpus[cpu];

		if (!ret && bc->next.nr_pages)
			ret = pe_ring_alloc(bc, &bc->next, pe_rb_resize_missing(bc));
	}
	pe_blame_us(false);
	return ret;
}

/*
 * Get the wanted memory.  It fails with -ENOMEM rather than take all memory
 * that there is: no new buffer is better than a machine out of memory.
 */
static int pe_get_next(struct pe_buffer *buf)
{
	unsigned long need = 0;
	int cpu;

	for_each_possible_cpu(cpu) {
		struct pe_buffer_cpu *bc = buf->cpus[cpu];

		if (pe_rb_resize_changes(bc))
			need += (unsigned long)pe_rb_resize_missing(bc) <<
				(bc->next.page_shift - PAGE_SHIFT);
	}
	if (need && need > si_mem_available())
		return -ENOMEM;
	return pe_alloc_next(buf);
}

void pe_buffer_forget(struct pe_buffer *buf)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		struct pe_buffer_cpu *bc = buf->cpus[cpu];

		pe_ring_free(bc, &bc->next);
		bc->next_asked = bc->asked;
	}
}

/* Get the memory of all rings, or of none.  @ret: an earlier error, or 0. */
static int pe_get_or_forget(struct pe_buffer *buf, int ret)
{
	if (!ret)
		ret = pe_get_next(buf);
	if (ret)
		pe_buffer_forget(buf);
	return ret;
}

int pe_buffer_prepare(struct pe_buffer *buf, const struct pe_sizes *sizes)
{
	int cpu, ret = sizes->kb > ULONG_MAX >> 11 ? -ENOMEM : 0;

	for_each_possible_cpu(cpu) {
		struct pe_buffer_cpu *bc = buf->cpus[cpu];
		bool wanted = sizes->cpu == PE_ALL_CPUS || sizes->cpu == cpu;
		unsigned long kb = wanted ? sizes->kb : sizes->rest_kb;

		if (!ret)
			ret = pe_rb_resize_want(bc, kb ? kb << 10 : bc->asked, sizes->shift);
	}
	return pe_get_or_forget(buf, ret);
}

int pe_buffer_prepare_like(struct pe_buffer *buf, const struct pe_buffer *like)
{
	int cpu, ret = 0;

	for_each_possible_cpu(cpu)
		if (!ret)
			ret = pe_rb_resize_want(buf->cpus[cpu], like->cpus[cpu]->asked,
						like->page_shift);
	return pe_get_or_forget(buf, ret);
}

/* The caller holds the ring.  Afterwards next has the memory that the ring gives up. */
static void pe_apply_cpu(struct pe_buffer_cpu *bc)
{
	struct pe_rb_memory old = {};
	bool had = bc->rb.nr_pages;

	if (had && bc->next.page_shift == bc->rb.page_shift)
		pe_rb_move(&bc->rb, &bc->next, &old);
	else
		pe_rb_replace(&bc->rb, &bc->next, &old);
	if (!had && bc->rb.nr_pages)
		pe_ring_go(bc);
	bc->next = old;
}

/* Apply all changes; if not @keep, also empty every ring. */
static void pe_apply_all(struct pe_buffer *buf, bool keep)
{
	unsigned int shift = buf->page_shift;
	int cpu;

	mutex_lock(&buf->resize);
	cpumask_clear(&buf->held);
	for_each_possible_cpu(cpu) {
		struct pe_buffer_cpu *bc = buf->cpus[cpu];

		if (pe_rb_resize_changes(bc))
			shift = bc->next.page_shift;
		if (pe_rb_resize_changes(bc) || !keep)
			cpumask_set_cpu(cpu, &buf->held);
		bc->asked = bc->next_asked;
	}
	pe_buffer_hold(buf);
	WRITE_ONCE(buf->page_shift, shift);	/* read by pe_page_shift() */
	for_each_cpu(cpu, &buf->held) {
		if (pe_rb_resize_changes(buf->cpus[cpu]))
			pe_apply_cpu(buf->cpus[cpu]);
		if (!keep)
			pe_rb_reset(&buf->cpus[cpu]->rb);
	}
	pe_buffer_release(buf);
	mutex_unlock(&buf->resize);
	pe_buffer_forget(buf);
}

void pe_buffer_apply(struct pe_buffer *buf)
{
	pe_apply_all(buf, true);
}

void pe_buffer_shrink(struct pe_buffer *buf)
{
	int cpu;

	for_each_possible_cpu(cpu)
		pe_rb_resize_want(buf->cpus[cpu], SMALL_SIZE, buf->page_shift);
	/* This takes only memory that is there already: see pe_alloc_tables(). */
	WARN_ON_ONCE(pe_get_next(buf));
	pe_apply_all(buf, false);
}

int pe_buffer_add_ring(struct pe_buffer *buf, int cpu)
{
	struct pe_buffer_cpu *bc = buf->cpus[cpu];
	int ret;

	if (bc->rb.nr_pages)
		return 0;
	bc->next.nr_pages = pe_pages_for(bc->asked, buf->page_shift);
	bc->next.page_shift = buf->page_shift;
	ret = pe_get_or_forget(buf, 0);
	if (!ret)
		pe_buffer_apply(buf);
	return ret;
}

/* As buffer_size_kb shows it, in whole pages: the size asked for, or a little more. */
static unsigned long pe_shown_kb(const struct pe_buffer_cpu *bc)
{
	unsigned int shift = bc->buffer->page_shift;

	lockdep_assert_held(&bc->buffer->resize);
	return pe_pages_for(bc->asked, shift) * ((1UL << shift) - PE_RB_PAGE_HEAD) >> 10;
}

unsigned long pe_buffer_size_kb(struct pe_buffer *buf, int which)
{
	unsigned long size = 0;
	unsigned int cpu;

	mutex_lock(&buf->resize);
	pe_for_each_cpu_of(cpu, which) {
		unsigned long this = pe_shown_kb(buf->cpus[cpu]);

		if (size && this != size) {
			size = 0;
			break;
		}
		size = this;
	}
	mutex_unlock(&buf->resize);
	return size;
}

unsigned long pe_buffer_total_kb(struct pe_buffer *buf)
{
	unsigned long kb = 0;
	int cpu;

	mutex_lock(&buf->resize);
	for_each_possible_cpu(cpu) {
		if (pe_buffer_has_ring(buf, cpu))
			kb += pe_shown_kb(buf->cpus[cpu]);
	}
	mutex_unlock(&buf->resize);
	return kb;
}

unsigned int pe_buffer_nr_rings(const struct pe_buffer *buf)
{
	unsigned int n = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		n += pe_buffer_has_ring(buf, cpu);
	return n;
}
