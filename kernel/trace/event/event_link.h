/* SPDX-License-Identifier: GPL-2.0 */
/*
 * event_link.h - events and groups in instances.
 *
 * Callers hold pe_event_mutex unless said otherwise.
 */
#ifndef PE_EVENT_LINK_H
#define PE_EVENT_LINK_H

#include <linux/list.h>
#include <linux/refcount.h>

struct inode;
struct pe_event;
struct pe_event_link;
struct pe_fs_file;
struct pe_group;
struct pe_instance;
struct pe_node;

/**
 * struct pe_group_dir - a group in an instance
 * @group: referenced
 * @instance: outlives this: open files hold it
 * @dir: events/GROUP in it
 * @ref: one for being in the lists, one per open file
 */
struct pe_group_dir {
	struct list_head group_list;
	struct list_head instance_list;
	struct pe_group *group;
	struct pe_instance *instance;
	struct pe_node *dir;
	refcount_t ref;
};

/* The files in the directories of an event and of a group; data is a link or a group_dir. */
struct pe_event_tables {
	const struct pe_fs_file *event;
	const struct pe_fs_file *group;
};

/* event_link.c */

/* Call this before the first group and event. */
void pe_event_tables_set(const struct pe_event_tables *of_files);

/**
 * pe_link_open() - the link of a file of events/GROUP/EVENT/, for ->open()
 *
 * Takes pe_event_mutex.  Return: the link, for pe_link_close() to release, or
 * NULL if the event or the instance is gone (answer -ENODEV).
 */
struct pe_event_link *pe_link_open(const struct inode *inode);
void pe_link_close(struct pe_event_link *link);	/* any process context */

/**
 * pe_group_add_dirs() - make a new group's directory in each instance
 *
 * Return: 0, or -errno with no directory made.
 */
int pe_group_add_dirs(struct pe_group *group);
void pe_group_remove_dirs(struct pe_group *group);
struct pe_group_dir *pe_group_dir_open(const struct inode *inode);	/* as pe_link_open() */
void pe_group_dir_close(struct pe_group_dir *gdir);

/**
 * pe_event_add_links() - link a new event to each instance, with its files there
 *
 * Return: 0, or -errno with no link made.
 */
int pe_event_add_links(struct pe_event *event);

/* Removes the files of an event; its links stay for hits in progress. */
void pe_event_remove_files(struct pe_event *event);

/**
 * pe_instance_add_links() - fill a new instance's events/ with all events
 *
 * Return: 0, or -errno; then pe_instance_remove_links() has to clean up.
 */
int pe_instance_add_links(struct pe_instance *inst);

/**
 * pe_instance_remove_links() - no later hit finds the instance
 *
 * The caller has removed its nodes and disabled its events.
 */
void pe_instance_remove_links(struct pe_instance *inst);

/**
 * pe_event_unlink() - cut the links of an event that goes away
 *
 * Call it after the event's probes are unregistered.  Instances where it was
 * ever enabled become stale.
 */
void pe_event_unlink(struct pe_event *event);

/**
 * pe_instances_clear_stale() - clear the buffers of stale instances
 *
 * Records of a removed event cannot be printed.
 */
void pe_instances_clear_stale(void);

#endif
