// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * rb_buffer.c - the rings of all CPUs: memory, switches, reading.
 *
 * Changing a ring
 * ---------------
 * Memory, clock and contents of a ring change only while no reader and no writer is inside.
 * The CPU's reader mutex keeps readers out.  It is taken first, because readers may be slow,
 * and hits go on meanwhile.  Then rb.disabled is set.  Writers that did not see it run with
 * preemption off, so a grace period waits for them.  All memory is allocated before that
 * (rb_resize.c).
 *
 * A ring without memory has one more in rb.disabled, from its making until it gets memory.
 */
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/gfp.h>
#include <linux/kernel.h>
#include <linux/lockdep.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include "clock.h"
#include "rb.h"
#include "rb_buffer.h"
#include "rb_buffer_internal.h"
#include "rb_buffer_read.h"
#include "rb_mem.h"
#include "rb_read.h"
#include "rb_wait.h"
#include "rb_write.h"

/* ---- memory ---- */

void pe_ring_free(struct pe_buffer_cpu *bc, struct pe_rb_memory *mem)
{
	unsigned int i;

	for (i = 0; mem->pages && i <= mem->nr_pages; i++) {
		free_pages((unsigned long)mem->pages[i].data,
			   mem->page_shift - PAGE_SHIFT);
		cond_resched();
	}
	if (mem->pages != bc->small_pages) {
		kvfree(mem->pages);
		kvfree(mem->slots);
	}
	*mem = (struct pe_rb_memory){};
}

/*
 * A page of its own with its own reference, because it may end up in a pipe.  It is zeroed,
 * because users see the bytes that writers leave out.
 */
static void *pe_alloc_page_data(unsigned int page_shift, int node)
{
	gfp_t gfp = GFP_KERNEL | __GFP_ZERO | __GFP_COMP | __GFP_RETRY_MAYFAIL |
		    __GFP_NOWARN;
	struct page *page = alloc_pages_node(node, gfp, page_shift - PAGE_SHIFT);

	return page ? page_address(page) : NULL;
}

/* The tables of a small ring always exist, so that becoming small takes no memory. */
static void pe_alloc_tables(struct pe_buffer_cpu *bc, struct pe_rb_memory *mem)
{
	if (mem->nr_pages == SMALL_PAGES && bc->rb.pages != bc->small_pages) {
		memset(bc->small_slots, 0, sizeof(bc->small_slots));
		memset(bc->small_pages, 0, sizeof(bc->small_pages));
		mem->slots = bc->small_slots;
		mem->pages = bc->small_pages;
		return;
	}
	/* Whole cache lines: writers of another ring would share the last one. */
	mem->slots = kvzalloc(L1_CACHE_ALIGN(mem->nr_pages * sizeof(*mem->slots)), GFP_KERNEL);
	mem->pages = kvcalloc(mem->nr_pages + 1, sizeof(*mem->pages), GFP_KERNEL);
	if (!mem->slots) {
		kvfree(mem->pages);
		mem->pages = NULL;
	}
}

/*
 * A task that is killed gives up, unless this is the CPU's first memory.  Without that memory
 * the CPU would come up all the same, and have no ring while it is online.
 */
int pe_ring_alloc(struct pe_buffer_cpu *bc, struct pe_rb_memory *mem, unsigned int nr_data)
{
	bool may_give_up = bc->rb.nr_pages;
	int node = cpu_to_node(bc->cpu);
	unsigned int i;

	pe_alloc_tables(bc, mem);
	if (!mem->pages)
		goto err;
	for (i = 0; i < nr_data; i++) {
		mem->pages[i].data = pe_alloc_page_data(mem->page_shift, node);
		if (!mem->pages[i].data || (may_give_up && fatal_signal_pending(current)))
			goto err;
	}
	return 0;

err:
	pe_ring_free(bc, mem);
	return -ENOMEM;
}

static void pe_free_cpu(struct pe_buffer_cpu *bc)
{
	struct pe_rb_memory mem = {
		.nr_pages = bc->rb.nr_pages,
		.page_shift = bc->rb.page_shift,
		.slots = bc->rb.slots,
		.pages = bc->rb.pages,
	};

	pe_ring_free(bc, &mem);
	mutex_destroy(&bc->reader);
	kfree(bc);
}

static struct pe_buffer_cpu *pe_alloc_cpu(struct pe_buffer *buf, int cpu)
{
	const struct pe_rb_memory none = { .page_shift = buf->page_shift };
	struct pe_buffer_cpu *bc;

