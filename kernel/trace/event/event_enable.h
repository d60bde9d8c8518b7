/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * event_enable.h - events are enabled and disabled in instances.
 */
#ifndef PE_EVENT_ENABLE_H
#define PE_EVENT_ENABLE_H

#include <linux/list.h>
#include <linux/types.h>

struct pe_event;
struct pe_event_link;
struct pe_instance;

/* event_enable.c.  Callers hold pe_event_mutex.  Disabling cannot fail. */
int pe_event_enable(struct pe_event *event, struct pe_instance *inst, bool on);
/* A trigger may set ->enabled of an event that its limit has stopped: that is not enabled. */
bool pe_link_enabled(const struct pe_event_link *link);
/* Enabled in @inst; NULL: in any instance. */
bool pe_event_enabled(const struct pe_event *event, const struct pe_instance *inst);
/* Is it armed: enabled, or needed by a trigger, in any instance; or needed by its mirror? */
bool pe_event_armed(const struct pe_event *event);
/* Is it used, beside what uses it in one instance; NULL: none? */
bool pe_event_used_beside(const struct pe_event *event, const struct pe_instance *inst);

/**
 * struct pe_change - events that change, by their ->change
 * @moving: their probes are to be armed or disarmed
 * @staying: enabled in one more instance, and armed before and after
 *
 * A local variable.  Its owner holds pe_event_mutex from the first step of the change to its end.
 * An event is in one list, once: it begins or ceases to be armed once in a change.
 */
struct pe_change {
	struct list_head moving;
	struct list_head staying;
};

#define PE_CHANGE_INIT(name) {						\
	.moving = LIST_HEAD_INIT((name).moving),			\
	.staying = LIST_HEAD_INIT((name).staying),			\
}

/*
 * Steps of a change that pe_change_arm() ends: it arms all that is needed now and was not before,
 * or nothing; then the caller undoes the steps.  It logs what is refused.
 */
/* The link is not enabled yet. */
int pe_change_enable(struct pe_change *change, struct pe_event_link *link);
int pe_change_arm(const struct pe_change *change);
/* Undo pe_change_enable() of a change that has not been armed. */
void pe_change_not_enable(struct pe_event_link *link);
/* A step of a change that pe_change_disarm() ends. */
void pe_change_disable(struct pe_change *change, struct pe_event_link *link);
/* The same for all links of an event that have no use: it is dying, or their instances are. */
void pe_change_disable_dying(struct pe_change *change, struct pe_event *event);

/*
 * Keep an event armed in an instance, even if it is disabled; calls nest.  With @change,
 * pe_link_arm_soft() is a step of it, else it arms at once.
 * pe_link_drop_soft() cannot fail; call it when no hit changes link->enabled
 * any more.  pe_change_disarm() ends a change of any number of drops: it disarms the
 * events that nothing needs armed any more.
 */
int pe_link_arm_soft(struct pe_event_link *link, struct pe_change *change);
void pe_link_drop_soft(struct pe_event_link *link, struct pe_change *change);
void pe_link_undo_soft(struct pe_event_link *link);	/* of a change that is given up */
void pe_change_disarm(const struct pe_change *change);
/* Keep an event armed for its mirror; calls do not nest. */
int pe_event_arm_mirror(struct pe_event *event);
void pe_event_disarm_mirror(struct pe_event *event);
/*
 * Several events at once, in one batch.  NULL: all groups, all names.  Events of sessions are left
 * alone where the session works; if there are no others, it is -EPERM.
 */
int pe_events_enable(const char *group, const char *name,
		     struct pe_instance *inst, bool on);

/* A choice of events; a NULL member matches anything. */
struct pe_event_match {
	const char *group;
	const char *name;
	const char *either;		/* group or name */
};

bool pe_events_match(const struct pe_event_match *match);	/* any event? */
int pe_events_switch(const struct pe_event_match *match, struct pe_instance *inst, bool on);
/* '0', '1', 'X' if mixed, '?' if there is no event. */
char pe_events_state(const char *group, const struct pe_instance *inst);

#endif
