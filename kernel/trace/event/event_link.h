/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * event_link.h - events and groups in instances.
 *
 * Callers hold pe_event_mutex unless said otherwise.  It and pe_name_mutex
 * (event.h) together guard which links there are.
 */
#ifndef PE_EVENT_LINK_H
#define PE_EVENT_LINK_H

#include <linux/list.h>
#include <linux/refcount.h>
#include <linux/types.h>

struct inode;
struct pe_event;
struct pe_event_link;
struct pe_group;
struct pe_instance;

/**
 * struct pe_group_dir - a group in an instance
 * @group_list: in group->dirs
 * @instance_list: in instance->group_dirs
 * @group: referenced
 * @instance: open files hold it; a node does not, and does not look at it once it
 *	is dead
 * @ref: one for being in the lists, one per open file, one if events/GROUP is a node
 * @ino: of events/GROUP and its files
 */
struct pe_group_dir {
	struct list_head group_list;
	struct list_head instance_list;
	struct pe_group *group;
	struct pe_instance *instance;
	refcount_t ref;
	u32 ino;
};

/* event_link.c */

/* With either mutex.  The group, the event in the instance; NULL before and after its life. */
struct pe_group_dir *pe_group_dir_find(const struct pe_group *group,
				       const struct pe_instance *inst);
struct pe_event_link *pe_link_find(const struct pe_event *event,
				   const struct pe_instance *inst);

/* A reference without one to the instance: for a node.  Put: any process context. */
void pe_group_dir_get(struct pe_group_dir *gdir);
void pe_group_dir_put(struct pe_group_dir *gdir);
void pe_link_get(struct pe_event_link *link);
void pe_link_put(struct pe_event_link *link);

/**
 * pe_link_open() - the link of a file of events/GROUP/EVENT/, for ->open()
 * @inode: the file's
 *
 * Takes pe_event_mutex.  Return: the link, for pe_link_close() to release, or
 * NULL if the event or the instance is gone (answer -ENODEV).
 */
struct pe_event_link *pe_link_open(const struct inode *inode);
void pe_link_close(struct pe_event_link *link);	/* any process context */
struct pe_group_dir *pe_group_dir_open(const struct inode *inode);	/* as pe_link_open() */
void pe_group_dir_close(struct pe_group_dir *gdir);

/**
 * pe_group_add_dirs() - let a new group have a directory in each instance
 * @group: not yet listed
 *
 * With both mutexes, as the functions that follow but pe_event_unlink().
 *
 * Return: 0, or -errno with no directory there: -ENOMEM, -ENOSPC, -EEXIST if
 * events/ has another file or directory of that name.
 */
int pe_group_add_dirs(struct pe_group *group);
void pe_group_remove_dirs(struct pe_group *group);

/* Link an event to an instance.  Return: the link, or ERR_PTR(): -ENOMEM, -ENOSPC. */
struct pe_event_link *pe_link_add(struct pe_event *event, struct pe_instance *inst);

/**
 * pe_event_add_links() - link a new event to each instance
 * @event: the event
 *
 * Return: 0, or -errno with no link made: -ENOMEM, -ENOSPC.
 */
int pe_event_add_links(struct pe_event *event);

/* Removes the files of an event that are in use; its links stay for hits in progress. */
void pe_event_remove_files(struct pe_event *event);

/**
 * pe_instance_add_links() - link a new instance to all groups and events
 * @inst: the instance
 *
 * Return: 0, or -errno; then pe_instance_remove_links() has to clean up.
 */
int pe_instance_add_links(struct pe_instance *inst);

/* The limits that it gives events are not in force any more.  Waits; not with pe_name_mutex. */
void pe_instance_drop_limits(struct pe_instance *inst);

/**
 * pe_instance_remove_links() - no later hit finds the instance
 * @inst: the instance
 *
 * The caller has removed its nodes, disabled its events and dropped its limits.
 */
void pe_instance_remove_links(struct pe_instance *inst);

/**
 * pe_event_unlink() - cut the links of an event that goes away
 * @event: the event
 *
 * Takes pe_name_mutex.  Call it after the event's probes are unregistered.  Instances where it was
 * ever enabled become stale.
 */
void pe_event_unlink(struct pe_event *event);

/**
 * pe_instances_clear_stale() - clear the buffers of stale instances
 *
 * Records of a removed event cannot be printed.
 */
void pe_instances_clear_stale(void);

int pe_links_init(void);	/* memory for links */
void pe_links_exit(void);	/* no link is left, and rcu_barrier() has been called */

#endif
