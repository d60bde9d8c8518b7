// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * retire.c - freeing what hits and tasks may still be using.
 *
 * The code that takes an object out of use makes it unreachable first: no text, no tree, no
 * published set leads there any more.  Then it is retired.  All objects that are retired at a time
 * wait together for one *quiescence*, pe_wait_for_text(), and are freed:
 *
 *   pe_wait_for_hits()		for CPUs that come up or go down; for code with preemption off,
 *				where RCU is watching: handlers, ftrace's list of ops
 *   pe_wait_for_cpus()		for idle tasks and other code where RCU is not watching
 *   synchronize_rcu_tasks()	for tasks that were preempted
 *
 * The waits that each kind of object needs, and the code that may still be using it:
 *
 *   copy of an instruction	all	tasks in the copy (mech/breakpoint.c)
 *   detour, with its island	all	tasks in it, or between two jumps; hits that look its site
 *					up (jump/jump.c)
 *   piece of compiled code	all	calls in it (compiled/piece.c)
 *   retired set		all	calls on their way to it: in ftrace's trampoline, in the
 *					entry slot, in compiled code (return/ret_set.c)
 *   dead set			hits	the last return, with preemption off (return/ret_set.c)
 *
 * What needs less than all, and is waited for where it is done:
 *
 *   hits	probes and sites: all handlers have preemption off; their owner waits
 *		(kernel/kprobes.c)
 *   hits	the hook of the exception: interrupts are off in it (trap_hook.c)
 *   RCU	sites that are served by one ftrace_ops in place of another: ftrace asks all of them
 *		with preemption off, where RCU is watching (mech/ftrace.c)
 *   RCU	an ftrace_ops that is used again: the same; none waits, it is polled, and another
 *		ops is taken meanwhile (mech/ftrace_ops.c)
 *   RCU	what other tracers do with preemption off (arena/scan.c)
 *   RCU	all of the event layer: handlers have preemption off.  Compiled code, which tasks
 *		may be preempted in, uses sources, limits and instances: a round of the work is over
 *		first, which waits for a quiescence if code has changed, so they are in a list
 *		of the round's own (event/compile.c)
 *   RCU	banks of a table, which hits leave before they are read, and the slots of its
 *		variables: who asks waits for the sums, not for memory (table/table.c, table/vars.c)
 *   all	the arena, which stays when this file goes (arena/arena_main.c); and the clock of
 *		compiled code (event/timekeeper.c): in other modules
 *
 * Callers with nothing to free use pe_retire_wait(): sets, which go through two states and have no
 * room for a struct pe_retired; before trees are written again (compiled/round.c), windows become
 * jumps (jump/jump_work.c), slots of return probes are another function's (return/ret_point.c),
 * and before stubs and copies go with the module.
 *
 * A work item does it: it takes all that has been retired so far, waits without a lock, and frees
 * it.  Objects retired meanwhile are for its next run.  One run ends before the next begins: a
 * quiescence is over when all that came before it are.
 * Nothing is allocated, so nothing can fail.  A quiescence takes a second or more, or as long as
 * a task runs in the kernel without a pause; only callers that ask to wait do so.
 *
 * @free may take any mutex, pe_mutex too.  So a caller that holds a mutex that some @free takes,
 * or the hotplug lock, must not wait here.
 */
#include <linux/completion.h>
#include <linux/kernel.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>
#include "kernel/probe/retire.h"
#include "kernel/probe/wait.h"

#define GATHER_DELAY	(HZ / 10)	/* what is retired within it waits together */

static void pe_retire_free(struct work_struct *work);
static DECLARE_DELAYED_WORK(pe_retire_work, pe_retire_free);

/* Guards all below; the innermost lock. */
static DEFINE_SPINLOCK(pe_retire_lock);
/* For the next run of the work item, in the order in which they were retired. */
static struct pe_retired *pe_retired_first, **pe_retired_end = &pe_retired_first;

static struct pe_retired *pe_retire_begin(void)
{
	struct pe_retired *all;

	spin_lock(&pe_retire_lock);
	all = pe_retired_first;
	pe_retired_first = NULL;
	pe_retired_end = &pe_retired_first;
	spin_unlock(&pe_retire_lock);
	return all;
}

/* One run at a time, of the work item or of unloading; no @free takes it. */
static DEFINE_MUTEX(pe_retire_runs);

/* Return: was there anything to free? */
static bool pe_retire_locked(void)
{
	struct pe_retired *next, *retired = pe_retire_begin();

	if (!retired)
		return false;
	pe_wait_for_text();
	for (; retired; retired = next) {
		next = retired->next;
		retired->free(retired);
		cond_resched();
	}
	return true;
}

static bool pe_retire_once(void)
{
	bool any;

	mutex_lock(&pe_retire_runs);
	any = pe_retire_locked();
	mutex_unlock(&pe_retire_runs);
	return any;
}

static void pe_retire_free(struct work_struct *work)
{
	pe_retire_once();
}

/**
 * pe_retire() - free an object when no hit and no task can be using it
 * @retired: in the object, to which nothing leads any more; stays until @free
 * @free: called from a work item, without locks; may retire @retired again
 *
 * Context: process; mutexes may be held.
 */
void pe_retire(struct pe_retired *retired, void (*free)(struct pe_retired *retired))
{
	retired->next = NULL;
	retired->free = free;
	spin_lock(&pe_retire_lock);
	*pe_retired_end = retired;
	pe_retired_end = &retired->next;
	spin_unlock(&pe_retire_lock);
	queue_delayed_work(system_unbound_wq, &pe_retire_work, GATHER_DELAY);
}

/* A caller that waits in pe_retire_wait(). */
struct waiter {
	struct pe_retired retired;
	struct completion over;
};

static void pe_retire_wake(struct pe_retired *retired)
{
	complete(&container_of(retired, struct waiter, retired)->over);
}

/**
 * pe_retire_wait() - wait for a quiescence that begins now
 *
 * What was retired before has been freed afterwards.  A flush of the work item would not do: it
 * misses one that another task is about to queue.
 * Context: process, sleeps for a second or more.
 */
void pe_retire_wait(void)
{
	struct waiter waiter;

	init_completion(&waiter.over);
	pe_retire(&waiter.retired, pe_retire_wake);
	mod_delayed_work(system_unbound_wq, &pe_retire_work, 0);
	wait_for_completion(&waiter.over);
}

/**
 * pe_retire_drain() - free all that has been retired, and wait for it
 *
 * For unloading: nothing else is retired then.  It is quick if nothing is retired.
 * Context: process, sleeps.
 */
void pe_retire_drain(void)
{
	do {
		cancel_delayed_work_sync(&pe_retire_work);
	} while (pe_retire_once());
}
