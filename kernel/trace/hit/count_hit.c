// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * count_hit.c - what a table has to know of a hit, and which bank is its.  [H]
 *
 * Any context, preemption off from before the epoch is read to after the last write to the bank.
 *
 * Barriers: pe_table:B.  The epoch, and so what ->now is, is changed before a grace period
 * (../table/table.c).  A hit that reads the old one is in a read-side section that began before it,
 * and so has ended after it.
 */
#include <linux/errno.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <pe/kprobe.h>
#include "action_hit.h"
#include "count_hit.h"
#include "fetch.h"
#include "filter_hit.h"
#include "kernel/trace/ring/clock.h"
#include "kernel/trace/trace.h"
#include "kernel/trace/trace_instance.h"
#include "kernel/trace/trace_probe.h"
#include "make_record.h"
#include "record.h"
#include "trigger_hit.h"

/* One of each level of context, as in make_record.c. */
struct stacks {
	u64 caller[PE_NR_LEVELS][PE_HIST_MAX_STACK];
};

static struct stacks __percpu *pe_count_stacks;

int pe_count_init(void)
{
	pe_count_stacks = alloc_percpu(struct stacks);
	return pe_count_stacks ? 0 : -ENOMEM;
}

void pe_count_exit(void)
{
	free_percpu(pe_count_stacks);
}

static u64 pe_caller_of(const struct pe_built *built, u64 *stack)
{
	if (built->probe->program.is_return)
		return ((const struct pe_return_head *)built->rec)->ret_ip;
	return pe_hit_stack(built->hit, false, stack, 2) == 2 ? stack[1] : 0;
}

static void pe_count_look(struct pe_table_from *from, const struct pe_table_hits *table,
			  const struct pe_built *built)
{
	u64 *stack = this_cpu_ptr(pe_count_stacks)->caller[built->hit->level];
	unsigned int needs = table->shape.needs;

	from->rec = built->rec;
	from->len = built->len;
	from->cpu = raw_smp_processor_id();
	from->comm[0] = 0;	/* a note, also where none is needed */
	from->comm[1] = 0;
	if (needs & PE_NEED_TIME)
		from->time = pe_clock_now(table->clock, &built->inst->counter);
	if (needs & PE_NEED_TGID)
		from->tgid = current->tgid;
	if (needs & PE_NEED_COMM) {
		static_assert(sizeof(from->comm) == TASK_COMM_LEN);
		pe_current_comm((char *)from->comm);
	}
	if (needs & PE_NEED_CALLER)
		from->caller = pe_caller_of(built, stack);
	if (needs & PE_NEED_STACK) {
		from->stack = stack;
		from->nr_stack = pe_hit_stack(built->hit, built->probe->program.is_return, stack,
					      table->shape.depth);
	}
}

/* NULL: the hit cannot be counted here. */
static struct pe_bank *pe_this_bank(struct pe_table_hits *table)
{
	struct pe_bank * __percpu *now = READ_ONCE(table->now);	/* pe_table:B */

	return READ_ONCE(*this_cpu_ptr(now));
}

static void pe_count_one(local_t *of_bank, atomic_long_t *unbanked)
{
	if (likely(of_bank))
		local_inc(of_bank);
	else
		atomic_long_inc(unbanked);
}

/* Is the hit one that the trigger counts? */
static bool pe_count_wants(const struct pe_trigger *trigger, const struct pe_built *built,
			   struct pe_bank *bank)
{
	struct pe_table_hits *table = trigger->table;

	if (READ_ONCE(trigger->paused)) {
		pe_count_one(bank ? &bank->paused : NULL, &table->unbanked_paused);
		return false;
	}
	if (trigger->filter && !pe_filter_match(&trigger->filter->program, built->rec, built->len,
						raw_smp_processor_id())) {
		pe_count_one(bank ? &bank->filtered : NULL, &table->unbanked_filtered);
		return false;
	}
	return true;
}

/* A row for the hit; its variables are set even if there is none. */
static void pe_count_row(struct pe_table_hits *table, struct pe_bank *bank,
			 const struct pe_hist *hist, const struct pe_table_key *key,
			 const struct pe_table_from *from)
{
	u64 val[PE_VAL_WORDS] __uninitialized;

	if (unlikely(!bank)) {
		atomic_long_inc(&table->unbanked);
		return;
	}
	pe_table_vals(val, hist, &table->shape, from);
	pe_bank_count(&table->shape, bank, key, val);
}

bool pe_count_hit(const struct pe_trigger *trigger, const struct pe_built *built)
{
	struct pe_table_hits *table = trigger->table;
	const struct pe_hist *hist = trigger->hist;
	struct pe_bank *bank = pe_this_bank(table);
	struct pe_table_from from __uninitialized;
	struct pe_table_key key __uninitialized;
	u64 ref[PE_HIST_REFS] __uninitialized;

	if (!pe_count_wants(trigger, built, bank))
		return false;
	pe_count_look(&from, table, built);
	pe_table_key(&key, hist, &table->shape, &from);
	from.ref = ref;
	if (hist->nr_refs && !pe_refs_read(ref, hist, pe_table_words(&table->shape), &key)) {
		pe_count_one(bank ? &bank->unset : NULL, &table->unbanked_unset);
		return false;
	}
	pe_count_row(table, bank, hist, &key, &from);
	if (pe_hist_has_vars(hist))
		pe_vars_hit(trigger, built, &key, &from);
	return true;
}
