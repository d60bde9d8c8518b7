// SPDX-License-Identifier: GPL-2.0
/*
 * ftrace_ops.c - ftrace_ops that come and go without anybody waiting.
 *
 * When an ops that somebody has allocated is unregistered, ftrace waits until no task can
 * be in its trampoline, and frees that, all with ftrace_lock held: a second or more, or
 * as long as some task runs in the kernel without a pause.  Loading a module needs that
 * lock, and whoever arms a site has more of them.  An ops that is part of the kernel
 * just leaves: it stays where it is, with its trampoline.  So do ours.  They lose
 * FTRACE_OPS_FL_DYNAMIC, by which ftrace tells the two kinds, and are used again; calls
 * that come late find no site.  The waiting is done while unloading, once for each.
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
 * @idle: in idle_ops, while ftrace does not know it; pe_mutex
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

/* One that ftrace does not know, or NULL; its filter is to be replaced. */
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
 * BPF asks for another try while it changes its trampoline, after a millisecond's sleep.
 *
 * Registering makes the ops an allocated one again, and if ftrace refuses, it frees the
 * trampoline of such a one at once: it takes it for new, with nobody in it.  Ours may have
 * been in use a moment ago.  Without FTRACE_OPS_FL_ALLOC_TRAMP ftrace takes a trampoline
 * for somebody else's and leaves it alone.
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
 * ftrace switches itself off for good when something is wrong with it, whoever is to
 * blame: calls keep coming, and nothing can be taken back.  They find no site any more;
 * what they run has to stay.
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
 * To have the trampoline freed, and all who are in it waited for, the ops is made known
 * once more, for its last filter, and leaves as one that was allocated.  If ftrace has
 * switched itself off meanwhile, the memory stays: it is still listed for its trampoline.
 */
static void ops_free(struct ftrace_ops *ops)
{
	ops->flags &= ~(FTRACE_OPS_FL_PERMANENT | FTRACE_OPS_FL_IPMODIFY);
	if (ops->trampoline && (register_ftrace_function(ops) || unregister_ftrace_function(ops)))
		return;
	ftrace_free_filter(ops);
	kfree(entry_ops_of(ops));
}

/* While unloading: all are idle. */
void pe_ftrace_ops_exit(void)
{
	struct entry_ops *eo, *next;

	list_for_each_entry_safe(eo, next, &idle_ops, idle)
		ops_free(&eo->ops);
}
