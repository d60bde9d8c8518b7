/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * since.h - the time since an event's last hit on this CPU: $since.
 */
#ifndef PE_SINCE_H
#define PE_SINCE_H

#include <linux/types.h>
#include <asm/local.h>

/* since.c */

/**
 * pe_since_hit() - note a hit, and tell how long ago the one before it was [H]
 * @last: this CPU's word of the event: when it was hit last, 0: not yet
 *
 * Hits follow each other in the order in which they have changed the word, also one that interrupts
 * another one.  So the sum of all is the time from the first to the last.
 *
 * Context: any, preemption off.
 * Return: nanoseconds of the kernel's monotonic clock; 0 at the first hit.
 */
u64 pe_since_hit(local_t *last);

#endif
