// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * capi_hit.c - handlers of the engine that call those of a struct kprobe.  [H]
 *
 * The module's handlers are looked up at each hit, as the kernel does it: some modules change
 * them while they are registered.
 */
#include "kernel/capi/capi.h"
#include <linux/atomic.h>
#include <linux/compiler.h>
#include <linux/moduleparam.h>

static bool pe_capi_hit_before(struct pe_kprobe *kp, const struct pe_hit *hit)
{
	struct kprobe *user = pe_capi_to_probe(kp)->user;
	kprobe_pre_handler_t pre = READ_ONCE(user->pre_handler);

	return pre && pre(user, hit->regs);
}

/* The handler for a probe that promises to observe, or has no handler at all. */
static void pe_capi_hit_observe(struct pe_kprobe *kp, const struct pe_hit *hit)
{
	/* @broken is read by pe_capi_release() */
	if (unlikely(pe_capi_hit_before(kp, hit)))
		WRITE_ONCE(pe_capi_to_probe(kp)->broken, true);
}

static void pe_capi_hit_after(struct pe_kprobe *kp, const struct pe_hit *hit)
{
	struct kprobe *user = pe_capi_to_probe(kp)->user;
	kprobe_post_handler_t post = READ_ONCE(user->post_handler);

	if (post)
		post(user, hit->regs, 0);
}

static bool pe_capi_hit_enter(struct pe_kretprobe *rp, const struct pe_hit *hit, void *data)
{
	struct kretprobe *user = pe_capi_user_return(pe_capi_to_probe(&rp->kp));
	kretprobe_handler_t handler = READ_ONCE(user->entry_handler);
	struct kretprobe_instance *ri = data;

	ri->rp = user;
	ri->node.ret_addr = 0;
	return !handler || !handler(ri, hit->regs);
}

static void pe_capi_hit_leave(struct pe_kretprobe *rp, const struct pe_hit *hit,
			      unsigned long ret_ip, void *data)
{
	struct kretprobe *user = pe_capi_user_return(pe_capi_to_probe(&rp->kp));
	kretprobe_handler_t handler = READ_ONCE(user->handler);
	struct kretprobe_instance plain, *ri = rp->data_size ? data : &plain;

	ri->rp = user;
	ri->node.ret_addr = ret_ip;
	if (handler)
		handler(ri, hit->regs);
}

/* The module's counters are plain numbers that it may read at any time; several CPUs add. */
static void pe_capi_hit_miss(struct pe_kprobe *kp, enum pe_miss why)
{
	struct pe_capi_probe *probe = pe_capi_to_probe(kp);

	if (why == PE_MISS_BUSY)
		atomic_long_inc((atomic_long_t *)&probe->user->nmissed);
	else
		atomic_inc((atomic_t *)&pe_capi_user_return(probe)->nmissed);
}

static bool pe_kprobes_observe;
module_param_named(kprobes_observe, pe_kprobes_observe, bool, 0644);
MODULE_PARM_DESC(kprobes_observe, "every kprobe without a post_handler promises to observe");

static bool pe_promises_to_observe(const struct kprobe *user)
{
	return (user->flags & KPROBE_FLAG_OBSERVES) ||
	       (!user->post_handler && READ_ONCE(pe_kprobes_observe));
}

/**
 * pe_capi_set_handlers() - choose what the engine calls
 * @probe: ->user is a kprobe
 *
 * A pre_handler may change registers and divert at any hit.  So it is the engine's change
 * handler, with all that this costs, unless the module, or who loaded us, promises that it only
 * observes.
 */
void pe_capi_set_handlers(struct pe_capi_probe *probe)
{
	const struct kprobe *user = probe->user;
	struct pe_kprobe *kp = &probe->rp.kp;

	kp->miss = pe_capi_hit_miss;
	if (user->pre_handler && !pe_promises_to_observe(user))
		kp->change = pe_capi_hit_before;
	else if (user->pre_handler || !user->post_handler)
		kp->handler = pe_capi_hit_observe;
	if (user->post_handler)
		kp->post = pe_capi_hit_after;
}

/**
 * pe_capi_set_return_handlers() - the same for a return probe
 * @probe: ->user is part of a struct kretprobe
 *
 * Without an entry_handler and data, the engine does nothing for us at the entry, and the
 * instance need not be there before the return: calls take the engine's shortest way.
 */
void pe_capi_set_return_handlers(struct pe_capi_probe *probe)
{
	const struct kretprobe *user = pe_capi_user_return(probe);
	struct pe_kretprobe *rp = &probe->rp;

	rp->kp.miss = pe_capi_hit_miss;
	rp->kp.flags |= PE_KPROBE_RETURN;
	rp->handler = pe_capi_hit_leave;
	if (user->entry_handler)
		rp->entry = pe_capi_hit_enter;
	if (user->entry_handler || user->data_size)
		rp->data_size = sizeof(struct kretprobe_instance) + user->data_size;
}
