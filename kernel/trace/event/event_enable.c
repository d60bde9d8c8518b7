// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * event_enable.c - events are enabled and disabled in instances.
 *
 * The probes of an event are armed while one of its links is enabled.  Enabling
 * sets links first and then arms the probes, so that the first hit already
 * finds an enabled link.  Disabling disarms first.  A hit in between finds no
 * enabled link and is counted as PE_LOSS_UNLINKED.
 *
 * A link that triggers need is armed as well (->soft).  A trigger at a hit may
 * then change ->enabled at any moment without arming anything.
 *
 * The engine is called once per write, however many events the write enables or
 * disables: patching and ftrace updates cost time per batch, not per probe.  (A
 * tracepoint's probe costs time of its own: see tpoint.c.)
 * Disabling cannot fail: without memory for a batch, probes are disarmed one by
 * one.
 */
#include <linux/errno.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "buffers.h"
#include "error_log.h"
#include "event.h"
#include "event_enable.h"
#include "event_link.h"
#include "event_probe.h"
#include "kernel/trace/parse/parse_err.h"
#include "kernel/trace/trace.h"
#include "kernel/trace/trace_instance.h"
#include "kernel/trace/trace_probe.h"
#include "limit.h"
#include "owner.h"
#include "tpoint.h"
#include "variant.h"

static bool pe_event_enable_matches(const struct pe_event_match *match,
				    const struct pe_event *event)
{
	return (!match->group || !strcmp(event->group, match->group)) &&
	       (!match->name || !strcmp(event->name, match->name)) &&
	       (!match->either || !strcmp(event->group, match->either) ||
		!strcmp(event->name, match->either));
}

/* The event that matches after @prev, or the first; NULL after the last. */
static struct pe_event *pe_next_match(const struct pe_event_match *match, struct pe_event *prev)
{
	struct pe_event *event;

	if (match->group && match->name)
		return prev ? NULL : pe_event_find(match->group, match->name);
	event = list_prepare_entry(prev, &pe_events, list);
	list_for_each_entry_continue(event, &pe_events, list)
		if (pe_event_enable_matches(match, event))
			return event;
	return NULL;
}

#define for_each_match(event, match)					\
	for (event = pe_next_match(match, NULL); event; event = pe_next_match(match, event))

bool pe_link_enabled(const struct pe_event_link *link)
{
	lockdep_assert_held(&pe_event_mutex);
	return READ_ONCE(link->enabled) && !pe_limit_tripped(link->event);
}

bool pe_event_enabled(const struct pe_event *event, const struct pe_instance *inst)
{
	const struct pe_event_link *link;

	lockdep_assert_held(&pe_event_mutex);

	list_for_each_entry(link, &event->links, event_list)
		if (pe_link_enabled(link) && (!inst || link->instance == inst))
			return true;
	return false;
}

bool pe_event_used_beside(const struct pe_event *event, const struct pe_instance *inst)
{
	const struct pe_event_link *link;

	lockdep_assert_held(&pe_event_mutex);

	list_for_each_entry(link, &event->links, event_list)
		if (link->instance != inst && pe_link_used(link))
			return true;
	return false;
}

bool pe_event_armed(const struct pe_event *event)
{
	const struct pe_event_link *link;

	lockdep_assert_held(&pe_event_mutex);

	list_for_each_entry(link, &event->links, event_list)
		if (link->variant)
			return true;
	return false;
}

static bool pe_probe_usable(const struct pe_event_probe *probe)
{
	return !probe->pending && !(READ_ONCE(probe->kp.flags) & PE_KPROBE_GONE);
}

/* All probes of the events that @change arms or disarms. */
#define pe_for_each_moving(change, event, probe)			\
	list_for_each_entry(event, &(change)->moving, change)		\
		list_for_each_entry(probe, &(event)->probes, list)

/* Collect the probes that are usable. */
static unsigned int pe_collect_probes(const struct pe_change *change, struct pe_kprobe **kps)
{
	struct pe_event_probe *probe;
	struct pe_event *event;
	unsigned int n = 0;

	pe_for_each_moving(change, event, probe) {
		cond_resched();
		if (!pe_probe_usable(probe))
			continue;
		if (kps)
			kps[n] = &probe->kp;
		n++;
	}
	return n;
}

static struct pe_kprobe **pe_alloc_moving(const struct pe_change *change)
{
	return kvcalloc(pe_collect_probes(change, NULL), sizeof(struct pe_kprobe *), GFP_KERNEL);
}

/* Each refused probe is told, with the engine's reason; if none has one, the first event is. */
static void pe_log_refusals(const struct pe_change *change, struct pe_kprobe **kps,
			    unsigned int n, int ret)
{
	struct pe_parse_err err = { .code = PE_ERR_REFUSED, .detail = pe_errno_text(ret) };
	const struct pe_event *event = list_first_entry(&change->moving, struct pe_event, change);
	bool told = ret == -ENOMEM;	/* the errno says all */
	unsigned int i;

	for (i = 0; i < n; i++) {
		if (!kps[i]->reason)
			continue;
		pe_event_probe_log_refusal(container_of(kps[i], struct pe_event_probe, kp));
		told = true;
	}
	if (!told)
		pe_error_log(event->is_fprobe ? "trace_fprobe" : "trace_kprobe", event->name, &err);
}

/* Tracepoints are in use while events at them are armed. */
static void pe_stop_tpoints(const struct pe_change *change)
{
	struct pe_event_probe *probe;
	struct pe_event *event;

	pe_for_each_moving(change, event, probe) {
		pe_tpoint_stop(probe);
		cond_resched();
	}
}

static int pe_start_tpoints(const struct pe_change *change)
{
	struct pe_event_probe *probe;
	struct pe_event *event;
	int ret = 0;

	pe_for_each_moving(change, event, probe) {
		ret = ret ?: pe_tpoint_start(probe);
		cond_resched();
	}
	return ret;
}

/*
 * A module may be unloaded at any moment.  Then the engine answers -ENODEV for its probes and
 * arms none: collect again without these.
 */
int pe_change_arm(const struct pe_change *change)
{
	struct pe_kprobe **kps = pe_alloc_moving(change);
	unsigned int before, n = 0;
	struct pe_event *event;
	int ret;

	lockdep_assert_held(&pe_event_mutex);

	if (!kps)
		return -ENOMEM;
	list_for_each_entry(event, &change->moving, change)
		pe_event_forget_since(event);
	ret = pe_start_tpoints(change);
	if (!ret)
		n = pe_collect_probes(change, kps);
	for (before = 0; n != before; ) {
		before = n;
		ret = pe_enable_kprobes(kps, n);
		if (ret == -ENODEV)
			n = pe_collect_probes(change, kps);
		if (!n)
			ret = 0;
	}
	if (ret) {
		pe_stop_tpoints(change);
		pe_log_refusals(change, kps, n, ret);
	} else {
		list_for_each_entry(event, &change->moving, change)
			pe_limit_restart_done(event);
	}
	kvfree(kps);
	return ret;
}

void pe_change_disarm(const struct pe_change *change)
{
	struct pe_kprobe **kps = pe_alloc_moving(change);
	struct pe_event_probe *probe;
	struct pe_event *event;
	struct pe_kprobe *kp;
	unsigned int n;

	lockdep_assert_held(&pe_event_mutex);

	n = kps ? pe_collect_probes(change, kps) : 0;
	if (n)
		pe_disable_kprobes(kps, n);
	pe_for_each_moving(change, event, probe) {
		kp = &probe->kp;
		if (!kps && pe_probe_usable(probe))
			pe_disable_kprobes(&kp, 1);
	}
	pe_stop_tpoints(change);
	kvfree(kps);
}

static void pe_event_enable_set_enabled(struct pe_event_link *link, bool on)
{
	WRITE_ONCE(link->enabled, on);	/* read by pe_record_soft() */
	pe_event_changed(link->event);
}

/* Not what is a session's, where that works; and nothing that is dying is switched on. */
static bool pe_may_switch(const struct pe_instance *inst, const struct pe_event *event, bool on)
{
	if (on && (event->dying || inst->dying))
		return false;
	return pe_event_may(event, inst, NULL);
}

/* If nothing of the selection may be switched, the first event tells why. */
static int pe_check_selection(const struct pe_event_match *match, struct pe_instance *inst,
			      bool on)
{
	const struct pe_event *first = NULL;
	char who[PE_OWNER_TEXT];
	struct pe_parse_err err = { .detail = who };
	struct pe_event *event;

	for_each_match(event, match) {
		if (pe_may_switch(inst, event, on))
			return 0;
		first = first ?: event;
		cond_resched();
	}
	if (!first)
		return 0;
	if (pe_event_may(first, inst, NULL))
		return -ENODEV;
	err.code = pe_event_owner_error(first, who);
	pe_error_log_in(inst, "enable", first->name, &err);
	return -EPERM;
}

/* Enable the links of all selected events. */
static void pe_enable_links(const struct pe_event_match *match, struct pe_instance *inst,
			    struct pe_change *change)
{
	struct pe_event_link *link;
	struct pe_event *event;

	for_each_match(event, match) {
		cond_resched();
		link = pe_link_find(event, inst);
		if (!pe_may_switch(inst, event, true))
			continue;
		if (pe_link_enabled(link)) {
			pe_limit_restart(event);	/* about to be stopped */
			continue;
		}
		list_add_tail(&event->change,
			      pe_event_armed(event) ? &change->staying : &change->moving);
		link->was_enabled = true;
		pe_limit_restart(event);
		pe_event_enable_set_enabled(link, true);
	}
}

static void pe_disable_again(struct pe_instance *inst, const struct list_head *events)
{
	struct pe_event *event;

	list_for_each_entry(event, events, change) {
		pe_limit_restart_undo(event);
		pe_event_enable_set_enabled(pe_link_find(event, inst), false);
		cond_resched();
	}
}

static int pe_event_enable_switch_on(const struct pe_event_match *match, struct pe_instance *inst)
{
	struct pe_change change = PE_CHANGE_INIT(change);
	int ret;

	ret = pe_buffers_expand(inst);
	if (ret)
		return ret;
	pe_enable_links(match, inst, &change);
	ret = pe_change_arm(&change);
	if (ret) {
		pe_disable_again(inst, &change.moving);
		pe_disable_again(inst, &change.staying);
	}
	return ret;
}

/*
 * Nothing needs the event armed: it is asked before something does, and after.  One that its limit
 * has stopped is not armed, whatever needs it.
 */
static void pe_move_unarmed(struct pe_change *change, struct pe_event *event)
{
	if (!pe_event_armed(event) && !pe_limit_tripped(event)) {
		pe_limit_open(event);
		list_add_tail(&event->change, &change->moving);
	}
}

void pe_change_disable(struct pe_change *change, struct pe_event_link *link)
{
	pe_event_enable_set_enabled(link, false);
	pe_move_unarmed(change, link->event);
}

static void pe_event_enable_switch_off(const struct pe_event_match *match,
				       struct pe_instance *inst)
{
	struct pe_change change = PE_CHANGE_INIT(change);
	struct pe_event_link *link;
	struct pe_event *event;

	for_each_match(event, match) {
		cond_resched();
		link = pe_link_find(event, inst);
		if (link->enabled && pe_may_switch(inst, event, false))
			pe_change_disable(&change, link);
	}
	pe_change_disarm(&change);
}

int pe_change_enable(struct pe_change *change, struct pe_event_link *link)
{
	int ret = pe_buffers_expand(link->instance);

	lockdep_assert_held(&pe_event_mutex);
	if (ret)
		return ret;
	pe_limit_restart(link->event);
	pe_move_unarmed(change, link->event);
	link->was_enabled = true;
	pe_event_enable_set_enabled(link, true);
	return 0;
}

void pe_change_not_enable(struct pe_event_link *link)
{
	pe_limit_restart_undo(link->event);
	pe_event_enable_set_enabled(link, false);
}

static void pe_set_mirrored(struct pe_event *event, bool on)
{
	event->mirrored = on;
	pe_event_changed(event);
}

int pe_event_arm_mirror(struct pe_event *event)
{
	struct pe_change change = PE_CHANGE_INIT(change);
	int ret;

	lockdep_assert_held(&pe_event_mutex);

	if (event->dying)
		return -ENODEV;
	if (pe_limit_tripped(event))
		return -EBUSY;
	pe_move_unarmed(&change, event);
	pe_set_mirrored(event, true);
	ret = pe_change_arm(&change);
	if (ret)
		pe_set_mirrored(event, false);
	return ret;
}

/* Its mirror, its links: nothing wants its hits; what was armed before is to be disarmed. */
void pe_change_disable_dying(struct pe_change *change, struct pe_event *event)
{
	bool was_armed = pe_event_armed(event);
	struct pe_event_link *link;

	lockdep_assert_held(&pe_event_mutex);

	list_for_each_entry(link, &event->links, event_list)
		if (link->enabled && (event->dying || link->instance->dying))
			pe_event_enable_set_enabled(link, false);
	if (event->dying && event->mirrored)
		pe_set_mirrored(event, false);
	if (was_armed)
		pe_move_unarmed(change, event);
}

void pe_event_disarm_mirror(struct pe_event *event)
{
	struct pe_change change = PE_CHANGE_INIT(change);

	lockdep_assert_held(&pe_event_mutex);

	pe_set_mirrored(event, false);
	pe_move_unarmed(&change, event);
	pe_change_disarm(&change);
}

static void pe_add_soft(struct pe_event_link *link, int n)
{
	link->soft += n;
	pe_event_changed(link->event);
}

int pe_link_arm_soft(struct pe_event_link *link, struct pe_change *change)
{
	struct pe_change own = PE_CHANGE_INIT(own);
	int ret;

	lockdep_assert_held(&pe_event_mutex);

	ret = pe_buffers_expand(link->instance);
	if (ret)
		return ret;
	pe_move_unarmed(change ?: &own, link->event);
	link->was_enabled = true;
	pe_add_soft(link, 1);
	if (change)
		return 0;
	ret = pe_change_arm(&own);
	if (ret)
		pe_add_soft(link, -1);
	return ret;
}

void pe_link_drop_soft(struct pe_event_link *link, struct pe_change *change)
{
	lockdep_assert_held(&pe_event_mutex);

	pe_add_soft(link, -1);
	pe_move_unarmed(change, link->event);
}

void pe_link_undo_soft(struct pe_event_link *link)
{
	lockdep_assert_held(&pe_event_mutex);

	pe_add_soft(link, -1);
}

bool pe_events_match(const struct pe_event_match *match)
{
	lockdep_assert_held(&pe_event_mutex);
	return pe_next_match(match, NULL);
}

int pe_events_switch(const struct pe_event_match *match, struct pe_instance *inst, bool on)
{
	int ret;

	lockdep_assert_held(&pe_event_mutex);
	ret = pe_check_selection(match, inst, on);
	if (ret)
		return ret;
	if (on)
		return pe_event_enable_switch_on(match, inst);
	pe_event_enable_switch_off(match, inst);
	return 0;
}

int pe_events_enable(const char *group, const char *name,
		     struct pe_instance *inst, bool on)
{
	const struct pe_event_match match = { .group = group, .name = name };

	return pe_events_switch(&match, inst, on);
}

int pe_event_enable(struct pe_event *event, struct pe_instance *inst, bool on)
{
	return pe_events_enable(event->group, event->name, inst, on);
}

char pe_events_state(const char *group, const struct pe_instance *inst)
{
	static const char states[] = { '?', '0', '1', 'X' };
	struct pe_event *event;
	unsigned int seen = 0;

	lockdep_assert_held(&pe_event_mutex);

	list_for_each_entry(event, &pe_events, list) {
		if (!group || !strcmp(event->group, group))
			seen |= pe_event_enabled(event, inst) ? 2 : 1;
		cond_resched();
	}
	return states[seen];
}
