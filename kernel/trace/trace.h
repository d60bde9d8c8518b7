/* SPDX-License-Identifier: GPL-2.0 */
/*
 * trace.h - the objects of probe_events.ko and who may touch them.
 *
 *   struct pe_instance     a buffer and its switches: the top one, and those of
 *                          instances/ (trace_instance.h)
 *   struct pe_event        a name in a group, with an id and a record layout
 *   struct pe_event_probe  one probe point of an event, which may have many
 *                          (trace_probe.h)
 *   struct pe_event_link   event x instance: its directory there; is it enabled?
 *
 * pe_event_mutex guards everything here that changes, except what is said to be
 * RCU or atomic.  Order: pe_event_mutex, then the engine's own mutex, then
 * buffer and file-tree locks.  The hit path takes none: it reaches a probe
 * through the engine, the event through the probe, and links through RCU.
 */
#ifndef PE_TRACE_H
#define PE_TRACE_H

#include <linux/list.h>
#include <linux/rcupdate.h>
#include <linux/refcount.h>
#include <linux/types.h>
#include "kernel/trace/parse/filter.h"
#include "kernel/trace/parse/arg.h"

struct pe_group;
struct pe_instance;
struct pe_node;

/**
 * struct pe_event - a named event
 * @grp: its group
 * @group: its group's name
 * @name: its own
 * @id: common_type of its records
 * @by_name: pe_event_find()
 * @is_return: two fields, __probe_func and __probe_ret_ip, before the arguments
 * @nargs: arguments, the same for all of its probes
 * @args: names, types and layout, the same for all of its probes; own copy, so
 *	that it outlives them.  Only a probe's own args can be fetched.
 * @record_fixed: bytes of a record before string data
 * @probes: its struct pe_event_probe
 * @links: struct pe_event_link, RCU
 * @ref: one for being in the list, one per link
 * @dead: unregistered; files answer -ENODEV
 * @moving: event_enable.c's mark while it switches
 */
struct pe_event {
	struct list_head list;		/* pe_events, in order of definition */
	struct hlist_node by_name;
	struct pe_group *grp;
	const char *group;
	char name[PE_MAX_EVENT_NAME_LEN];
	u16 id;
	bool is_return;
	bool dead;
	bool moving;
	unsigned int nargs;
	const struct pe_arg *args;
	unsigned int record_fixed;
	struct list_head probes;
	struct list_head links;
	refcount_t ref;
	struct rcu_head rcu;
};

/**
 * struct pe_link_filter - a compiled filter in use
 * @program: read by the hit path under RCU; never changed
 */
struct pe_link_filter {
	struct rcu_head rcu;
	struct pe_filter program;
};

/**
 * struct pe_event_link - an event in an instance
 *
 * Made with whichever of the two comes last, cut when one of them goes; the data
 * of the files in events/GROUP/EVENT/ of the instance.  Those that are open hold
 * a reference, and one on the instance, which therefore cannot go before them;
 * the event can: link->event->dead.
 */
struct pe_event_link {
	struct list_head event_list;	/* event->links, RCU */
	struct list_head instance_list;	/* instance->links */
	struct pe_event *event;		/* referenced */
	struct pe_instance *instance;
	struct pe_node *dir;		/* NULL once removed */
	refcount_t ref;
	bool enabled;			/* read by the hit path */
	bool was_enabled;		/* its records may be in the buffer */
	bool fresh;			/* event_enable.c's mark while it switches */
	struct pe_link_filter __rcu *filter; /* NULL: all records; event_filter.c */
	char *filter_text;		/* what its file shows, NULL: "none" */
	struct list_head triggers;	/* struct pe_trigger, RCU */
	bool triggers_look;		/* some need the record; read by the hit path */
	unsigned int soft;		/* who wants it armed though it may be off:
					 * its triggers, and triggers that switch it;
					 * read by the hit path
					 */
	struct rcu_head rcu;
};

#endif
