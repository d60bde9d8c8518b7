// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * capi.c - the kernel's interface for kprobes, on top of the engine's.
 *
 * include/compat/linux/kprobes.h gives modules the kernel's names for the functions below.  Each
 * registered struct kprobe has a struct pe_capi_probe, found by its address.  So a kprobe that was
 * never registered, or is so already, is told from one that is, whatever its bytes are.
 *
 * A handler may run as soon as its probe is armed, and finds ->addr and ->flags complete.  So
 * probes are registered with the engine disabled, then the module's structures are filled, then
 * the probes are enabled.
 *
 * No mutex is held while hits are waited for, except pe_capi_mutex when registering fails.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include "kernel/capi/capi.h"
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/hashtable.h>
#include <linux/lockdep.h>
#include <linux/mm.h>
#include <linux/printk.h>
#include <linux/slab.h>
#include "kernel/engine.h"
#include "kernel/mech/mech.h"
#include "kernel/probe/site.h"

/* Guards the hash and what we write to registered structures; pe_mutex is taken inside it. */
static DEFINE_HASHTABLE(pe_capi_probes, 8);
static DEFINE_MUTEX(pe_capi_mutex);

static struct pe_capi_probe *pe_capi_find(const struct kprobe *user)
{
	struct pe_capi_probe *probe;

	lockdep_assert_held(&pe_capi_mutex);
	hash_for_each_possible(pe_capi_probes, probe, node, (unsigned long)user) {
		if (probe->user == user)
			return probe;
	}
	return NULL;
}

/* ---- registration ---- */

static int pe_check_kprobe(const struct kprobe *user)
{
	if (!user->symbol_name == !user->addr)
		return -EINVAL;
	return pe_capi_find(user) ? -EINVAL : 0;
}

static int pe_check_kretprobe(const struct kprobe *user)
{
	const struct kretprobe *rp = container_of(user, struct kretprobe, kp);
	int err = pe_check_kprobe(user);

	if (!err && rp->data_size > KRETPROBE_MAX_DATA_SIZE)
		err = -E2BIG;
	return err;
}

/* The differences between the kinds of probes. */
struct kind {
	int (*check)(const struct kprobe *user);
	void (*set_handlers)(struct pe_capi_probe *probe);
};

static const struct kind pe_kind_kprobe = { pe_check_kprobe, pe_capi_set_handlers };
static const struct kind pe_kind_kretprobe = { pe_check_kretprobe, pe_capi_set_return_handlers };

/* Return: the engine's probe, hashed; or an ERR_PTR(). */
static struct pe_kprobe *pe_capi_add(struct kprobe *user, const struct kind *kind,
				     struct module *owner)
{
	int err = kind->check(user);
	struct pe_capi_probe *probe;
	struct pe_kprobe *kp;

	if (err)
		return ERR_PTR(err);
	probe = kzalloc(sizeof(*probe), GFP_KERNEL);
	if (!probe)
		return ERR_PTR(-ENOMEM);
	kp = &probe->rp.kp;
	kp->symbol = user->symbol_name;
	kp->addr = (unsigned long)user->addr;
	kp->offset = user->offset;
	kp->flags = PE_KPROBE_DISABLED;
	kp->owner = owner;
	probe->user = user;
	probe->given = user->addr;
	kind->set_handlers(probe);
	hash_add(pe_capi_probes, &probe->node, (unsigned long)user);
	return kp;
}

static void pe_capi_discard(struct pe_kprobe **kps, unsigned int n)
{
	unsigned int i;

	for (i = 0; i < n; i++) {
		hash_del(&pe_capi_to_probe(kps[i])->node);
		kfree(pe_capi_to_probe(kps[i]));
	}
}

