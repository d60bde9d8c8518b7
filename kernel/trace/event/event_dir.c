// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * event_dir.c - the directories of groups and events, in events/ of each instance.
 *
 * They are made when a reader looks, and go with their last user.  Until then an
 * event costs an instance its link, and a group its struct pe_group_dir.  Names
 * are looked up by their hash.  Listings follow the numbers that groups and events
 * have: a number stays while its event is there, and is then given to another.
 *
 * A node holds a reference to its link or group_dir, and so its inode numbers.
 * pe_name_mutex is held from finding an event until its node is in the tree, and
 * while it is removed: pe_event_remove_files() finds the node.
 */
#include <linux/mutex.h>
#include <linux/string.h>
#include <linux/xarray.h>
#include "event.h"
#include "event_dir.h"
#include "event_link.h"
#include "kernel/trace/probefs/fs.h"
#include "kernel/trace/probefs/fs_dir.h"
#include "kernel/trace/trace.h"

static struct pe_event_tables pe_event_dir_tables;

void pe_event_tables_set(const struct pe_event_tables *of_files)
{
	lockdep_assert_held(&pe_event_mutex);
	pe_event_dir_tables = *of_files;
}

bool pe_event_name_free(const char *name)
{
	return !pe_fs_has_row(pe_event_dir_tables.group, name);
}

/* events/GROUP/EVENT/; data is the link. */

static void pe_release_link(void *data)
{
	pe_link_put(data);
}

static const struct pe_dir_ops pe_event_dir_ops = { .release = pe_release_link };

/* events/GROUP/; data is the group_dir. */

static struct pe_node *pe_group_lookup(struct pe_node *dir, void *data, const char *name)
{
	const struct pe_group_dir *gdir = data;
	const struct pe_event *event = pe_event_find(gdir->group->name, name);
	struct pe_event_link *link = event ? pe_link_find(event, gdir->instance) : NULL;

	if (!link)
		return NULL;
	pe_link_get(link);
	return pe_fs_look(dir, &(struct pe_fs_late){
		.name = event->name,
		.mode = PE_FS_EVENTS,
		.ino = link->ino,
		.files = pe_event_dir_tables.event,
		.ops = &pe_event_dir_ops,
		.data = link,
	});
}

static bool pe_group_next(void *data, unsigned long *nr, struct pe_fs_entry *entry)
{
	const struct pe_group_dir *gdir = data;
	const struct pe_event *event = xa_find(&gdir->group->events, nr, ULONG_MAX, XA_PRESENT);

	if (!event)
		return false;
	entry->ino = pe_link_find(event, gdir->instance)->ino;
	strscpy(entry->name, event->name, sizeof(entry->name));
	return true;
}

static unsigned int pe_group_count(void *data)
{
	const struct pe_group_dir *gdir = data;

	return gdir->group->nr_events;
}

static void pe_release_group_dir(void *data)
{
	pe_group_dir_put(data);
}

static const struct pe_dir_ops pe_group_dir_ops = {
	.mutex		= &pe_name_mutex,
	.lookup		= pe_group_lookup,
	.next		= pe_group_next,
	.count		= pe_group_count,
	.release	= pe_release_group_dir,
};

/* events/; data is the instance. */

static struct pe_node *pe_events_lookup(struct pe_node *dir, void *data, const char *name)
{
	const struct pe_group *group = pe_group_find(name);
	struct pe_group_dir *gdir = group ? pe_group_dir_find(group, data) : NULL;

	if (!gdir)
		return NULL;
	pe_group_dir_get(gdir);
	return pe_fs_look(dir, &(struct pe_fs_late){
		.name = group->name,
		.mode = PE_FS_EVENTS,
		.ino = gdir->ino,
		.files = pe_event_dir_tables.group,
		.ops = &pe_group_dir_ops,
		.data = gdir,
	});
}

static bool pe_events_next(void *data, unsigned long *nr, struct pe_fs_entry *entry)
{
	const struct pe_group *group = xa_find(&pe_groups, nr, ULONG_MAX, XA_PRESENT);

	if (!group)
		return false;
	entry->ino = pe_group_dir_find(group, data)->ino;
	strscpy(entry->name, group->name, sizeof(entry->name));
	return true;
}

static unsigned int pe_events_count(void *data)
{
	struct pe_group *group;
	unsigned int n = 0;
	unsigned long i;

	xa_for_each(&pe_groups, i, group)
		n++;
	return n;
}

const struct pe_dir_ops pe_events_dir_ops = {
	.mutex	= &pe_name_mutex,
	.lookup	= pe_events_lookup,
	.next	= pe_events_next,
	.count	= pe_events_count,
};
