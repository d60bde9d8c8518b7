// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * event_trigger.c - the triggers of events in instances: set, remove, clear, list.
 *
 * Removal takes a trigger out of the list, waits for hits that may still use
 * it, and then releases what it kept armed.  The release comes last, because
 * until then a hit may enable or disable events.  Any number of triggers can go
 * with one wait and one batch.
 */
#include <linux/err.h>
#include <linux/lockdep.h>
#include <linux/rculist.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "compile.h"
#include "event.h"
#include "event_enable.h"
#include "event_filter.h"
#include "event_trigger.h"
#include "instance.h"
#include "kernel/trace/hit/trigger_hit.h"
#include "kernel/trace/parse/hist.h"
#include "kernel/trace/parse/parse_err.h"
#include "kernel/trace/parse/trigger.h"
#include "kernel/trace/table/table.h"
#include "kernel/trace/table/view.h"
#include "kernel/trace/trace.h"
#include "kernel/trace/trace_instance.h"
#include "snapshot.h"
#include "variant.h"

void pe_trigger_refer(struct pe_trigger *trigger)
{
	unsigned int i;

	for (i = 0; i < trigger->hist->nr_refs; i++)
		pe_table_refer(pe_table_of(trigger->hist->refs[i].table));
	trigger->refers = true;
}

static void pe_trigger_unrefer(struct pe_trigger *trigger)
{
	unsigned int i;

	for (i = 0; trigger->refers && i < trigger->hist->nr_refs; i++)
		pe_table_unrefer(pe_table_of(trigger->hist->refs[i].table));
}

void pe_trigger_free(struct pe_trigger *trigger)
{
	if (!trigger)
		return;
	pe_filter_free(trigger->filter);
	kfree(trigger->filter_text);
	if (trigger->table)
		pe_table_put(pe_table_of(trigger->table));
	pe_trigger_unrefer(trigger);
	kfree(trigger->hist);
	kfree(trigger);
}

struct pe_trigger *pe_trigger_alloc(struct pe_event_link *link, const struct pe_trigger_cmd *cmd)
{
	struct pe_trigger *trigger = kzalloc(sizeof(*trigger), GFP_KERNEL_ACCOUNT);
	struct pe_link_filter *filter = NULL;
	struct pe_parse_err err = {};

	if (!trigger)
		return ERR_PTR(-ENOMEM);
	trigger->link = link;
	trigger->kind = cmd->kind;
	atomic_long_set(&trigger->left, cmd->count);
	if (!cmd->filter)
		return trigger;
	trigger->filter_text = kstrdup(cmd->filter, GFP_KERNEL_ACCOUNT);
	if (trigger->filter_text)
		filter = pe_filter_create(link->event, cmd->filter, &err);
	if (!IS_ERR_OR_NULL(filter)) {
		trigger->filter = filter;
		return trigger;
	}
	if (filter && !(PTR_ERR(filter) == -ENOMEM && err.code == PE_ERR_NONE))
		pe_filter_log_error(link->instance, cmd->filter, &err);
	pe_trigger_free(trigger);
	return filter ? ERR_CAST(filter) : ERR_PTR(-ENOMEM);
}

bool pe_trigger_snaps(const struct pe_trigger *trigger)
{
	lockdep_assert_held(&pe_event_mutex);
	return trigger->kind == PE_TRIGGER_SNAPSHOT ||
	       (trigger->kind == PE_TRIGGER_HIST && pe_hist_snaps(trigger->hist));
}

/* Keep what the trigger's action needs: another event armed, or the snapshot's memory. */
static int pe_event_trigger_hold(struct pe_event_link *link, const struct pe_trigger *trigger,
				 struct pe_change *change)
{
	if (trigger->target)
		return pe_link_arm_soft(trigger->target, change);
	if (pe_trigger_snaps(trigger))
		return pe_snapshot_arm(link->instance);
	return 0;
}

/* As in the kernel, histograms are after all others, in order of definition. */
static void pe_trigger_list(struct pe_event_link *link, struct pe_trigger *trigger)
{
	struct pe_trigger *last = NULL, *other;

	if (trigger->table)
		hlist_for_each_entry(other, &link->triggers, list)
			last = other;
	if (last)
		hlist_add_behind_rcu(&trigger->list, &last->list);
	else
		hlist_add_head_rcu(&trigger->list, &link->triggers);
}

/*
 * Hits find a trigger after everything that it needs is there.  pe_event_trigger_hold() is the
 * last of the steps that can fail: a snapshot's memory would not go away with
 * the trigger.
 */
int pe_trigger_publish(struct pe_event_link *link, struct pe_trigger *trigger,
		       struct pe_change *change)
{
	struct pe_change drop = PE_CHANGE_INIT(drop);
	int ret = pe_link_arm_soft(link, change);

