// SPDX-License-Identifier: GPL-2.0
/*
 * rb_resize.c - how large a buffer and its sub-buffers are.
 *
 * All memory is allocated first; then writers are kept out for the moment in which
 * the rings get it.  So a change happens as a whole or not at all.
 */
#include <linux/cpumask.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include "rb_buffer_internal.h"

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

static void free_all(struct pe_rb_memory *mem)
{
	int cpu;

	for_each_possible_cpu(cpu)
		pe_ring_free(&mem[cpu]);
	kfree(mem);
}

/*
 * Memory for rings of sizes[cpu] bytes, none where that is 0.  -ENOMEM also when it
 * would take all there is: better no new buffer than a machine out of memory.
 */
static struct pe_rb_memory *alloc_all(const unsigned long *sizes, unsigned int shift)
{
	unsigned long room = (1UL << shift) - PE_RB_PAGE_HEAD, need = 0, nr_pages;
	struct pe_rb_memory *mem = kcalloc(nr_cpu_ids, sizeof(*mem), GFP_KERNEL);
	int cpu;

	if (!mem)
		return NULL;
	for_each_possible_cpu(cpu) {
		nr_pages = DIV_ROUND_UP(sizes[cpu], room);
		if (nr_pages > PE_RB_MAX_PAGES)
			goto err;
		mem[cpu].nr_pages = max_t(unsigned long, nr_pages, PE_RB_MIN_PAGES);
		if (sizes[cpu])
			need += (unsigned long)mem[cpu].nr_pages << (shift - PAGE_SHIFT);
	}
	if (need > si_mem_available())
		goto err;
	for_each_possible_cpu(cpu) {
		if (sizes[cpu] && pe_ring_alloc(&mem[cpu], mem[cpu].nr_pages, shift, cpu)) {
			memset(&mem[cpu], 0, sizeof(*mem));
			goto err;
		}
	}
	return mem;
err:
	free_all(mem);
	return NULL;
}

static unsigned long *alloc_sizes(void)
{
	return kcalloc(nr_cpu_ids, sizeof(unsigned long), GFP_KERNEL);
}

static int resize_locked(struct pe_buffer *buf, unsigned long kb, int which)
{
	unsigned long *sizes = alloc_sizes();
	struct pe_rb_memory *mem;
	int cpu;

	if (!sizes || kb > ULONG_MAX >> 11) {
		kfree(sizes);
		return -ENOMEM;
	}
	for_each_possible_cpu(cpu)
		sizes[cpu] = pe_cpu_wanted(cpu, which) ? kb << 10 : 0;
	mem = alloc_all(sizes, buf->page_shift);
	kfree(sizes);
	if (!mem)
		return -ENOMEM;
	pe_buffer_quiesce(buf, which);
	for_each_possible_cpu(cpu) {
		if (pe_cpu_wanted(cpu, which))
			move_cpu(buf->cpus[cpu], &mem[cpu],
				 mem[cpu].nr_pages * pe_buffer_page_room(buf));
	}
	pe_buffer_disable(buf, which, -1);
	free_all(mem);
	return 0;
}

static void replace_cpu(struct pe_buffer_cpu *bc, struct pe_rb_memory *mem)
{
	struct pe_rb_memory old;

	mutex_lock(&bc->reader);
	pe_rb_replace(&bc->rb, mem, &old);
	bc->size = mem->nr_pages * pe_buffer_page_room(bc->buffer);
	mutex_unlock(&bc->reader);
	*mem = old;
}

/* All rings anew, each of at least @sizes[cpu] bytes. */
static int replace_locked(struct pe_buffer *buf, const unsigned long *sizes,
			  unsigned int shift)
{
	struct pe_rb_memory *mem = alloc_all(sizes, shift);
	int cpu;

	if (!mem)
		return -ENOMEM;
	pe_buffer_quiesce(buf, PE_ALL_CPUS);
	WRITE_ONCE(buf->page_shift, shift);
	for_each_possible_cpu(cpu)
		replace_cpu(buf->cpus[cpu], &mem[cpu]);
	pe_buffer_disable(buf, PE_ALL_CPUS, -1);
	free_all(mem);
	return 0;
}

int pe_buffer_set_page_shift(struct pe_buffer *buf, unsigned int shift)
{
	unsigned long *sizes = alloc_sizes();
	int cpu, ret = -ENOMEM;

	mutex_lock(&buf->resize);
	for_each_possible_cpu(cpu) {
		if (sizes)
			sizes[cpu] = buf->cpus[cpu]->size;
	}
	if (shift == buf->page_shift)
		ret = 0;
	else if (sizes)
		ret = replace_locked(buf, sizes, shift);
	mutex_unlock(&buf->resize);
	kfree(sizes);
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

/* Return: the sizes of all rings, and how the rest of @buf is. */
static unsigned long *get_shape(struct pe_buffer *buf, struct pe_buffer *shape)
{
	unsigned long *sizes = alloc_sizes();
	int cpu;

	mutex_lock(&buf->resize);
	shape->page_shift = buf->page_shift;
	shape->clock = buf->clock;
	shape->overwrite = buf->overwrite;
	for_each_possible_cpu(cpu) {
		if (sizes)
			sizes[cpu] = buf->cpus[cpu]->size;
	}
	mutex_unlock(&buf->resize);
	return sizes;
}

static bool same_size(const struct pe_buffer *buf, const unsigned long *sizes)
{
	int cpu;

	for_each_possible_cpu(cpu)
		if (buf->cpus[cpu]->size != sizes[cpu])
			return false;
	return true;
}

int pe_buffer_match(struct pe_buffer *buf, struct pe_buffer *like)
{
	struct pe_buffer shape = {};
	unsigned long *sizes = get_shape(like, &shape);
	int ret = 0;

	if (!sizes)
		return -ENOMEM;
	mutex_lock(&buf->resize);
	if (buf->page_shift != shape.page_shift || !same_size(buf, sizes))
		ret = replace_locked(buf, sizes, shape.page_shift);
	if (!ret)
		buf->expanded = true;
	mutex_unlock(&buf->resize);
	kfree(sizes);
	if (!ret && buf->clock != shape.clock)
		pe_buffer_set_clock(buf, shape.clock);
	if (!ret)
		pe_buffer_set_overwrite(buf, shape.overwrite);
	return ret;
}

int pe_buffer_shrink(struct pe_buffer *buf)
{
	unsigned long *sizes = alloc_sizes();
	int cpu, ret;

	if (!sizes)
		return -ENOMEM;
	mutex_lock(&buf->resize);
	for_each_possible_cpu(cpu)
		sizes[cpu] = SMALL_PAGES * pe_buffer_page_room(buf);
	ret = replace_locked(buf, sizes, buf->page_shift);
	if (!ret)
		buf->expanded = false;
	mutex_unlock(&buf->resize);
	kfree(sizes);
	return ret;
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
