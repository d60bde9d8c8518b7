// SPDX-License-Identifier: GPL-2.0
/*
 * event.c - the registry of events: names, groups, ids, references.
 *
 * Life of an event:
 *   pe_event_alloc()      one reference, the caller's
 *   pe_event_publish()    in pe_events, in its group, in the id table, with files
 *   pe_event_unpublish()  out of all of them, ->dead; files that are still open
 *                         hold references and answer -ENODEV
 *   last pe_event_put()   freed after an RCU grace period, because printers
 *                         look ids up under RCU alone
 *
 * The hit path holds no reference.  It reaches an event through a probe, and an
 * event is unpublished only after its last probe is unregistered.
 */
#include <linux/err.h>
#include <linux/hashtable.h>
#include <linux/idr.h>
#include <linux/jhash.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "kernel/trace/parse/arg.h"
#include "event.h"
#include "event_link.h"
#include "kernel/trace/parse/spec.h"
#include "kernel/trace/trace.h"

DEFINE_MUTEX(pe_event_mutex);
LIST_HEAD(pe_events);

/* The events by group and name; pe_event_mutex. */
static DEFINE_HASHTABLE(events_by_name, 10);
LIST_HEAD(pe_probes);

LIST_HEAD(pe_groups);

/*
 * Changed under pe_event_mutex, read under RCU as well.  Ids are given out
 * cyclically, so that the id in a saved record is not soon another event's.
 */
static DEFINE_IDR(event_ids);

void pe_group_get(struct pe_group *group)
{
	refcount_inc(&group->ref);
}

void pe_group_put(struct pe_group *group)
{
	if (refcount_dec_and_test(&group->ref))
		kfree(group);
}

static struct pe_group *group_find(const char *name)
{
	struct pe_group *group;

	list_for_each_entry(group, &pe_groups, list)
		if (!strcmp(group->name, name))
			return group;
	return NULL;
}

static struct pe_group *group_create(const char *name)
{
	struct pe_group *group;
	int ret;

	group = kzalloc(sizeof(*group), GFP_KERNEL);
	if (!group)
		return ERR_PTR(-ENOMEM);
	refcount_set(&group->ref, 1);
	INIT_LIST_HEAD(&group->dirs);
	strscpy(group->name, name, sizeof(group->name));
	ret = pe_group_add_dirs(group);
	if (ret) {
		pe_group_put(group);
		return ERR_PTR(ret);
	}
	list_add_tail(&group->list, &pe_groups);
	return group;
}

/* A group goes with its last event, and its directories go with the group. */
static void group_drop_if_empty(struct pe_group *group)
{
	if (group->nr_events)
		return;
	list_del(&group->list);
	pe_group_remove_dirs(group);
	pe_group_put(group);
}

static struct pe_arg *copy_layout(const struct pe_spec *spec)
{
	struct pe_arg *args;
	unsigned int i;

	args = kvcalloc(spec->nargs, sizeof(*args), GFP_KERNEL_ACCOUNT);
	if (!args)
		return NULL;
	for (i = 0; i < spec->nargs; i++) {
		args[i] = spec->args[i];
		/* Each probe has its own text and fetches. */
		args[i].expr = "";
		memset(&args[i].fetch, 0, sizeof(args[i].fetch));
	}
	return args;
}

struct pe_event *pe_event_alloc(const struct pe_spec *spec)
{
	struct pe_event *event;
	unsigned int i;

	event = kzalloc(sizeof(*event), GFP_KERNEL_ACCOUNT);
	if (!event)
		return ERR_PTR(-ENOMEM);
	event->args = copy_layout(spec);
	if (!event->args) {
		kfree(event);
		return ERR_PTR(-ENOMEM);
	}
	event->nargs = spec->nargs;
	event->is_return = spec->cmd == PE_CMD_RETURN;
	for (i = 0; i < spec->nargs; i++)
		event->dynamic |= pe_type_is_string(spec->args[i].type);
	INIT_LIST_HEAD(&event->list);
	INIT_LIST_HEAD(&event->probes);
	INIT_LIST_HEAD(&event->links);
	refcount_set(&event->ref, 1);
	return event;
}

static u32 name_hash(const char *group, const char *name)
{
	return jhash(name, strlen(name), jhash(group, strlen(group), 0));
}

int pe_event_publish(struct pe_event *event, const char *group, const char *name)
{
	struct pe_group *grp;
	int ret;

	lockdep_assert_held(&pe_event_mutex);

	/* Only reserve it: printers may find the event only when it is complete. */
	ret = idr_alloc_cyclic(&event_ids, NULL, PE_EVENT_ID_FIRST,
			       PE_EVENT_ID_LAST + 1, GFP_KERNEL);
	if (ret < 0)
		return ret;
	event->id = ret;

	grp = group_find(group);
	if (!grp)
		grp = group_create(group);
	if (IS_ERR(grp)) {
		ret = PTR_ERR(grp);
		goto free_id;
	}

	strscpy(event->name, name, sizeof(event->name));
	event->grp = grp;
	event->group = grp->name;
	ret = pe_event_add_links(event);
	if (ret)
		goto drop_group;

	pe_group_get(grp);
	grp->nr_events++;
	list_add_tail(&event->list, &pe_events);
	hash_add(events_by_name, &event->by_name, name_hash(event->group, event->name));
	idr_replace(&event_ids, event, event->id);
	return 0;

drop_group:
	event->grp = NULL;
	group_drop_if_empty(grp);
free_id:
	idr_remove(&event_ids, event->id);
	return ret;
}

void pe_event_unpublish(struct pe_event *event)
{
	lockdep_assert_held(&pe_event_mutex);

	event->dead = true;
	pe_event_remove_files(event);
	list_del_init(&event->list);
	hash_del(&event->by_name);
	idr_remove(&event_ids, event->id);
	event->grp->nr_events--;
	group_drop_if_empty(event->grp);
}

struct pe_event *pe_event_find(const char *group, const char *name)
{
	struct pe_event *event;

	lockdep_assert_held(&pe_event_mutex);

	hash_for_each_possible(events_by_name, event, by_name, name_hash(group, name)) {
		if (!strcmp(event->name, name) && !strcmp(event->group, group))
			return event;
	}
	return NULL;
}

/**
 * pe_event_by_id() - the event whose records have an id
 * @id: common_type
 *
 * Context: inside rcu_read_lock(), where the event stays usable for printing
 * even while it is being removed; or with pe_event_mutex.
 */
struct pe_event *pe_event_by_id(u16 id)
{
	return idr_find(&event_ids, id);
}

void pe_event_get(struct pe_event *event)
{
	refcount_inc(&event->ref);
}

static void event_free_rcu(struct rcu_head *rcu)
{
	struct pe_event *event = container_of(rcu, struct pe_event, rcu);

	if (event->grp)
		pe_group_put(event->grp);
	kvfree(event->args);
	kfree(event);
}

void pe_event_put(struct pe_event *event)
{
	if (refcount_dec_and_test(&event->ref))
		call_rcu(&event->rcu, event_free_rcu);
}

void pe_event_layout(const struct pe_event *event, struct pe_layout *layout)
{
	*layout = (struct pe_layout) {
		.name = event->name,
		.id = event->id,
		.is_return = event->is_return,
		.nargs = event->nargs,
		.args = event->args,
	};
}

/**
 * pe_events_exit() - module exit, after the last event is removed
 */
void pe_events_exit(void)
{
	/* event_free_rcu() of the last events is code of this module. */
	rcu_barrier();
	idr_destroy(&event_ids);
}