static void pe_capi_log_refusal(struct pe_kprobe **kps, unsigned int n, int err)
{
	const struct pe_kprobe *kp;
	unsigned int i;

	for (i = 0; i < n; i++) {
		kp = kps[i];
		if (!kp->reason)
			continue;
		pr_notice_ratelimited("%s: no probe at %s+0x%lx: %s (%d)\n",
				      kp->owner->name,
				      kp->symbol ?: "address", kp->offset, kp->reason, err);
		return;
	}
}

/* The probe is registered with the engine, and not armed. */
static void pe_capi_fill(const struct pe_kprobe *kp, struct kprobe *user, const struct kind *kind)
{
	u32 flags = user->flags & (KPROBE_FLAG_DISABLED | KPROBE_FLAG_OBSERVES);

	if (kp->on_entry)
		flags |= KPROBE_FLAG_ON_FUNC_ENTRY;
	if (kp->site->mech->id == PE_MECH_ENTRY)
		flags |= KPROBE_FLAG_FTRACE;
	user->addr = (kprobe_opcode_t *)kp->addr;
	user->flags = flags;
	user->nmissed = 0;
	if (kind == &pe_kind_kretprobe)
		container_of(user, struct kretprobe, kp)->nmissed = 0;
}

/* Enables those that are wanted enabled.  @wanted has room for all. */
static int pe_enable_wanted(struct pe_kprobe **kps, unsigned int n, struct pe_kprobe **wanted)
{
	unsigned int i, m = 0;

	for (i = 0; i < n; i++) {
		if (!(pe_capi_to_probe(kps[i])->user->flags & KPROBE_FLAG_DISABLED))
			wanted[m++] = kps[i];
	}
	return m ? pe_enable_kprobes(wanted, m) : 0;
}

/* @kps: hashed.  All or none. */
static int pe_register_all(struct pe_kprobe **kps, unsigned int n, const struct kind *kind)
{
	unsigned int i;
	int err;

	err = pe_register_kprobes(kps, n);
	if (err) {
		pe_capi_log_refusal(kps, n, err);
		return err;
	}
	for (i = 0; i < n; i++)
		pe_capi_fill(kps[i], pe_capi_to_probe(kps[i])->user, kind);
	err = pe_enable_wanted(kps, n, kps + n);
	if (!err)
		return 0;
	pe_capi_log_refusal(kps, n, err);
	pe_unregister_kprobes(kps, n);
	for (i = 0; i < n; i++)
		pe_capi_to_probe(kps[i])->user->addr = pe_capi_to_probe(kps[i])->given;
	return err;
}

static int pe_register_users(struct kprobe **users, int num, const struct kind *kind,
			     struct module *owner)
{
	struct pe_kprobe *kp, **kps;
	int n, err = 0;

	if (num <= 0)
		return -EINVAL;
	kps = kvmalloc_array(num, 2 * sizeof(*kps), GFP_KERNEL);
	if (!kps)
		return -ENOMEM;
	mutex_lock(&pe_capi_mutex);
	for (n = 0; n < num; n++) {
		kp = pe_capi_add(users[n], kind, owner);
		err = PTR_ERR_OR_ZERO(kp);
		if (err)
			break;
		kps[n] = kp;
	}
	if (!err)
		err = pe_register_all(kps, n, kind);
	if (err)
		pe_capi_discard(kps, n);
	mutex_unlock(&pe_capi_mutex);
	kvfree(kps);
	return err;
}

/**
 * pe_capi_register_kprobes() - register_kprobe(), register_kprobes()
 * @kps: the probes; they and what they point to stay until they are unregistered
 * @num: how many
 * @owner: the calling module
 *
 * All are registered, or none is; then the structures are as they were, but for their flags and
 * counters.  Probes without KPROBE_FLAG_DISABLED are armed together.
 *
 * Context: process, may sleep.
 * Return: 0, or the error of the first refused probe, for which the kernel's log has the reason:
 * * -EINVAL: no probe, or one with @symbol_name and @addr or neither, or one that is registered;
 *   besides, as for pe_register_kprobes()
 * * others: see pe_register_kprobes() and pe_enable_kprobes()
 */