	if (ret)
		return ret;
	ret = pe_event_trigger_hold(link, trigger, change);
	if (ret && change) {
		/* It stays in the change, which its owner gives up. */
		pe_link_undo_soft(link);
		return ret;
	}
	if (ret) {
		pe_link_drop_soft(link, &drop);
		pe_change_disarm(&drop);
		return ret;
	}
	trigger->asleep = change;	/* until the change is made */
	pe_trigger_list(link, trigger);
	pe_event_changed(link->event);
	return 0;
}

void pe_trigger_wake(struct pe_trigger *trigger)
{
	WRITE_ONCE(trigger->asleep, false);	/* read by pe_triggers_run() */
	pe_compile_changed(trigger->link->event);
}

/*
 * Later hits do not see the trigger, compiled ones neither; hits in progress may.
 * pe_event_trigger_dispose() makes the variant follow.
 */
void pe_trigger_take_out(struct pe_trigger *trigger, struct list_head *gone)
{
	hlist_del_rcu(&trigger->list);
	pe_compile_changed(trigger->link->event);
	list_add_tail(&trigger->gone, gone);
}

static void pe_event_trigger_dispose(struct pe_trigger *trigger, struct pe_change *change)
{
	if (trigger->target)
		pe_link_drop_soft(trigger->target, change);
	else if (pe_trigger_snaps(trigger))
		pe_snapshot_disarm(trigger->link->instance);
	pe_link_drop_soft(trigger->link, change);
	pe_trigger_free(trigger);
}

void pe_triggers_dispose(struct list_head *gone)
{
	struct pe_change change = PE_CHANGE_INIT(change);
	struct pe_trigger *trigger, *next;

	if (list_empty(gone))
		return;
	synchronize_rcu();
	list_for_each_entry_safe(trigger, next, gone, gone)
		pe_event_trigger_dispose(trigger, &change);
	pe_change_disarm(&change);
}

void pe_trigger_remove(struct pe_trigger *trigger)
{
	LIST_HEAD(gone);

	lockdep_assert_held(&pe_event_mutex);
	pe_trigger_take_out(trigger, &gone);
	pe_triggers_dispose(&gone);
}

static bool pe_trigger_dies(const struct pe_trigger *trigger)
{
	return pe_link_gone(trigger->link) || (trigger->target && pe_link_gone(trigger->target));
}

static void pe_take_out_of(struct pe_instance *inst, bool dying_only, struct list_head *gone)
{
	struct pe_event_link *link;
	struct pe_trigger *trigger;
	struct hlist_node *next;

	list_for_each_entry(link, &inst->links, instance_list) {
		hlist_for_each_entry_safe(trigger, next, &link->triggers, list)
			if (!dying_only || pe_trigger_dies(trigger))
				pe_trigger_take_out(trigger, gone);
		cond_resched();
	}
}

void pe_triggers_clear(struct pe_instance *inst)
{
	LIST_HEAD(gone);

	lockdep_assert_held(&pe_event_mutex);
	pe_take_out_of(inst, false, &gone);
	pe_triggers_dispose(&gone);
}

void pe_triggers_clear_all(bool dying_only)
{
	struct pe_instance *inst;
	LIST_HEAD(gone);

	lockdep_assert_held(&pe_event_mutex);
	list_for_each_entry(inst, &pe_instances, list)
		pe_take_out_of(inst, dying_only, &gone);
	pe_triggers_dispose(&gone);
}

/* The text of a trigger file. */

static void pe_show_trigger(struct seq_file *m, const struct pe_trigger *trigger)
{
	long left = atomic_long_read(&trigger->left);

	if (trigger->table) {
		pe_hist_show_trigger(m, trigger->hist, trigger->filter_text,
				     READ_ONCE(trigger->paused));
		return;
	}
	seq_puts(m, pe_trigger_names[trigger->kind]);
	if (trigger->target)
		seq_printf(m, ":%s:%s", trigger->target->event->group,
			   trigger->target->event->name);
	if (left == -1)
		seq_puts(m, ":unlimited");
	else
		seq_printf(m, ":count=%ld", left);
	if (trigger->filter_text)
		seq_printf(m, " if %s", trigger->filter_text);
	seq_putc(m, '\n');
}

void pe_link_show_triggers(struct seq_file *m, const struct pe_event_link *link)
{
	const struct pe_trigger *trigger;
	unsigned int i;

	hlist_for_each_entry(trigger, &link->triggers, list)
		pe_show_trigger(m, trigger);
	if (!hlist_empty(&link->triggers))
		return;
	seq_puts(m, "# Available triggers:\n#");
	for (i = 0; i < PE_NR_TRIGGERS; i++)
		seq_printf(m, " %s", pe_trigger_names[i]);
	seq_putc(m, '\n');
}
