// SPDX-License-Identifier: GPL-2.0
/*
 * unload.c - unloading while calls sleep in probed functions.
 *
 * A task that sleeps in a function that was called through has a return address
 * into a call slot (T) on its stack, and may sleep for years.  What it would find
 * there does, without handlers, exactly this: drop the frame, restore rbp,
 * return.  That is `leave; ret`, and the kernel's own text has many of those.  So
 * unloading replaces each T by the address of one of them:
 *
 *   1. Nobody can come any more (no probes, ftrace has forgotten us), and after
 *      synchronize_rcu() and synchronize_rcu_tasks() nobody is on the way between
 *      a function's entry and its body.
 *   2. Calls by tasks that may be off the list of tasks have returned (see below).
 *   3. stop_machine(): every task is switched out, no interrupt is being served.
 *      All of a task's state is in memory: on its stack (registers included) and
 *      where other tracers keep return addresses they have taken from there.
 *      Words that are a T are replaced.  A word that only looks like one (a
 *      leftover, a saved stack trace) is replaced, too, without harm: nobody
 *      returns to it, or it is right to be replaced.  (With one exception: a number
 *      that user space has guessed, and a system call keeps on the stack.)
 *   4. synchronize_rcu_tasks() and synchronize_rcu(): nobody is between T and the
 *      end of pe_return_leave.
 *
 * The instruction is in a function that has set up rbp as a frame pointer, so the
 * unwinder finds the callers as before.
 *
 * A task that ends leaves the list in release_task(), which it calls itself from
 * exit_notify() or its parent calls at any time after, while it still runs the
 * rest of do_exit(): it takes locks, frees memory, is preempted, sleeps.  Nobody
 * finds it there.  (Before 6.9, synchronize_rcu_tasks() waits for the end of all
 * that.  Since then it waits for such a task only if it was preempted.)  So calls
 * that may return there are counted, and step 2 waits for them:
 *
 *   - Nobody is taken off the list who has no exit state (->exit_state), and a
 *     task that has one keeps it.  So calls that are entered with an exit state
 *     are counted.
 *   - A task gets its exit state from itself, in exit_notify(), which therefore is
 *     counted always.  Calls in progress at this moment are exit_notify(),
 *     do_exit() and its callers, which never return; what interrupts it returns
 *     before it goes on.  (Or the task gets it in make_task_dead(), when its exit
 *     has crashed, and dies at once.)
 *   - The last step is taken with preemption off, in do_task_dead(), which is
 *     never counted.  In there the task's state is TASK_DEAD, and calls made in
 *     this state are not counted either: __schedule() never returns.
 *
 * When nobody can come any more, the count only falls.  When it is 0, every call
 * that will ever return belongs to a task without exit state, and all of those are
 * on the list, until the machine is stopped and they are let go.  The wait is
 * short: what is left of do_exit() waits for nothing that takes long.  Only
 * exit_notify(), if it has a return probe itself, may: the init of a pid
 * namespace waits in it for the namespace's last process.
 *
 * Entry slots need the same when they are to be used again or to go: a BPF
 * trampoline may have taken the address of one for that of the function, and
 * sleep before it calls it.  Such words become the address of the body; or, where the
 * processor may insist that an indirect call lands on an ENDBR64 (IBT), that of one with a
 * jump to the body, in a page that stays behind: the body has none, because it is behind
 * that of the function, and this one may have been sealed.  T, and what stands in for
 * it, is only returned to, and needs none.  (Programs
 * that may sleep can be attached to system calls and to hooks of security modules
 * and error injection; a task that is off the list comes through none of them.)
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/bitmap.h>
#include <linux/ftrace.h>
#include <linux/kallsyms.h>
#include <linux/printk.h>
#include <linux/rethook.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/sched/task_stack.h>
#include <linux/stop_machine.h>
#include <linux/string.h>
#include "kernel/compat.h"
#include "kernel/ksyms.h"
#include "kernel/return/return.h"

#define ENDING_DELAY	(HZ / 50 ?: 1)	/* between looks at what they do */

/*
 * What the stopped machine is searched for: entry slots with a bit in @slots
 * (NULL: all); and if @leave is not 0, call slots.
 */
struct scan {
	const unsigned long *slots;
	unsigned long leave;
	unsigned long words;	/* of call slots, replaced */
	DECLARE_BITMAP(wanted, PE_RETURN_SLOTS);	/* entry slots found without a landing */
};

/* Where late calls of entry slots are sent; of the scan that is under way. */
static unsigned long landings[PE_RETURN_SLOTS];

static void fix_entry(struct scan *s, unsigned long *word, unsigned int slot)
{
	if (s->slots && !test_bit(slot, s->slots))
		return;
	if (landings[slot])
		*word = landings[slot];
	else if (pe_arch_call_body(slot))
		__set_bit(slot, s->wanted);
}

static void fix_word(struct scan *s, unsigned long *word)
{
	int slot = pe_arch_entry_slot(*word);

	if (slot >= 0) {
		fix_entry(s, word, slot);
	} else if (s->leave && pe_arch_is_call_return(*word)) {
		*word = s->leave;
		s->words++;
	}
}

