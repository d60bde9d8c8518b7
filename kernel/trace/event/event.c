// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
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
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/hashtable.h>
#include <linux/idr.h>
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/stringhash.h>
#include <asm/local.h>
#include "event.h"
#include "event_dir.h"
#include "event_link.h"
#include "kernel/trace/parse/arg.h"
#include "kernel/trace/parse/spec.h"
#include "kernel/trace/trace.h"
#include "limit.h"
#include "marker.h"

DEFINE_MUTEX(pe_event_mutex);	/* see trace.h */
DEFINE_MUTEX(pe_name_mutex);	/* see event.h */
LIST_HEAD(pe_events);

/* The events by group and name. */
static DEFINE_HASHTABLE(pe_events_by_name, 10);
LIST_HEAD(pe_sources);

DEFINE_XARRAY_ALLOC(pe_groups);
static DEFINE_HASHTABLE(pe_groups_by_name, 8);

/*
 * Changed under pe_event_mutex, read under RCU as well.  Ids are given out
 * cyclically, so that the id in a saved record is not soon another event's.
 */
static DEFINE_IDR(pe_event_ids);

/* kmalloc() would round their size up to the next of its own. */
static struct kmem_cache *pe_event_cache;

void pe_group_get(struct pe_group *group)
{
	refcount_inc(&group->ref);
}

void pe_group_put(struct pe_group *group)
{
	if (refcount_dec_and_test(&group->ref))
		kfree(group);
}

/* An exported hash: an inline one may be compiled as a function, under a name of the kernel's. */
static u32 pe_group_hash(const char *name)
{
	return full_name_hash(NULL, name, strlen(name));
}

struct pe_group *pe_group_find(const char *name)
{
	struct pe_group *group;

	pe_assert_names_held();

	hash_for_each_possible(pe_groups_by_name, group, by_name, pe_group_hash(name))
		if (!strcmp(group->name, name))
			return group;
	return NULL;
}

static struct pe_group *pe_group_create(const char *name)
{
	struct pe_group *group;
	int ret;

	group = kzalloc(sizeof(*group), GFP_KERNEL);
	if (!group)
		return ERR_PTR(-ENOMEM);
	refcount_set(&group->ref, 1);
	INIT_LIST_HEAD(&group->dirs);
	xa_init_flags(&group->events, XA_FLAGS_ALLOC);
	strscpy(group->name, name, sizeof(group->name));
	ret = xa_alloc(&pe_groups, &group->nr, group, xa_limit_16b, GFP_KERNEL);
	if (ret)
		goto put;
	ret = pe_group_add_dirs(group);
	if (ret)
		goto erase;
	hash_add(pe_groups_by_name, &group->by_name, pe_group_hash(name));
	return group;

erase:
	xa_erase(&pe_groups, group->nr);
put:
	pe_group_put(group);
	return ERR_PTR(ret);
}

/* A group goes with its last event, and its directories go with the group. */
static void pe_group_drop_if_empty(struct pe_group *group)
{
	if (group->nr_events)
		return;
	hash_del(&group->by_name);
	xa_erase(&pe_groups, group->nr);
	xa_destroy(&group->events);	/* a failed allocation may have left a node */
	pe_group_remove_dirs(group);
	pe_group_put(group);
}

static struct pe_arg *pe_copy_layout(const struct pe_placed *placed)
{
	struct pe_arg *args;
	unsigned int i;

	args = kvcalloc(placed->nargs, sizeof(*args), GFP_KERNEL_ACCOUNT);
	if (!args)
		return NULL;
	for (i = 0; i < placed->nargs; i++) {
		args[i] = placed->args[i];
		/* Each probe has its own text and fetches. */
		args[i].expr = "";
		memset(&args[i].fetch, 0, sizeof(args[i].fetch));
	}
	return args;
}

struct pe_event *pe_event_alloc(const struct pe_placed *placed)
{
	const struct pe_spec *spec = placed->spec;
	struct pe_event *event;
	unsigned int i;

	event = kmem_cache_zalloc(pe_event_cache, GFP_KERNEL_ACCOUNT);
	if (!event)
		return ERR_PTR(-ENOMEM);
	event->args = pe_copy_layout(placed);
	if (!event->args) {
		kmem_cache_free(pe_event_cache, event);
		return ERR_PTR(-ENOMEM);
	}
	BUILD_BUG_ON(PE_MAX_ARGS > U8_MAX);
	event->nargs = placed->nargs;
	event->is_return = spec->cmd == PE_CMD_RETURN;
	event->is_fprobe = spec->fprobe;
	event->is_tpoint = spec->tpoint;
	for (i = 0; i < placed->nargs; i++)
		event->dynamic |= pe_type_is_string(placed->args[i].type);
	INIT_LIST_HEAD(&event->list);
	INIT_LIST_HEAD(&event->probes);
	INIT_LIST_HEAD(&event->links);
	refcount_set(&event->ref, 1);
	return event;
}

int pe_event_keep_since(struct pe_event *event)
{
	if (!event->since)
		event->since = alloc_percpu(local_t);
	return event->since ? 0 : -ENOMEM;
}

void pe_event_forget_since(struct pe_event *event)
{
	unsigned int cpu;

	if (!event->since)
		return;
	for_each_possible_cpu(cpu)
		local_set(per_cpu_ptr(event->since, cpu), 0);
}