int pe_capi_register_kprobes(struct kprobe **kps, int num, struct module *owner)
{
	return pe_register_users(kps, num, &pe_kind_kprobe, owner);
}
EXPORT_SYMBOL_GPL(pe_capi_register_kprobes);

/**
 * pe_capi_register_kretprobes() - register_kretprobe(), register_kretprobes()
 * @rps: the probes; they and what they point to stay until they are unregistered
 * @num: how many
 * @owner: the calling module
 *
 * Context: process, may sleep.
 * Return: as pe_capi_register_kprobes(), and -E2BIG for too much data.
 */
int pe_capi_register_kretprobes(struct kretprobe **rps, int num, struct module *owner)
{
	return pe_register_users((struct kprobe **)rps, num, &pe_kind_kretprobe, owner);
}
EXPORT_SYMBOL_GPL(pe_capi_register_kretprobes);

/* ---- removal ---- */

/* After this, we do not use the module's structure.  Return: NULL if it was not registered. */
static struct pe_kprobe *pe_capi_take(struct kprobe *user)
{
	struct pe_capi_probe *probe = pe_capi_find(user);

	if (!probe) {
		user->addr = NULL;
		return NULL;
	}
	hash_del(&probe->node);
	return &probe->rp.kp;
}

static void pe_capi_release(struct pe_kprobe **kps, unsigned int n)
{
	unsigned int i;

	pe_unregister_kprobes(kps, n);
	for (i = 0; i < n; i++) {
		if (pe_capi_to_probe(kps[i])->broken)
			pr_warn("%s: a pre_handler at %pS wanted to divert, and could not\n",
				kps[i]->owner->name, (void *)kps[i]->addr);
		kfree(pe_capi_to_probe(kps[i]));
	}
}

/**
 * pe_capi_unregister_kprobes() - unregister_kprobe(), unregister_kprobes()
 * @kps: probes; the ->addr of one that is not registered becomes NULL, and that is all
 * @num: how many; one wait serves all of them
 *
 * No handler runs when it returns.
 *
 * Context: process, sleeps; see pe_unregister_kprobes().
 */
void pe_capi_unregister_kprobes(struct kprobe **kps, int num)
{
	struct pe_kprobe *one, *kp, **taken = &one;
	unsigned int n = 0;
	int i;

	if (num > 1)
		taken = kvmalloc_array(num, sizeof(*taken), GFP_KERNEL);
	if (!taken) {
		for (i = 0; i < num; i++)	/* with a wait for each */
			pe_capi_unregister_kprobes(&kps[i], 1);
		return;
	}
	mutex_lock(&pe_capi_mutex);
	for (i = 0; i < num; i++) {
		kp = pe_capi_take(kps[i]);
		if (kp)
			taken[n++] = kp;
	}
	mutex_unlock(&pe_capi_mutex);
	pe_capi_release(taken, n);
	if (taken != &one)
		kvfree(taken);
}
EXPORT_SYMBOL_GPL(pe_capi_unregister_kprobes);

/**
 * pe_capi_unregister_kretprobes() - unregister_kretprobe(), unregister_kretprobes()
 * @rps: as @kps of pe_capi_unregister_kprobes()
 * @num: how many
 *
 * It does not wait for calls in progress; their handlers are not called any more.
 *
 * Context: process, sleeps; see pe_unregister_kprobes().
 */
void pe_capi_unregister_kretprobes(struct kretprobe **rps, int num)
{
	pe_capi_unregister_kprobes((struct kprobe **)rps, num);
}
EXPORT_SYMBOL_GPL(pe_capi_unregister_kretprobes);

/* ---- enabling ---- */

