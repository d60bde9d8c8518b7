// SPDX-License-Identifier: GPL-2.0
/*
 * rb_buffer.c - the rings of all possible CPUs: memory, sizes, switches, waiting.
 *
 * Changing a ring
 * ---------------
 * Memory, clock and contents of a ring change only while no writer is inside:
 * quiesce() sets rb.disabled and waits for all who did not see it, which run with
 * preemption off.  Readers are kept out by the CPU's reader mutex.  All memory is
 * allocated before, so that a change happens as a whole or not at all.
 *
 * Waking readers
 * --------------
 * A writer must not wake anybody itself: it may be in NMI, or inside the run
 * queue's lock.  If a flag says that somebody waits, it queues an irq_work (at most
 * one is pending per CPU), which clears the flag and wakes.
 *
 * A reader sets the flag, issues a full barrier, and looks for records once more
 * before it sleeps.  The writer has no full barrier between publishing and reading
 * the flag: they are too expensive there.  So both may miss each other, for as long
 * as the writer's store is under way.  Whoever goes to sleep therefore has recheck
 * look a third time, a jiffy later.
 */
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/gfp.h>
#include <linux/kernel.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/poll.h>
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

static int alloc_memory(struct pe_rb_memory *mem, unsigned int nr_pages,
			unsigned int page_shift, int cpu)
{
	gfp_t gfp = GFP_KERNEL | __GFP_ZERO | __GFP_RETRY_MAYFAIL | __GFP_NOWARN;
	int node = cpu_to_node(cpu);
	unsigned int i;

	mem->nr_pages = nr_pages;
	mem->page_shift = page_shift;
	mem->slots = kvcalloc(nr_pages, sizeof(*mem->slots), GFP_KERNEL);
	mem->pages = kvcalloc(nr_pages + 1, sizeof(*mem->pages), GFP_KERNEL);
	if (!mem->slots || !mem->pages)
		goto err;
	for (i = 0; i <= nr_pages; i++) {
		struct page *page = alloc_pages_node(node, gfp, page_shift - PAGE_SHIFT);

		if (!page || fatal_signal_pending(current)) {
			if (page)
				__free_pages(page, page_shift - PAGE_SHIFT);
			goto err;
		}
		mem->pages[i].data = page_address(page);
	}
	return 0;

err:
	free_memory(mem);
	return -ENOMEM;
}

static void wake_cpu(struct irq_work *work)
{
	struct pe_buffer_cpu *bc = container_of(work, struct pe_buffer_cpu, kick);
	struct pe_buffer *buf = bc->buffer;

	if (READ_ONCE(bc->waiting) || READ_ONCE(bc->wait_pages)) {
		WRITE_ONCE(bc->waiting, 0);
		WRITE_ONCE(bc->wait_pages, 0);
		wake_up_all(&bc->waitq);
	}
	if (READ_ONCE(buf->waiting_all)) {
		WRITE_ONCE(buf->waiting_all, 0);
		wake_up_all(&buf->waitq_all);
	}
}

static void free_cpu(struct pe_buffer_cpu *bc)
{
	struct pe_rb_memory mem = {
		.nr_pages = bc->rb.nr_pages,
		.page_shift = bc->rb.page_shift,
		.slots = bc->rb.slots,
		.pages = bc->rb.pages,
	};

	irq_work_sync(&bc->kick);
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
	init_irq_work(&bc->kick, wake_cpu);
	init_waitqueue_head(&bc->waitq);
	mutex_init(&bc->reader);
	WRITE_ONCE(bc->rb.disabled, 0);
	return bc;
}

static bool wanted(int cpu, int which)
{
	return which == PE_ALL_CPUS || which == cpu;
}

static void recheck(struct work_struct *work)
{
	struct pe_buffer *buf = container_of(to_delayed_work(work), struct pe_buffer,
					     recheck);
	bool any = false;
	int cpu;

	for_each_possible_cpu(cpu) {
		struct pe_buffer_cpu *bc = buf->cpus[cpu];

		if (!pe_rb_maybe_data(&bc->rb))
			continue;
		any = true;
		wake_up_all(&bc->waitq);
	}
	if (any)
		wake_up_all(&buf->waitq_all);
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
	init_waitqueue_head(&buf->waitq_all);
	INIT_DELAYED_WORK(&buf->recheck, recheck);
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
	cancel_delayed_work_sync(&buf->recheck);
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

/* ---- waiting ---- */

/* [H] */
void pe_buffer_kick(struct pe_buffer_cpu *bc)
{
	unsigned int pages = READ_ONCE(bc->wait_pages);

	if (READ_ONCE(bc->waiting) || READ_ONCE(bc->buffer->waiting_all) ||
	    (pages && pe_rb_full_pages(&bc->rb) >= pages))
		irq_work_queue(&bc->kick);
}

static bool readable(struct pe_buffer *buf, int cpu, unsigned int pages)
{
	if (cpu == PE_ALL_CPUS || !pages)
		return pe_buffer_maybe_data(buf, cpu);
	return pe_rb_full_pages(&buf->cpus[cpu]->rb) >= pages;
}

/* From here on a writer wakes us.  Then look again, and see to the third look. */
static bool readable_or_armed(struct pe_buffer *buf, int cpu, unsigned int pages)
{
	if (cpu == PE_ALL_CPUS) {
		WRITE_ONCE(buf->waiting_all, 1);
	} else if (!pages) {
		WRITE_ONCE(buf->cpus[cpu]->waiting, 1);
	} else {
		unsigned int now = READ_ONCE(buf->cpus[cpu]->wait_pages);

		if (!now || pages < now)
			WRITE_ONCE(buf->cpus[cpu]->wait_pages, pages);
	}
	smp_mb();		/* the flag before looking; see the top */
	if (readable(buf, cpu, pages))
		return true;
	queue_delayed_work(system_wq, &buf->recheck, 1);
	return false;
}

static wait_queue_head_t *waitq_of(struct pe_buffer *buf, int cpu)
{
	return cpu == PE_ALL_CPUS ? &buf->waitq_all : &buf->cpus[cpu]->waitq;
}

int pe_buffer_wait(struct pe_buffer *buf, int cpu, unsigned int pages,
		   bool (*stop)(void *arg), void *arg)
{
	wait_queue_head_t *waitq = waitq_of(buf, cpu);
	DEFINE_WAIT(wait);
	int ret = 0;

	for (;;) {
		prepare_to_wait(waitq, &wait, TASK_INTERRUPTIBLE);
		if (readable_or_armed(buf, cpu, pages))
			break;
		if (stop && stop(arg))
			break;
		if (signal_pending(current)) {
			ret = -ERESTARTSYS;
			break;
		}
		schedule();
	}
	finish_wait(waitq, &wait);
	return ret;
}

void pe_buffer_wake(struct pe_buffer *buf)
{
	int cpu;

	for_each_possible_cpu(cpu)
		wake_up_all(&buf->cpus[cpu]->waitq);
	wake_up_all(&buf->waitq_all);
}

__poll_t pe_buffer_poll(struct pe_buffer *buf, int cpu, unsigned int pages,
			struct file *file, struct poll_table_struct *pt)
{
	poll_wait(file, waitq_of(buf, cpu), pt);
	if (readable_or_armed(buf, cpu, pages))
		return EPOLLIN | EPOLLRDNORM;
	return 0;
}
