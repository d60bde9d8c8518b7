// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * event_link.c - links of events and groups to instances.
 *
 * Every event has a link to every instance, every group a struct pe_group_dir in
 * each.  A new event, group or instance makes its links to all of the other kind;
 * one that goes away cuts them.  All this is under pe_event_mutex and pe_name_mutex:
 * events/ of a visible instance is always complete.  The directories that links
 * stand for are made when a reader looks (event_dir.c).
 */
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/rculist.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include "buffers.h"
#include "event.h"
#include "event_filter.h"
#include "event_link.h"
#include "instance.h"
#include "kernel/trace/probefs/fs.h"
#include "kernel/trace/probefs/fs_dir.h"
#include "kernel/trace/trace.h"
#include "kernel/trace/trace_instance.h"
#include "limit.h"
#include "variant.h"

/* Groups in instances. */

void pe_group_dir_get(struct pe_group_dir *gdir)
{
	refcount_inc(&gdir->ref);
}

void pe_group_dir_put(struct pe_group_dir *gdir)
{
	if (!refcount_dec_and_test(&gdir->ref))
		return;
	pe_fs_ino_put(gdir->ino);
	pe_group_put(gdir->group);
	kfree(gdir);
}

void pe_group_dir_close(struct pe_group_dir *gdir)
{
	struct pe_instance *inst = gdir->instance;

	pe_group_dir_put(gdir);
	pe_instance_put(inst);
}

struct pe_group_dir *pe_group_dir_open(const struct inode *inode)
{
	struct pe_group_dir *gdir;

	mutex_lock(&pe_event_mutex);
	gdir = pe_fs_data(inode);
	if (gdir && gdir->instance->closed)
		gdir = NULL;
	if (gdir) {
		pe_group_dir_get(gdir);
		pe_instance_get(gdir->instance);
	}
	mutex_unlock(&pe_event_mutex);
	return gdir;
}

static int pe_add_group_dir(struct pe_group *group, struct pe_instance *inst)
{
	struct pe_group_dir *gdir;
	int ret;

	/* The instance's own files there, ftrace/ for one. */
	if (pe_fs_has(inst->events, group->name))
		return -EEXIST;
	gdir = kzalloc(sizeof(*gdir), GFP_KERNEL_ACCOUNT);
	if (!gdir)
		return -ENOMEM;
	ret = pe_fs_ino_get(&gdir->ino);
	if (ret) {
		kfree(gdir);
		return ret;
	}
	gdir->group = group;
	gdir->instance = inst;
	refcount_set(&gdir->ref, 1);
	pe_group_get(group);
	list_add_tail(&gdir->group_list, &group->dirs);
	list_add_tail(&gdir->instance_list, &inst->group_dirs);
	return 0;
}

/* Its node, if there is one, has been removed. */
static void pe_drop_group_dir(struct pe_group_dir *gdir)
{
	list_del(&gdir->group_list);
	list_del(&gdir->instance_list);
	pe_group_dir_put(gdir);
}

void pe_group_remove_dirs(struct pe_group *group)
{
	struct pe_group_dir *gdir, *next;

	lockdep_assert_held(&pe_name_mutex);

	list_for_each_entry_safe(gdir, next, &group->dirs, group_list) {
		pe_fs_forget(gdir->instance->events, group->name, NULL);
		pe_drop_group_dir(gdir);
	}
}

int pe_group_add_dirs(struct pe_group *group)
{
	struct pe_instance *inst;
	int ret;

	lockdep_assert_held(&pe_name_mutex);

	list_for_each_entry(inst, &pe_instances, list) {
		ret = pe_add_group_dir(group, inst);
		if (ret) {
			pe_group_remove_dirs(group);
			return ret;
		}
	}
	return 0;
}

struct pe_group_dir *pe_group_dir_find(const struct pe_group *group,
				       const struct pe_instance *inst)
{
	struct pe_group_dir *gdir;

	pe_assert_names_held();

	list_for_each_entry(gdir, &group->dirs, group_list)
		if (gdir->instance == inst)
			return gdir;
	return NULL;
}

/* Events in instances. */

/* kmalloc() would round their size up to the next of its own. */
static struct kmem_cache *pe_link_cache;

struct pe_event_link *pe_link_find(const struct pe_event *event,
				   const struct pe_instance *inst)
{
	struct pe_event_link *link;

	pe_assert_names_held();

	list_for_each_entry(link, &event->links, event_list)
		if (link->instance == inst)
			return link;
	return NULL;
}

void pe_link_get(struct pe_event_link *link)
{
	refcount_inc(&link->ref);
}

static void pe_link_free_rcu(struct rcu_head *rcu)
{
	kmem_cache_free(pe_link_cache, container_of(rcu, struct pe_event_link, rcu));
}

void pe_link_put(struct pe_event_link *link)
{
	if (!refcount_dec_and_test(&link->ref))
		return;
	pe_fs_ino_put(link->ino);
	pe_link_drop_filter(link);
	pe_event_put(link->event);
	call_rcu(&link->rcu, pe_link_free_rcu);
}

