/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * tracing.h - the kernel's own events, as far as modules cannot reach them.
 */
#ifndef PE_TRACING_H
#define PE_TRACING_H

#include <linux/types.h>
#include "kernel/know/compat.h"

/*
 * Are there events of the kernel that come and go, may modules have such, and does perf know them?
 * Kbuild asks the second by a flag, which came with the count.
 */
#if defined(CONFIG_DYNAMIC_EVENTS) && defined(CONFIG_PERF_EVENTS) && PE_HAVE_EVENT_REFS
#define PE_HAVE_TRACING		1

/* tracing.c */

/**
 * pe_tracing_lock() - take the mutex that guards the kernel's events
 *
 * trace_add_event_call() and trace_remove_event_call() want it held.  The kernel holds it
 * when it calls ->reg() of an event.  It is outside of all mutexes of ours.
 *
 * Context: process, may sleep.
 * Return: 0, or -EOPNOTSUPP if this kernel's mutex cannot be found.
 */
int pe_tracing_lock(void);
void pe_tracing_unlock(void);

/* Has the kernel an event of this name?  With pe_tracing_lock(). */
bool pe_tracing_has_event(const char *group, const char *name);

/* Empties the kernel's trace buffers: records of an event that has gone cannot be printed. */
void pe_tracing_reset(void);

#else
#define PE_HAVE_TRACING		0
#endif

#endif
