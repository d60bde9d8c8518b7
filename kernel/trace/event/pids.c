// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * pids.c - lists of pids, which users, forks and exits change.  [H] in part.
 *
 * A list is a bitmap of all possible pids.  It is published with its first pid
 * in it, and freed when the file is truncated.  In between, atomic operations
 * change single bits, so that no fork is lost to a concurrent write.
 *
 * Two probes of the engine see forks and exits.  A parent wakes its new task
 * exactly once, before the task has run.  A task is released exactly once,
 * before its number can be used again.  kprobes/enabled is for users' probes
 * and does not stop these.  A task that releases itself, as threads do, still
 * executes a few steps after that, and they do not count as its own.
 */
#include <linux/bitmap.h>
#include <linux/kernel.h>
#include <linux/mutex.h>
#include <linux/ptrace.h>
#include <linux/rculist.h>
#include <linux/sched.h>
#include <linux/vmalloc.h>
#include <pe/kprobe.h>
#include <pe/symbols.h>
#include "event.h"
#include "instance.h"
#include "kernel/trace/hit/pids_hit.h"
#include "kernel/trace/trace_instance.h"
#include "pids.h"
#include "variant.h"

struct pe_pid_list *pe_pids_list(struct pe_instance *inst, enum pe_pids which)
{
	return rcu_dereference_protected(inst->pids[which], lockdep_is_held(&pe_event_mutex));
}

unsigned long pe_pids_next(struct pe_instance *inst, enum pe_pids which, unsigned long pid)
{
	const struct pe_pid_list *list = pe_pids_list(inst, which);

	if (!list || pid >= PID_MAX_LIMIT)
		return PID_MAX_LIMIT;
	return find_next_bit(list->bits, PID_MAX_LIMIT, pid);
}

void pe_pids_publish(struct pe_instance *inst, enum pe_pids which, struct pe_pid_list *list)
{
	rcu_assign_pointer(inst->pids[which], list);
	pe_instance_changed(inst);
}

void pe_pids_drop(struct pe_instance *inst, enum pe_pids which)
{
	struct pe_pid_list *list;

	mutex_lock(&pe_event_mutex);
	list = rcu_replace_pointer(inst->pids[which], NULL,
				   lockdep_is_held(&pe_event_mutex));
	pe_instance_changed(inst);
	mutex_unlock(&pe_event_mutex);
	if (!list)
		return;
	synchronize_rcu();
	vfree(list);
}

/* --- following ----------------------------------------------------------- */

static DEFINE_MUTEX(pe_pids_mutex);		/* inside pe_event_mutex */
static unsigned int pe_nr_following;		/* pe_pids_mutex */

/* [H] In each list that follows forks and has @pid, add or remove @other. */
static void pe_change_lists(pid_t pid, pid_t other, bool join)
{
	const struct pe_instance *inst;
	struct pe_pid_list *list;
	unsigned int i;

	list_for_each_entry_rcu(inst, &pe_instances, list, true) {
		if (!test_bit(PE_OPT_EVENT_FORK, &inst->options))
			continue;
		for (i = 0; i < PE_NR_PIDS; i++) {
			list = rcu_dereference_sched(inst->pids[i]);
			if (!list || !pe_pids_has(list, pid))
				continue;
			if (join)
				set_bit(other, list->bits);
			else
				clear_bit(other, list->bits);
		}
	}
}

/* [H] Runs in the parent, which wakes its child for the first time. */
static void pe_task_forked(struct pe_kprobe *kp, const struct pe_hit *hit)
{
	const struct task_struct *child = (void *)regs_get_kernel_argument(hit->regs, 0);

	if (child->pid < PID_MAX_LIMIT)
		pe_change_lists(current->pid, child->pid, true);
}

/* [H] */
static void pe_task_released(struct pe_kprobe *kp, const struct pe_hit *hit)
{
	const struct task_struct *task = (void *)regs_get_kernel_argument(hit->regs, 0);

	pe_change_lists(task->pid, task->pid, false);
}

static struct pe_kprobe pe_fork_probe, pe_release_probe;

/*
 * release_task() may go on with the leader of a task's threads without being entered again.  So
 * this is a function that it calls for each task, by the names that kernels have for it.
 */
static unsigned long pe_release_step(void)
{
	if (!IS_ENABLED(CONFIG_CGROUPS))
		return pe_symbol_lookup("release_task");
	return pe_symbol_lookup("cgroup_release") ?: pe_symbol_lookup("cgroup_task_release");
}

static int pe_start_following(void)
{
	struct pe_kprobe *kps[] = { &pe_fork_probe, &pe_release_probe };

	pe_fork_probe = (struct pe_kprobe) {
		.addr = pe_symbol_lookup("wake_up_new_task"),
		.handler = pe_task_forked,
		.flags = PE_KPROBE_ALWAYS | PE_KPROBE_NESTS,
	};
	pe_release_probe = (struct pe_kprobe) {
		.addr = pe_release_step(),
		.handler = pe_task_released,
		.flags = PE_KPROBE_ALWAYS | PE_KPROBE_NESTS,
	};
	return pe_register_kprobes(kps, ARRAY_SIZE(kps));
}

static void pe_stop_following(void)
{
	struct pe_kprobe *kps[] = { &pe_fork_probe, &pe_release_probe };

	pe_unregister_kprobes(kps, ARRAY_SIZE(kps));
}

static int pe_follow_locked(struct pe_instance *inst, bool on)
{
	int ret;

	if (on == test_bit(PE_OPT_EVENT_FORK, &inst->options))
		return 0;
	if (on && !pe_nr_following) {
		ret = pe_start_following();
		if (ret)
			return ret;
	}
	assign_bit(PE_OPT_EVENT_FORK, &inst->options, on);
	pe_nr_following += on ? 1 : -1;
	if (!pe_nr_following)
		pe_stop_following();
	return 0;
}

int pe_pids_follow(struct pe_instance *inst, bool on)
{
	int ret;

	mutex_lock(&pe_pids_mutex);
	ret = pe_follow_locked(inst, on);
	mutex_unlock(&pe_pids_mutex);
	return ret;
}

void pe_pids_free(struct pe_instance *inst)
{
	unsigned int i;

	pe_pids_follow(inst, false);
	for (i = 0; i < PE_NR_PIDS; i++)
		vfree(rcu_dereference_protected(inst->pids[i], true));
}
