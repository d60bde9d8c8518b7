// SPDX-License-Identifier: GPL-2.0
/*
 * rb_resize.c - how large a buffer and its sub-buffers are.
 *
 * A change has two steps.  First each ring that changes gets pe_buffer_cpu.next: new
 * tables, and the data pages that it has not got.  That may fail, and then nothing has
 * happened.  Then writers are kept out for the moment in which the rings move there;
 * what they leave behind is freed.
 */
#include <linux/cpumask.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include "rb_buffer_internal.h"

/* Says what the ring is to have; nothing when it has that.  -ENOMEM: too much. */
static int want(struct pe_buffer_cpu *bc, unsigned long size, unsigned int shift)
{
	unsigned long room = (1UL << shift) - PE_RB_PAGE_HEAD;
	unsigned long nr_pages = DIV_ROUND_UP(size, room);

	if (nr_pages > PE_RB_MAX_PAGES)
		return -ENOMEM;
	nr_pages = max_t(unsigned long, nr_pages, PE_RB_MIN_PAGES);
	if (nr_pages == bc->rb.nr_pages && shift == bc->rb.page_shift)
		return 0;
	bc->next.nr_pages = nr_pages;
	bc->next.page_shift = shift;
	return 0;
}

/* Data pages that the ring needs and has not got. */
static unsigned int missing(const struct pe_buffer_cpu *bc)
{
	const struct pe_rb_memory *next = &bc->next;

	if (next->page_shift != bc->rb.page_shift)
		return next->nr_pages + 1;
	return next->nr_pages > bc->rb.nr_pages ? next->nr_pages - bc->rb.nr_pages : 0;
}

/*
 * Gets what is wanted.  -ENOMEM also when it would take all there is: better no new
 * buffer than a machine out of memory.
 */
static int get_next(struct pe_buffer *buf)
{
	unsigned long need = 0;
	int cpu;

	for_each_possible_cpu(cpu) {
		struct pe_buffer_cpu *bc = buf->cpus[cpu];

		if (bc->next.nr_pages)
			need += (unsigned long)missing(bc) <<
				(bc->next.page_shift - PAGE_SHIFT);
	}
	if (need && need > si_mem_available())
		return -ENOMEM;
	for_each_possible_cpu(cpu) {
		struct pe_buffer_cpu *bc = buf->cpus[cpu];

		if (bc->next.nr_pages && pe_ring_alloc(bc, &bc->next, missing(bc)))
			return -ENOMEM;
	}
	return 0;
}

void pe_buffer_forget(struct pe_buffer *buf)
{
	int cpu;

	for_each_possible_cpu(cpu)
		pe_ring_free(buf->cpus[cpu], &buf->cpus[cpu]->next);
}

int pe_buffer_prepare(struct pe_buffer *buf, const struct pe_sizes *sizes)
{
	int cpu, ret = sizes->kb > ULONG_MAX >> 11 ? -ENOMEM : 0;

	for_each_possible_cpu(cpu) {
		struct pe_buffer_cpu *bc = buf->cpus[cpu];
		unsigned long kb = pe_cpu_wanted(cpu, sizes->cpu) ? sizes->kb : sizes->rest_kb;

		if (!ret)
			ret = want(bc, kb ? kb << 10 : bc->size, sizes->shift);
	}
	if (!ret)
		ret = get_next(buf);
	if (ret)
		pe_buffer_forget(buf);
	return ret;
}

int pe_buffer_prepare_like(struct pe_buffer *buf, const struct pe_buffer *like)
{
	int cpu, ret = 0;

	for_each_possible_cpu(cpu)
		if (!ret)
			ret = want(buf->cpus[cpu], like->cpus[cpu]->size, like->page_shift);
	if (!ret)
		ret = get_next(buf);
	if (ret)
		pe_buffer_forget(buf);
	return ret;
}

/* The ring is stopped.  What it leaves behind is in next then. */
static void apply_cpu(struct pe_buffer_cpu *bc, bool keep)
{
	struct pe_rb_memory old = {};

	mutex_lock(&bc->reader);
	if (bc->next.nr_pages) {
		if (bc->next.page_shift == bc->rb.page_shift)
			pe_rb_move(&bc->rb, &bc->next, &old);
		else
			pe_rb_replace(&bc->rb, &bc->next, &old);
		bc->next = old;
		bc->size = bc->rb.nr_pages * pe_buffer_page_room(bc->buffer);
	}
	if (!keep)
		pe_rb_reset(&bc->rb);
	mutex_unlock(&bc->reader);
}

/* Those that change; all when nothing is to be kept. */
static void apply_all(struct pe_buffer *buf, bool keep)
{
	unsigned int shift = buf->page_shift;
	bool any = false;
	int cpu;

	mutex_lock(&buf->resize);
	for_each_possible_cpu(cpu) {
		struct pe_buffer_cpu *bc = buf->cpus[cpu];

		if (keep && !bc->next.nr_pages)
			continue;
		if (bc->next.nr_pages)
			shift = bc->next.page_shift;
		any = true;
		pe_ring_stop(bc);
	}
	if (any)
		pe_buffer_settle(buf);
	WRITE_ONCE(buf->page_shift, shift);
	for_each_possible_cpu(cpu) {
		struct pe_buffer_cpu *bc = buf->cpus[cpu];

		if (keep && !bc->next.nr_pages)
			continue;
		apply_cpu(bc, keep);
		pe_ring_go(bc);
	}
	mutex_unlock(&buf->resize);
	pe_buffer_forget(buf);
}

void pe_buffer_apply(struct pe_buffer *buf)
{
	apply_all(buf, true);
}

void pe_buffer_shrink(struct pe_buffer *buf)
{
	int cpu;

	for_each_possible_cpu(cpu)
		want(buf->cpus[cpu], 1, buf->page_shift);
	/* Only what is there already: see alloc_tables(). */
	WARN_ON_ONCE(get_next(buf));
	apply_all(buf, false);
}

unsigned long pe_buffer_size_kb(struct pe_buffer *buf, int which)
{
	unsigned long size = 0;
	int cpu;

	mutex_lock(&buf->resize);
	for_each_possible_cpu(cpu) {
		unsigned long this = buf->cpus[cpu]->size;

		if (!pe_cpu_wanted(cpu, which))
			continue;
		if (size && this != size) {
			size = 0;
			break;
		}
		size = this;
	}
	mutex_unlock(&buf->resize);
	return size >> 10;
}

unsigned long pe_buffer_total_kb(struct pe_buffer *buf)
{
	unsigned long kb = 0;
	int cpu;

	mutex_lock(&buf->resize);
	for_each_possible_cpu(cpu)
		kb += buf->cpus[cpu]->size >> 10;
	mutex_unlock(&buf->resize);
	return kb;
}
