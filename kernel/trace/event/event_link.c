// SPDX-License-Identifier: GPL-2.0
/*
 * event_link.c - links of events and groups to instances.
 *
 * Every event has a link to every instance, every group a directory in each.  A
 * new event, group or instance makes its links to all of the other kind; one
 * that goes away cuts them.  All this is under pe_event_mutex: the files below
 * events/ of a visible instance are always complete.
 */
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/rculist.h>
#include <linux/slab.h>
#include "buffers.h"
#include "event.h"
#include "event_filter.h"
#include "event_link.h"
#include "kernel/trace/probefs/fs.h"
#include "instance.h"
#include "kernel/trace/trace.h"
#include "kernel/trace/trace_instance.h"

/* Groups in instances. */

static struct pe_event_tables tables;

void pe_event_tables_set(const struct pe_event_tables *of_files)
{
	lockdep_assert_held(&pe_event_mutex);
	tables = *of_files;
}

static int make_dir(struct pe_node *parent, const char *name, const struct pe_fs_file *files,
		    void *data, struct pe_node **made)
{
	struct pe_node *dir = pe_fs_mkdir(parent, name, PE_FS_EVENTS);
	int ret;

	if (IS_ERR(dir))
		return PTR_ERR(dir);
	ret = pe_fs_create_files(dir, files, data);
	if (ret)
		pe_fs_remove(dir);
	else
		*made = dir;
	return ret;
}

void pe_group_dir_close(struct pe_group_dir *gdir)
{
	struct pe_instance *inst = gdir->instance;

	if (refcount_dec_and_test(&gdir->ref)) {
		pe_group_put(gdir->group);
		kfree(gdir);
	}
	pe_instance_put(inst);
}

struct pe_group_dir *pe_group_dir_open(const struct inode *inode)
{
	struct pe_group_dir *gdir;

	mutex_lock(&pe_event_mutex);
	gdir = pe_fs_data(inode);
	if (gdir) {
		refcount_inc(&gdir->ref);
		pe_instance_get(gdir->instance);
	}
	mutex_unlock(&pe_event_mutex);
	return gdir;
}

static int add_group_dir(struct pe_group *group, struct pe_instance *inst)
{
	struct pe_group_dir *gdir = kzalloc(sizeof(*gdir), GFP_KERNEL_ACCOUNT);
	int ret;

	if (!gdir)
		return -ENOMEM;
	gdir->group = group;
	gdir->instance = inst;
	refcount_set(&gdir->ref, 1);
	ret = make_dir(inst->events, group->name, tables.group, gdir, &gdir->dir);
	if (ret) {
		kfree(gdir);
		return ret;
	}
	pe_group_get(group);
	list_add_tail(&gdir->group_list, &group->dirs);
	list_add_tail(&gdir->instance_list, &inst->group_dirs);
	return 0;
}

/* The caller has removed its nodes. */
static void drop_group_dir(struct pe_group_dir *gdir)
{
	list_del(&gdir->group_list);
	list_del(&gdir->instance_list);
	if (refcount_dec_and_test(&gdir->ref)) {
		pe_group_put(gdir->group);
		kfree(gdir);
	}
}

void pe_group_remove_dirs(struct pe_group *group)
{
	struct pe_group_dir *gdir, *next;

	lockdep_assert_held(&pe_event_mutex);

	list_for_each_entry_safe(gdir, next, &group->dirs, group_list) {
		pe_fs_remove(gdir->dir);
		drop_group_dir(gdir);
	}
}

int pe_group_add_dirs(struct pe_group *group)
{
	struct pe_instance *inst;
	int ret;

	lockdep_assert_held(&pe_event_mutex);

	list_for_each_entry(inst, &pe_instances, list) {
		ret = add_group_dir(group, inst);
		if (ret) {
			pe_group_remove_dirs(group);
			return ret;
		}
	}
	return 0;
}

static struct pe_node *group_dir_in(const struct pe_group *group,
				    const struct pe_instance *inst)
{
	const struct pe_group_dir *gdir;

	list_for_each_entry(gdir, &group->dirs, group_list)
		if (gdir->instance == inst)
			return gdir->dir;
	return NULL;
}

/* Events in instances. */

