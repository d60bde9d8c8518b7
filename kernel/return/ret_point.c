// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * ret_point.c - the slots of functions with return probes.
 *
 * return/ret_set.c says what a point is and through which states it goes.  This file finds or
 * makes the point of a function, and uses its slots again for another function.
 */
#include <linux/bitmap.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/stringify.h>
#include "kernel/mech/mech.h"
#include "kernel/probe/retire.h"
#include "kernel/probe/site.h"
#include "kernel/return/ret_set.h"
#include "kernel/return/return.h"

static int pe_slot_take(void)
{
	unsigned long i;

	mutex_lock(&pe_arena.mutex);
	i = find_first_zero_bit(pe_arena.slots_used, PE_RETURN_SLOTS);
	if (i < PE_RETURN_SLOTS)
		__set_bit(i, pe_arena.slots_used);
	mutex_unlock(&pe_arena.mutex);
	return i < PE_RETURN_SLOTS ? (int)i : -ENOSPC;
}

static void pe_body_free(struct pe_return_point *point)
{
	if (point->insn)
		pe_arch_release(point->insn);
}

/* No call enters the point's slots.  It has dead sets only. */
static void pe_point_free(struct pe_return_point *point)
{
	mutex_lock(&pe_arena.mutex);
	list_del(&point->list);
	pe_return_slots[point->slot] = NULL;
	__clear_bit(point->slot, pe_arena.slots_used);
	mutex_unlock(&pe_arena.mutex);
	pe_body_free(point);
	pe_return_point_free(point);
}

/*
 * Free all stale slots, except those with an entry that a task may still call.  No function leads
 * to them.
 */
static void pe_slots_recycle(void)
{
	static DEFINE_MUTEX(recycle_mutex);	/* outside pe_arena.mutex */
	static DECLARE_BITMAP(entries, PE_RETURN_SLOTS);	/* recycle_mutex */
	struct pe_return_point *point, *next;
	LIST_HEAD(list);

	mutex_lock(&recycle_mutex);
	mutex_lock(&pe_arena.mutex);
	list_splice_init(&pe_arena.stale, &list);
	mutex_unlock(&pe_arena.mutex);
	if (!list_empty(&list)) {
		pe_arena_scan(entries, false);
		/* For calls that are on their way. */
		pe_retire_wait();
	}
	list_for_each_entry_safe(point, next, &list, list) {
		if (!test_bit(point->slot, entries))
			pe_point_free(point);
	}
	mutex_lock(&pe_arena.mutex);
	if (!list_empty(&list))
		pe_sets_drain_soon();	/* their dead sets, which a run did not find */
	list_splice(&list, &pe_arena.stale);
	mutex_unlock(&pe_arena.mutex);
	mutex_unlock(&recycle_mutex);
}

/**
 * pe_return_make_room() - make slots free for return probes that will be registered
 * @n: the number of slots
 *
 * It does nothing if enough slots are free.  Otherwise it takes long.
 * Context: process, sleeps.  No mutex is held.
 */
void pe_return_make_room(unsigned int n)
{
	unsigned int used;

	mutex_lock(&pe_arena.mutex);
	used = bitmap_weight(pe_arena.slots_used, PE_RETURN_SLOTS);
	mutex_unlock(&pe_arena.mutex);
	if (n <= PE_RETURN_SLOTS - used)
		return;
	pe_return_hurry_sets();
	pe_slots_recycle();
}

/*
 * Called at unload: all points stay in the arena, without the instruction slots, which are
 * this module's.  Only calls by way of ftrace come late (return/ret_set.c), and those need none.
 */
void pe_return_points_let_go(void)
{
	struct pe_return_point *point;

	if (!bitmap_empty(pe_arena.slots_used, PE_RETURN_SLOTS))
		pe_retire_wait();
	list_for_each_entry(point, &pe_arena.points, list)
		pe_body_free(point);
	list_for_each_entry(point, &pe_arena.stale, list)
		pe_body_free(point);
}

static struct pe_return_point *pe_point_alloc(const struct pe_site *site, unsigned int stack_words)
{
	struct pe_return_point *point = kzalloc(sizeof(*point), GFP_KERNEL);
	int slot;

	if (!point)
		return ERR_PTR(-ENOMEM);
	slot = pe_slot_take();
	if (slot < 0) {
		kfree(point);
		return ERR_PTR(slot);
	}
	point->addr = site->addr;
	point->slot = slot;
	point->stack_words = stack_words;
	point->ending = pe_return_ending(site->addr);
	INIT_LIST_HEAD(&point->list);
	point->rest.plain = &pe_return_nobody;
	point->rest.counters = &pe_return_no_calls;
	point->rest.point = point;
	return point;
}

/* @insn: of a point; @text: of a site at the same address.  NULL: entries that ftrace patches */
static bool pe_same_insn(const struct pe_arch_site *insn, const struct pe_text_site *text)
{
	if (!insn || !text)
		return !insn && !text;
	return insn->slot && pe_arch_same_insn(insn, &text->arch);
}

