/* SPDX-License-Identifier: GPL-2.0 */
/*
 * pids.h - of which tasks an instance records hits: set_event_pid and
 * set_event_notrace_pid.
 */
#ifndef PE_PIDS_H
#define PE_PIDS_H

#include <linux/rcupdate.h>
#include <linux/types.h>
#include "kernel/trace/trace.h"

/* [H] Does the instance want records of the current task?  If not ->by_pid: yes. */
bool pe_pids_want(const struct pe_instance *inst);

/**
 * pe_pids_follow() - should the lists follow forks and exits?
 *
 * While any instance wants it, the engine has two probes of ours.  Process
 * context.  Return: 0 or the error of placing them.
 */
int pe_pids_follow(struct pe_instance *inst, bool on);

/* The instance goes: no hit finds it any more. */
void pe_pids_free(struct pe_instance *inst);

#endif