void pe_link_close(struct pe_event_link *link)
{
	struct pe_instance *inst = link->instance;

	pe_link_put(link);
	pe_instance_put(inst);
}

struct pe_event_link *pe_link_open(const struct inode *inode)
{
	struct pe_event_link *link;

	mutex_lock(&pe_event_mutex);
	link = pe_fs_data(inode);
	if (link && link->instance->closed)
		link = NULL;
	if (link) {
		pe_link_get(link);
		pe_instance_get(link->instance);
	}
	mutex_unlock(&pe_event_mutex);
	return link;
}

struct pe_event_link *pe_link_add(struct pe_event *event, struct pe_instance *inst)
{
	struct pe_event_link *link = kmem_cache_zalloc(pe_link_cache, GFP_KERNEL_ACCOUNT);
	int ret;

	if (!link)
		return ERR_PTR(-ENOMEM);
	ret = pe_fs_ino_get(&link->ino);
	if (ret) {
		kmem_cache_free(pe_link_cache, link);
		return ERR_PTR(ret);
	}
	link->event = event;
	link->instance = inst;
	refcount_set(&link->ref, 1);
	pe_event_get(event);
	list_add_tail(&link->instance_list, &inst->links);
	list_add_tail_rcu(&link->event_list, &event->links);
	return link;
}

static void pe_cut_link(struct pe_event_link *link)
{
	list_del(&link->instance_list);
	list_del_rcu(&link->event_list);
	pe_limit_drop_link(link);
	pe_link_put(link);
}

void pe_event_remove_files(struct pe_event *event)
{
	const struct pe_event_link *link;

	lockdep_assert_held(&pe_name_mutex);

	list_for_each_entry(link, &event->links, event_list)
		pe_fs_forget(link->instance->events, event->group, event->name);
}

int pe_event_add_links(struct pe_event *event)
{
	struct pe_event_link *link, *next;
	struct pe_instance *inst;
	int ret;

	lockdep_assert_held(&pe_name_mutex);

	list_for_each_entry(inst, &pe_instances, list) {
		ret = PTR_ERR_OR_ZERO(pe_link_add(event, inst));
		if (ret)
			goto fail;
	}
	return 0;

fail:
	/* No user has seen it: it has no files. */
	list_for_each_entry_safe(link, next, &event->links, event_list)
		pe_cut_link(link);
	return ret;
}

int pe_instance_add_links(struct pe_instance *inst)
{
	struct pe_event *event;
	struct pe_group *group;
	unsigned long i;
	int ret;

	lockdep_assert_held(&pe_name_mutex);

	xa_for_each(&pe_groups, i, group) {
		ret = pe_add_group_dir(group, inst);
		if (ret)
			return ret;
	}
	list_for_each_entry(event, &pe_events, list) {
		ret = PTR_ERR_OR_ZERO(pe_link_add(event, inst));
		if (ret)
			return ret;
		cond_resched();
	}
	return 0;
}

void pe_instance_drop_limits(struct pe_instance *inst)
{
	struct pe_event_link *link;

	lockdep_assert_held(&pe_event_mutex);

	list_for_each_entry(link, &inst->links, instance_list) {
		if (pe_limit_drop_link(link))
			pe_event_changed(link->event);
		cond_resched();
	}
}

void pe_instance_remove_links(struct pe_instance *inst)
{
	struct pe_group_dir *gdir, *next_gdir;
	struct pe_event_link *link, *next;

	lockdep_assert_held(&pe_name_mutex);

	list_for_each_entry_safe(link, next, &inst->links, instance_list) {
		pe_cut_link(link);
		cond_resched();
	}
	list_for_each_entry_safe(gdir, next_gdir, &inst->group_dirs, instance_list)
		pe_drop_group_dir(gdir);
	if (inst->stale)
		list_del(&inst->stale_list);
}

/* Instances that have records of removed events in their buffers. */

static LIST_HEAD(pe_stale_instances);

static void pe_mark_stale(struct pe_instance *inst)
{
	if (inst->stale)
		return;
	inst->stale = true;
	list_add_tail(&inst->stale_list, &pe_stale_instances);
}

void pe_instances_clear_stale(void)
{
	struct pe_instance *inst, *next;

	lockdep_assert_held(&pe_event_mutex);

	list_for_each_entry_safe(inst, next, &pe_stale_instances, stale_list) {
		list_del(&inst->stale_list);
		inst->stale = false;
		pe_buffers_empty(inst);
	}
}

void pe_event_unlink(struct pe_event *event)
{
	struct pe_event_link *link, *next;

	lockdep_assert_held(&pe_event_mutex);

	pe_limit_drop_event(event);
	mutex_lock(&pe_name_mutex);
	list_for_each_entry_safe(link, next, &event->links, event_list) {
		if (link->was_enabled)
			pe_mark_stale(link->instance);
		pe_cut_link(link);
	}
	mutex_unlock(&pe_name_mutex);
}

int pe_links_init(void)
{
	pe_link_cache = KMEM_CACHE(pe_event_link, 0);
	return pe_link_cache ? 0 : -ENOMEM;
}

void pe_links_exit(void)
{
	kmem_cache_destroy(pe_link_cache);
}
