// SPDX-License-Identifier: GPL-2.0
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

static int pe_hist_change(struct pe_trigger *trigger, const struct pe_hist *hist)
{
	if (!hist->pause && !hist->cont)
		return pe_table_clear(pe_table_of(trigger->table));
	WRITE_ONCE(trigger->paused, hist->pause);
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

static int pe_hist_new(struct pe_event_link *link, struct pe_trigger *trigger, unsigned int clock,
		       struct pe_trigger_step *step)
{
	struct pe_table *table = pe_table_get(trigger->hist, clock);

	if (IS_ERR(table))
		return PTR_ERR(table);
	trigger->table = pe_table_hits(table);
	trigger->paused = trigger->hist->pause;
	return pe_trigger_publish(link, trigger, step->change);
}

/* @hist becomes the trigger's, or is freed. */
static int pe_hist_add(struct pe_event_link *link, struct pe_hist *hist, const char *command,
		       struct pe_trigger_step *step, struct pe_parse_err *err)
{
	const struct pe_trigger_cmd cmd = {
		.kind = PE_TRIGGER_HIST, .count = -1, .filter = hist->filter,
	};
	const struct pe_hist *named = hist->name[0] ? pe_table_find(hist->name) : NULL;
	int clock = pe_clock_find(hist->clock), ret = 0;
	struct pe_trigger *trigger = pe_trigger_alloc(link, &cmd);

	if (IS_ERR(trigger)) {
		kfree(hist);
		return PTR_ERR(trigger);
	}
	trigger->hist = hist;
	if (named && !pe_hist_same(named, hist))
		ret = pe_parse_fail(err, PE_ERR_HIST_NAMED_MISMATCH,
				    pe_name_column(command, hist->name), -EINVAL);
	else if (pe_hist_find(link, hist))
		ret = pe_parse_fail(err, PE_ERR_HIST_EXIST, 0, -EEXIST);
	else if (hist->cont || hist->clear)
		ret = pe_parse_fail(err, PE_ERR_HIST_NONE, 0, -ENOENT);
	else if (clock < 0 && hist->has_time)
		ret = pe_parse_fail(err, PE_ERR_HIST_BAD_CLOCK,
				    pe_text_column(command, hist->clock), -EINVAL);
	else
		ret = pe_hist_new(link, trigger, max(clock, 0), step);
	if (ret)
		pe_trigger_free(trigger);
	else
		step->made = trigger;
	return ret;
}

/* A change of a table cannot be undone, so it is no step of a session's write. */
static int pe_hist_set(struct pe_trigger *trigger, const struct pe_hist *hist,
		       const struct pe_trigger_step *step, struct pe_parse_err *err)
{
	if (step->change) {
		err->detail = "write pause, cont and clear to the event's trigger file";
		return pe_parse_fail(err, PE_ERR_REFUSED, 0, -EOPNOTSUPP);
	}
	return pe_hist_change(trigger, hist);
}

static int pe_hist_run(struct pe_event_link *link, const char *command, bool remove,
		       struct pe_trigger_step *step, struct pe_parse_err *err)
{
	struct pe_hist *hist = kzalloc(sizeof(*hist), GFP_KERNEL_ACCOUNT);
	struct pe_trigger *trigger;
	struct pe_layout layout;
	int ret;

	if (!hist)
		return -ENOMEM;
	pe_event_layout(link->event, &layout);
	ret = pe_hist_parse(hist, command, &layout, err);
	if (ret) {
		kfree(hist);
		return ret;
	}
	trigger = pe_hist_find(link, hist);
	if (!remove && !(trigger && (hist->pause || hist->cont || hist->clear)))
		return pe_hist_add(link, hist, command, step, err);
	if (step->finds)
		step->made = trigger && !trigger->leaves ? trigger : NULL;
	else if (remove && trigger)
		pe_trigger_remove(trigger);
	else if (!remove)
		ret = pe_hist_set(trigger, hist, step, err);
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
	struct pe_parse_err err = {};
	int ret;

	lockdep_assert_held(&pe_event_mutex);
	if (!command)
		return -ENOMEM;
	if (pe_event_is_marker(link->event)) {
		err.detail = "trace_marker has no histograms";
		ret = pe_parse_fail(&err, PE_ERR_REFUSED, 0, -EOPNOTSUPP);
	} else {
		ret = pe_hist_run(link, command, cmd->remove, step, &err);
	}
	if (err.code != PE_ERR_NONE)
		pe_hist_log(link, command, &err);
	kfree(command);
	return ret;
}
