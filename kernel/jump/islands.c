// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * islands.c - jumps in padding, between a short jump and a detour.
 *
 * Where a jump does not fit, a short one often does.  It leads to an *island* of padding nearby,
 * which jumps on to the detour.  Nothing executes padding, so it is written
 * before the short jump leads there, and without a breakpoint.
 *
 * An island lives as long as its detour's slot is in use: a task may be preempted between the two
 * jumps.  When the slot is waited for, and free, the padding is put back.
 *
 * An island is in the way of others:
 *
 *   - No kprobe of the kernel may come there (optprobe.c), and no site (breakpoint.c).
 *   - No window may grow over it (jump_check.c).
 *
 * It is not made where one of these is.  If its text is not what was written there, it is left
 * alone for ever.
 *
 * Padding has no data for unwinders: an unwinder that meets a task in an island is lost.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/errno.h>
#include <linux/lockdep.h>
#include <linux/module.h>
#include <linux/printk.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "kernel/arch.h"
#include "kernel/engine.h"
#include "kernel/jump/islands.h"
#include "kernel/jump/jump.h"
#include "kernel/policy/policy.h"
#include "kernel/probe/site.h"

/**
 * struct pe_island - padding that a jump has overwritten
 * @hidden: the padding
 * @put: the jump
 * @rcu: to free it
 */
struct pe_island {
	struct pe_hidden hidden;
	u8 put[PE_ARCH_JUMP_SIZE];
	struct rcu_head rcu;
};

/*
 * Is a site of ours, armed or not, in these bytes, or a jump over them?  A site that is not armed
 * goes without a kick, so it has to be asked for again; a jump's end kicks.
 */
static int pe_check_sites(unsigned long at)
{
	unsigned int i;
	int err = 0;

	for (i = 0; i < PE_ARCH_JUMP_SIZE; i++) {
		if (pe_site_find(at + i))
			return -EAGAIN;
		if (pe_jump_covers(at + i))
			err = -EBUSY;
	}
	return err;
}

int pe_island_is_free(unsigned long pad, unsigned long at)
{
	const char *who;
	int err = pe_check_sites(at);

	if (err)
		return err;
	switch (pe_text_owner(at, PE_ARCH_JUMP_SIZE, NULL, PE_OWNER_ANY & ~PE_OWNER_TRAP, &who)) {
	case PE_OWNER_NONE:
		/* Before the padding may be a jump label's jump, which becomes a nop. */
		return pe_text_owner(pad - 1, 1, NULL, PE_OWNER_PATCHER, &who) ? -EOPNOTSUPP : 0;
	case PE_OWNER_ISLAND:
		return -EBUSY;
	case PE_OWNER_KPROBE:
		return -EAGAIN;
	default:
		return -EOPNOTSUPP;
	}
}

int pe_island_make(struct pe_jump *j)
{
	struct pe_island *island = kzalloc(sizeof(*island), GFP_KERNEL);

	lockdep_assert_held(&pe_mutex);
	if (!island)
		return -EAGAIN;
	island->hidden.at = j->arch.island;
	memcpy(island->hidden.was, j->arch.island_was, sizeof(island->hidden.was));
	memcpy(island->put, j->arch.island_put, sizeof(island->put));
	if (!pe_text_replace(island->hidden.at, island->hidden.was, island->put,
			     PE_ARCH_JUMP_SIZE)) {
		kfree(island);
		return -EAGAIN;
	}
	pe_hide(&island->hidden);
	j->island = island;
	return 0;
}

void pe_island_remove(struct pe_jump *j)
{
	struct pe_island *island = j->island;

	lockdep_assert_held(&pe_mutex);
	if (!island)
		return;
	j->island = NULL;
	if (!pe_text_replace(island->hidden.at, island->put, island->hidden.was,
			     PE_ARCH_JUMP_SIZE)) {
		__module_get(THIS_MODULE);
		pr_warn("the padding at %pS has been overwritten by another writer, left alone\n",
			(void *)island->hidden.at);
		return;
	}
	pe_unhide(&island->hidden);
	kfree_rcu(island, rcu);
}
