/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * wait.h - waiting for hits.
 */
#ifndef PE_WAIT_H
#define PE_WAIT_H

#include <linux/cpu.h>
#include <linux/rcupdate.h>
#include <linux/workqueue.h>
#include "kernel/know/compat.h"

/**
 * pe_wait_for_hits() - wait until no hit uses what the caller has made unreachable
 *
 * Hits use sites, sets and slots with preemption off.  RCU waits for that, but only on CPUs
 * that are online for it.  On its first and last steps a CPU is not, and executes probed code.
 * These steps are inside an operation of CPU hotplug, which holds the hotplug lock for writing
 * from its beginning to its end.  So when the lock has been taken for reading, every CPU is
 * one of these:
 *
 *   - dead since before that;
 *   - one that RCU waits for;
 *   - one that comes up later, and so cannot find what is unreachable.
 *
 * Context: process, sleeps.  The caller holds nothing that a hotplug callback may wait for.
 */
static inline void pe_wait_for_hits(void)
{
	cpus_read_lock();
	cpus_read_unlock();
	synchronize_rcu();
}

static inline long pe_wait_nothing(void *unused)
{
	return 0;
}

/**
 * pe_wait_for_cpus() - every CPU that is online schedules once
 *
 * Afterwards no CPU is where it was with preemption off, or in its idle task.  That includes
 * CPUs that RCU is not watching.  synchronize_rcu_tasks_rude() would be the same, but kernels
 * without tracers lack it, and in newer ones it may wait for nothing: their own trampolines are
 * never in code that is noinstr, as our copies may be.
 *
 * Context: process, sleeps.  As above, nothing is held.
 */
static inline void pe_wait_for_cpus(void)
{
	int cpu;

	cpus_read_lock();
	for_each_online_cpu(cpu)
		work_on_cpu(cpu, pe_wait_nothing, NULL);
	cpus_read_unlock();
}

/**
 * pe_wait_for_text() - wait until no task and no CPU is in code that cannot be reached any more
 *
 * The code may be executed with preemption on or off, by idle tasks, at hits, and by CPUs that
 * come up or go down.  synchronize_rcu_tasks() is for tasks that were preempted there.
 *
 * Context: process, sleeps for a second or more.  As above, nothing is held.
 */
static inline void pe_wait_for_text(void)
{
	pe_wait_for_hits();
	pe_wait_for_cpus();
	synchronize_rcu_tasks();
}

#endif