/*
 * May the function at @site use @point, of a function that was at the same address before?
 * It may if a new point would be the same.  It may not in two cases:
 *
 *   - a module has come in place of another one, so it is another function;
 *   - the point needs an instruction slot that went when this module was unloaded.
 */
static bool pe_point_fits(const struct pe_return_point *point, const struct pe_site *site,
			  unsigned int stack_words)
{
	return point->retired && point->stack_words == stack_words &&
	       pe_same_insn(point->insn, site->text) &&
	       point->ending == pe_return_ending(site->addr);
}

static struct pe_return_point *pe_point_in(struct list_head *list, const struct pe_site *site,
					   unsigned int stack_words)
{
	struct pe_return_point *point;

	list_for_each_entry(point, list, list) {
		if (point->addr == site->addr && pe_point_fits(point, site, stack_words))
			return point;
	}
	return NULL;
}

/*
 * Find the point that the function at @site had before.  Its slots are unchanged.  Its old
 * sets go on dying, in whatever state they are, beside a new one.
 */
static struct pe_return_point *pe_point_again(struct pe_site *site, unsigned int stack_words)
{
	struct pe_return_point *point;

	mutex_lock(&pe_arena.mutex);
	point = pe_point_in(&pe_arena.points, site, stack_words);
	if (!point)
		point = pe_point_in(&pe_arena.stale, site, stack_words);
	if (point) {
		point->retired = false;
		list_move_tail(&point->list, &pe_arena.points);
	}
	mutex_unlock(&pe_arena.mutex);
	return point;
}

/* The point that pe_return_point_make() has found or made is not used after all. */
void pe_return_point_drop(struct pe_return_point *point)
{
	bool is_new;

	mutex_lock(&pe_arena.mutex);
	is_new = list_empty(&point->list);
	point->retired = true;
	if (!is_new && pe_return_is_stale(point))
		list_move_tail(&point->list, &pe_arena.stale);
	mutex_unlock(&pe_arena.mutex);
	if (is_new)
		pe_point_free(point);	/* never armed */
}

/* At an entry that ftrace patches, calls go on after ftrace's call. */
static int pe_make_body(struct pe_return_point *point, const struct pe_site *site)
{
	int err;

	if (site->text) {
		point->insn = kmemdup(&site->text->arch, sizeof(*point->insn), GFP_KERNEL);
		if (!point->insn)
			return -ENOMEM;
		err = pe_arch_make_body(point->insn, site->addr);
		if (err)
			return err;
	}
	point->body = pe_arch_body(point->insn, site->addr);
	return 0;
}

/* Make the point's body and its slots. */
static struct pe_refusal pe_point_complete(struct pe_return_point *point,
					   const struct pe_site *site, bool exact)
{
	int err = pe_make_body(point, site);

	if (err == -ENOMEM)
		return PE_REFUSE(ENOMEM, NULL);
	if (err)
		return PE_REFUSE(EINVAL,
				 "the function begins with a conditional branch or an indirect call");
	if (pe_arch_return_write(point->slot, point->body, exact))
		return PE_REFUSE(ERANGE, "the function is out of reach");
	pe_return_slots[point->slot] = &point->rest;
	return PE_ACCEPT;
}

struct pe_refusal pe_return_point_make(struct pe_return_point **made, struct pe_site *site)
{
	bool compiled = site->mech->compiled;
	struct pe_return_point *point;
	struct pe_refusal r;
	int words;

	if (!compiled && !pe_arch_is_called(site->addr))
		return PE_REFUSE(EINVAL,
				 "not a call target: more than a return address on the stack");
	words = pe_return_stack_words(site->addr, compiled);
	if (words < 0)
		return PE_REFUSE(EINVAL, "the function takes more than "
				 __stringify(PE_MOST_WORDS) " words of arguments on the stack");
	*made = pe_point_again(site, words);
	if (*made)
		return PE_ACCEPT;
	point = pe_point_alloc(site, words);
	if (point == ERR_PTR(-ENOSPC))
		return PE_REFUSE(ENOSPC, "too many functions have return probes");
	if (IS_ERR(point))
		return PE_REFUSE(ENOMEM, NULL);
	r = pe_point_complete(point, site, !compiled);
	if (r.err)
		pe_point_free(point);
	else
		*made = point;
	return r;
}

/*
 * Afterwards the slots can be entered.  pe_return_point_use:B, pairs with divert:B in
 * breakpoint_hit.c and mech/ftrace_hit.c: a hit that goes to the entry slot finds the slots'
 * code and the set complete.
 */
void pe_return_point_use(struct pe_site *site, struct pe_return_point *point)
{
	mutex_lock(&pe_arena.mutex);
	list_move_tail(&point->list, &pe_arena.points);
	mutex_unlock(&pe_arena.mutex);
	site->point = point;
	/* pe_return_point_use:B */
	smp_store_release(&site->divert_to, pe_arch_return_entry(point->slot));
}
