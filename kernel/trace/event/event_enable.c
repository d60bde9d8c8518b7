// SPDX-License-Identifier: GPL-2.0
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
#include "tpoint.h"
#include "variant.h"

/* The events to enable or disable, and the instance. */
struct selection {
	const struct pe_event_match *match;
	struct pe_instance *inst;
};

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

bool pe_event_enabled(const struct pe_event *event, const struct pe_instance *inst)
{
	const struct pe_event_link *link;

	lockdep_assert_held(&pe_event_mutex);

	list_for_each_entry(link, &event->links, event_list)
		if (link->enabled && (!inst || link->instance == inst))
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

/* The events to arm or disarm; pe_event_mutex. */
static LIST_HEAD(pe_event_enable_moving);

static void pe_mark_moving(struct pe_event *event)
{
	if (list_empty(&event->moving))
		list_add_tail(&event->moving, &pe_event_enable_moving);
}

static void pe_clear_moving(void)
{
	struct pe_event *event, *next;

	list_for_each_entry_safe(event, next, &pe_event_enable_moving, moving)
		list_del_init(&event->moving);
}

/* The usable probes of events that are moving. */
static unsigned int pe_collect_probes(struct pe_kprobe **kps)
{
	struct pe_event_probe *probe;
	struct pe_event *event;
	unsigned int n = 0;

	list_for_each_entry(event, &pe_event_enable_moving, moving) {
		list_for_each_entry(probe, &event->probes, list) {
			cond_resched();
			if (!pe_probe_usable(probe))
				continue;
			if (kps)
				kps[n] = &probe->kp;
			n++;
		}
	}
	return n;
}

/* Each refused probe is told, with the engine's reason; if none has one, the first event is. */
static void pe_log_refusals(struct pe_kprobe **kps, unsigned int n, int ret)
{
	struct pe_parse_err err = { .code = PE_ERR_REFUSED, .detail = pe_errno_text(ret) };
	const struct pe_event *event =
		list_first_entry(&pe_event_enable_moving, struct pe_event, moving);
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
static void pe_stop_moving(void)
{
	struct pe_event_probe *probe;
	struct pe_event *event;

	list_for_each_entry(event, &pe_event_enable_moving, moving) {
		list_for_each_entry(probe, &event->probes, list) {
			pe_tpoint_stop(probe);
			cond_resched();
		}
	}
}

static int pe_start_moving(void)
{
	struct pe_event_probe *probe;
	struct pe_event *event;
	int ret = 0;

	list_for_each_entry(event, &pe_event_enable_moving, moving) {
		list_for_each_entry(probe, &event->probes, list) {
			ret = ret ?: pe_tpoint_start(probe);
			cond_resched();
		}
	}
	return ret;
}

/*
 * Arm the events that are moving.  A module may be unloaded at any moment.  Then
 * the engine answers -ENODEV for its probes and arms none: collect again without
 * these.
 */
static int pe_arm_moving(struct pe_kprobe **kps)
{
	unsigned int before, n = pe_collect_probes(kps);
	int ret = pe_start_moving();

	if (ret) {
		pe_stop_moving();
		pe_log_refusals(kps, 0, ret);
		return ret;
	}
	do {
		before = n;
		ret = n ? pe_enable_kprobes(kps, n) : 0;
		if (ret == -ENODEV)
			n = pe_collect_probes(kps);
	} while (n != before);
	if (ret) {
		pe_stop_moving();
		pe_log_refusals(kps, n, ret);
	}
	return ret;
}

static struct pe_kprobe **pe_alloc_moving(void)
{
	return kvcalloc(pe_collect_probes(NULL), sizeof(struct pe_kprobe *), GFP_KERNEL);
}

static void pe_event_enable_set_enabled(struct pe_event_link *link, bool on)
{
	WRITE_ONCE(link->enabled, on);
	pe_event_changed(link->event);
}

static void pe_add_soft(struct pe_event_link *link, int n)
{
	link->soft += n;
	pe_event_changed(link->event);
}

/*
 * Enable the links of all selected events; those that were not armed are moving.
 * On failure ->fresh tells which links this call enabled.
 */
static void pe_enable_links(const struct selection *sel)
{
	struct pe_event_link *link;
	struct pe_event *event;
	bool was;

	for_each_match(event, sel->match) {
		cond_resched();
		was = pe_event_armed(event);
		link = pe_link_find(event, sel->inst);
		if (link->enabled)
			continue;
		link->fresh = true;
		link->was_enabled = true;
		pe_event_enable_set_enabled(link, true);
		if (!was)
			pe_mark_moving(event);
	}
}

static void pe_settle_links(const struct selection *sel, bool keep)
{
	struct pe_event_link *link;
	struct pe_event *event;

	for_each_match(event, sel->match) {
		link = pe_link_find(event, sel->inst);
		if (link->fresh && !keep)
			pe_event_enable_set_enabled(link, false);
		link->fresh = false;
		cond_resched();
	}
}

static int pe_event_enable_switch_on(const struct selection *sel)
{
	struct pe_kprobe **kps;
	int ret;

	ret = pe_buffers_expand(sel->inst);
	if (ret)
		return ret;
	pe_enable_links(sel);
	kps = pe_alloc_moving();
	if (!kps) {
		ret = -ENOMEM;
		goto out;
	}
	ret = pe_arm_moving(kps);
	kvfree(kps);
out:
	pe_settle_links(sel, !ret);
	pe_clear_moving();
	return ret;
}

/* Disarm the probes of events that are moving. */
static void pe_event_enable_disarm_each(void)
{
	struct pe_event_probe *probe;
	struct pe_event *event;
	struct pe_kprobe *kp;

	list_for_each_entry(event, &pe_event_enable_moving, moving) {
		list_for_each_entry(probe, &event->probes, list) {
			if (!pe_probe_usable(probe))
				continue;
			kp = &probe->kp;
			pe_disable_kprobes(&kp, 1);
		}
	}
}

static void pe_disarm_moving(void)
{
	struct pe_kprobe **kps = pe_alloc_moving();
	unsigned int n;

	if (!kps) {
		pe_event_enable_disarm_each();
		return;
	}
	n = pe_collect_probes(kps);
	if (n)
		pe_disable_kprobes(kps, n);
	kvfree(kps);
}

void pe_events_disarm_dropped(void)
{
	lockdep_assert_held(&pe_event_mutex);

	pe_disarm_moving();
	pe_stop_moving();
	pe_clear_moving();
}

static void pe_event_enable_switch_off(const struct selection *sel)
{
	struct pe_event_link *link;
	struct pe_event *event;

	for_each_match(event, sel->match) {
		cond_resched();
		link = pe_link_find(event, sel->inst);
		if (!link->enabled)
			continue;
		pe_event_enable_set_enabled(link, false);
		if (!pe_event_armed(event))
			pe_mark_moving(event);
	}
	pe_events_disarm_dropped();
}

/* Arm the events that have been marked moving. */
static int pe_arm_marked(void)
{
	struct pe_kprobe **kps = pe_alloc_moving();
	int ret = kps ? pe_arm_moving(kps) : -ENOMEM;

	kvfree(kps);
	pe_clear_moving();
	return ret;
}

static void pe_set_mirrored(struct pe_event *event, bool on)
{
	event->mirrored = on;
	pe_event_changed(event);
}

int pe_event_arm_mirror(struct pe_event *event)
{
	int ret;

	lockdep_assert_held(&pe_event_mutex);

	if (!pe_event_armed(event))
		pe_mark_moving(event);
	pe_set_mirrored(event, true);
	ret = pe_arm_marked();
	if (ret)
		pe_set_mirrored(event, false);
	return ret;
}

void pe_event_disarm_mirror(struct pe_event *event)
{
	lockdep_assert_held(&pe_event_mutex);

	pe_set_mirrored(event, false);
	if (!pe_event_armed(event))
		pe_mark_moving(event);
	pe_events_disarm_dropped();
}

int pe_link_arm_soft(struct pe_event_link *link)
{
	int ret;

	lockdep_assert_held(&pe_event_mutex);

	ret = pe_buffers_expand(link->instance);
	if (ret)
		return ret;
	if (!pe_event_armed(link->event))
		pe_mark_moving(link->event);
	link->was_enabled = true;
	pe_add_soft(link, 1);
	ret = pe_arm_marked();
	if (ret)
		pe_add_soft(link, -1);
	return ret;
}

void pe_link_drop_soft(struct pe_event_link *link)
{
	lockdep_assert_held(&pe_event_mutex);

	pe_add_soft(link, -1);
	if (!pe_event_armed(link->event))
		pe_mark_moving(link->event);
}

bool pe_events_match(const struct pe_event_match *match)
{
	lockdep_assert_held(&pe_event_mutex);
	return pe_next_match(match, NULL);
}

int pe_events_switch(const struct pe_event_match *match, struct pe_instance *inst, bool on)
{
	const struct selection sel = { .match = match, .inst = inst };

	lockdep_assert_held(&pe_event_mutex);
	if (on)
		return pe_event_enable_switch_on(&sel);
	pe_event_enable_switch_off(&sel);
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
