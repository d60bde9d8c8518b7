/* SPDX-License-Identifier: GPL-2.0 */
/*
 * event_enable.h - switches of events in instances.
 */
#ifndef PE_EVENT_ENABLE_H
#define PE_EVENT_ENABLE_H

#include <linux/types.h>

struct pe_event;
struct pe_event_link;
struct pe_instance;

/* event_enable.c: switches.  Callers hold pe_event_mutex.  Switching off cannot fail. */
int pe_event_enable(struct pe_event *event, struct pe_instance *inst, bool on);
/* In @inst; NULL: in any. */
bool pe_event_enabled(const struct pe_event *event, const struct pe_instance *inst);
/* Is it armed, there or anywhere: enabled, or of use to a trigger? */
bool pe_event_armed(const struct pe_event *event);
/*
 * Keep an event armed in an instance, enabled or not; they nest.  pe_link_drop_soft(),
 * which cannot fail, is for when no hit changes link->enabled any more; what nobody
 * wants armed then is disarmed by pe_events_disarm_dropped(), once after any number.
 */
int pe_link_arm_soft(struct pe_event_link *link);
void pe_link_drop_soft(struct pe_event_link *link);
void pe_events_disarm_dropped(void);
/* Several events at once: one round of patching.  NULL: all groups, all names. */
int pe_events_enable(const char *group, const char *name,
		     struct pe_instance *inst, bool on);

/* Which events are meant; what is NULL does not matter. */
struct pe_event_match {
	const char *group;
	const char *name;
	const char *either;		/* of group and name */
};

bool pe_events_match(const struct pe_event_match *match);	/* any event? */
int pe_events_switch(const struct pe_event_match *match, struct pe_instance *inst, bool on);
/* '0', '1', 'X' when mixed, '?' when there is no event. */
char pe_events_state(const char *group, const struct pe_instance *inst);

#endif
