/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * variant.h - what a hit has to do is chosen when something changes.
 *
 * Callers hold pe_event_mutex.  None of these can fail.
 */
#ifndef PE_EVENT_VARIANT_H
#define PE_EVENT_VARIANT_H

struct pe_event;
struct pe_instance;

/* variant.c */

/**
 * pe_event_changed() - something has changed that a hit of the event depends on
 * @event: the event
 *
 * Call it after the change; variant.c lists the changes.  Hits that begin after
 * it returns do what the change asks for.  A hit in progress may not: wait for a
 * grace period before you free what hits have used.
 *
 * Then hits do the program of each probe of the event; and for each link with a variant other than
 * 0, link->variant, with link->filter and link->instance.
 */
void pe_event_changed(struct pe_event *event);

/* The same, of all events in an instance. */
void pe_instance_changed(struct pe_instance *inst);

#endif
