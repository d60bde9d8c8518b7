// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * trigger_cmd.c - lines that are written to trigger files.
 */
#include <linux/err.h>
#include <linux/list.h>
#include <linux/lockdep.h>
#include <linux/string.h>
#include "error_log.h"
#include "event.h"
#include "event_link.h"
#include "event_trigger.h"
#include "hist_trigger.h"
#include "kernel/trace/hit/trigger_hit.h"
#include "kernel/trace/parse/lex.h"
#include "kernel/trace/parse/parse_err.h"
#include "kernel/trace/parse/trigger.h"
#include "kernel/trace/trace.h"
#include "kernel/trace/trace_instance.h"
#include "kernel/trace/trace_session.h"
#include "marker.h"
#include "owner.h"

#define SUBSYSTEM	"event trigger parse error"

/* An event that can be enabled. */
static struct pe_event_link *pe_find_link(const struct pe_instance *inst,
					  struct pe_str group, struct pe_str name)
{
	struct pe_event_link *link;

	list_for_each_entry(link, &inst->links, instance_list)
		if (!pe_event_is_marker(link->event) &&
		    pe_str_eq(name, link->event->name) &&
		    pe_str_eq(group, link->event->group))
			return link;
	return NULL;
}

/* The existing trigger that the kernel would take for the same, or NULL. */
static struct pe_trigger *pe_find_trigger(const struct pe_event_link *link,
					  unsigned int kind, const struct pe_event_link *target)
{
	struct pe_trigger *trigger;

	hlist_for_each_entry(trigger, &link->triggers, list)
		if (pe_trigger_family(trigger->kind) == pe_trigger_family(kind) &&
		    trigger->target == target)
			return trigger;
	return NULL;
}

static int pe_trigger_new(struct pe_event_link *link, const struct pe_trigger_cmd *cmd,
			  struct pe_event_link *target, struct pe_trigger_step *step,
			  struct pe_parse_err *err)
{
	struct pe_trigger *trigger = pe_trigger_alloc(link, cmd);
	int ret;

	if (IS_ERR(trigger))
		return PTR_ERR(trigger);
	trigger->target = target;
	if (pe_find_trigger(link, cmd->kind, target))
		ret = pe_parse_fail(err, PE_ERR_TRIG_EXIST, 0, -EEXIST);
	else
		ret = pe_trigger_publish(link, trigger, step->change);
	if (ret && ret != -ENOMEM && err->code == PE_ERR_NONE) {
		err->detail = pe_errno_text(ret);
		pe_parse_fail(err, PE_ERR_REFUSED, 0, ret);
	}
	if (ret)
		pe_trigger_free(trigger);
	else
		step->made = trigger;
	return ret;
}

static int pe_trigger_run(struct pe_event_link *link, const char *text,
			  struct pe_trigger_step *step, struct pe_parse_err *err)
{
	struct pe_event_link *target = NULL;
	struct pe_trigger *trigger;
	struct pe_trigger_cmd cmd;
	int ret;

	ret = pe_trigger_parse(&cmd, text, err);
	if (ret)
		return ret;
	if (cmd.kind == PE_TRIGGER_HIST)
		return pe_hist_command(link, &cmd, step);
	if (cmd.group.p) {
		target = pe_find_link(link->instance, cmd.group, cmd.event);
		if (!target || (!cmd.remove && pe_link_gone(target)))
			return pe_parse_fail(err, PE_ERR_TRIG_NO_EVENT, cmd.event_pos,
					     -EINVAL);
		if (!cmd.remove && !pe_event_may(target->event, target->instance, step->by)) {
			err->detail = step->owner;
			return pe_parse_fail(err, pe_event_owner_error(target->event, step->owner),
					     cmd.event_pos, -EPERM);
		}
	}
	if (!cmd.remove)
		return pe_trigger_new(link, &cmd, target, step, err);
	trigger = pe_find_trigger(link, cmd.kind, target);
	if (step->finds)
		step->made = trigger && !trigger->leaves ? trigger : NULL;
	else if (trigger)
		pe_trigger_remove(trigger);
	return 0;
}

static int pe_trigger_line(struct pe_event_link *link, char *text, struct pe_trigger_step *step)
{
	struct pe_parse_err err = {};
	int ret;

	lockdep_assert_held(&pe_event_mutex);

	strim(text);
	ret = pe_trigger_run(link, text, step, &err);
	if (err.code != PE_ERR_NONE)
		pe_error_log_in(link->instance, SUBSYSTEM, text, &err);
	return ret;
}

int pe_trigger_write(struct pe_event_link *link, char *text)
{
	struct pe_trigger_step step = {};

	return pe_trigger_line(link, text, &step);
}

int pe_trigger_add(struct pe_event_link *link, char *text, const struct pe_session *by,
		   struct pe_change *change, struct pe_trigger **made)
{
	struct pe_trigger_step step = { .by = by, .change = change };
	int ret = pe_trigger_line(link, text, &step);

	*made = step.made;
	return ret;
}

int pe_trigger_find(struct pe_event_link *link, char *text, struct pe_trigger **found)
{
	struct pe_trigger_step step = { .finds = true };
	int ret = pe_trigger_line(link, text, &step);

	*found = step.made;
	return ret;
}