	/* The size is a power of 2, which gives the alignment of cache lines that rb needs. */
	bc = kzalloc_node(roundup_pow_of_two(sizeof(*bc)), GFP_KERNEL, cpu_to_node(cpu));
	if (!bc)
		return NULL;
	WARN_ON_ONCE(!IS_ALIGNED((unsigned long)bc, L1_CACHE_BYTES));
	bc->buffer = buf;
	bc->cpu = cpu;
	pe_rb_init(&bc->rb, &none);
	bc->rb.clock_data = buf->counter;
	bc->rb.clock = buf->clock;
	bc->rb.overwrite = buf->overwrite;
	bc->asked = SMALL_SIZE;
	bc->next_asked = SMALL_SIZE;
	mutex_init(&bc->reader);
	return bc;
}

unsigned int pe_cpu_next(int cpu, int which)
{
	if (which == PE_ALL_CPUS)
		return cpumask_next(cpu, cpu_possible_mask);
	return cpu < which ? which : nr_cpu_ids;
}

struct pe_buffer *pe_buffer_create(atomic64_t *counter)
{
	struct pe_buffer *buf = kzalloc(struct_size(buf, cpus, nr_cpu_ids), GFP_KERNEL);
	int cpu;

	if (!buf)
		return NULL;
	buf->page_shift = PAGE_SHIFT;
	buf->overwrite = true;
	buf->clock = PE_CLOCK_LOCAL;
	buf->counter = counter;
	mutex_init(&buf->resize);
	for_each_possible_cpu(cpu) {
		buf->cpus[cpu] = pe_alloc_cpu(buf, cpu);
		if (!buf->cpus[cpu])
			goto err;
	}
	return buf;

err:
	pe_buffer_destroy(buf);
	return NULL;
}

void pe_buffer_destroy(struct pe_buffer *buf)
{
	int cpu;

	if (!buf)
		return;
	for_each_possible_cpu(cpu) {
		if (buf->cpus[cpu])
			pe_free_cpu(buf->cpus[cpu]);
	}
	mutex_destroy(&buf->resize);
	kfree(buf);
}

/* ---- stopping writers ---- */

static void pe_stop_rings(struct pe_buffer *buf, const struct cpumask *cpus)
{
	int cpu;

	lockdep_assert_held(&buf->resize);
	for_each_cpu(cpu, cpus) {
		struct pe_rb *rb = &buf->cpus[cpu]->rb;

		WRITE_ONCE(rb->disabled, rb->disabled + 1);	/* stop_rings:K */
	}
}

void pe_ring_go(struct pe_buffer_cpu *bc)
{
	lockdep_assert_held(&bc->buffer->resize);
	smp_store_release(&bc->rb.disabled, bc->rb.disabled - 1);	/* pe_ring_go:D */
}

static void pe_let_rings_go(struct pe_buffer *buf, const struct cpumask *cpus)
{
	int cpu;

	for_each_cpu(cpu, cpus)
		pe_ring_go(buf->cpus[cpu]);
}

/*
 * The grace period does not cover a hit in code where RCU is not watching (idle).  Such a hit
 * shows in nest, which no writer raises while the ring is disabled.
 */
static void pe_wait_for_nest(struct pe_buffer *buf)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		const struct pe_rb *rb = &buf->cpus[cpu]->rb;

		while (rb->disabled && READ_ONCE(rb->nest))
			fsleep(100);
	}
}

/* Has any of the CPUs had a ring, so that writers may be inside? */
static bool pe_any_ring(const struct pe_buffer *buf, const struct cpumask *cpus)
{
	int cpu;

	for_each_cpu(cpu, cpus) {
		if (pe_buffer_has_ring(buf, cpu))
			return true;
	}
	return false;
}

void pe_buffer_hold(struct pe_buffer *buf)
{
	int cpu;

	lockdep_assert_held(&buf->resize);
	for_each_cpu(cpu, &buf->held)
		mutex_lock_nest_lock(&buf->cpus[cpu]->reader, &buf->resize);
	pe_stop_rings(buf, &buf->held);
	if (pe_any_ring(buf, &buf->held)) {
		synchronize_rcu();	/* stop_rings:K */
		pe_wait_for_nest(buf);
	}
}

void pe_buffer_release(struct pe_buffer *buf)
{
	int cpu;

	lockdep_assert_held(&buf->resize);
	pe_let_rings_go(buf, &buf->held);
	for_each_cpu(cpu, &buf->held)
		mutex_unlock(&buf->cpus[cpu]->reader);
}

void pe_buffer_pair_record_disable(struct pe_buffer *a, struct pe_buffer *b,
				   const struct cpumask *cpus)
{
	struct pe_buffer *const both[] = { a, b };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(both); i++) {
		mutex_lock(&both[i]->resize);
		pe_stop_rings(both[i], cpus);
		mutex_unlock(&both[i]->resize);
	}
	synchronize_rcu();	/* stop_rings:K */
	for (i = 0; i < ARRAY_SIZE(both); i++) {
		mutex_lock(&both[i]->resize);
		pe_wait_for_nest(both[i]);
		mutex_unlock(&both[i]->resize);
	}
}

