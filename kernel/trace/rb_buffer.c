// SPDX-License-Identifier: GPL-2.0
/*
 * rb_buffer.c - the rings of all possible CPUs: memory, sizes, switches, reading.
 *
 * Changing a ring
 * ---------------
 * Memory, clock and contents of a ring change only while no writer is inside:
 * quiesce() sets rb.disabled and waits for all who did not see it, which run with
 * preemption off.  Readers are kept out by the CPU's reader mutex.  All memory is
 * allocated before, so that a change happens as a whole or not at all.
 */
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/gfp.h>
#include <linux/kernel.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/rcupdate.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include "clock.h"
#include "rb_buffer.h"

#define SMALL_PAGES	PE_RB_MIN_PAGES

static unsigned int page_room(const struct pe_buffer *buf)
{
	return (1u << buf->page_shift) - PE_RB_PAGE_HEAD;
}

/* ---- memory ---- */

static void free_memory(struct pe_rb_memory *mem)
{
	unsigned int i;

	for (i = 0; mem->pages && i <= mem->nr_pages; i++)
		free_pages((unsigned long)mem->pages[i].data,
			   mem->page_shift - PAGE_SHIFT);
	kvfree(mem->pages);
	kvfree(mem->slots);
}

/*
 * A page of its own, with its own reference, as it may end up in a pipe.  Zeroed:
 * what writers leave out is shown to users.
 */
static void *alloc_page_data(unsigned int page_shift, int node)
{
	gfp_t gfp = GFP_KERNEL | __GFP_ZERO | __GFP_COMP | __GFP_RETRY_MAYFAIL |
		    __GFP_NOWARN;
	struct page *page = alloc_pages_node(node, gfp, page_shift - PAGE_SHIFT);

	return page ? page_address(page) : NULL;
}

static int alloc_memory(struct pe_rb_memory *mem, unsigned int nr_pages,
			unsigned int page_shift, int cpu)
{
	int node = cpu_to_node(cpu);
	unsigned int i;

	mem->nr_pages = nr_pages;
	mem->page_shift = page_shift;
	mem->slots = kvcalloc(nr_pages, sizeof(*mem->slots), GFP_KERNEL);
	mem->pages = kvcalloc(nr_pages + 1, sizeof(*mem->pages), GFP_KERNEL);
	if (!mem->slots || !mem->pages)
		goto err;
	for (i = 0; i <= nr_pages; i++) {
		mem->pages[i].data = alloc_page_data(page_shift, node);
		if (!mem->pages[i].data || fatal_signal_pending(current))
			goto err;
	}
	return 0;

err:
	free_memory(mem);
	return -ENOMEM;
}

static void free_cpu(struct pe_buffer_cpu *bc)
{
	struct pe_rb_memory mem = {
		.nr_pages = bc->rb.nr_pages,
		.page_shift = bc->rb.page_shift,
		.slots = bc->rb.slots,
		.pages = bc->rb.pages,
	};

	free_memory(&mem);
	mutex_destroy(&bc->reader);
	kfree(bc);
}

static struct pe_buffer_cpu *alloc_cpu(struct pe_buffer *buf, int cpu)
{
	struct pe_buffer_cpu *bc;
	struct pe_rb_memory mem;

	/* A power of two is naturally aligned: rb wants cache lines of its own. */
	bc = kzalloc_node(roundup_pow_of_two(sizeof(*bc)), GFP_KERNEL, cpu_to_node(cpu));
	if (!bc)
		return NULL;
	if (alloc_memory(&mem, SMALL_PAGES, buf->page_shift, cpu)) {
		kfree(bc);
		return NULL;
	}
	pe_rb_init(&bc->rb, &mem);
	bc->rb.clock_data = &buf->counter;
	bc->rb.clock = buf->clock;
	bc->rb.overwrite = buf->overwrite;
	bc->buffer = buf;
	bc->cpu = cpu;
	bc->size = SMALL_PAGES * page_room(buf);
	pe_buffer_init_waits_cpu(bc);
	mutex_init(&bc->reader);
	WRITE_ONCE(bc->rb.disabled, 0);
	return bc;
}

static bool wanted(int cpu, int which)
{
	return which == PE_ALL_CPUS || which == cpu;
}

struct pe_buffer *pe_buffer_create(void)
{
	struct pe_buffer *buf = kzalloc(sizeof(*buf), GFP_KERNEL);
	int cpu;