static void put_link(struct pe_event_link *link)
{
	if (!refcount_dec_and_test(&link->ref))
		return;
	pe_link_drop_filter(link);
	pe_event_put(link->event);
	kfree_rcu(link, rcu);
}

void pe_link_close(struct pe_event_link *link)
{
	struct pe_instance *inst = link->instance;

	put_link(link);
	pe_instance_put(inst);
}

struct pe_event_link *pe_link_open(const struct inode *inode)
{
	struct pe_event_link *link;

	mutex_lock(&pe_event_mutex);
	link = pe_fs_data(inode);
	if (link) {
		refcount_inc(&link->ref);
		pe_instance_get(link->instance);
	}
	mutex_unlock(&pe_event_mutex);
	return link;
}

static int add_link(struct pe_event *event, struct pe_instance *inst)
{
	struct pe_event_link *link = kzalloc(sizeof(*link), GFP_KERNEL_ACCOUNT);
	int ret;

	if (!link)
		return -ENOMEM;
	link->event = event;
	link->instance = inst;
	INIT_LIST_HEAD(&link->triggers);
	refcount_set(&link->ref, 1);
	ret = make_dir(group_dir_in(event->grp, inst), event->name, tables.event, link,
		       &link->dir);
	if (ret) {
		kfree(link);
		return ret;
	}
	pe_event_get(event);
	list_add_tail(&link->instance_list, &inst->links);
	list_add_tail_rcu(&link->event_list, &event->links);
	return 0;
}

static void cut_link(struct pe_event_link *link)
{
	list_del(&link->instance_list);
	list_del_rcu(&link->event_list);
	put_link(link);
}

void pe_event_remove_files(struct pe_event *event)
{
	struct pe_event_link *link;

	lockdep_assert_held(&pe_event_mutex);

	list_for_each_entry(link, &event->links, event_list) {
		pe_fs_remove(link->dir);
		link->dir = NULL;
	}
}

int pe_event_add_links(struct pe_event *event)
{
	struct pe_event_link *link, *next;
	struct pe_instance *inst;
	int ret;

	lockdep_assert_held(&pe_event_mutex);

	list_for_each_entry(inst, &pe_instances, list) {
		ret = add_link(event, inst);
		if (ret)
			goto fail;
	}
	return 0;

fail:
	pe_event_remove_files(event);
	list_for_each_entry_safe(link, next, &event->links, event_list)
		cut_link(link);
	return ret;
}

int pe_instance_add_links(struct pe_instance *inst)
{
	struct pe_event *event;
	struct pe_group *group;
	int ret;

	lockdep_assert_held(&pe_event_mutex);

	list_for_each_entry(group, &pe_groups, list) {
		ret = add_group_dir(group, inst);
		if (ret)
			return ret;
	}
	list_for_each_entry(event, &pe_events, list) {
		ret = add_link(event, inst);
		if (ret)
			return ret;
	}
	return 0;
}

void pe_instance_remove_links(struct pe_instance *inst)
{
	struct pe_group_dir *gdir, *next_gdir;
	struct pe_event_link *link, *next;

	lockdep_assert_held(&pe_event_mutex);

	list_for_each_entry_safe(link, next, &inst->links, instance_list)
		cut_link(link);
	list_for_each_entry_safe(gdir, next_gdir, &inst->group_dirs, instance_list)
		drop_group_dir(gdir);
	if (inst->stale)
		list_del(&inst->stale_list);
}

/* Instances whose buffers have records of removed events. */

static LIST_HEAD(stale_instances);

static void mark_stale(struct pe_instance *inst)
{
	if (inst->stale)
		return;
	inst->stale = true;
	list_add_tail(&inst->stale_list, &stale_instances);
}

void pe_instances_clear_stale(void)
{
	struct pe_instance *inst, *next;

	lockdep_assert_held(&pe_event_mutex);

	list_for_each_entry_safe(inst, next, &stale_instances, stale_list) {
		list_del(&inst->stale_list);
		inst->stale = false;
		pe_buffers_empty(inst);
	}
}

void pe_event_unlink(struct pe_event *event)
{
	struct pe_event_link *link, *next;

	lockdep_assert_held(&pe_event_mutex);

	list_for_each_entry_safe(link, next, &event->links, event_list) {
		if (link->was_enabled)
			mark_stale(link->instance);
		cut_link(link);
	}
}
