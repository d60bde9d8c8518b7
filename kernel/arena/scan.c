// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * scan.c - does any task still need a slot?
 *
 * Two kinds of addresses in our slots may be on the stack of a task that sleeps:
 *
 *   T		into a call slot: the body of a call in progress returns there
 *   entry	of an entry slot: a BPF trampoline has taken it for the function's address, and
 *		sleeps before it calls it
 *
 * All stacks are read while everything goes on.  Nothing is written or stopped.  Before that,
 * the caller has cut off new calls (of the slots in question), and has waited until calls on
 * their way have arrived.  So the addresses that matter only become fewer.  Each of them is in
 * memory, at one place, from before the scan until the task has used it.  Whenever that place is
 * read, it is found.  So the scan is right:
 *
 *   - It is known where the used part of the stack of a task that is switched out begins.  If the
 *     task runs meanwhile, the addresses that matter are still above that place: they were
 *     there before.  The stack of a task that is running is read as a whole.
 *   - A call in an interrupt, on a stack that is no task's, has ended before the caller's
 *     grace period.
 *   - A task that has just used an address is in our text, or in a handler's, and does not sleep
 *     there.  So the caller waits for tasks once more before it frees anything.
 *   - The function graph tracer and the kernel's return probes may take a T off the stack and
 *     keep it elsewhere.  They do so, with preemption off, when a probed function ends with a
 *     jump to a function that they trace.  They are asked after the stacks have been read and a
 *     grace period has passed.  So no T is missed.  A task of which they keep any address counts
 *     as in a call.
 *
 * A word may be a leftover.  A T counts only if its frame is there, too.  An entry slot's address
 * does not count if what follows it shows that it is from registers, which ftrace has shown us, and
 * no caller's address.  Other leftovers count.  That is safe: the arena stays, and looks again.
 *
 * A task that ends leaves the list of tasks in release_task().  It calls that itself, from
 * exit_notify(), or its parent calls it at any time after.  The task still runs the rest of
 * do_exit(): it takes locks, frees memory, is preempted, sleeps.  The scan does not find it
 * then.  So calls that may return then are counted (arena_hit.c):
 *
 *   - A task leaves the list only with an exit state (->exit_state), and a task that has one
 *     keeps it.  So calls that are entered with an exit state are counted.
 *   - A task gives itself its exit state in exit_notify().  So each call of exit_notify() is
 *     counted.  The other calls in progress at this moment are do_exit() and its callers, which
 *     never return.  A call in an interrupt returns before exit_notify() goes on.  (A task
 *     whose exit has crashed gets its exit state in make_task_dead(), and dies at once.)
 *   - The task takes its last step with preemption off, in do_task_dead(), which is never
 *     counted.  In there the task's state is TASK_DEAD.  Calls made in this state are not
 *     counted either: __schedule() never returns.
 *
 * When that count is 0, every call that will ever return belongs to a task without exit state.
 * All such tasks are on the list, or are idle tasks.  (BPF programs that may sleep can be attached
 * to system calls, and to hooks of security modules and error injection.  A task that is off the
 * list comes through none of them.)
 */
#include <linux/bitmap.h>
#include <linux/export.h>
#include <linux/ftrace.h>
#include <linux/hash.h>
#include <linux/minmax.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/sched/task_stack.h>
#include <linux/uaccess.h>
#include "kernel/arena/arena.h"
#include "kernel/know/compat.h"

DEFINE_PER_CPU(struct task_struct *, pe_arena_idle);
EXPORT_PER_CPU_SYMBOL_GPL(pe_arena_idle);

/* The arguments and the result of pe_arena_scan(). */
struct scan {
	unsigned long *entries;
	bool calls;
	bool in_call;
	unsigned long words[64];
};

static DEFINE_MUTEX(pe_scan_mutex);	/* one scan at a time; inside are only the kernel's locks */

/* The word at @at, or 0.  The stack may go at any time. */
unsigned long pe_arena_word_at(unsigned long at)
{
	unsigned long word;

	return copy_from_kernel_nofault(&word, (void *)at, sizeof(word)) ? 0 : word;
}
EXPORT_SYMBOL_GPL(pe_arena_word_at);