static int pe_capi_enable(struct kprobe *user, struct pe_capi_probe *probe)
{
	int err = pe_enable_kprobe(&probe->rp.kp);
	if (err == -ENODEV)
		return -EINVAL;		/* gone; the kernel's error */
	if (!err)
		user->flags &= ~KPROBE_FLAG_DISABLED;
	return err;
}

static int pe_capi_disable(struct kprobe *user, struct pe_capi_probe *probe)
{
	if (kprobe_gone(user))
		return 0;
	pe_disable_kprobe(&probe->rp.kp);
	user->flags |= KPROBE_FLAG_DISABLED;
	return 0;
}

/* Do either of a probe that is registered. */
static int pe_capi_switch(struct kprobe *user,
			  int (*to)(struct kprobe *user, struct pe_capi_probe *probe))
{
	struct pe_capi_probe *probe;
	int err;

	mutex_lock(&pe_capi_mutex);
	probe = pe_capi_find(user);
	err = probe ? to(user, probe) : -EINVAL;
	mutex_unlock(&pe_capi_mutex);
	return err;
}

/**
 * pe_capi_enable_kprobe() - enable_kprobe(), enable_kretprobe()
 * @kp: the probe
 *
 * Context: process, may sleep.
 * Return: 0; -EINVAL if it is not registered, or gone; else see pe_enable_kprobes().
 */
int pe_capi_enable_kprobe(struct kprobe *kp)
{
	return pe_capi_switch(kp, pe_capi_enable);
}
EXPORT_SYMBOL_GPL(pe_capi_enable_kprobe);

/**
 * pe_capi_disable_kprobe() - disable_kprobe(), disable_kretprobe()
 * @kp: the probe
 *
 * Handlers that are running may still finish.  A call that returns later does so without
 * its return probe's handler.
 *
 * Context: process, may sleep.
 * Return: 0, or -EINVAL if it is not registered.
 */
int pe_capi_disable_kprobe(struct kprobe *kp)
{
	return pe_capi_switch(kp, pe_capi_disable);
}
EXPORT_SYMBOL_GPL(pe_capi_disable_kprobe);

/* ---- modules that go ---- */

static void pe_note_gone(void)
{
	struct pe_capi_probe *probe;
	int bucket;

	mutex_lock(&pe_capi_mutex);
	hash_for_each(pe_capi_probes, bucket, probe, node) {
		if (READ_ONCE(probe->rp.kp.flags) & PE_KPROBE_GONE)
			probe->user->flags |= KPROBE_FLAG_GONE;
	}
	mutex_unlock(&pe_capi_mutex);
}

/* @left: gets the probes that @mod owns; no look-up finds them any more */
static void pe_capi_take_left(const struct module *mod, struct hlist_head *left)
{
	struct pe_capi_probe *probe;
	struct hlist_node *next;
	int bucket;

	mutex_lock(&pe_capi_mutex);
	hash_for_each_safe(pe_capi_probes, bucket, next, probe, node) {
		if (probe->rp.kp.owner != mod)
			continue;
		hash_del(&probe->node);
		hlist_add_head(&probe->node, left);
	}
	mutex_unlock(&pe_capi_mutex);
}

/*
 * The module has not unregistered its probes, and their handlers are about to vanish.  Its own
 * structures may have been freed already, and are not written to.
 */
static void pe_remove_left(const struct module *mod)
{
	struct pe_capi_probe *probe;
	struct hlist_node *next;
	struct pe_kprobe *kp;
	HLIST_HEAD(left);

	pe_capi_take_left(mod, &left);
	hlist_for_each_entry_safe(probe, next, &left, node) {
		kp = &probe->rp.kp;
		pr_warn("%s goes without having unregistered its probe at %pS\n", mod->name,
			(void *)kp->addr);
		pe_capi_release(&kp, 1);
	}
}

/* Text of a module has gone: all of it, or its init text. */
void pe_capi_text_gone(const struct module *mod, bool all)
{
	if (all)
		pe_remove_left(mod);
	pe_note_gone();
}
