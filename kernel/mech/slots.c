// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * slots.c - executable memory for out-of-line copies.
 *
 * Slots are in pages within reach of kernel text.  The pages are read-only and executable
 * from the moment they exist.  text_patch.c writes the code in them.
 *
 * The caller that gives a slot back has waited until no task can be in it (retire.c).  A page
 * without slots in use goes at once.
 */
#include <linux/bitmap.h>
#include <linux/hashtable.h>
#include <linux/list.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/set_memory.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>
#include "kernel/arch.h"
#include "kernel/know/compat.h"
#include "kernel/know/ksyms.h"
#include "kernel/mech/slots.h"

#define SLOT_SIZE	PE_ARCH_SLOT_SIZE
#define SLOTS_PER_PAGE	(PAGE_SIZE / SLOT_SIZE)

/**
 * struct slot_page - a page of slots; all fields under pe_slot_mutex
 * @list: in pe_slot_rooms, while there is room
 * @hash: in pe_slot_pages, by @mem
 * @mem: the page
 * @used: the slots in use
 */
struct slot_page {
	struct list_head list;
	struct hlist_node hash;
	void *mem;
	DECLARE_BITMAP(used, SLOTS_PER_PAGE);
};

/* Taken inside pe_mutex. */
static DEFINE_MUTEX(pe_slot_mutex);
static LIST_HEAD(pe_slot_rooms);
static DEFINE_HASHTABLE(pe_slot_pages, 7);

static void *pe_exec_alloc(void)
{
#if PE_HAVE_EXECMEM_RW
	return pe_ks(execmem_alloc_rw)(EXECMEM_KPROBES, PAGE_SIZE);
#elif PE_HAVE_EXECMEM
	return pe_ks(execmem_alloc)(EXECMEM_KPROBES, PAGE_SIZE);
#else
	return pe_ks(module_alloc)(PAGE_SIZE);
#endif
}

/* The allocator has marked the memory VM_FLUSH_RESET_PERMS, so freeing resets permissions. */
static void pe_exec_free(void *mem)
{
#if PE_HAVE_EXECMEM
	pe_ks(execmem_free)(mem);
#else
	pe_ks(module_memfree)(mem);
#endif
}

/* A page of breakpoints, read-only and executable; NULL without memory. */
static void *pe_exec_page(void)
{
	void *mem = pe_exec_alloc();

	if (!mem)
		return NULL;
	memset(mem, PE_ARCH_SLOT_FILL, PAGE_SIZE);
	if (!pe_ks(set_memory_ro)((unsigned long)mem, 1) &&
	    !pe_ks(set_memory_x)((unsigned long)mem, 1))
		return mem;
	pe_exec_free(mem);
	return NULL;
}

static struct slot_page *pe_page_new(void)
{
	struct slot_page *page = kzalloc(sizeof(*page), GFP_KERNEL);

	if (!page)
		return NULL;
	page->mem = pe_exec_page();
	if (!page->mem) {
		kfree(page);
		return NULL;
	}
	list_add(&page->list, &pe_slot_rooms);
	hash_add(pe_slot_pages, &page->hash, (unsigned long)page->mem);
	return page;
}

static void pe_page_delete(struct slot_page *page)
{
	list_del(&page->list);
	hash_del(&page->hash);
	pe_exec_free(page->mem);
	kfree(page);
}

static void *pe_take_from(struct slot_page *page)
{
	unsigned long i = find_first_zero_bit(page->used, SLOTS_PER_PAGE);

	__set_bit(i, page->used);
	if (bitmap_full(page->used, SLOTS_PER_PAGE))
		list_del_init(&page->list);
	return page->mem + i * SLOT_SIZE;
}

/* A slot to be filled by pe_text_write_slot(); NULL without memory. */
void *pe_slot_alloc(void)
{
	struct slot_page *page;
	void *slot;

	mutex_lock(&pe_slot_mutex);
	page = list_first_entry_or_null(&pe_slot_rooms, struct slot_page, list) ?: pe_page_new();
	slot = page ? pe_take_from(page) : NULL;
	mutex_unlock(&pe_slot_mutex);
	return slot;
}

/* Give a slot back.  No task is in it, and none will be. */
void pe_slot_free(void *slot)
{
	void *mem = (void *)((unsigned long)slot & PAGE_MASK);
	struct slot_page *page;

	mutex_lock(&pe_slot_mutex);
	hash_for_each_possible(pe_slot_pages, page, hash, (unsigned long)mem) {
		if (page->mem != mem)
			continue;
		__clear_bit((slot - mem) / SLOT_SIZE, page->used);
		if (bitmap_empty(page->used, SLOTS_PER_PAGE))
			pe_page_delete(page);
		else if (list_empty(&page->list))
			list_add(&page->list, &pe_slot_rooms);
		break;
	}
	mutex_unlock(&pe_slot_mutex);
}

/* The caller has given back all slots. */
void pe_slots_exit(void)
{
	WARN_ON(!hash_empty(pe_slot_pages));
}

size_t pe_slots_memory(void)
{
	struct slot_page *page;
	size_t bytes = 0;
	int bucket;

	mutex_lock(&pe_slot_mutex);
	hash_for_each(pe_slot_pages, bucket, page, hash)
		bytes += PAGE_SIZE + ksize(page);
	mutex_unlock(&pe_slot_mutex);
	return bytes;
}