static u32 pe_name_hash(const char *group, const char *name)
{
	return full_name_hash((void *)(unsigned long)pe_group_hash(group), name, strlen(name));
}

/* Into its group, with its links. */
static int pe_event_add_name(struct pe_event *event, const char *group)
{
	struct pe_group *grp = pe_group_find(group);
	u32 nr;
	int ret;

	if (!grp)
		grp = pe_group_create(group);
	if (IS_ERR(grp))
		return PTR_ERR(grp);
	ret = xa_alloc(&grp->events, &nr, event, xa_limit_16b, GFP_KERNEL);
	if (ret)
		goto drop_group;

	event->nr = nr;
	event->grp = grp;
	event->group = grp->name;
	ret = pe_event_add_links(event);
	if (ret)
		goto erase;

	pe_group_get(grp);
	grp->nr_events++;
	hash_add(pe_events_by_name, &event->by_name, pe_name_hash(event->group, event->name));
	return 0;

erase:
	event->grp = NULL;
	event->group = NULL;
	xa_erase(&grp->events, event->nr);
drop_group:
	pe_group_drop_if_empty(grp);
	return ret;
}

static void pe_remove_name(struct pe_event *event)
{
	pe_event_remove_files(event);
	hash_del(&event->by_name);
	xa_erase(&event->grp->events, event->nr);
	event->grp->nr_events--;
	pe_group_drop_if_empty(event->grp);
}

int pe_event_publish(struct pe_event *event, const char *group, const char *name)
{
	int ret;

	lockdep_assert_held(&pe_event_mutex);

	if (!pe_event_name_free(name))
		return -EEXIST;
	event->name = kstrdup(name, GFP_KERNEL_ACCOUNT);
	if (!event->name)
		return -ENOMEM;
	/* Only reserve it: printers may find the event only when it is complete. */
	ret = idr_alloc_cyclic(&pe_event_ids, NULL, PE_EVENT_ID_FIRST,
			       PE_EVENT_ID_LAST + 1, GFP_KERNEL);
	if (ret < 0)
		goto free_name;
	event->id = ret;

	mutex_lock(&pe_name_mutex);
	ret = pe_event_add_name(event, group);
	mutex_unlock(&pe_name_mutex);
	if (ret)
		goto free_id;
	list_add_tail(&event->list, &pe_events);
	idr_replace(&pe_event_ids, event, event->id);
	return 0;

free_id:
	idr_remove(&pe_event_ids, event->id);
free_name:
	kfree(event->name);
	event->name = NULL;
	return ret;
}

void pe_event_unpublish(struct pe_event *event)
{
	lockdep_assert_held(&pe_event_mutex);

	event->dead = true;
	mutex_lock(&pe_name_mutex);
	pe_remove_name(event);
	mutex_unlock(&pe_name_mutex);
	list_del_init(&event->list);
	idr_remove(&pe_event_ids, event->id);
}

struct pe_event *pe_event_find(const char *group, const char *name)
{
	struct pe_event *event;

	pe_assert_names_held();

	hash_for_each_possible(pe_events_by_name, event, by_name, pe_name_hash(group, name)) {
		if (!strcmp(event->name, name) && !strcmp(event->group, group))
			return event;
	}
	return NULL;
}

/**
 * pe_event_by_id() - find the event by the id in its records
 * @id: common_type
 *
 * Context: inside rcu_read_lock(), where the event stays usable for printing
 * even while it is being removed; or with pe_event_mutex.
 */
struct pe_event *pe_event_by_id(u16 id)
{
	return idr_find(&pe_event_ids, id);
}

void pe_event_get(struct pe_event *event)
{
	refcount_inc(&event->ref);
}

static void pe_event_free_rcu(struct rcu_head *rcu)
{
	struct pe_event *event = container_of(rcu, struct pe_event, rcu);

	if (event->grp)
		pe_group_put(event->grp);
	kvfree(event->args);
	kfree(event->name);
	kfree(event->text);
	pe_limit_free(event->limit);
	free_percpu(event->since);
	kmem_cache_free(pe_event_cache, event);
}

void pe_event_put(struct pe_event *event)
{
	if (refcount_dec_and_test(&event->ref))
		call_rcu(&event->rcu, pe_event_free_rcu);
}

void pe_event_layout(const struct pe_event *event, struct pe_layout *layout)
{
	*layout = (struct pe_layout) {
		.name = event->name,
		.id = event->id,
		.is_return = event->is_return,
		.is_marker = pe_event_is_marker(event),
		.nargs = event->nargs,
		.args = event->args,
		.text = event->text,
		.text_is_line = event->text_is_line,
	};
}

int pe_events_init(void)
{
	int ret = pe_links_init();

	if (ret)
		return ret;
	pe_event_cache = KMEM_CACHE(pe_event, 0);
	if (pe_event_cache)
		return 0;
	pe_links_exit();
	return -ENOMEM;
}

void pe_events_exit(void)
{
	/* Code of this module frees the last events and links, and needs the caches. */
	rcu_barrier();
	kmem_cache_destroy(pe_event_cache);
	pe_links_exit();
	idr_destroy(&pe_event_ids);
	xa_destroy(&pe_groups);
}
