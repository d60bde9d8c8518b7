// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * ret_inside.c - who is in a call with return probes, now?
 *
 * A call's frame is on its task's stack (return_arena.S).  Frames of calls that have ended are
 * there, too, until something is written over them: for hours, if a task sleeps in a system call
 * that needs less stack.  So a frame counts only where the unwinder comes through it.
 *
 * A task that is on another CPU cannot be unwound, nor any task by a kernel that keeps frame
 * pointers, and in a few places the unwinder is lost: in a copy of instructions, for example.  Then
 * the rest of the stack is searched for frames, and the calls found there are not exact.  A call
 * that is older than its task is none: its time is overwritten at the return.  (The arena's scan.c
 * searches stacks in the same way, for whom leftovers do no harm.)
 *
 * Idle tasks are left out.
 */
#include <linux/export.h>
#include <linux/gfp.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/sched/task_stack.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include "kernel/know/ksyms.h"
#include "kernel/return/return.h"

/* A visit; pe_arena.mutex.  Not on the stack, where it would be found. */
static struct pe_ret_visit {
	pe_kretprobe_visit_t visit;
	void *arg;
	struct task_struct *task;	/* whose stack it is */
	unsigned long switches;		/* how often that had left a CPU before */
	bool unwound;
	u64 data[PE_KRETPROBE_DATA_MAX / sizeof(u64)];
	unsigned long words[64];
} pe_ret_visit;

static unsigned long pe_ret_switches(const struct task_struct *t)
{
	return READ_ONCE(t->nvcsw) + READ_ONCE(t->nivcsw);
}

/* False: the whole stack of the task is in memory, as the task has left it. */
static bool pe_ret_on_other_cpu(const struct task_struct *t)
{
#ifdef CONFIG_SMP
	/* the kernel's finish_task() has the release: on_cpu is 0 after thread.sp is stored */
	return t != current && smp_load_acquire(&t->on_cpu);
#else
	return false;
#endif
}

/*
 * Has the task not run since the visit came to it?  Then all is of one moment.  The visitor has,
 * but stays in its calls.
 */
static bool pe_ret_is_exact(const struct pe_ret_visit *v)
{
	if (!v->unwound || v->task == current)
		return v->unwound;
	return !pe_ret_on_other_cpu(v->task) && pe_ret_switches(v->task) == v->switches;
}

/* @base: of the call's frame */
static void pe_ret_visit_member(struct pe_ret_visit *v, const struct pe_return_member *member,
				unsigned long base)
{
	struct pe_kretprobe *rp = READ_ONCE(member->rp);
	struct pe_kretprobe_call call = { .rp = rp, .task = v->task, .data = v->data };

	if (!rp || copy_from_kernel_nofault(v->data, (void *)(base - member->offset),
					    min_t(size_t, rp->data_size, sizeof(v->data))))
		return;
	call.exact = pe_ret_is_exact(v);
	v->visit(&call, v->arg);
}

/* The T of @slot is, or was, at @at.  See return_arena.S for the words of a frame. */
static void pe_ret_visit_frame(void *arg, unsigned int slot, unsigned long at)
{
	const struct pe_return_set *set = pe_arena_set_at(at, slot);
	unsigned long base, mask;
	unsigned int i;

	if (!set)
		return;
	base = at + set->frame_size + sizeof(long);
	mask = set->n > 1 ? pe_arena_word_at(base - 2 * sizeof(long)) : 1;
	for (i = 0; i < set->n; i++)
		if (mask >> i & 1)
			pe_ret_visit_member(arg, &set->member[i], base);
}

static void pe_ret_search(struct pe_ret_visit *v, unsigned long from, unsigned long end)
{
	unsigned long len, i;
	int slot;

	for (; from < end; from += len) {
		len = min(end - from, sizeof(v->words));
		if (copy_from_kernel_nofault(v->words, (void *)from, len))
			return;
		for (i = 0; i < len / sizeof(long); i++) {
			slot = pe_arch_call_return(v->words[i]);
			if (slot >= 0)
				pe_ret_visit_frame(v, slot, from + i * sizeof(long));
		}
	}
}

static void pe_ret_visit_task(struct pe_ret_visit *v, struct task_struct *t)
{
	void *stack = try_get_task_stack(t);
	unsigned long from = (unsigned long)stack, end, seen = 0;

	if (!stack)
		return;
	end = (unsigned long)task_pt_regs(t);
	v->task = t;
	v->switches = pe_ret_switches(t);
	v->unwound = !pe_ret_on_other_cpu(t);
	if (v->unwound)
		v->unwound = pe_arch_task_calls(t, pe_ret_visit_frame, v, &seen);
	if (!v->unwound)
		pe_ret_search(v, seen > from && seen < end ? seen : from, end);
	pe_ks(put_task_stack)(t);
}

/*
 * All tasks, with a reference to each, at @to, where @room of them fit.  Return: how many there
 * are.  A walk that paused in the list itself could not go on from a task that has ended meanwhile.
 */
static size_t pe_ret_hold_tasks(struct task_struct **to, size_t room)
{
	struct task_struct *group, *t;
	size_t n = 0;

	rcu_read_lock();
	for_each_process_thread(group, t) {
		if (n < room)
			to[n] = get_task_struct(t);
		n++;
	}
	rcu_read_unlock();
	return n;
}

/* Return: false: there is no memory, or ever more tasks. */
static bool pe_ret_visit_held(struct pe_ret_visit *v)
{
	size_t room = pe_ret_hold_tasks(NULL, 0), n, i;
	struct task_struct **tasks;

	room += room / 4 + 64;
	tasks = kvmalloc_array(room, sizeof(*tasks), GFP_KERNEL | __GFP_NOWARN);
	if (!tasks)
		return false;
	n = pe_ret_hold_tasks(tasks, room);
	for (i = 0; i < min(n, room); i++) {
		if (n <= room) {
			rcu_read_lock();
			pe_ret_visit_task(v, tasks[i]);
			rcu_read_unlock();
		}
		put_task_struct(tasks[i]);
		cond_resched();
	}
	kvfree(tasks);
	return n <= room;
}

void pe_kretprobes_visit(pe_kretprobe_visit_t visit, void *arg)
{
	struct task_struct *group, *t;

	mutex_lock(&pe_arena.mutex);	/* no set goes */
	pe_ret_visit.visit = visit;
	pe_ret_visit.arg = arg;
	if (!pe_ret_visit_held(&pe_ret_visit)) {
		rcu_read_lock();
		for_each_process_thread(group, t)
			pe_ret_visit_task(&pe_ret_visit, t);
		rcu_read_unlock();
	}
	mutex_unlock(&pe_arena.mutex);
}
EXPORT_SYMBOL_GPL(pe_kretprobes_visit);
