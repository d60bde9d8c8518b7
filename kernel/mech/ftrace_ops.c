// SPDX-License-Identifier: GPL-2.0
/*
 * ftrace_ops.c - ftrace_ops that come and go without a wait.
 *
 * When a dynamically allocated ops is unregistered, ftrace waits until no task can be in its
 * trampoline, and frees that, all with ftrace_lock held.  This takes a second or more, or as
 * long as some task runs in the kernel without a pause.  Loading a module needs that lock,
 * and code that arms a site holds more locks.
 *
 * An ops that is part of the kernel just leaves: it stays in memory, with its trampoline.  So
 * do ours.  They lose FTRACE_OPS_FL_DYNAMIC, the flag that ftrace tests, and are used
 * again.  Calls that come late find no site.  Unloading waits, once for each ops.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/errno.h>
#include <linux/ftrace.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/printk.h>
#include <linux/slab.h>
#include "kernel/mech/ftrace.h"

/**
 * struct entry_ops - an ops and its place
 * @ops: what ftrace knows
 * @idle: in idle_ops, while not registered with ftrace; pe_mutex
 */
struct entry_ops {
	struct ftrace_ops ops;
	struct list_head idle;
};

static LIST_HEAD(idle_ops);

static struct entry_ops *entry_ops_of(struct ftrace_ops *ops)
{
	return container_of(ops, struct entry_ops, ops);
}

/* An ops that is not registered with ftrace, or NULL; the caller replaces its filter. */
struct ftrace_ops *pe_ftrace_ops_take(ftrace_func_t func, unsigned long flags)
{
	struct entry_ops *eo;

	list_for_each_entry(eo, &idle_ops, idle) {
		if (eo->ops.func == func) {
			list_del_init(&eo->idle);
			return &eo->ops;
		}
	}
	eo = kzalloc(sizeof(*eo), GFP_KERNEL);
	if (!eo)
		return NULL;
	INIT_LIST_HEAD(&eo->idle);
	eo->ops.func = func;
	eo->ops.flags = flags;
	return &eo->ops;
}

void pe_ftrace_ops_put(struct ftrace_ops *ops)
{
	list_add(&entry_ops_of(ops)->idle, &idle_ops);
}

#define REGISTER_TRIES	1000

/*
 * While BPF changes its trampoline, it asks for another try; each comes after a sleep of 1 ms.
 *
 * Registering makes the ops a dynamic one again.  If ftrace refuses, it frees the trampoline
 * of a dynamic ops at once, because it takes it for new and empty.  But a task may have used
 * ours a moment ago.  Without FTRACE_OPS_FL_ALLOC_TRAMP, ftrace leaves the trampoline
 * alone, because it did not allocate it.
 */
int pe_ftrace_ops_register(struct ftrace_ops *ops)
{
	unsigned long has_tramp = ops->flags & FTRACE_OPS_FL_ALLOC_TRAMP;
	unsigned int tries;
	int err = -EAGAIN;

	ops->flags &= ~has_tramp;
	for (tries = 0; tries < REGISTER_TRIES && err == -EAGAIN; tries++)
		err = register_ftrace_function(ops);
	ops->flags |= has_tramp;
	if (!err)
		ops->flags &= ~FTRACE_OPS_FL_DYNAMIC;
	return err;
}

/*
 * After an error of its own, ftrace switches itself off for good, whatever the cause.  Then
 * calls keep coming, and nothing can be taken back.  They find no site any more.  The code
 * that they run has to stay.
 */
void pe_ftrace_ops_unregister(struct ftrace_ops *ops)
{
	if (!unregister_ftrace_function(ops)) {
		pe_ftrace_ops_put(ops);
		return;
	}
	__module_get(THIS_MODULE);
	pr_warn_once("ftrace is switched off, this module can't be unloaded\n");
}

/*
 * ftrace must free the trampoline after all tasks have left it.  So the ops is registered
 * once more, for its last filter, and leaves as a dynamic one.  If ftrace has switched
 * itself off meanwhile, the memory stays: ftrace still lists it for its trampoline.
 */
static void ops_free(struct ftrace_ops *ops)
{
	ops->flags &= ~(FTRACE_OPS_FL_PERMANENT | FTRACE_OPS_FL_IPMODIFY);
	if (ops->trampoline && (register_ftrace_function(ops) || unregister_ftrace_function(ops)))
		return;
	ftrace_free_filter(ops);
	kfree(entry_ops_of(ops));
}

/* While unloading: all ops are idle. */
void pe_ftrace_ops_exit(void)
{
	struct entry_ops *eo, *next;

	list_for_each_entry_safe(eo, next, &idle_ops, idle)
		ops_free(&eo->ops);
}
