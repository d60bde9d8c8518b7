// SPDX-License-Identifier: GPL-2.0
/*
 * lookup_cache.c - tables that are made when they are asked, and go soon after.
 *
 * The kernel has tables that are not sorted by what we look for: symbols of modules, types of
 * functions, sites of jump labels.  A single search through one takes a millisecond at most.
 * For ten thousand probes it takes seconds.  So the first question makes a table of our own,
 * which answers all others.  The tables need some hundred KB, and are freed when none has been
 * asked for FORGET_DELAY, or for a little longer.
 */
#include <linux/lockdep.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/workqueue.h>
#include "kernel/know/lookup_cache.h"

#define FORGET_DELAY	(10 * HZ)

/* Guards all tables.  Taken inside any other mutex of ours; inside are only the kernel's locks. */
static DEFINE_MUTEX(pe_tables_mutex);
static LIST_HEAD(pe_table_made);		/* tables that have data */
static bool pe_kernel_table_asked;		/* since the work has looked; tables_mutex */

static void pe_kernel_table_drop(struct pe_table *table)
{
	lockdep_assert_held(&pe_tables_mutex);
	list_del(&table->made);
	kvfree(table->data);
	table->data = NULL;
}

static void pe_drop_all(void)
{
	struct pe_table *table, *next;

	list_for_each_entry_safe(table, next, &pe_table_made, made)
		pe_kernel_table_drop(table);
}

static void pe_table_forget(struct work_struct *work);
static DECLARE_DELAYED_WORK(pe_forget_work, pe_table_forget);

static void pe_table_forget(struct work_struct *work)
{
	mutex_lock(&pe_tables_mutex);
	if (pe_kernel_table_asked)
		schedule_delayed_work(&pe_forget_work, FORGET_DELAY);
	else
		pe_drop_all();
	pe_kernel_table_asked = false;
	mutex_unlock(&pe_tables_mutex);
}

void *pe_table_ask(struct pe_table *table)
{
	mutex_lock(&pe_tables_mutex);
	pe_kernel_table_asked = true;
	if (table->data)
		return table->data;
	table->data = table->make();
	if (table->data) {
		list_add(&table->made, &pe_table_made);
		schedule_delayed_work(&pe_forget_work, FORGET_DELAY);
	}
	return table->data;
}

void pe_table_asked(void)
{
	mutex_unlock(&pe_tables_mutex);
}

void pe_table_drop(struct pe_table *table)
{
	mutex_lock(&pe_tables_mutex);
	if (table->data)
		pe_kernel_table_drop(table);
	mutex_unlock(&pe_tables_mutex);
}

void pe_tables_exit(void)
{
	mutex_lock(&pe_tables_mutex);
	pe_drop_all();
	pe_kernel_table_asked = false;		/* so the work ends */
	mutex_unlock(&pe_tables_mutex);
	cancel_delayed_work_sync(&pe_forget_work);
}
