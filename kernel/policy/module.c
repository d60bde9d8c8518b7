// SPDX-License-Identifier: GPL-2.0
/*
 * module.c - modules that come and go with probes in their text.
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
 * So one notifier runs first, and keeps a list of the modules that come.  In a module that comes,
 * probes are refused while it is not on the list: before it has been announced, and after it has
 * been refused.
 */
#include <linux/hashtable.h>
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/lockdep.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/notifier.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include "kernel/batch.h"
#include "kernel/kprobes.h"
#include "kernel/policy/policy.h"
#include "kernel/site.h"

static bool pe_in_init(unsigned long addr, const struct module *mod)
{
	return within_module_init(addr, mod);
}

static bool pe_in_module(unsigned long addr, const struct module *mod)
{
	return within_module(addr, mod);
}

/* Mark the sites whose address @in accepts as gone, and disarm them. */
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

/**
 * struct pe_coming - a module that has been announced, and has not run yet
 * @list: in pe_coming_modules
 * @mod: which one
 */
struct pe_coming {
	struct list_head list;
	const struct module *mod;
};

static LIST_HEAD(pe_coming_modules);	/* pe_mutex */

static struct pe_coming *pe_coming_find(const struct module *mod)
{
	struct pe_coming *coming;

	list_for_each_entry(coming, &pe_coming_modules, list) {
		if (coming->mod == mod)
			return coming;
	}
	return NULL;
}

bool pe_module_is_announced(const struct module *mod)
{
	lockdep_assert_held(&pe_mutex);
	return pe_coming_find(mod);
}

/* Without memory, probes are refused until the module has run. */
static void pe_coming_add(const struct module *mod)
{
	struct pe_coming *coming = kmalloc(sizeof(*coming), GFP_KERNEL);

	if (!coming)
		return;
	coming->mod = mod;
	mutex_lock(&pe_mutex);
	list_add(&coming->list, &pe_coming_modules);
	mutex_unlock(&pe_mutex);
}

static void pe_coming_forget(struct pe_coming *coming)
{
	if (!coming)
		return;
	list_del(&coming->list);
	kfree(coming);
}

/* All text of a module, or its init text, goes. */
static void pe_module_changes(const struct module *mod, bool goes)
{
	mutex_lock(&pe_mutex);
	pe_text_gone(mod, goes ? pe_in_module : pe_in_init);
	pe_coming_forget(pe_coming_find(mod));
	if (goes)
		pe_unprotect_module(mod);
	mutex_unlock(&pe_mutex);
}

/* Before all other notifiers: told of every module that any of them is told of. */
static int pe_module_event_first(struct notifier_block *nb, unsigned long event, void *data)
{
	const struct module *mod = data;

	if (event == MODULE_STATE_COMING)
		pe_coming_add(mod);
	else if (event == MODULE_STATE_GOING && mod->state == MODULE_STATE_COMING)
		pe_module_changes(mod, true);	/* a notifier has refused it */
	return NOTIFY_DONE;
}

static struct notifier_block pe_module_notifier_first = {
	.notifier_call = pe_module_event_first,
	.priority = INT_MAX,
};

static int pe_policy_module_event(struct notifier_block *nb, unsigned long event, void *data)
{
	if (event != MODULE_STATE_LIVE && event != MODULE_STATE_GOING)
		return NOTIFY_DONE;
	pe_module_changes(data, event == MODULE_STATE_GOING);
	return NOTIFY_OK;
}

/*
 * Runs after all other notifiers.  Another notifier may arm probes in a module that comes,
 * or look at those of one that goes.  It does so before us.
 */
static struct notifier_block pe_policy_module_notifier = {
	.notifier_call = pe_policy_module_event,
	.priority = INT_MIN,
};

/* In an order in which no module is on the list whose end is not told. */
int pe_module_event_init(void)
{
	int err = register_module_notifier(&pe_policy_module_notifier);

	if (err)
		return err;
	err = register_module_notifier(&pe_module_notifier_first);
	if (err)
		unregister_module_notifier(&pe_policy_module_notifier);
	return err;
}

void pe_module_event_exit(void)
{
	struct pe_coming *coming, *next;

	unregister_module_notifier(&pe_module_notifier_first);
	unregister_module_notifier(&pe_policy_module_notifier);
	list_for_each_entry_safe(coming, next, &pe_coming_modules, list)
		pe_coming_forget(coming);
}
