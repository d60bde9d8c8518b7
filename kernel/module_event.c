// SPDX-License-Identifier: GPL-2.0
/*
 * module_event.c - modules whose text holds probes, and modules that must not.
 *
 * A module's text disappears in two steps: its init text after MODULE_STATE_LIVE
 * has been announced, everything after MODULE_STATE_GOING.  At either moment the
 * text is still there, so sites in it are disarmed like any other; their probes
 * become gone and stay registered until their owner removes them.
 *
 * A failed initialisation is announced as GOING, too.
 */
#include <linux/export.h>
#include <linux/hashtable.h>
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/lockdep.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/notifier.h>
#include <linux/seq_file.h>
#include "kernel/compat.h"
#include "kernel/kprobes.h"
#include "kernel/round.h"

/* Modules whose code runs in handlers: probe_events and what else asks for it. */
#define MAX_PROTECTED	8
static const struct module *protected_modules[MAX_PROTECTED];	/* pe_mutex */

/**
 * pe_protect_module() - refuse probes in a module's text
 * @mod: the caller; undone when it is unloaded
 *
 * Context: process, takes pe_mutex.
 */
void pe_protect_module(struct module *mod)
{
	unsigned int i;

	mutex_lock(&pe_mutex);
	for (i = 0; i < MAX_PROTECTED; i++) {
		if (!protected_modules[i] || protected_modules[i] == mod)
			break;
	}
	if (!WARN_ON(i == MAX_PROTECTED))
		protected_modules[i] = mod;
	mutex_unlock(&pe_mutex);
}
EXPORT_SYMBOL_GPL(pe_protect_module);

bool pe_module_protected(const struct module *mod)
{
	unsigned int i;

	for (i = 0; i < MAX_PROTECTED; i++) {
		if (protected_modules[i] == mod)
			return true;
	}
	return false;
}

static void unprotect(const struct module *mod)
{
	unsigned int i;

	for (i = 0; i < MAX_PROTECTED; i++) {
		if (protected_modules[i] == mod)
			protected_modules[i] = NULL;
	}
}

static void show_module(struct seq_file *m, bool show, const struct module *mod)
{
	unsigned long start = pe_module_text_base(mod);
	unsigned long end = start + pe_module_text_size(mod);

	seq_printf(m, "0x%px-0x%px\t[%s]\tthe prober itself\n", show ? (void *)start : NULL,
		   show ? (void *)end : NULL, mod->name);
}

/* Our part of kprobes/blacklist. */
void pe_show_protected(struct seq_file *m, bool show)
{
	unsigned int i;

	show_module(m, show, THIS_MODULE);
	mutex_lock(&pe_mutex);
	for (i = 0; i < MAX_PROTECTED; i++) {
		if (protected_modules[i])
			show_module(m, show, protected_modules[i]);
	}
	mutex_unlock(&pe_mutex);
}

static bool in_init(unsigned long addr, const struct module *mod)
{
	return within_module_init(addr, mod);
}

static bool in_module(unsigned long addr, const struct module *mod)
{
	return within_module(addr, mod);
}

static void mark_gone(struct pe_site *site)
{
	struct pe_kprobe *kp;

	site->gone = true;
	list_for_each_entry(kp, &site->probes, node)
		WRITE_ONCE(kp->flags, kp->flags | PE_KPROBE_GONE);
	list_for_each_entry(kp, &site->returns, node)
		WRITE_ONCE(kp->flags, kp->flags | PE_KPROBE_GONE);
}

/* Sites for whose address @in says yes lose their text. */
static void text_gone(const struct module *mod,
		      bool (*in)(unsigned long addr, const struct module *mod))
{
	struct pe_site *site;
	struct hlist_node *next;
	struct pe_round r;
	int bucket;

	lockdep_assert_held(&pe_mutex);
	pe_round_begin(&r, false);
	hash_for_each(pe_sites, bucket, site, hash) {
		if (in(site->addr, mod)) {
			mark_gone(site);
			pe_round_add(&r, site);
		}
	}
	WARN_ON(pe_round_settle(&r));	/* only disarms */
	pe_round_end(&r);
	hash_for_each_safe(pe_sites, bucket, next, site, hash) {
		if (site->gone) {
			hash_del_rcu(&site->hash);
			list_add(&site->batch, &pe_gone_sites);
		}
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
		unprotect(mod);
	mutex_unlock(&pe_mutex);
	return NOTIFY_OK;
}

/*
 * After everybody else: whoever arms probes in a module that comes, or looks at
 * those of one that goes, does so before.
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
