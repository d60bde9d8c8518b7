/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * pids.h - an instance records hits only of selected tasks: set_event_pid and
 * set_event_notrace_pid.  Process context.
 */
#ifndef PE_PIDS_H
#define PE_PIDS_H

#include <linux/types.h>
#include "kernel/trace/trace_instance.h"

/* pids.c */

/* With pe_event_mutex held.  Return: the list, or NULL if there is none. */
struct pe_pid_list *pe_pids_list(struct pe_instance *inst, enum pe_pids which);
/* The first pid in it from @pid on, PID_MAX_LIMIT if there is none. */
unsigned long pe_pids_next(struct pe_instance *inst, enum pe_pids which, unsigned long pid);
/* From now on hits look at @list, of vzalloc().  There was no list before. */
void pe_pids_publish(struct pe_instance *inst, enum pe_pids which, struct pe_pid_list *list);

/* Without the mutex: the list is gone afterwards, and no hit looks at it. */
void pe_pids_drop(struct pe_instance *inst, enum pe_pids which);

/**
 * pe_pids_follow() - make the lists follow forks and exits, or not
 * @inst: the instance
 * @on: they are to follow
 *
 * While any instance follows, the engine has two probes of ours.
 *
 * Return: 0 or the error of placing them.
 */
int pe_pids_follow(struct pe_instance *inst, bool on);

/* For an instance that goes away, and that no hit finds. */
void pe_pids_free(struct pe_instance *inst);

#endif
