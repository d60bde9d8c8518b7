/* SPDX-License-Identifier: GPL-2.0 */
/*
 * event_users.h - who has an event in use.
 */
#ifndef PE_EVENT_USERS_H
#define PE_EVENT_USERS_H

#include <linux/types.h>

struct pe_event;
struct pe_instance;

/**
 * pe_event_log_busy() - note in error_log who keeps an event from being removed
 * @event: armed, or its mirror is in use
 *
 * With pe_mirrors_lock() and pe_event_mutex.
 */
void pe_event_log_busy(const struct pe_event *event);

/*
 * Which event's trigger takes snapshots in an instance, in @buf; false if none does.  Takes
 * pe_event_mutex.
 */
bool pe_snapshot_user(const struct pe_instance *inst, char *buf, size_t size);

#endif
