// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * module.c - modules in which nothing may be probed: ours, and those that come unannounced.
 */
#include <linux/bug.h>
#include <linux/export.h>
#include <linux/list.h>
#include <linux/lockdep.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/preempt.h>
#include <linux/slab.h>
#include "kernel/engine.h"
#include "kernel/know/names.h"
#include "kernel/policy/policy.h"

/* Modules with code that runs in handlers: probe_events, and others that ask for it. */
static const struct module *pe_protected_modules[PE_MAX_PROTECTED]; /* written with pe_mutex held */

/**
 * pe_protect_module() - refuse probes in a module's text
 * @mod: the caller; the protection ends when it is unloaded
 *
 * Context: process, takes pe_mutex.
 */
void pe_protect_module(struct module *mod)
{
	unsigned int i;

	mutex_lock(&pe_mutex);
	for (i = 0; i < PE_MAX_PROTECTED; i++) {
		if (!pe_protected_modules[i] || pe_protected_modules[i] == mod)
			break;
	}
	if (!WARN_ON(i == PE_MAX_PROTECTED))
		WRITE_ONCE(pe_protected_modules[i], mod);	/* read by pe_prober_owns() */
	mutex_unlock(&pe_mutex);
}
EXPORT_SYMBOL_GPL(pe_protect_module);

bool pe_module_is_protected(const struct module *mod)
{
	unsigned int i;

	for (i = 0; i < PE_MAX_PROTECTED; i++) {
		if (pe_protected_modules[i] == mod)
			return true;
	}
	return false;
}

/* The @i-th of them, or NULL. */
const struct module *pe_protected_module(unsigned int i)
{
	lockdep_assert_held(&pe_mutex);
	return pe_protected_modules[i];
}

/* The module is being unloaded. */
void pe_unprotect_module(const struct module *mod)
{
	unsigned int i;

	lockdep_assert_held(&pe_mutex);
	for (i = 0; i < PE_MAX_PROTECTED; i++) {
		/* read by pe_prober_owns() */
		if (pe_protected_modules[i] == mod)
			WRITE_ONCE(pe_protected_modules[i], NULL);
	}
}

/**
 * pe_prober_owns() - is it code or data of ours, or of a module that is protected?
 * @addr: any address
 *
 * A module leaves the list before it is freed, and is freed after all CPUs have been preemptible.
 *
 * Context: any.
 */
bool pe_prober_owns(unsigned long addr)
{
	bool owns = within_module(addr, THIS_MODULE);
	const struct module *mod;
	unsigned int i;

	preempt_disable();
	for (i = 0; i < PE_MAX_PROTECTED && !owns; i++) {
		mod = READ_ONCE(pe_protected_modules[i]);
		owns = mod && within_module(addr, mod);
	}
	preempt_enable();
	return owns;
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
void pe_module_announce(const struct module *mod)
{
	struct pe_coming *coming = kmalloc(sizeof(*coming), GFP_KERNEL);

	if (!coming)
		return;
	coming->mod = mod;
	mutex_lock(&pe_mutex);
	list_add(&coming->list, &pe_coming_modules);
	mutex_unlock(&pe_mutex);
}

/* It has run, or goes; pe_mutex held. */
void pe_module_forget(const struct module *mod)
{
	struct pe_coming *coming = pe_coming_find(mod);

	lockdep_assert_held(&pe_mutex);
	if (!coming)
		return;
	list_del(&coming->list);
	kfree(coming);
}

/* No module is announced any more. */
void pe_modules_forget(void)
{
	struct pe_coming *coming, *next;

	list_for_each_entry_safe(coming, next, &pe_coming_modules, list)
		kfree(coming);
}
