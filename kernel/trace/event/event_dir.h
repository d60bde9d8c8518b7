/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * event_dir.h - the directories of groups and events, in events/ of each instance.
 */
#ifndef PE_EVENT_DIR_H
#define PE_EVENT_DIR_H

#include <linux/types.h>

struct pe_dir_ops;
struct pe_fs_file;

/* The files of an event and of a group; data is a link or a group_dir. */
struct pe_event_tables {
	const struct pe_fs_file *event;
	const struct pe_fs_file *group;
};

/* event_dir.c */

/* Call this with pe_event_mutex, before the first group and event. */
void pe_event_tables_set(const struct pe_event_tables *of_files);

/* May an event have that name, or has its group's directory a file that is called so? */
bool pe_event_name_free(const char *name);

/* Operations of events/; data is the instance. */
extern const struct pe_dir_ops pe_events_dir_ops;

#endif
