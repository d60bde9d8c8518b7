// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * list.c - how probes are armed: the texts of kprobes/list and kprobes/optimized.
 */
#include <linux/export.h>
#include <linux/hashtable.h>
#include <linux/kallsyms.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/string.h>
#include <pe/listing.h>
#include "kernel/engine.h"
#include "kernel/mech/mech.h"
#include "kernel/probe/hit.h"
#include "kernel/probe/probe_kind.h"
#include "kernel/probe/site.h"

/* As what an armed site is listed. */
static const struct pe_mech *pe_mech_now(const struct pe_site *site)
{
	return site->mech->now ? site->mech->now(site) : site->mech;
}

enum pe_mechanism pe_kprobe_mechanism(const struct pe_kprobe *kp)
{
	enum pe_mechanism mech = PE_MECH_NONE;

	mutex_lock(&pe_mutex);
	if (kp->site && !(kp->flags & PE_KPROBE_STOPPED) && pe_site_serves(kp->site, kp))
		mech = pe_mech_now(kp->site)->id;
	mutex_unlock(&pe_mutex);
	return mech;
}
EXPORT_SYMBOL_GPL(pe_kprobe_mechanism);

static const char *pe_mechanism_flag(const struct pe_site *site, const struct pe_kprobe *kp)
{
	if (kp->flags & PE_KPROBE_STOPPED)
		return "";
	if (!pe_site_serves(site, kp))
		return "";
	return pe_mech_now(site)->flag;
}

/* Should the probe be armed, and another writer of text or tracer has prevented it? */
static bool pe_is_unarmed(const struct pe_site *site, const struct pe_kprobe *kp)
{
	return !(kp->flags & PE_KPROBE_NOT_FIRING) && !pe_site_serves(site, kp);
}

static void pe_show_flags(struct seq_file *m, const struct pe_site *site,
			  const struct pe_kprobe *kp)
{
	bool gone = kp->flags & PE_KPROBE_GONE;

	seq_printf(m, " %s%s%s%s%s", gone ? "[GONE]" : "",
		   !gone && (kp->flags & PE_KPROBE_DISABLED) ? "[DISABLED]" : "",
		   pe_mechanism_flag(site, kp), pe_is_unarmed(site, kp) ? "[UNARMED]" : "",
		   site->state == PE_SITE_LOST ? "[LOST]" : "");
	if (kp->owner)
		seq_printf(m, "[BY:%s]", kp->owner->name);
	seq_putc(m, '\n');
}

/* The name as the caller gave it: a symbol that is not there cannot be looked up. */
static void pe_show_asked(struct seq_file *m, const char *symbol, unsigned long offset)
{
	const char *colon = strchr(symbol, ':');

	seq_printf(m, "%s+0x%lx  %.*s", colon ? colon + 1 : symbol, offset,
		   colon ? (int)(colon - symbol) : 1, colon ? symbol : " ");
}

static void pe_show_found(struct seq_file *m, unsigned long addr)
{
	char symbol[KSYM_SYMBOL_LEN], *module;

	/* "sym+0x1/0x2 [module]"; the module's column has no brackets */
	sprint_symbol(symbol, addr);
	module = strchr(symbol, ' ');
	if (module) {
		*module = '\0';
		module += 2;
		module[strcspn(module, "]")] = '\0';
	}
	symbol[strcspn(symbol, "/")] = '\0';
	seq_printf(m, "%s  %s", symbol, module ?: " ");
}

static void pe_show_kind(struct seq_file *m, unsigned long addr, const struct pe_kprobe *kp)
{
	seq_printf(m, "%px  %c  ", (void *)addr, pe_client_of(kp)->letter);
}

static void pe_list_show_probe(struct seq_file *m, bool show, const struct pe_site *site,
			       const struct pe_kprobe *kp)
{
	pe_show_kind(m, show ? site->addr : 0, kp);
	if (kp->symbol && (kp->flags & PE_KPROBE_GONE))
		pe_show_asked(m, kp->symbol, kp->offset);
	else
		pe_show_found(m, site->addr);
	pe_show_flags(m, site, kp);
}

/* A probe that is not registered; @flag says what it is instead. */
void pe_kprobe_show_unregistered(struct seq_file *m, const struct pe_kprobe *kp,
				 const char *symbol, const char *flag)
{
	pe_show_kind(m, 0, kp);
	pe_show_asked(m, symbol, kp->offset);
	seq_printf(m, " [%s]\n", flag);
}
EXPORT_SYMBOL_GPL(pe_kprobe_show_unregistered);

static void pe_show_site(struct seq_file *m, bool show, const struct pe_site *site)
{
	const struct pe_kprobe *kp;
	unsigned int kind;

	pe_site_for_each_probe(kp, kind, site)
		pe_list_show_probe(m, show, site, kp);
}

void pe_kprobes_show_list(struct seq_file *m)
{
	bool show = pe_show_addresses(m);
	struct pe_site *site;
	int bucket;

	mutex_lock(&pe_mutex);
	hash_for_each(pe_sites, bucket, site, hash) {
		pe_show_site(m, show, site);
		cond_resched();
	}
	list_for_each_entry(site, &pe_gone_sites, batch)
		pe_show_site(m, show, site);
	mutex_unlock(&pe_mutex);
}
EXPORT_SYMBOL_GPL(pe_kprobes_show_list);

static bool pe_is_settled(void)
{
	const struct pe_mech *const *mech;

	pe_for_each_mech(mech) {
		if ((*mech)->settled && !(*mech)->settled())
			return false;
	}
	return true;
}

void pe_kprobes_show_optimized(struct seq_file *m)
{
	bool show = pe_show_addresses(m);
	struct pe_site *site;
	int bucket;

	mutex_lock(&pe_mutex);
	seq_printf(m, "# %s\n", pe_is_settled() ? "settled" : "sites are being examined");
	hash_for_each(pe_sites, bucket, site, hash) {
		seq_printf(m, "%px  ", show ? (void *)site->addr : NULL);
		pe_show_found(m, site->addr);
		seq_putc(m, ' ');
		if (pe_site_is_armed(site))
			site->mech->show(m, site);
		else
			seq_puts(m, "unarmed\n");
		cond_resched();
	}
	mutex_unlock(&pe_mutex);
}
EXPORT_SYMBOL_GPL(pe_kprobes_show_optimized);
