/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * trace.h - the objects of probe_events.ko and the locks that guard them.
 *
 *   struct pe_instance     a buffer and its switches: the top one, and those of
 *                          instances/ (trace_instance.h)
 *   struct pe_event        a name in a group, with an id and a record layout
 *   struct pe_source       what one command has defined: commands and files see it;
 *                          an event may have many (trace_probe.h)
 *   struct pe_event_probe  one probe of a source; several if the place names functions
 *   struct pe_event_link   event x instance: is it enabled there?
 *
 * pe_event_mutex guards everything here that changes, except members that are
 * said to be RCU or atomic.  Order: pe_event_mutex, then the engine's own
 * mutex, then buffer and file-tree locks.  pe_name_mutex (event.h) is taken inside
 * the first; only the file tree's is taken inside it.  The hit path takes none: it
 * reaches a probe through the engine, the event through the probe, and links
 * through RCU.
 */
#ifndef PE_TRACE_H
#define PE_TRACE_H

#include <linux/list.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/refcount.h>
#include <linux/types.h>
#include <asm/local.h>
#include "kernel/trace/parse/arg.h"
#include "kernel/trace/parse/filter.h"

struct pe_group;
struct pe_instance;
struct pe_limit_hits;
struct pe_mirror;
struct pe_session;

/**
 * struct pe_event - a named event
 * @list: in pe_events, in order of definition
 * @rcu: after the last reference
 * @by_name: pe_event_find()
 * @grp: its group
 * @group: its group's name
 * @name: its own, an allocation; all three are NULL before pe_event_publish()
 * @id: common_type of its records
 * @nr: in @grp's @events
 * @ref: one for being in the list, one per link
 * @nargs: arguments, the same for all of its probes
 * @is_fprobe: defined by f: its probes are at functions; or @is_tpoint
 * @is_tpoint: defined by t: its probes are at tracepoints
 * @is_return: two fields, __probe_func and __probe_ret_ip, before the arguments
 * @dynamic: a record has strings, its size is known only after fetching
 * @dead: unregistered; files answer -ENODEV
 * @mirrored: the mirror is in use
 * @is_static: defined by static_events, and removed only there
 * @text_is_line: @text stands for the name, too
 * @dying: its session has ended, and another user keeps it; see event/owner.h
 * @weighed: it is armed, and what it costs counts; limit_all.c
 * @args: names, types and layout, the same for all of its probes; a copy of its
 *	own, which outlives them.  Only a probe's own args can be fetched.
 * @mirror: it as an event of the kernel, NULL if it is none; changed with the kernel's
 *	mutex (pe_tracing_lock()) and pe_event_mutex.  Hits with PE_V_MIRROR read it.
 * @probes: struct pe_event_probe, of all of its sources
 * @links: struct pe_event_link, RCU
 * @change: in a list of a struct pe_change, while there is one
 * @text: how its records are shown, or NULL; see parse/event_text.h
 * @session: the session that it belongs to, or NULL
 * @limit: its limit, NULL: it never had one; it stays as long as the event.  Hits with PE_V_LIMIT
 *	read it
 * @since: when it was hit last on each CPU, for $since: see hit/since.h; NULL: it never had that.
 *	Arming it makes them 0
 * @spent: what its hits have cost lately, while it is decided which event to stop
 */
struct pe_event {
	union {
		struct list_head list;
		struct rcu_head rcu;
	};
	struct hlist_node by_name;
	struct pe_group *grp;
	const char *group;
	const char *name;
	u16 id;
	u16 nr;
	refcount_t ref;
	u8 nargs;
	bool is_fprobe : 1;
	bool is_tpoint : 1;
	bool is_static : 1;
	bool text_is_line : 1;
	bool dying : 1;
	bool weighed : 1;
	bool is_return;
	bool dynamic;
	bool dead;
	bool mirrored;
	const struct pe_arg *args;
	struct pe_mirror *mirror;
	struct list_head probes;
	struct list_head links;
	struct list_head change;
	const char *text;
	struct pe_session *session;
	struct pe_limit_hits *limit;
	local_t __percpu *since;
	u64 spent;
};

/**
 * struct pe_link_filter - a compiled filter in use
 * @rcu: frees it after the last hit that may use it
 * @program: read by the hit path under RCU; never changed
 */
struct pe_link_filter {
	struct rcu_head rcu;
	struct pe_filter program;
};

/*
 * Variants of recording: what a hit does in an instance.  0: nothing.  RECORD
 * alone: a record that is fetched straight into the buffer.  event/variant.c
 * chooses, and says what leads to which.
 */
enum pe_variant {
	PE_V_RECORD	= 1 << 0,	/* always, if there is anything to do here */
	PE_V_BUILD	= 1 << 1,	/* build the record in scratch memory first */
	PE_V_STACK	= 1 << 2,	/* a record of the stack after it */
	PE_V_PIDS	= 1 << 3,	/* of tasks that the lists of pids admit */
	PE_V_SOFT	= 1 << 4,	/* run triggers; record only if ->enabled */
	PE_V_LOOK	= 1 << 5,	/* some of them must see the record */
	PE_V_MIRROR	= 1 << 6,	/* the event's mirror wants hits; in the top's link */
	PE_V_LIMIT	= 1 << 7,	/* ask its limit first; in all links of the event */
};

/**
 * struct pe_event_link - an event in an instance
 * @event_list: in event->links; RCU
 * @instance: the instance
 * @filter: NULL: all records; RCU; event_filter.c
 * @triggers: struct pe_trigger, RCU
 * @variant: enum pe_variant; only variant.c writes it
 * @enabled: the event is, in this instance; with @soft, hits read and change it
 * @was_enabled: its records may be in the buffer
 * @soft: keeps it armed though it may be disabled: count of its triggers, and of triggers that
 *	enable or disable it
 * @instance_list: in instance->links, until it is cut
 * @rcu: after the last reference
 * @event: referenced
 * @ref: see above
 * @ino: of the directory and its files
 * @filter_text: text of its file, NULL: "none"
 *
 * Made with the later of event and instance, cut with the first of them that
 * goes.  It is the data of the instance's events/GROUP/EVENT/ and of the files in
 * it.  Open files hold a reference to the link and one to the instance.  So the
 * instance cannot go before they are closed.  The event can: link->event->dead.
 * The directory, while it is a node, holds a reference to the link only, so that
 * @ino stays its own; once it is removed nothing else of the link is used.
 */
struct pe_event_link {
	struct list_head event_list;
	struct pe_instance *instance;
	struct pe_link_filter __rcu *filter;
	struct hlist_head triggers;
	u8 variant;
	bool enabled;
	bool was_enabled;
	unsigned int soft;
	union {
		struct list_head instance_list;
		struct rcu_head rcu;
	};
	struct pe_event *event;
	refcount_t ref;
	u32 ino;
	char *filter_text;
};

#endif
