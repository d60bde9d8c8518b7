// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * arena_main.c - loading and unloading of probe_arena; what it keeps when probe_core goes.
 *
 * probe_core uses this module's symbols and so keeps it loaded.  When probe_core goes, it
 * detaches its handlers.  Then calls in progress return to their callers, and late calls go
 * on in the function.  The arena looks whether any task still needs it (scan.c).  If so, it
 * keeps itself loaded, by a reference to itself, and looks again from time to time.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/bitmap.h>
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/list.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/printk.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/workqueue.h>
#include <pe/version.h>
#include "kernel/arena/arena.h"
#include "kernel/probe/stat.h"
#include "kernel/probe/wait.h"

#define LOOK_DELAY	HZ		/* between two looks at the calls in progress; */
#define LOOK_DELAY_MAX	(16 * HZ)	/* it doubles up to this */

struct pe_arena pe_arena = {
	.mutex = __MUTEX_INITIALIZER(pe_arena.mutex),
	.points = LIST_HEAD_INIT(pe_arena.points),
	.stale = LIST_HEAD_INIT(pe_arena.stale),
};
EXPORT_SYMBOL_GPL(pe_arena);

struct pe_return_set *pe_return_slots[PE_RETURN_SLOTS];
EXPORT_SYMBOL_GPL(pe_return_slots);

struct module *const pe_arena_module = THIS_MODULE;
EXPORT_SYMBOL_GPL(pe_arena_module);

/* In return_arena.S.  probe_core writes the code that leads there. */
#define EXPORT_CODE(name)	EXPORT_SYMBOL_GPL(name)
EXPORT_CODE(pe_entry_slots);
EXPORT_CODE(pe_call_slots);
EXPORT_CODE(pe_exact_gap);
EXPORT_CODE(pe_return_enter);
EXPORT_CODE(pe_return_enter_set);
EXPORT_CODE(pe_return_leave);
EXPORT_CODE(pe_return_enter_exact);
EXPORT_CODE(pe_return_leave_exact);

static void pe_arena_look(struct work_struct *work);
static DECLARE_DELAYED_WORK(pe_arena_look_work, pe_arena_look);
static unsigned long pe_look_delay;
static bool pe_arena_attached, pe_arena_pinned;

void pe_return_set_free(struct pe_return_set *set)
{
	if (!set)
		return;
	free_percpu(set->counters);
	kfree(set);
}
EXPORT_SYMBOL_GPL(pe_return_set_free);

/*
 * Calls in flight.  Once no new one can come, the sum only falls, whatever is read first.  Before
 * that it is near the truth only: a call may come and go on other CPUs while they are read.
 */
unsigned long pe_return_set_calls(const struct pe_return_set *set)
{
	unsigned long returns = pe_counter_sum(&set->counters->returns);

	return pe_counter_sum(&set->counters->balance) + pe_counter_sum(&set->counters->entries) -
	       returns;
}
EXPORT_SYMBOL_GPL(pe_return_set_calls);

/* The points do not change.  A call that has ended with its task counts for ever. */
unsigned long pe_return_calls(const struct pe_return_point *point)
{
	struct pe_return_set *set;
	unsigned long sum = 0;

	pe_for_each_set(set, point)
		sum += pe_return_set_calls(set);
	return sum;
}
EXPORT_SYMBOL_GPL(pe_return_calls);

static unsigned long pe_all_calls(void)
{
	struct pe_return_point *point;
	unsigned long sum = 0;

	list_for_each_entry(point, &pe_arena.points, list)
		sum += pe_return_calls(point);
	return sum;
}

/* Nothing is attached.  No call is on its way to a slot, except from BPF's trampolines. */
static bool pe_is_needed(void)
{
	static DECLARE_BITMAP(entries, PE_RETURN_SLOTS);

	if (bitmap_empty(pe_arena.slots_used, PE_RETURN_SLOTS))
		return false;
	if (pe_return_ending_calls())
		return true;
	return pe_arena_scan(entries, pe_all_calls()) ||
	       bitmap_intersects(entries, pe_arena.slots_used, PE_RETURN_SLOTS);
}

