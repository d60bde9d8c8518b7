// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * event_users.c - the users of an event: an instance, a trigger, the event's mirror.
 */
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/lockdep.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "error_log.h"
#include "event.h"
#include "event_enable.h"
#include "event_trigger.h"
#include "event_users.h"
#include "instance.h"
#include "kernel/trace/hit/trigger_hit.h"
#include "kernel/trace/parse/parse_err.h"
#include "kernel/trace/probefs/fs.h"
#include "kernel/trace/trace.h"
#include "kernel/trace/trace_instance.h"
#include "mirror.h"
#include "owner.h"

#define USER_LEN	256

static void pe_say_one(char *buf, size_t size, const struct pe_trigger *trigger)
{
	scnprintf(buf, size, "trigger %s of %s/%s", pe_trigger_names[trigger->kind],
		  trigger->link->event->group, trigger->link->event->name);
}

bool pe_snapshot_user(const struct pe_instance *inst, char *buf, size_t size)
{
	const struct pe_event_link *link;
	const struct pe_trigger *trigger;
	bool found = false;

	mutex_lock(&pe_event_mutex);
	list_for_each_entry(link, &inst->links, instance_list) {
		hlist_for_each_entry(trigger, &link->triggers, list) {
			if (found || !pe_trigger_snaps(trigger))
				continue;
			pe_say_one(buf, size, trigger);
			found = true;
		}
	}
	mutex_unlock(&pe_event_mutex);
	return found;
}

/* The trigger of another event, or of the same, that may enable or disable a link. */
static const struct pe_trigger *pe_find_switch(const struct pe_event_link *target)
{
	const struct pe_event_link *link;
	const struct pe_trigger *trigger;

	list_for_each_entry(link, &target->instance->links, instance_list)
		hlist_for_each_entry(trigger, &link->triggers, list)
			if (trigger->target == target)
				return trigger;
	return NULL;
}

static void pe_say_trigger(char *buf, size_t size, const struct pe_event_link *link)
{
	const struct pe_trigger *trigger;

	trigger = hlist_entry_safe(link->triggers.first, struct pe_trigger, list);
	if (!trigger)
		trigger = pe_find_switch(link);
	if (!trigger)
		strscpy(buf, "a trigger", size);
	else
		pe_say_one(buf, size, trigger);
}

static void pe_say_link(char *buf, size_t size, const struct pe_event_link *link)
{
	size_t used;

	if (pe_link_enabled(link))
		strscpy(buf, "enabled", size);
	else
		pe_say_trigger(buf, size, link);
	used = strlen(buf);
	if (link->instance != &pe_top)
		scnprintf(buf + used, size - used, " in instances/%s",
			  pe_fs_name(link->instance->dir));
}

void pe_event_log_busy(const struct pe_event *event, const struct pe_instance *home)
{
	struct pe_parse_err err = { .code = PE_ERR_IN_USE };
	const struct pe_event_link *link;
	char user[USER_LEN], *text;

	lockdep_assert_held(&pe_event_mutex);

	if (pe_mirror_busy(event)) {
		pe_mirror_log_busy(event);
		return;
	}
	text = kasprintf(GFP_KERNEL, "%s/%s", event->group, event->name);
	if (!text)
		return;		/* the writer has the errno */
	list_for_each_entry(link, &event->links, event_list) {
		if (!pe_link_used(link) || link->instance == home)
			continue;
		pe_say_link(user, sizeof(user), link);
		err.detail = user;
		break;
	}
	pe_error_log(event->is_fprobe ? "trace_fprobe" : "trace_kprobe", text, &err);
	kfree(text);
}
