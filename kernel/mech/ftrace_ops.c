// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * ftrace_ops.c - ftrace_ops that come and go without a wait.
 *
 * When a dynamically allocated ops is unregistered, ftrace waits until no task can be in its
 * trampoline, with ftrace_lock held.  This takes a second or more, or as long as some task
 * runs in the kernel without a pause.  Loading a module needs that lock, and code that arms
 * a site holds more locks.
 *
 * An ops that is part of the kernel just leaves, and stays in memory.  So do ours.  They lose
 * FTRACE_OPS_FL_DYNAMIC, the flag that ftrace tests, and are used again.
 *
 * The trampoline of each is a stub in this module's text.  The ops has one before it is
 * registered and never has another; so ftrace neither makes one nor writes to ours.
 * trampoline_size stays 0: it would tell the unwinder that the stub is a copy of ftrace's
 * own code.
 *
 * Calls that come late, in a stub or on their way to an ops's function, find no site.
 * Unloading waits for them, as ftrace would, but once for all ops.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/err.h>
#include <linux/errno.h>
#include <linux/ftrace.h>
#include <linux/jiffies.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/printk.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include "kernel/know/compat.h"
#include "kernel/know/ksyms.h"
#include "kernel/mech/ftrace.h"
#include "kernel/probe/retire.h"

/**
 * struct entry_ops - an ops and its place
 * @ops: what ftrace knows
 * @idle: in idle_ops, while not registered with ftrace; pe_mutex
 * @left: when it became idle: a grace period after that, no CPU uses ->next of @ops
 *
 * Registering writes ->next.  A CPU that ftrace's list function has led to @ops before it
 * was unregistered would go on there, and call the ops at the head of the list twice.
 */
struct entry_ops {
	struct ftrace_ops ops;
	struct list_head idle;
	unsigned long left;
};

static LIST_HEAD(pe_idle_ops);

/* An ops that is not registered with ftrace, or NULL; the caller replaces its filter. */
static struct ftrace_ops *pe_ops_take(const struct pe_ftrace_kind *kind)
{
	struct entry_ops *eo;

	list_for_each_entry(eo, &pe_idle_ops, idle) {
		if (eo->ops.func == kind->func && pe_rcu_has_passed(eo->left)) {
			list_del_init(&eo->idle);
			return &eo->ops;
		}
	}
	eo = kzalloc(sizeof(*eo), GFP_KERNEL);
	if (!eo)
		return NULL;
	INIT_LIST_HEAD(&eo->idle);
	eo->ops.func = kind->func;
	eo->ops.trampoline = (unsigned long)kind->stub;
	eo->ops.flags = kind->flags | PE_FTRACE_NO_GUARD;
	return &eo->ops;
}

static void pe_ops_put(struct ftrace_ops *ops)
{
	struct entry_ops *eo = container_of(ops, struct entry_ops, ops);

	eo->left = get_state_synchronize_rcu();
	list_add(&eo->idle, &pe_idle_ops);
}

/*
 * After an error of its own, ftrace switches itself off for good, whatever the cause.  Then
 * calls keep coming, and nothing can be taken back.  They find no site any more.  The code
 * that they run has to stay.
 */
static void pe_stay_loaded(void)
{
	__module_get(THIS_MODULE);
	pr_warn_once("ftrace is switched off, this module can't be unloaded\n");
}

/*
 * While BPF changes its trampoline, it asks for another try, after a sleep of a tick or two.
 * Meanwhile we hold mutexes for which modules and the kernel's kprobes wait: not for long.
 * Registering makes the ops a dynamic one again.  If ftrace fails in the middle, some functions
 * may call the stub already.
 */
static int pe_ops_register(struct ftrace_ops *ops)
{
	unsigned long until = jiffies + HZ;
	int err;

	do {
		err = register_ftrace_function(ops);
	} while (err == -EAGAIN && time_before(jiffies, until));
	ops->flags &= ~FTRACE_OPS_FL_DYNAMIC;
	if (err == -ENODEV)
		pe_stay_loaded();
	return err;
}

/* Make an ops that calls us for the functions at @ips.  Return: it, or an ERR_PTR() */
struct ftrace_ops *pe_ftrace_ops_begin(const struct pe_ftrace_kind *kind, unsigned long *ips,
				       unsigned int n)
{
	struct ftrace_ops *ops = pe_ops_take(kind);
	unsigned int done;
	int err;

	if (!ops)
		return ERR_PTR(-ENOMEM);
	err = pe_set_filter_ips(ops, ips, n, false, true, &done);
	if (!err)
		err = pe_ops_register(ops);
	if (!err)
		return ops;
	pe_ops_put(ops);
	return ERR_PTR(err);
}

void pe_ftrace_ops_unregister(struct ftrace_ops *ops)
{
	if (unregister_ftrace_function(ops))
		pe_stay_loaded();
	else
		pe_ops_put(ops);
}

/*
 * While unloading: all ops are idle, and no text leads to a stub any more.  Who is still on
 * the way, in a stub, in ftrace's code before it calls a function of ours, or there?
 *
 *   - Code with preemption off, which RCU may not be watching: the idle loop, entries
 *     from user space, a CPU that comes up.
 *   - Tasks that were preempted there.
 *
 * A quiescence (retire.c) is for all of them.
 */
void pe_ftrace_ops_exit(void)
{
	struct entry_ops *eo, *next;

	if (list_empty(&pe_idle_ops))
		return;
	pe_retire_wait();
	list_for_each_entry_safe(eo, next, &pe_idle_ops, idle) {
		pe_ks(ftrace_free_filter)(&eo->ops);
		kfree(eo);
	}
}
