// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * pids_hit.c - tell whether an instance wants a task's hits.  [H]
 */
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include "kernel/trace/trace_instance.h"
#include "pids_hit.h"

bool pe_pids_want(const struct pe_instance *inst)
{
	const struct pe_pid_list *only = rcu_dereference_sched(inst->pids[PE_PIDS_ONLY]);
	const struct pe_pid_list *not = rcu_dereference_sched(inst->pids[PE_PIDS_NOT]);

	return (!only || pe_pids_has(only, current->pid)) &&
	       (!not || !pe_pids_has(not, current->pid));
}
