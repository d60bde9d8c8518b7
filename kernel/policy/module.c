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
 */
#include <linux/hashtable.h>
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/lockdep.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/notifier.h>
#include <linux/sched.h>
#include "kernel/batch.h"
#include "kernel/kprobes.h"
#include "kernel/policy/policy.h"
#include "kernel/site.h"

static bool in_init(unsigned long addr, const struct module *mod)
{
	return within_module_init(addr, mod);
}

static bool in_module(unsigned long addr, const struct module *mod)
{
	return within_module(addr, mod);
}

/* Mark the sites whose address @in accepts as gone, and disarm them. */
static void text_gone(const struct module *mod,
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

static int module_event(struct notifier_block *nb, unsigned long event, void *data)
{
	const struct module *mod = data;

	if (event != MODULE_STATE_LIVE && event != MODULE_STATE_GOING)
		return NOTIFY_DONE;
	mutex_lock(&pe_mutex);
	text_gone(mod, event == MODULE_STATE_GOING ? in_module : in_init);
	if (event == MODULE_STATE_GOING)
		pe_unprotect_module(mod);
	mutex_unlock(&pe_mutex);
	return NOTIFY_OK;
}

/*
 * Runs after all other notifiers.  Another notifier may arm probes in a module that comes,
 * or look at those of one that goes.  It does so before us.
 */
static struct notifier_block module_notifier = {
	.notifier_call = module_event,
	.priority = INT_MIN,
};

int pe_module_event_init(void)
{
	return register_module_notifier(&module_notifier);
}

void pe_module_event_exit(void)
{
	unregister_module_notifier(&module_notifier);
}
