// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * modules.c - modules that come and go: which parts are told of it, and when.
 *
 * A module's text disappears in two steps: its init text after MODULE_STATE_LIVE has been
 * announced, all other text after MODULE_STATE_GOING.  At either moment the text is still
 * there, so sites in it are disarmed like any other.  Their probes become gone and stay
 * registered until their callers remove them.
 *
 * A failed initialisation is announced as GOING, too.
 *
 * Loading may also fail before the module has run:
 *
 *   - A notifier refuses MODULE_STATE_COMING.  Then MODULE_STATE_GOING is announced to the
 *     notifiers that were told before it, and to no other.  The module's state is still
 *     MODULE_STATE_COMING meanwhile.
 *   - A livepatch refuses the module.  Then nothing is announced.
 *
 * So we are told first, before all other notifiers: of every module that any of them is told of.
 * policy/module.c keeps a list of the modules that come.  In a module that comes, probes are
 * refused while it is not on the list: before it has been announced, and after it has been refused.
 *
 * And we are told last, after all others: they may arm probes in a module that comes, or look at
 * those of one that goes.
 *
 * probe_events is told at both ends, after us (event_module.c).
 */
#include <linux/export.h>
#include <linux/hashtable.h>
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/lockdep.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/notifier.h>
#include <linux/rwsem.h>
#include <linux/sched.h>
#include <pe/modules.h>
#include "kernel/engine.h"
#include "kernel/jump/jump.h"
#include "kernel/know/names.h"
#include "kernel/policy/policy.h"
#include "kernel/probe/batch.h"
#include "kernel/probe/probe_kind.h"
#include "kernel/probe/site.h"

/**
 * pe_site_mark_gone() - the site's text is about to be unloaded
 * @site: none of its probes will fire again; it is to be disarmed next
 */
static void pe_site_mark_gone(struct pe_site *site)
{
	struct pe_kprobe *kp;
	unsigned int kind;

	pe_site_changes(site);
	/* read by pe_wants_hit() */
	pe_site_for_each_probe(kp, kind, site)
		WRITE_ONCE(kp->flags, kp->flags | PE_KPROBE_GONE);
}

/**
 * pe_site_unhash_gone() - hits cannot find the site any more
 * @site: gone, disarmed; its probes stay registered until their callers remove them
 */
static void pe_site_unhash_gone(struct pe_site *site)
{
	hash_del_rcu(&site->hash);
	if (site->mech->gone)
		site->mech->gone(site);
	list_add(&site->batch, &pe_gone_sites);
}

static bool pe_in_init(unsigned long addr, const struct module *mod)
{
	return within_module_init(addr, mod);
}

static bool pe_in_module(unsigned long addr, const struct module *mod)
{
	return within_module(addr, mod);
}

/* Mark the sites with addresses that @in accepts as gone, and disarm them. */
static void pe_text_gone(const struct module *mod,
			 bool (*in)(unsigned long addr, const struct module *mod))
{
	struct pe_site *site;
	struct hlist_node *next;
	struct pe_batch b;
	int bucket;

	lockdep_assert_held(&pe_mutex);
	pe_batch_begin(&b, false);
	hash_for_each(pe_sites, bucket, site, hash) {
		if (in(site->addr, mod)) {
			pe_site_mark_gone(site);
			pe_batch_add(&b, site);
		}
		cond_resched();
	}
	WARN_ON(pe_batch_settle(&b));	/* only disarms */
	pe_batch_end(&b);
	hash_for_each_safe(pe_sites, bucket, next, site, hash) {
		if (in(site->addr, mod))
			pe_site_unhash_gone(site);
		cond_resched();
	}
}

/* All text of a module, or its init text, goes. */
static void pe_module_text_goes(const struct module *mod, bool all)
{
	mutex_lock(&pe_mutex);
	pe_text_gone(mod, all ? pe_in_module : pe_in_init);
	pe_module_forget(mod);
	if (all)
		pe_unprotect_module(mod);
	mutex_unlock(&pe_mutex);
}

static const struct pe_module_watch *pe_watch;	/* pe_watch_sem */
/* Guards pe_watch, also while its functions run; outside of all mutexes. */
static DECLARE_RWSEM(pe_watch_sem);

void pe_modules_watch(const struct pe_module_watch *watch)
{
	down_write(&pe_watch_sem);
	pe_watch = watch;
	up_write(&pe_watch_sem);
}
EXPORT_SYMBOL_GPL(pe_modules_watch);

static void pe_watch_module(const struct module *mod, unsigned long state)
{
	down_read(&pe_watch_sem);
	if (pe_watch && state == MODULE_STATE_GOING)
		pe_watch->goes(mod);
	else if (pe_watch)
		pe_watch->comes(mod, state);
	up_read(&pe_watch_sem);
}

/* Others may look for the names of a module that comes. */
static int pe_modules_first(struct notifier_block *nb, unsigned long event, void *data)
{
	const struct module *mod = data;

	if (event == MODULE_STATE_COMING) {
		pe_module_names_forget();
		pe_module_announce(mod);
	} else if (event == MODULE_STATE_GOING && mod->state == MODULE_STATE_COMING) {
		pe_module_text_goes(mod, true);		/* a notifier has refused it */
		pe_capi_text_gone(mod, true);
	}
	if (event == MODULE_STATE_GOING)
		pe_watch_module(mod, event);
	return NOTIFY_DONE;
}

/* First probes become gone.  Then those of the C interface are told, or removed. */
static int pe_modules_last(struct notifier_block *nb, unsigned long event, void *data)
{
	bool goes = event == MODULE_STATE_GOING;

	if (event == MODULE_STATE_LIVE || goes) {
		pe_module_text_goes(data, goes);
		pe_capi_text_gone(data, goes);
	}
	if (event == MODULE_STATE_COMING || event == MODULE_STATE_LIVE)
		pe_watch_module(data, event);
	return NOTIFY_DONE;
}

static struct notifier_block pe_modules_first_nb = {
	.notifier_call = pe_modules_first,
	.priority = INT_MAX,
};

static struct notifier_block pe_modules_last_nb = {
	.notifier_call = pe_modules_last,
	.priority = INT_MIN,
};

/* Registers the notifiers in such an order that the end of each listed module is reported. */
int pe_modules_init(void)
{
	int err = register_module_notifier(&pe_modules_last_nb);

	if (err)
		return err;
	err = register_module_notifier(&pe_modules_first_nb);
	if (err)
		unregister_module_notifier(&pe_modules_last_nb);
	return err;
}

void pe_modules_exit(void)
{
	unregister_module_notifier(&pe_modules_first_nb);
	unregister_module_notifier(&pe_modules_last_nb);
	pe_modules_forget();
}