/* The set of the call of @slot with its T at @at; NULL: it is no call. */
const struct pe_return_set *pe_arena_set_at(unsigned long at, unsigned int slot)
{
	const struct pe_return_set *published = pe_return_slots[slot], *set;

	if (!published)
		return NULL;
	pe_for_each_set(set, published->point) {
		if ((pe_arena_word_at(at + set->frame_size) & ~PE_MARKS) == (unsigned long)set)
			return set;
	}
	return NULL;
}
EXPORT_SYMBOL_GPL(pe_arena_set_at);

static void pe_scan_word(struct scan *s, unsigned long word, unsigned long at)
{
	int slot = pe_arch_entry_slot(word);

	if (slot >= 0) {
		if (!pe_arch_follows_ip(pe_arena_word_at(at + sizeof(long))))
			__set_bit(slot, s->entries);
		return;
	}
	slot = s->calls ? pe_arch_call_return(word) : -1;
	if (slot >= 0 && pe_arena_set_at(at, slot))
		s->in_call = true;
}

static void pe_scan_words(struct scan *s, unsigned long from, unsigned long end)
{
	unsigned long len, i;

	for (; from < end; from += len) {
		len = min(end - from, sizeof(s->words));
		if (copy_from_kernel_nofault(s->words, (void *)from, len))
			return;		/* the task is gone for good */
		for (i = 0; i < len / sizeof(long); i++)
			pe_scan_word(s, s->words[i], from + i * sizeof(long));
	}
}

/* The lowest address that the task uses of its stack; 0: it is running, so it is unknown. */
static unsigned long pe_used_from(const struct task_struct *t)
{
	if (t == current)
		return (unsigned long)__builtin_frame_address(0);
#ifdef CONFIG_SMP
	/* the kernel's finish_task() has the release: on_cpu is 0 after that is stored */
	if (smp_load_acquire(&t->on_cpu))
		return 0;
#endif
	return pe_arch_sleeping_sp(t);
}

static void pe_scan_tracers(struct scan *s, struct task_struct *t)
{
#ifdef CONFIG_FUNCTION_GRAPH_TRACER
	if (READ_ONCE(t->ret_stack) && READ_ONCE(t->curr_ret_stack) > PE_GRAPH_EMPTY)
		s->in_call = true;
#endif
#ifdef CONFIG_RETHOOK
	if (READ_ONCE(t->rethooks.first))
		s->in_call = true;
#else
	if (pe_kretprobed &&
	    READ_ONCE(pe_kretprobed[hash_ptr(t, PE_KRETPROBED_BITS)].first))
		s->in_call = true;
#endif
}

/* Skips the registers of user space at the top: they may hold anything, and no call uses them. */
static void pe_scan_stack(struct scan *s, struct task_struct *t)
{
	unsigned long stack = (unsigned long)task_stack_page(t);
	unsigned long end = (unsigned long)task_pt_regs(t);
	unsigned long used = pe_used_from(t);

	if (!stack)
		return;
	if (used - stack >= THREAD_SIZE)
		used = stack;
	pe_scan_words(s, used, end);
}

static void pe_scan_tasks(struct scan *s, void (*scan_one)(struct scan *s, struct task_struct *t))
{
	struct task_struct *group, *t;
	int cpu;

	rcu_read_lock();
	for_each_process_thread(group, t)
		scan_one(s, t);
	rcu_read_unlock();
	for_each_possible_cpu(cpu) {
		t = per_cpu(pe_arena_idle, cpu);
		if (t)
			scan_one(s, t);
	}
}

/**
 * pe_arena_scan() - which slots may tasks need?
 * @entries: PE_RETURN_SLOTS bits; gets a bit for each slot with an entry that may still be called
 * @calls: look for calls in progress, too.  The points do not change
 *
 * Right for slots that no new call reaches; see the top of this file.
 *
 * Context: process, sleeps.
 * Return: true if @calls, and there may be a call in progress.
 */
bool pe_arena_scan(unsigned long *entries, bool calls)
{
	static struct scan s;		/* pe_scan_mutex; on our stack, the scan would find it */
	bool in_call;

	bitmap_zero(entries, PE_RETURN_SLOTS);
	mutex_lock(&pe_scan_mutex);
	s.entries = entries;
	s.calls = calls;
	s.in_call = false;
	pe_scan_tasks(&s, pe_scan_stack);
	if (calls && !s.in_call) {
		synchronize_rcu();
		pe_scan_tasks(&s, pe_scan_tracers);
	}
	in_call = s.in_call;
	mutex_unlock(&pe_scan_mutex);
	return in_call;
}
EXPORT_SYMBOL_GPL(pe_arena_scan);
