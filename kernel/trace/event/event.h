/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * event.h - the registry of events: names, groups, ids, references.
 *
 * Callers hold pe_event_mutex unless said otherwise.
 */
#ifndef PE_EVENT_H
#define PE_EVENT_H

#include <linux/list.h>
#include <linux/lockdep.h>
#include <linux/mutex.h>
#include <linux/refcount.h>
#include <linux/types.h>
#include <linux/xarray.h>
#include "kernel/know/compat.h"
#include "kernel/trace/parse/limits.h"

struct pe_event;
struct pe_layout;
struct pe_placed;

/*
 * Event ids.  They are away from the kernel's own: perf would open the kernel's
 * event of the same id.  The kernel takes the lowest free ids, and a record's
 * id has 16 bits.
 */
#define PE_EVENT_ID_FIRST	32768
#define PE_EVENT_ID_LAST	65535

/**
 * struct pe_group - the events with names that have the same part before the slash
 * @by_name: pe_group_find()
 * @nr: in pe_groups
 * @name: its name
 * @nr_events: while not 0, it is in pe_groups and has its directories
 * @events: its events by numbers that stay theirs, for listings
 * @dirs: its struct pe_group_dir
 * @ref: one for being listed, one per event and per directory
 */
struct pe_group {
	struct hlist_node by_name;
	u32 nr;
	char name[PE_MAX_EVENT_NAME_LEN];
	unsigned int nr_events;
	struct xarray events;
	struct list_head dirs;
	refcount_t ref;
};

/* event.c */

extern struct mutex pe_event_mutex;

/*
 * Inside pe_event_mutex, for readers of directories: they must not wait while
 * probes are armed.  Names of groups and events, their numbers for listings, and
 * links are changed with both held, and may be read with either.
 */
extern struct mutex pe_name_mutex;

static inline void pe_assert_names_held(void)
{
	lockdep_assert(lockdep_is_held(&pe_event_mutex) || lockdep_is_held(&pe_name_mutex));
}

extern struct xarray pe_groups;		/* by numbers that stay theirs */
extern struct list_head pe_events;	/* pe_event_mutex */
extern struct list_head pe_sources;	/* likewise, of all events */

/* All probes with those, by events.  A break leaves the probes of one event only. */
#define pe_for_each_probe(event, probe)					\
	list_for_each_entry(event, &pe_events, list)			\
		list_for_each_entry(probe, &(event)->probes, list)

struct pe_group *pe_group_find(const char *name);	/* or with pe_name_mutex */
struct pe_event *pe_event_find(const char *group, const char *name);	/* likewise */
struct pe_event *pe_event_by_id(u16 id);	/* RCU or mutex; for printing */
void pe_event_get(struct pe_event *event);
void pe_event_put(struct pe_event *event);	/* any process context */
void pe_event_layout(const struct pe_event *event, struct pe_layout *layout);

/**
 * pe_event_alloc() - an event without name in the registry, id and files
 * @placed: its arguments' names, types and layout are copied
 *
 * Return: the event with one reference, or ERR_PTR(-ENOMEM).
 */
struct pe_event *pe_event_alloc(const struct pe_placed *placed);

/* Memory for $since, once; 0 or -ENOMEM.  Hits find it as long as the event is there. */
int pe_event_keep_since(struct pe_event *event);
/* It is not armed: the next hit on each CPU is the first one. */
void pe_event_forget_since(struct pe_event *event);

/**
 * pe_event_publish() - give it a name, an id and its files
 * @event: from pe_event_alloc()
 * @group: the group's name
 * @name: the event's; copied
 *
 * Takes pe_name_mutex, as pe_event_unpublish() does.
 *
 * Return: 0; -EEXIST if the name is taken, -ENOSPC if ids or inode numbers are used
 * up, -ENOMEM.
 * On failure nothing has changed but the caller's reference.
 */
int pe_event_publish(struct pe_event *event, const char *group, const char *name);

/**
 * pe_event_unpublish() - undo pe_event_publish() and mark the event dead
 * @event: without probes
 *
 * RCU readers may still find its id until a grace period later.
 */
void pe_event_unpublish(struct pe_event *event);

void pe_group_get(struct pe_group *group);
void pe_group_put(struct pe_group *group);	/* any process context */
int pe_events_init(void);			/* memory for events and links */
void pe_events_exit(void);			/* no event and no instance is left */

#endif