/* With its sets. */
void pe_return_point_free(struct pe_return_point *point)
{
	struct pe_return_set *set;

	while ((set = point->rest.next)) {
		point->rest.next = set->next;
		pe_return_set_free(set);
	}
	kfree(point->insn);
	kfree(point);
}
EXPORT_SYMBOL_GPL(pe_return_point_free);

static void pe_free_points(struct list_head *list)
{
	struct pe_return_point *point, *next;

	list_for_each_entry_safe(point, next, list, list)
		pe_return_point_free(point);
	INIT_LIST_HEAD(list);
}

/* No task needs any of it. */
static void pe_free_all(void)
{
	if (!bitmap_empty(pe_arena.slots_used, PE_RETURN_SLOTS))
		pe_wait_for_text();	/* the last steps of a call are in our text */
	pe_free_points(&pe_arena.points);
	pe_free_points(&pe_arena.stale);
	bitmap_zero(pe_arena.slots_used, PE_RETURN_SLOTS);
	memset(pe_return_slots, 0, sizeof(pe_return_slots));
}

static void pe_set_pinned(bool on)
{
	if (on && !pe_arena_pinned)
		__module_get(THIS_MODULE);
	if (!on && pe_arena_pinned)
		module_put(THIS_MODULE);	/* unloading waits for this work */
	pe_arena_pinned = on;
}

/* Nothing is attached, so no other code uses pe_arena. */
static void pe_arena_look(struct work_struct *work)
{
	if (pe_is_needed()) {
		if (!pe_arena_pinned)
			pr_info("%lu calls in progress: staying until no task needs this module\n",
				pe_all_calls());
		pe_set_pinned(true);
		schedule_delayed_work(&pe_arena_look_work, pe_look_delay);
		pe_look_delay = min(2 * pe_look_delay, (unsigned long)LOOK_DELAY_MAX);
		return;
	}
	pe_free_all();
	if (pe_arena_pinned)
		pr_info("no task needs this module\n");
	pe_set_pinned(false);
}

/**
 * pe_arena_attach() - probe_core is loaded
 * @version: PE_ARENA_VERSION, of the caller
 * @enter: called at entries
 * @leave: called at returns
 *
 * The caller now owns pe_arena, with all that calls in progress still need.
 *
 * Context: process, sleeps.  The caller's module uses symbols of this one.
 * Return: 0; -ENOEXEC: this module is of another version; -EBUSY: a caller is attached
 */
int pe_arena_attach(unsigned int version, pe_arena_enter_t *enter, pe_arena_leave_t *leave)
{
	int cpu;

	if (version != PE_ARENA_VERSION) {
		pr_err("version %u is loaded, %u is wanted: unload this one first\n",
		       PE_ARENA_VERSION, version);
		return -ENOEXEC;
	}
	if (pe_arena_attached)
		return -EBUSY;
	cancel_delayed_work_sync(&pe_arena_look_work);
	pe_set_pinned(false);
	pe_arena_attached = true;
	for_each_possible_cpu(cpu)
		per_cpu(pe_unwatched, cpu) = 0;
	pe_arena_set_handlers(enter, leave);
	return 0;
}
EXPORT_SYMBOL_GPL(pe_arena_attach);

/**
 * pe_arena_detach() - probe_core goes
 *
 * No function leads to a slot, all points are retired, and all their sets are draining.  From
 * here on the arena owns what calls in progress need.
 *
 * Context: process, sleeps.  Afterwards no handler is running.
 */
void pe_arena_detach(void)
{
	pe_arena_set_handlers(NULL, NULL);
	/* Calls may be on their way to a slot or set, or from it; probe_core's retire.c goes. */
	if (!bitmap_empty(pe_arena.slots_used, PE_RETURN_SLOTS))
		pe_wait_for_text();
	pe_arena_attached = false;
	pe_look_delay = LOOK_DELAY;
	pe_arena_look(NULL);
}
EXPORT_SYMBOL_GPL(pe_arena_detach);

static void __exit pe_arena_exit(void)
{
	cancel_delayed_work_sync(&pe_arena_look_work);
}

module_exit(pe_arena_exit);

MODULE_AUTHOR("The probe-events maintainers");
MODULE_LICENSE("GPL");
MODULE_VERSION(PE_VERSION);
MODULE_DESCRIPTION("Dynamic probes in kernel text: what calls in progress run through");
