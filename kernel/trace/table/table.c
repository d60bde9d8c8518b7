// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * table.c - the life of tables; how hits in banks come to be rows in bases.
 *
 * A hit counts in a bank of its CPU, one of two: the table's epoch says which.  A flip changes
 * the epoch and waits for a grace period.  Then no hit writes to the old banks, and their rows are
 * merged into the base.  So a flip is an exact cut: each hit is before it or after it.  Banks may
 * be zeroed, freed and made anew between two flips.
 *
 * A work flips all tables with hits twice in a second, so that banks do not fill up.  If one does,
 * the next are larger.  Readers flip as well.
 *
 * pe_tables_mutex guards all of this, in table_read.c as well.  It is taken inside pe_event_mutex,
 * and in the CPU hotplug callback; so nothing that takes either is called with it.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/cpuhotplug.h>
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/jiffies.h>
#include <linux/ktime.h>
#include <linux/list.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/printk.h>
#include <linux/random.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/workqueue.h>
#include "base.h"
#include "kernel/trace/hit/count_hit.h"
#include "kernel/trace/parse/hist.h"
#include "table.h"
#include "table_internal.h"
#include "vars.h"

#define FLUSH		(HZ / 2)
#define MIN_ROWS	64		/* of a bank */
#define FIRST_ROWS	1024
#define MAX_ROWS	16384
#define MAX_BANKS	(16UL << 20)	/* bytes of all banks of a table */
#define FIRST_BASE	256		/* rows */

DECLARE_WAIT_QUEUE_HEAD(pe_tables_wait);

DEFINE_MUTEX(pe_tables_mutex);	/* what it guards, and its order, is said above */
LIST_HEAD(pe_tables);
cpumask_t pe_table_cpus;
static int pe_tables_state;

static void pe_tables_flush(struct work_struct *work);
static DECLARE_DELAYED_WORK(pe_tables_work, pe_tables_flush);

struct pe_table_hits *pe_table_hits(struct pe_table *table)
{
	return &table->hits;
}

struct pe_table *pe_table_of(struct pe_table_hits *hits)
{
	return container_of(hits, struct pe_table, hits);
}

/* ---- banks ---- */

static struct pe_bank *pe_bank_alloc(const struct pe_table *table)
{
	struct pe_bank *bank = kvmalloc(pe_bank_size(&table->hits.shape, table->bank_rows),
					GFP_KERNEL_ACCOUNT);

	if (bank)
		pe_bank_init(&table->hits.shape, bank, table->bank_rows);
	return bank;
}

static int pe_banks_add(struct pe_table *table, unsigned int cpu)
{
	struct pe_bank **banks = per_cpu_ptr(table->hits.banks, cpu)->of_epoch, *bank;
	unsigned int i;

	for (i = 0; i < 2; i++) {
		if (banks[i])
			continue;
		bank = pe_bank_alloc(table);
		if (!bank)
			return -ENOMEM;
		/* Pairs with a hit's READ_ONCE(), on whose result its reads depend. */
		smp_store_release(&banks[i], bank);
	}
	return 0;
}

struct pe_bank *pe_bank_of(const struct pe_table *table, unsigned int cpu, unsigned int epoch)
{
	return per_cpu_ptr(table->hits.banks, cpu)->of_epoch[epoch & 1];
}

static void pe_banks_free(struct pe_table *table)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu) {
		kvfree(pe_bank_of(table, cpu, 0));
		kvfree(pe_bank_of(table, cpu, 1));
	}
	free_percpu(table->hits.banks);
}

static void pe_set_epoch(struct pe_table *table, unsigned int epoch)
{
	table->epoch = epoch;
	/* Pairs with a hit's READ_ONCE(). */
	WRITE_ONCE(table->hits.now, &table->hits.banks->of_epoch[epoch & 1]);	/* pe_table:B */
}

