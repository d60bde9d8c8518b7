/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * tpoint.h - tracepoints that probes are at.
 *
 * Callers hold pe_event_mutex unless said otherwise.
 */
#ifndef PE_TPOINT_H
#define PE_TPOINT_H

#include <linux/types.h>
#include "kernel/trace/parse/near.h"

struct module;
struct pe_event_probe;

#ifdef CONFIG_TRACEPOINTS
#define PE_HAVE_TPOINTS		1

/* tpoint.c */

/* The function that a tracepoint calls, 0 if there is none.  @held: the caller has the mutex. */
unsigned long pe_tpoint_function(const char *name, bool held);

/**
 * pe_tpoint_near() - a tracepoint that may have been meant
 * @place: what no tracepoint is called, or GROUP:NAME, which is not a place in any module: perf
 *	and the kernel's files write a tracepoint in this way
 * @near: set up here, and gets the nearest name, or NAME if there is one of exactly that name
 *
 * Context: process context, with pe_event_mutex or without.
 */
void pe_tpoint_near(const char *place, struct pe_near *near);

/**
 * pe_tpoint_find() - find the tracepoint of a probe that is not registered
 * @probe: gets it, and the address of its function
 * @mod: look there only: it is coming; NULL: in the kernel and in modules that are there
 *
 * Return: false if there is none.
 */
bool pe_tpoint_find(struct pe_event_probe *probe, const struct module *mod);

/* Has its tracepoint been found, and is it in this module? */
bool pe_tpoint_is_in(const struct pe_event_probe *probe, const struct module *mod);

/* Forget it; the probe is not registered. */
void pe_tpoint_forget(struct pe_event_probe *probe);

/**
 * pe_tpoint_start() - let its tracepoint call the function that the probe is at
 * @probe: the probe
 *
 * Probes that have no tracepoint, or that have done this, are left alone; so does
 * pe_tpoint_stop(), which cannot fail.
 *
 * Return: 0 or -errno.
 */
int pe_tpoint_start(struct pe_event_probe *probe);
void pe_tpoint_stop(struct pe_event_probe *probe);

void pe_tpoints_end(void);	/* no probe is left; the module's code may go after that */

#else
#define PE_HAVE_TPOINTS		0

static inline unsigned long pe_tpoint_function(const char *name, bool held)
{
	return 0;
}

static inline void pe_tpoint_near(const char *place, struct pe_near *near)
{
	pe_near_init(near, place);
}

static inline bool pe_tpoint_find(struct pe_event_probe *probe, const struct module *mod)
{
	return false;
}

static inline bool pe_tpoint_is_in(const struct pe_event_probe *probe, const struct module *mod)
{
	return false;
}

static inline void pe_tpoint_forget(struct pe_event_probe *probe) { }

static inline int pe_tpoint_start(struct pe_event_probe *probe)
{
	return 0;
}

static inline void pe_tpoint_stop(struct pe_event_probe *probe) { }
static inline void pe_tpoints_end(void) { }
#endif

#endif
