/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * event_set.h - probes at all functions that one command names.
 *
 * Callers hold pe_event_mutex.
 */
#ifndef PE_EVENT_SET_H
#define PE_EVENT_SET_H

#include <linux/types.h>

struct pe_event;
struct pe_event_probe;
struct pe_hint;
struct pe_placed;
struct pe_source;

/* event_set.c */

/**
 * pe_event_set_find() - find the functions that a command names
 * @source: of the command; gets its probes: one, or several if the place names several functions
 * @placed: the command, where to begin; its place becomes the first that exists
 * @hint: filled if none is found
 *
 * Return: 0, -ENOENT or -ENOMEM.
 */
int pe_event_set_find(struct pe_source *source, struct pe_placed *placed, struct pe_hint *hint);

/* @probe could not be probed, for its kp.reason: it is no probe any more, but listed. */
void pe_event_set_refuse(struct pe_event_probe *probe);

/**
 * pe_source_register() - register a source's probes, and arm them if the event is armed
 * @source: its event is set, and its probes are found
 * @reason: on failure, why, or NULL; of the first if the engine refuses several
 *
 * Of several functions, those that the engine refuses become refused functions.
 *
 * Return: 0, or the error of the first if it refuses all; or what arming has failed with.
 */
int pe_source_register(struct pe_source *source, const char **reason);

/* event_known.c */

/* Has the event another source for the same place, that fetches arguments in the same way? */
bool pe_event_has_same(const struct pe_event *event, const struct pe_source *source);

/**
 * pe_event_set_drop_known() - leave out the functions that the event probes already
 * @source: its probes are found, but not registered; its event is set
 *
 * Return: 0, -EEXIST if no other is left, -ENOMEM.
 */
int pe_event_set_drop_known(struct pe_source *source);

#endif