/* The largest number of rows, up to @rows, for which all banks stay below the limit. */
static unsigned int pe_bank_rows(const struct pe_table *table, unsigned int rows)
{
	unsigned int banks = 0, cpu;

	/* Not cpumask_weight(): where it is not inlined, that would be a symbol of ours. */
	for_each_cpu(cpu, &pe_table_cpus)
		banks += 2;
	while (rows > MIN_ROWS && banks * pe_bank_size(&table->hits.shape, rows) > MAX_BANKS)
		rows /= 2;
	return rows;
}

static bool pe_bank_is_empty(const struct pe_table_shape *shape, struct pe_bank *bank)
{
	return !local_read(&bank->used) && !local_read(&bank->paused) &&
	       !local_read(&bank->filtered) && !local_read(&bank->unset) &&
	       !local_read(&pe_bank_other(shape, bank)->hits);
}

static bool pe_banks_are_empty(struct pe_table *table)
{
	struct pe_bank *bank;
	unsigned int cpu;

	for_each_cpu(cpu, &pe_table_cpus) {
		bank = pe_bank_of(table, cpu, table->epoch);
		if (bank && !pe_bank_is_empty(&table->hits.shape, bank))
			return false;
	}
	return !atomic_long_read(&table->hits.unbanked) &&
	       !atomic_long_read(&table->hits.unbanked_paused) &&
	       !atomic_long_read(&table->hits.unbanked_filtered) &&
	       !atomic_long_read(&table->hits.unbanked_unset);
}

/* No hit uses the banks of the next epoch, so they can be exchanged for larger ones. */
static void pe_banks_grow(struct pe_table *table)
{
	unsigned int cpu, next = (table->epoch + 1) & 1;
	struct pe_bank *bank, *old;
	struct pe_banks *banks;

	for_each_cpu(cpu, &pe_table_cpus) {
		banks = per_cpu_ptr(table->hits.banks, cpu);
		old = banks->of_epoch[next];
		if (old && old->nr_rows >= table->bank_rows)
			continue;
		bank = pe_bank_alloc(table);
		if (!bank)
			return;
		/* Pairs likewise. */
		smp_store_release(&banks->of_epoch[next], bank);
		kvfree(old);
	}
}

/* ---- the base ---- */

/*
 * Make room for so many rows and pool words more, up to the table's limits.  Without memory what
 * does not fit is counted in the row of all others, if there is a base at all.
 */
static int pe_base_grow(struct pe_table *table, unsigned int rows, size_t words)
{
	struct pe_base *base = &table->base, new = {};
	unsigned int limit = table->hist.size, want, least;
	const struct pe_table_shape *shape = &table->hits.shape;
	size_t pool, most;

	want = clamp(base->nr_rows + rows, 1U, limit);
	want = roundup_pow_of_two(want);
	least = min_t(unsigned int, limit, FIRST_BASE);
	want = max(want, least);
	most = pe_pool_words(shape, limit);
	pool = min(base->pool_used + words, most);
	if (base->rows && want <= base->max_rows && pool <= base->pool_words)
		return 0;
	want = max(want, base->max_rows);
	pool = max3(pool, pe_pool_words(shape, want), (size_t)1);
	most = min(2 * base->pool_words, most);
	pool = max(pool, most);
	if (pe_base_alloc(&new, shape, want, pool))
		return base->rows ? 0 : -ENOMEM;
	pe_base_move(shape, &new, base);
	pe_base_free(base);
	*base = new;
	return 0;
}

/* ---- flips ---- */

