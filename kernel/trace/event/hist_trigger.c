// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * hist_trigger.c - histogram triggers: set, change, remove.
 *
 * As in the kernel, a trigger is found again by its keys, values, order and filter.  A command with
 * pause, cont or clear changes the one that is there; "!" removes it.
 */
#include <linux/err.h>
#include <linux/lockdep.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "error_log.h"
#include "event.h"
#include "event_trigger.h"
#include "hist_trigger.h"
#include "instance.h"
#include "kernel/trace/hit/count_hit.h"
#include "kernel/trace/hit/trigger_hit.h"
#include "kernel/trace/parse/hist.h"
#include "kernel/trace/parse/parse_err.h"
#include "kernel/trace/parse/trigger.h"
#include "kernel/trace/ring/clock.h"
#include "kernel/trace/table/table.h"
#include "kernel/trace/table/vars.h"
#include "kernel/trace/trace.h"
#include "kernel/trace/trace_instance.h"
#include "marker.h"

static bool pe_same_filter(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

/* The existing trigger that the kernel would take for the same, or NULL. */
static struct pe_trigger *pe_hist_find(const struct pe_event_link *link,
				       const struct pe_hist *hist)
{
	struct pe_trigger *trigger;

	hlist_for_each_entry(trigger, &link->triggers, list)
		if (trigger->table && !strcmp(trigger->hist->name, hist->name) &&
		    pe_hist_same(trigger->hist, hist) &&
		    pe_same_filter(trigger->filter_text, hist->filter))
			return trigger;
	return NULL;
}

/* ---- variables of other triggers ---- */

/*
 * The first trigger of a link that has such a variable, or NULL; and its number.  One that leaves
 * with a session's write has none any more.
 */
static struct pe_trigger *pe_var_in(const struct pe_event_link *link, struct pe_str name, int *var)
{
	struct pe_trigger *trigger;

	hlist_for_each_entry(trigger, &link->triggers, list) {
		*var = trigger->table && !trigger->leaves ?
		       pe_hist_find_var(trigger->hist, name) : -1;
		if (*var >= 0)
			return trigger;
	}
	return NULL;
}

static bool pe_var_defined(const struct pe_hist_scope *scope, struct pe_str name)
{
	int var;

	return pe_var_in(scope->data, name, &var);
}

static int pe_var_find(const struct pe_hist_scope *scope, struct pe_str group, struct pe_str event,
		       struct pe_str name, struct pe_hist_found *found)
{
	const struct pe_event_link *own = scope->data, *link;
	struct pe_trigger *trigger;
	int ret = -ENOENT, var;

	list_for_each_entry(link, &own->instance->links, instance_list) {
		if (group.p && !(pe_str_eq(group, link->event->group) &&
				 pe_str_eq(event, link->event->name)))
			continue;
		trigger = pe_var_in(link, name, &var);
		if (!trigger)
			continue;
		if (!ret)
			return -EEXIST;
		ret = 0;
		*found = (struct pe_hist_found){
			.table = trigger->table, .hist = trigger->hist, .var = var,
		};
	}
	return ret;
}

/* As in the kernel, one trigger of an instance may take snapshots. */
static bool pe_hist_snaps_already(const struct pe_instance *inst)
{
	const struct pe_event_link *link;
	const struct pe_trigger *trigger;

	list_for_each_entry(link, &inst->links, instance_list)
		hlist_for_each_entry(trigger, &link->triggers, list)
			if (trigger->table && !trigger->leaves && pe_hist_snaps(trigger->hist))
				return true;
	return false;
}

/* References to a table by triggers that leave with the same write of a session. */
static unsigned int pe_hist_leaving(const struct pe_instance *inst,
				    const struct pe_table_hits *table)
{
	const struct pe_event_link *link;
	const struct pe_trigger *trigger;
	unsigned int i, n = 0;

	list_for_each_entry(link, &inst->links, instance_list)
		hlist_for_each_entry(trigger, &link->triggers, list)
			for (i = 0; trigger->table && i < trigger->hist->nr_refs; i++)
				n += trigger->leaves &&
				     trigger->hist->refs[i].table == table;
	return n;
}

/* ---- commands ---- */

/**
 * struct hist_cmd - a command
 * @link: its event in the instance
 * @text: as it was written
 * @work: a copy for the parser
 * @layout: the event's fields
 * @scope: what other triggers have
 * @step: who writes it, and what for
 * @err: the first error
 */
struct hist_cmd {
	struct pe_event_link *link;
	const char *text;
	char *work;
	struct pe_layout layout;
	struct pe_hist_scope scope;
	struct pe_trigger_step *step;
	struct pe_parse_err *err;
};

static int pe_hist_change(struct pe_trigger *trigger, const struct pe_hist *hist)
{
	if (!hist->pause && !hist->cont)
		return pe_table_clear(pe_table_of(trigger->table));
	WRITE_ONCE(trigger->paused, hist->pause);	/* read by pe_count_wants() */
	return 0;
}

static unsigned int pe_text_column(const char *command, const char *text)
{
	const char *at = strstr(command, text);

	return at ? at - command : 0;
}

static unsigned int pe_name_column(const char *command, const char *name)
{
	const char *at = command;
	size_t len = strlen(name);

	while ((at = strstr(at, "name="))) {
		if (!strncmp(at + strlen("name="), name, len))
			return at - command;
		at++;
	}
	return 0;
}

/* A marker is no hit, whose registers would lead to its callers. */
static bool pe_hist_has_callers(const struct pe_event_link *link, const struct pe_trigger *trigger)
{
	return !pe_event_is_marker(link->event) ||
	       !(trigger->table->shape.needs & (PE_NEED_CALLER | PE_NEED_STACK));
}

static int pe_hist_new(const struct hist_cmd *c, struct pe_trigger *trigger, unsigned int clock)
{
	struct pe_table *table = pe_table_get(trigger->hist, clock);

	if (IS_ERR(table))
		return PTR_ERR(table);
	trigger->table = pe_table_hits(table);
	trigger->paused = trigger->hist->pause;
	pe_trigger_refer(trigger);
	if (!pe_hist_has_callers(c->link, trigger)) {
		c->err->detail = "histograms of trace_marker have no callers";
		return pe_parse_fail(c->err, PE_ERR_REFUSED, 0, -EOPNOTSUPP);
	}
	return pe_trigger_publish(c->link, trigger, c->step->change);
}

/* May the trigger, which is right in itself, be added to the others?  0 or -errno. */
static int pe_hist_check(const struct hist_cmd *c, struct pe_hist *hist, int clock)
{
	int ret = pe_hist_finish(hist, c->text, &c->layout, &c->scope, c->err);

	if (ret)
		return ret;
	if (pe_hist_snaps(hist) && pe_hist_snaps_already(c->link->instance))
		return pe_parse_fail(c->err, PE_ERR_HIST_SNAPSHOTS, 0, -EBUSY);
	if (!pe_table_may_take(hist))
		return pe_parse_fail(c->err, PE_ERR_HIST_NAMED_MISMATCH,
				     pe_name_column(c->text, hist->name), -EINVAL);
	if (pe_vars_refused(hist))
		return pe_parse_fail(c->err, PE_ERR_HIST_VARS_LARGE, 0, -E2BIG);
	if (pe_hist_find(c->link, hist))
		return pe_parse_fail(c->err, PE_ERR_HIST_EXIST, 0, -EEXIST);
	if (hist->cont || hist->clear)
		return pe_parse_fail(c->err, PE_ERR_HIST_NONE, 0, -ENOENT);
	if (clock < 0 && hist->has_time)
		return pe_parse_fail(c->err, PE_ERR_HIST_BAD_CLOCK,
				     pe_text_column(c->text, hist->clock), -EINVAL);
	return 0;
}

/* @hist becomes the trigger's, or is freed. */
static int pe_hist_add(const struct hist_cmd *c, struct pe_hist *hist)
{
	const struct pe_trigger_cmd cmd = {
		.kind = PE_TRIGGER_HIST, .count = -1, .filter = hist->filter,
	};
	int clock = pe_clock_find(hist->clock), ret;
	struct pe_trigger *trigger = pe_trigger_alloc(c->link, &cmd);

	if (IS_ERR(trigger)) {
		kfree(hist);
		return PTR_ERR(trigger);
	}
	trigger->hist = hist;
	ret = pe_hist_check(c, hist, clock);
	if (!ret)
		ret = pe_hist_new(c, trigger, max(clock, 0));
	if (ret)
		pe_trigger_free(trigger);
	else
		c->step->made = trigger;
	return ret;
}

/* A change of a table cannot be undone, so it is no step of a session's write. */
static int pe_hist_set(const struct hist_cmd *c, struct pe_trigger *trigger,
		       const struct pe_hist *hist)
{
	if (c->step->change) {
		c->err->detail = "write pause, cont and clear to the event's trigger file";
		return pe_parse_fail(c->err, PE_ERR_REFUSED, 0, -EOPNOTSUPP);
	}
	return pe_hist_change(trigger, hist);
}

static int pe_hist_remove(const struct hist_cmd *c, struct pe_trigger *trigger)
{
	if (trigger && pe_table_refs(pe_table_of(trigger->table)) >
		       pe_hist_leaving(c->link->instance, trigger->table))
		return pe_parse_fail(c->err, PE_ERR_HIST_REFERRED, 0, -EBUSY);
	if (c->step->finds)
		c->step->made = trigger && !trigger->leaves ? trigger : NULL;
	else if (trigger)
		pe_trigger_remove(trigger);
	return 0;
}

static int pe_hist_run(struct hist_cmd *c)
{
	struct pe_hist *hist = kzalloc(sizeof(*hist), GFP_KERNEL_ACCOUNT);
	struct pe_trigger *trigger;
	int ret;

	if (!hist)
		return -ENOMEM;
	pe_event_layout(c->link->event, &c->layout);
	ret = pe_hist_parse(hist, c->text, c->work, &c->layout, &c->scope, c->err);
	if (ret) {
		kfree(hist);
		return ret;
	}
	trigger = pe_hist_find(c->link, hist);
	if (!c->scope.removes && !(trigger && (hist->pause || hist->cont || hist->clear)))
		return pe_hist_add(c, hist);
	if (c->scope.removes)
		ret = pe_hist_remove(c, trigger);
	else
		ret = pe_hist_set(c, trigger, hist);
	kfree(hist);
	return ret;
}

static void pe_hist_log(struct pe_event_link *link, const char *command,
			const struct pe_parse_err *err)
{
	char *subsystem = kasprintf(GFP_KERNEL, PE_HIST_PREFIX "%s:%s", link->event->group,
				    link->event->name);

	if (subsystem)
		pe_error_log_in(link->instance, subsystem, command, err);
	kfree(subsystem);
}

int pe_hist_command(struct pe_event_link *link, const struct pe_trigger_cmd *cmd,
		    struct pe_trigger_step *step)
{
	char *command = kasprintf(GFP_KERNEL, PE_HIST_PREFIX "%s", cmd->params);
	char *work = kasprintf(GFP_KERNEL, PE_HIST_PREFIX "%s", cmd->params);
	struct pe_parse_err err = {};
	struct hist_cmd c = {
		.link = link, .text = command, .work = work, .step = step, .err = &err,
		.scope = {
			.group = link->event->group, .event = link->event->name,
			.removes = cmd->remove, .data = link,
			.find = pe_var_find, .defined = pe_var_defined,
		},
	};
	int ret;

	lockdep_assert_held(&pe_event_mutex);
	if (!command || !work) {
		kfree(command);
		kfree(work);
		return -ENOMEM;
	}
	ret = pe_hist_run(&c);
	if (err.code != PE_ERR_NONE)
		pe_hist_log(link, command, &err);
	kfree(work);
	kfree(command);
	return ret;
}
