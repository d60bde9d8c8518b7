/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * pids_hit.h - lists of pids, for hits.  [H]
 */
#ifndef PE_PIDS_HIT_H
#define PE_PIDS_HIT_H

#include <linux/bitops.h>
#include <linux/threads.h>
#include <linux/types.h>

struct pe_instance;

/* All possible pids; atomic operations change single bits. */
struct pe_pid_list {
	unsigned long bits[BITS_TO_LONGS(PID_MAX_LIMIT)];
};

static inline bool pe_pids_has(const struct pe_pid_list *list, pid_t pid)
{
	return (unsigned int)pid < PID_MAX_LIMIT && test_bit(pid, list->bits);
}

/* pids_hit.c */

/* Do its lists of pids, if any, admit the current task? */
bool pe_pids_want(const struct pe_instance *inst);

#endif