/* Everything that the banks of the old epoch have; they are empty then. */
static void pe_table_merge(struct pe_table *table)
{
	unsigned int cpu, old = table->epoch + 1, rows = 0;
	const struct pe_table_shape *shape = &table->hits.shape;
	struct pe_bank *bank;
	size_t words = 0;
	bool full = false;
	u64 other;

	for_each_cpu(cpu, &pe_table_cpus) {
		bank = pe_bank_of(table, cpu, old);
		if (!bank)
			continue;
		rows += local_read(&bank->used);
		words += min_t(size_t, local_read(&bank->pool_used), bank->pool_words);
	}
	/* Without any memory the hits stay in the banks, and are merged later. */
	if (pe_base_grow(table, rows, words))
		return;
	for_each_cpu(cpu, &pe_table_cpus) {
		bank = pe_bank_of(table, cpu, old);
		if (!bank || pe_bank_is_empty(shape, bank))
			continue;
		full |= local_read(&pe_bank_other(shape, bank)->hits);
		table->merged += pe_base_merge(shape, &table->base, bank);
		pe_bank_init(shape, bank, bank->nr_rows);
		cond_resched();
	}
	other = atomic_long_xchg(&table->hits.unbanked, 0);
	local_add(other, &pe_base_other(shape, &table->base)->hits);
	table->merged += other;
	table->base.paused += atomic_long_xchg(&table->hits.unbanked_paused, 0);
	table->base.filtered += atomic_long_xchg(&table->hits.unbanked_filtered, 0);
	table->base.unset += atomic_long_xchg(&table->hits.unbanked_unset, 0);
	if (full && table->base.nr_rows < table->hist.size)
		table->bank_rows = pe_bank_rows(table, min(table->bank_rows * 2, MAX_ROWS));
	table->flipped = false;
}

static void pe_table_flip(struct pe_table *table)
{
	if (table->flipped || pe_banks_are_empty(table))
		return;
	pe_banks_grow(table);
	pe_set_epoch(table, table->epoch + 1);
	table->flipped = true;
}

static void pe_flip_end(struct pe_table *table)
{
	pe_table_merge(table);
	wake_up_all(&pe_tables_wait);
}

void pe_table_cut(struct pe_table *table)
{
	lockdep_assert_held(&pe_tables_mutex);
	if (table->flipped)	/* a merge had no memory; no hit is left in those banks */
		pe_flip_end(table);
	pe_table_flip(table);
	if (!table->flipped)
		return;
	synchronize_rcu();
	pe_flip_end(table);
}

static void pe_tables_flush(struct work_struct *work)
{
	struct pe_table *table;
	bool any = false;

	mutex_lock(&pe_tables_mutex);
	list_for_each_entry(table, &pe_tables, list) {
		pe_table_flip(table);
		any |= table->flipped;
	}
	if (any)
		synchronize_rcu();
	list_for_each_entry(table, &pe_tables, list)
		if (table->flipped)
			pe_flip_end(table);
	if (!list_empty(&pe_tables))
		queue_delayed_work(system_long_wq, &pe_tables_work, FLUSH);
	mutex_unlock(&pe_tables_mutex);
}

/* ---- life ---- */

static void pe_table_free(struct pe_table *table)
{
	if (table->hits.banks)
		pe_banks_free(table);
	pe_base_free(&table->base);
	pe_vars_free(table->hits.vars);
	kfree(table);
}

static struct pe_table *pe_table_alloc(const struct pe_hist *hist, unsigned int clock)
{
	struct pe_table *table = kzalloc(sizeof(*table), GFP_KERNEL_ACCOUNT);
	unsigned int cpu;

	if (!table)
		return NULL;
	table->hist = *hist;
	table->hits.clock = clock;
	table->since = ktime_get_ns();
	pe_table_shape(&table->hits.shape, hist);
	table->hits.shape.secret = get_random_u64() | 1;
	table->bank_rows = pe_bank_rows(table, FIRST_ROWS);
	table->hits.banks = alloc_percpu_gfp(struct pe_banks, GFP_KERNEL_ACCOUNT);
	if (!table->hits.banks)
		goto fail;
	pe_set_epoch(table, 0);
	if (pe_hist_has_vars(hist)) {
		table->hits.vars = pe_vars_new(&table->hits.shape, hist);
		if (!table->hits.vars)
			goto fail;
	}
	for_each_cpu(cpu, &pe_table_cpus)
		if (pe_banks_add(table, cpu))
			goto fail;
	return table;
fail:
	pe_table_free(table);
	return NULL;
}