	if (!buf)
		return NULL;
	buf->page_shift = PAGE_SHIFT;
	buf->overwrite = true;
	buf->clock = PE_CLOCK_LOCAL;
	mutex_init(&buf->resize);
	pe_buffer_init_waits(buf);
	buf->cpus = kcalloc(nr_cpu_ids, sizeof(*buf->cpus), GFP_KERNEL);
	if (!buf->cpus)
		goto err;
	for_each_possible_cpu(cpu) {
		buf->cpus[cpu] = alloc_cpu(buf, cpu);
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
	pe_buffer_end_waits(buf);
	for_each_possible_cpu(cpu) {
		if (buf->cpus && buf->cpus[cpu])
			free_cpu(buf->cpus[cpu]);
	}
	kfree(buf->cpus);
	mutex_destroy(&buf->resize);
	kfree(buf);
}

/* ---- stopping writers ---- */

static void disable(struct pe_buffer *buf, int which, int by)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		struct pe_rb *rb = &buf->cpus[cpu]->rb;

		if (wanted(cpu, which))
			WRITE_ONCE(rb->disabled, rb->disabled + by);
	}
}

/*
 * Afterwards no writer is inside until disable(..., -1).  A hit in code where RCU
 * is not watching (idle) is not covered by the grace period: that one shows in
 * nest, which nobody raises any more.
 */
static void quiesce(struct pe_buffer *buf, int which)
{
	int cpu;

	lockdep_assert_held(&buf->resize);
	disable(buf, which, 1);
	synchronize_rcu();
	for_each_possible_cpu(cpu) {
		while (wanted(cpu, which) && READ_ONCE(buf->cpus[cpu]->rb.nest))
			fsleep(100);
	}
}

void pe_buffer_record_disable(struct pe_buffer *buf, int cpu)
{
	mutex_lock(&buf->resize);
	quiesce(buf, cpu);
	mutex_unlock(&buf->resize);
}

void pe_buffer_record_enable(struct pe_buffer *buf, int cpu)
{
	mutex_lock(&buf->resize);
	disable(buf, cpu, -1);
	mutex_unlock(&buf->resize);
}

static void reset_quiet(struct pe_buffer *buf, int which)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		struct pe_buffer_cpu *bc = buf->cpus[cpu];

		if (!wanted(cpu, which))
			continue;
		mutex_lock(&bc->reader);
		bc->rb.clock = buf->clock;
		pe_rb_reset(&bc->rb);
		mutex_unlock(&bc->reader);
	}
}

void pe_buffer_reset(struct pe_buffer *buf, int cpu)
{
	mutex_lock(&buf->resize);
	quiesce(buf, cpu);
	reset_quiet(buf, cpu);
	disable(buf, cpu, -1);
	mutex_unlock(&buf->resize);
}

void pe_buffer_set_clock(struct pe_buffer *buf, unsigned int clock)
{
	mutex_lock(&buf->resize);
	quiesce(buf, PE_ALL_CPUS);
	buf->clock = clock;
	atomic64_set(&buf->counter, 0);
	reset_quiet(buf, PE_ALL_CPUS);
	disable(buf, PE_ALL_CPUS, -1);
	mutex_unlock(&buf->resize);
}

void pe_buffer_set_overwrite(struct pe_buffer *buf, bool on)
{
	int cpu;

	mutex_lock(&buf->resize);
	buf->overwrite = on;
	for_each_possible_cpu(cpu)
		WRITE_ONCE(buf->cpus[cpu]->rb.overwrite, on);
	mutex_unlock(&buf->resize);
}

/* ---- sizes ---- */

static void move_cpu(struct pe_buffer_cpu *bc, struct pe_rb_memory *mem,
		     unsigned long size)
{
	struct pe_rb_memory old;

	mutex_lock(&bc->reader);
	pe_rb_move(&bc->rb, mem, &old);
	bc->size = size;
	mutex_unlock(&bc->reader);
	*mem = old;		/* the caller frees it, writers running again */
}