void pe_buffer_record_enable(struct pe_buffer *buf, const struct cpumask *cpus)
{
	mutex_lock(&buf->resize);
	pe_let_rings_go(buf, cpus);
	mutex_unlock(&buf->resize);
}

/* Empty the rings that are held. */
static void pe_reset_held(struct pe_buffer *buf)
{
	int cpu;

	for_each_cpu(cpu, &buf->held) {
		struct pe_buffer_cpu *bc = buf->cpus[cpu];

		bc->rb.clock = buf->clock;
		pe_rb_reset(&bc->rb);
	}
}

void pe_buffer_reset(struct pe_buffer *buf, int cpu)
{
	mutex_lock(&buf->resize);
	cpumask_copy(&buf->held, cpu == PE_ALL_CPUS ? cpu_possible_mask : cpumask_of(cpu));
	pe_buffer_hold(buf);
	pe_reset_held(buf);
	pe_buffer_release(buf);
	mutex_unlock(&buf->resize);
}

void pe_buffer_set_clock(struct pe_buffer *buf, unsigned int clock)
{
	mutex_lock(&buf->resize);
	cpumask_copy(&buf->held, cpu_possible_mask);
	pe_buffer_hold(buf);
	buf->clock = clock;
	atomic64_set(buf->counter, 0);
	pe_reset_held(buf);
	pe_buffer_release(buf);
	mutex_unlock(&buf->resize);
}

void pe_buffer_set_overwrite(struct pe_buffer *buf, bool on)
{
	int cpu;

	mutex_lock(&buf->resize);
	buf->overwrite = on;
	for_each_possible_cpu(cpu)
		WRITE_ONCE(buf->cpus[cpu]->rb.overwrite, on);	/* read by pe_prepare_page() */
	mutex_unlock(&buf->resize);
}

/* ---- reading ---- */

struct pe_rb *pe_buffer_lock_reader(struct pe_buffer *buf, int cpu)
{
	mutex_lock(&buf->cpus[cpu]->reader);
	return &buf->cpus[cpu]->rb;
}

void pe_buffer_unlock_reader(struct pe_buffer *buf, int cpu)
{
	mutex_unlock(&buf->cpus[cpu]->reader);
}

int pe_buffer_page_alloc(struct pe_buffer *buf, int cpu, struct pe_buffer_page *page)
{
	unsigned int shift = READ_ONCE(buf->cpus[cpu]->rb.page_shift);

	if (page->data && page->shift == shift)
		return 0;
	pe_buffer_page_free(page);
	page->data = pe_alloc_page_data(shift, cpu_to_node(cpu));
	page->shift = shift;
	return page->data ? 0 : -ENOMEM;
}

void pe_buffer_page_free(struct pe_buffer_page *page)
{
	if (page->data)
		free_pages((unsigned long)page->data, page->shift - PAGE_SHIFT);
	page->data = NULL;
}

struct pe_rb *pe_buffer_lock_with_page(struct pe_buffer *buf, int cpu,
				       struct pe_buffer_page *page)
{
	for (;;) {
		struct pe_rb *rb;

		if (pe_buffer_page_alloc(buf, cpu, page))
			return NULL;
		rb = pe_buffer_lock_reader(buf, cpu);
		if (page->shift == rb->page_shift)
			return rb;
		pe_buffer_unlock_reader(buf, cpu);
	}
}

int pe_buffer_take_page(struct pe_buffer *buf, int cpu, struct pe_buffer_page *page,
			bool partial)
{
	struct pe_rb *rb = pe_buffer_lock_reader(buf, cpu);
	int ret = -EAGAIN;

	if (page->shift == rb->page_shift)
		ret = pe_rb_take_page(rb, &page->data, partial);
	pe_buffer_unlock_reader(buf, cpu);
	return ret;
}

static int pe_ring_stats(struct pe_buffer *buf, int cpu, struct pe_buffer_stats *st)
{
	struct pe_buffer_page tmp = {};
	struct pe_rb *rb = pe_buffer_lock_with_page(buf, cpu, &tmp);

	if (!rb)
		return -ENOMEM;
	pe_rb_stats(rb, &st->rb, tmp.data);
	if (!pe_rb_oldest_ts(rb, &st->oldest_ts))
		st->oldest_ts = 0;
	pe_buffer_unlock_reader(buf, cpu);
	pe_buffer_page_free(&tmp);
	return 0;
}

int pe_buffer_stats(struct pe_buffer *buf, int cpu, struct pe_buffer_stats *st)
{
	int ret = 0;

	*st = (struct pe_buffer_stats){};
	if (pe_buffer_has_ring(buf, cpu))
		ret = pe_ring_stats(buf, cpu, st);
	preempt_disable();
	st->now_ts = pe_clock_now(READ_ONCE(buf->clock), buf->counter);
	preempt_enable();
	return ret;
}
