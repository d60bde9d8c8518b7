// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * lookup_cache.c - tables that are made when they are asked, and go soon after.
 *
 * The kernel has tables that are not sorted by what we look for: symbols of modules, types of
 * functions, sites of jump labels, and before 6.2 its own symbols.  A single search takes a
 * millisecond, through those last ones some.  For ten thousand probes it takes seconds.  So the
 * first question makes a table of our own, which answers all others.  The tables need some hundred
 * KB, or 1 MB more before 6.2, and are freed when none has been asked for FORGET_DELAY, or for a
 * little longer.
 */
#include <linux/lockdep.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/workqueue.h>
#include "kernel/know/lookup_cache.h"

#define FORGET_DELAY	(10 * HZ)

/* Guards all tables.  Taken inside any other mutex of ours; inside are only the kernel's locks. */
static DEFINE_MUTEX(pe_lookup_mutex);
static LIST_HEAD(pe_lookups_made);		/* tables that have data */
static bool pe_lookup_any_asked;		/* since the work has looked; pe_lookup_mutex */

static void pe_lookup_free(struct pe_lookup *table)
{
	lockdep_assert_held(&pe_lookup_mutex);
	list_del(&table->made);
	kvfree(table->data);
	table->data = NULL;
}

static void pe_lookups_free(void)
{
	struct pe_lookup *table, *next;

	list_for_each_entry_safe(table, next, &pe_lookups_made, made)
		pe_lookup_free(table);
}

static void pe_lookups_forget(struct work_struct *work);
static DECLARE_DELAYED_WORK(pe_lookups_work, pe_lookups_forget);

static void pe_lookups_forget(struct work_struct *work)
{
	mutex_lock(&pe_lookup_mutex);
	if (pe_lookup_any_asked)
		schedule_delayed_work(&pe_lookups_work, FORGET_DELAY);
	else
		pe_lookups_free();
	pe_lookup_any_asked = false;
	mutex_unlock(&pe_lookup_mutex);
}

void *pe_lookup_ask(struct pe_lookup *table)
{
	mutex_lock(&pe_lookup_mutex);
	pe_lookup_any_asked = true;
	if (table->data)
		return table->data;
	table->data = table->make();
	if (table->data) {
		list_add(&table->made, &pe_lookups_made);
		schedule_delayed_work(&pe_lookups_work, FORGET_DELAY);
	}
	return table->data;
}

void pe_lookup_asked(void)
{
	mutex_unlock(&pe_lookup_mutex);
}

void pe_lookup_drop(struct pe_lookup *table)
{
	mutex_lock(&pe_lookup_mutex);
	if (table->data)
		pe_lookup_free(table);
	mutex_unlock(&pe_lookup_mutex);
}

void pe_lookups_exit(void)
{
	mutex_lock(&pe_lookup_mutex);
	pe_lookups_free();
	pe_lookup_any_asked = false;		/* so the work ends */
	mutex_unlock(&pe_lookup_mutex);
	cancel_delayed_work_sync(&pe_lookups_work);
}