static void fix_words(struct scan *s, unsigned long *from, size_t bytes)
{
	unsigned long *word;

	for (word = from; word < from + bytes / sizeof(*word); word++)
		fix_word(s, word);
}

static void fix_tracers(struct scan *s, struct task_struct *t)
{
#ifdef CONFIG_FUNCTION_GRAPH_TRACER
	if (t->ret_stack)
		fix_words(s, (void *)t->ret_stack, PE_GRAPH_STACK_BYTES);
#endif
#ifdef CONFIG_RETHOOK
	struct llist_node *node;

	for (node = t->rethooks.first; node; node = node->next)
		fix_word(s, &container_of(node, struct rethook_node, llist)->ret_addr);
#endif
}

static bool is_running(const struct task_struct *t)
{
#ifdef CONFIG_SMP
	return t->on_cpu;
#else
	return t == current;
#endif
}

/*
 * What a task that is switched out has used of its stack begins at thread.sp.  That
 * of the stoppers, which are running, this one among them, is searched as a whole:
 * what they are doing now is not probed, and what is above it is at rest.  At the top
 * are the registers of user space, which may hold anything and are nobody's way.
 */
static void fix_stack(struct scan *s, struct task_struct *t)
{
	unsigned long stack = (unsigned long)task_stack_page(t);
	unsigned long end = (unsigned long)task_pt_regs(t);
	unsigned long used = t->thread.sp;

	if (is_running(t) || used - stack >= THREAD_SIZE)
		used = stack;
	if (used < end)
		fix_words(s, (unsigned long *)used, end - used);
}

static void fix_task(struct scan *s, struct task_struct *t)
{
	if (task_stack_page(t) && refcount_read(&t->stack_refcount))
		fix_stack(s, t);
	fix_tracers(s, t);
}

/* The machine is stopped. */
static int fix_all(void *data)
{
	struct task_struct *group, *t;
	struct scan *s = data;
	int cpu;

	for_each_process_thread(group, t)
		fix_task(s, t);
	for_each_possible_cpu(cpu) {
		t = pe_ks(idle_task)(cpu);
		if (t)
			fix_task(s, t);
	}
	return 0;
}

/*
 * Nothing can be made while the machine is stopped.  So it is searched once to see for
 * which entry slots landings are wanted, which is none, usually; and if so, again.
 * Nobody takes an entry slot's address any more; a word that was copied meanwhile is
 * found as well.  Return: false when out of memory, with some of the words replaced.
 */
static bool scan(struct scan *s)
{
	unsigned int slot;

	memset(landings, 0, sizeof(landings));
	for (;;) {
		bitmap_zero(s->wanted, PE_RETURN_SLOTS);
		stop_machine(fix_all, s, NULL);
		if (bitmap_empty(s->wanted, PE_RETURN_SLOTS))
			return true;
		for_each_set_bit(slot, s->wanted, PE_RETURN_SLOTS) {
			landings[slot] = pe_arch_make_landing(pe_arch_call_body(slot));
			if (!landings[slot])
				return false;
		}
	}
}

/**
 * pe_return_fix_entries() - nobody will enter slots that are out of use
 * @slots: a bit for each
 *
 * Context: process, sleeps; one at a time.
 * Return: false when there is no memory: not all has been done.
 */
bool pe_return_fix_entries(const unsigned long *slots)
{
	struct scan s = { .slots = slots };

	return scan(&s);
}

/*
 * Where a frame can be dropped: in the kernel's text; or else in a page that
 * stays behind.
 */
static unsigned long find_leave(void)
{
	unsigned long leave = pe_arch_find_leave();

	if (leave)
		return leave;
	leave = pe_arch_make_leave();
	if (leave)
		pr_notice("calls in progress return through a page that stays behind\n");
	return leave;
}

/**
 * pe_return_wait_ending() - no call in progress is off the list of tasks
 *
 * Step 2.  Context: process, sleeps.
 */
void pe_return_wait_ending(void)
{
	unsigned long n = pe_return_ending_calls();

	if (!n)
		return;
	pr_info("waiting for %lu calls of tasks that are ending\n", n);
	while (pe_return_ending_calls())
		schedule_timeout_uninterruptible(ENDING_DELAY);
}

/**
 * pe_return_let_go() - calls in progress, and late ones, will do without us
 * @in_progress: there may be calls in progress
 *
 * Step 3.  Context: process, sleeps.
 * Return: false when there is no memory: not all has been done.
 */
bool pe_return_let_go(bool in_progress)
{
	struct scan s = { .leave = in_progress ? find_leave() : 0 };
	struct pe_kretprobe_usage usage;

	if (in_progress && !s.leave)
		return false;
	pe_kretprobe_usage(&usage);
	if (!scan(&s))
		return false;
	/* Calls that have ended with their task are counted and not found. */
	if (in_progress)
		pr_info("%lu calls in progress, %lu return addresses replaced\n",
			usage.in_flight, s.words);
	return true;
}