static int resize_locked(struct pe_buffer *buf, unsigned long kb, int which)
{
	unsigned long nr_pages, need = 0;
	struct pe_rb_memory *mem;
	int cpu, ret = 0;

	if (kb > ULONG_MAX >> 11)
		return -ENOMEM;
	nr_pages = max_t(unsigned long, DIV_ROUND_UP(kb << 10, page_room(buf)),
			 PE_RB_MIN_PAGES);
	for_each_possible_cpu(cpu)
		need += wanted(cpu, which) ? nr_pages : 0;
	/* Better no new buffer than a machine out of memory. */
	if (nr_pages > PE_RB_MAX_PAGES || need > si_mem_available())
		return -ENOMEM;
	mem = kcalloc(nr_cpu_ids, sizeof(*mem), GFP_KERNEL);
	if (!mem)
		return -ENOMEM;
	for_each_possible_cpu(cpu) {
		if (!wanted(cpu, which))
			continue;
		ret = alloc_memory(&mem[cpu], nr_pages, buf->page_shift, cpu);
		if (ret) {
			memset(&mem[cpu], 0, sizeof(*mem));
			goto out;
		}
	}
	quiesce(buf, which);
	for_each_possible_cpu(cpu) {
		if (wanted(cpu, which))
			move_cpu(buf->cpus[cpu], &mem[cpu],
				 nr_pages * page_room(buf));
	}
	disable(buf, which, -1);
out:
	for_each_possible_cpu(cpu)
		free_memory(&mem[cpu]);
	kfree(mem);
	return ret;
}

static int expand_locked(struct pe_buffer *buf)
{
	int ret = buf->expanded ? 0 : resize_locked(buf, PE_BUFFER_DEFAULT_KB, PE_ALL_CPUS);

	if (!ret)
		buf->expanded = true;
	return ret;
}

int pe_buffer_expand(struct pe_buffer *buf)
{
	int ret;

	mutex_lock(&buf->resize);
	ret = expand_locked(buf);
	mutex_unlock(&buf->resize);
	return ret;
}

int pe_buffer_resize(struct pe_buffer *buf, unsigned long kb, int cpu)
{
	int ret = 0;

	if (!kb)
		return -EINVAL;
	mutex_lock(&buf->resize);
	/* Else the other CPUs would keep their two pages for good. */
	if (cpu != PE_ALL_CPUS)
		ret = expand_locked(buf);
	if (!ret)
		ret = resize_locked(buf, kb, cpu);
	if (!ret)
		buf->expanded = true;
	mutex_unlock(&buf->resize);
	return ret;
}

unsigned long pe_buffer_size_kb(struct pe_buffer *buf, int which)
{
	unsigned long size = 0;
	int cpu;

	mutex_lock(&buf->resize);
	for_each_possible_cpu(cpu) {
		unsigned long this = buf->cpus[cpu]->size;

		if (!wanted(cpu, which))
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
	page->data = alloc_page_data(shift, cpu_to_node(cpu));
	page->shift = shift;
	return page->data ? 0 : -ENOMEM;
}

void pe_buffer_page_free(struct pe_buffer_page *page)
{
	if (page->data)
		free_pages((unsigned long)page->data, page->shift - PAGE_SHIFT);
	page->data = NULL;
}

int pe_buffer_take_page(struct pe_buffer *buf, int cpu, struct pe_buffer_page *page,
			bool partial)
{
	struct pe_buffer_cpu *bc = buf->cpus[cpu];
	struct pe_rb *rb = pe_buffer_lock_reader(buf, cpu);
	int ret = -EAGAIN;

	if (page->shift == rb->page_shift)
		ret = pe_rb_take_page(rb, &page->data, false);
	if (!ret && (partial || READ_ONCE(bc->ripe))) {
		ret = pe_rb_take_page(rb, &page->data, true);
		WRITE_ONCE(bc->ripe, false);
	}
	pe_buffer_unlock_reader(buf, cpu);
	return ret;
}

int pe_buffer_stats(struct pe_buffer *buf, int cpu, struct pe_buffer_stats *st)
{
	void *tmp = (void *)__get_free_pages(GFP_KERNEL, buf->page_shift - PAGE_SHIFT);
	struct pe_rb *rb;

	if (!tmp)
		return -ENOMEM;
	rb = pe_buffer_lock_reader(buf, cpu);
	pe_rb_stats(rb, &st->rb, tmp);
	if (!pe_rb_oldest_ts(rb, &st->oldest_ts))
		st->oldest_ts = 0;
	pe_buffer_unlock_reader(buf, cpu);
	free_pages((unsigned long)tmp, buf->page_shift - PAGE_SHIFT);

	preempt_disable();
	st->now_ts = pe_clock_now(READ_ONCE(buf->clock), &buf->counter);
	preempt_enable();
	return 0;
}

bool pe_buffer_maybe_data(struct pe_buffer *buf, int which)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		if (wanted(cpu, which) && pe_rb_maybe_data(&buf->cpus[cpu]->rb))
			return true;
	}
	return false;
}