static struct pe_table *pe_find_named(const char *name)
{
	struct pe_table *table;

	list_for_each_entry(table, &pe_tables, list)
		if (!strcmp(table->hist.name, name))
			return table;
	return NULL;
}

bool pe_table_may_take(const struct pe_hist *hist)
{
	const struct pe_table *table;
	unsigned int i;
	bool may;

	if (!hist->name[0])
		return true;
	mutex_lock(&pe_tables_mutex);
	table = pe_find_named(hist->name);
	may = !table || pe_table_fits(&table->hist, hist);
	for (i = 0; table && i < hist->nr_refs; i++)
		may &= hist->refs[i].table != &table->hits;
	mutex_unlock(&pe_tables_mutex);
	return may;
}

struct pe_table *pe_table_get(const struct pe_hist *hist, unsigned int clock)
{
	struct pe_table *table;

	mutex_lock(&pe_tables_mutex);
	table = hist->name[0] ? pe_find_named(hist->name) : NULL;
	if (!table) {
		table = pe_table_alloc(hist, clock);
		if (table) {
			list_add_tail(&table->list, &pe_tables);
			queue_delayed_work(system_long_wq, &pe_tables_work, FLUSH);
		}
	}
	if (table)
		table->users++;
	mutex_unlock(&pe_tables_mutex);
	return table ?: ERR_PTR(-ENOMEM);
}

void pe_table_put(struct pe_table *table)
{
	mutex_lock(&pe_tables_mutex);
	if (--table->users)
		table = NULL;
	else
		list_del(&table->list);
	mutex_unlock(&pe_tables_mutex);
	wake_up_all(&pe_tables_wait);	/* who polls a file of it */
	if (table)
		pe_table_free(table);
}

void pe_table_refer(struct pe_table *table)
{
	mutex_lock(&pe_tables_mutex);
	table->users++;
	table->refs++;
	mutex_unlock(&pe_tables_mutex);
}

void pe_table_unrefer(struct pe_table *table)
{
	mutex_lock(&pe_tables_mutex);
	table->refs--;
	mutex_unlock(&pe_tables_mutex);
	pe_table_put(table);
}

unsigned int pe_table_refs(const struct pe_table *table)
{
	return READ_ONCE(table->refs);
}

/* A CPU has its banks before its first instruction, and keeps them when it goes down. */
static int pe_table_cpu_coming(unsigned int cpu)
{
	struct pe_table *table;

	mutex_lock(&pe_tables_mutex);
	cpumask_set_cpu(cpu, &pe_table_cpus);
	list_for_each_entry(table, &pe_tables, list)
		if (pe_banks_add(table, cpu))
			pr_warn("no memory for a table of CPU %u: its hits have no rows\n", cpu);
	mutex_unlock(&pe_tables_mutex);
	return 0;
}

int pe_hist_tables_init(void)
{
	unsigned int cpu;
	int ret = pe_count_init();

	if (ret)
		return ret;
	pe_tables_state = cpuhp_setup_state_nocalls(CPUHP_BP_PREPARE_DYN,
						    "trace/probe_events:tables",
						    pe_table_cpu_coming, NULL);
	if (pe_tables_state < 0) {
		pe_count_exit();
		return pe_tables_state;
	}
	/* Old kernels never make these calls for a state of this kind. */
	for_each_online_cpu(cpu)
		pe_table_cpu_coming(cpu);
	return 0;
}

void pe_hist_tables_exit(void)
{
	cpuhp_remove_state(pe_tables_state);
	cancel_delayed_work_sync(&pe_tables_work);
	pe_count_exit();
}
