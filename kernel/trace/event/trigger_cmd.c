// SPDX-License-Identifier: GPL-2.0
/*
 * trigger_cmd.c - lines that are written to trigger files.
 */
#include <linux/err.h>
#include <linux/list.h>
#include <linux/lockdep.h>
#include <linux/string.h>
#include "error_log.h"
#include "event.h"
#include "event_trigger.h"
#include "hist_trigger.h"
#include "kernel/trace/hit/trigger_hit.h"
#include "kernel/trace/parse/lex.h"
#include "kernel/trace/parse/parse_err.h"
#include "kernel/trace/parse/trigger.h"
#include "kernel/trace/trace.h"
#include "kernel/trace/trace_instance.h"
#include "marker.h"

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

static int pe_trigger_add(struct pe_event_link *link, const struct pe_trigger_cmd *cmd,
			  struct pe_event_link *target, struct pe_parse_err *err)
{
	struct pe_trigger *trigger = pe_trigger_alloc(link, cmd);
	int ret;

	if (IS_ERR(trigger))
		return PTR_ERR(trigger);
	trigger->target = target;
	if (pe_find_trigger(link, cmd->kind, target))
		ret = pe_parse_fail(err, PE_ERR_TRIG_EXIST, 0, -EEXIST);
	else
		ret = pe_trigger_publish(link, trigger);
	if (ret && ret != -ENOMEM && err->code == PE_ERR_NONE) {
		err->detail = pe_errno_text(ret);
		pe_parse_fail(err, PE_ERR_REFUSED, 0, ret);
	}
	if (ret)
		pe_trigger_free(trigger);
	return ret;
}

static int pe_trigger_run(struct pe_event_link *link, const char *text,
			  struct pe_parse_err *err)
{
	struct pe_event_link *target = NULL;
	struct pe_trigger *trigger;
	struct pe_trigger_cmd cmd;
	int ret;

	ret = pe_trigger_parse(&cmd, text, err);
	if (ret)
		return ret;
	if (cmd.kind == PE_TRIGGER_HIST)
		return pe_hist_command(link, &cmd);
	if (cmd.group.p) {
		target = pe_find_link(link->instance, cmd.group, cmd.event);
		if (!target)
			return pe_parse_fail(err, PE_ERR_TRIG_NO_EVENT, cmd.event_pos,
					     -EINVAL);
	}
	if (!cmd.remove)
		return pe_trigger_add(link, &cmd, target, err);
	trigger = pe_find_trigger(link, cmd.kind, target);
	if (trigger)
		pe_trigger_remove(trigger);
	return 0;
}

int pe_trigger_write(struct pe_event_link *link, char *text)
{
	struct pe_parse_err err = {};
	int ret;

	lockdep_assert_held(&pe_event_mutex);

	strim(text);
	ret = pe_trigger_run(link, text, &err);
	if (err.code != PE_ERR_NONE)
		pe_error_log_in(link->instance, SUBSYSTEM, text, &err);
	return ret;
}
