/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * event_users.h - the users of an event.
 */
#ifndef PE_EVENT_USERS_H
#define PE_EVENT_USERS_H

#include <linux/types.h>

struct pe_event;
struct pe_instance;

/**
 * pe_event_log_busy() - note in error_log the user that keeps an event from being removed
 * @event: armed, or its mirror is in use
 * @home: uses in this instance do not count; NULL: all do
 *
 * With pe_mirrors_lock() and pe_event_mutex.
 */
void pe_event_log_busy(const struct pe_event *event, const struct pe_instance *home);

/*
 * Name in @buf the event with a trigger that takes snapshots in an instance; false if none does.
 * Takes pe_event_mutex.
 */
bool pe_snapshot_user(const struct pe_instance *inst, char *buf, size_t size);

#endif
