// SPDX-License-Identifier: GPL-2.0
/*
 * show.c - the text of kprobes/list.
 */
#include <linux/capability.h>
#include <linux/export.h>
#include <linux/fs.h>
#include <linux/hashtable.h>
#include <linux/kallsyms.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/seq_file.h>
#include "kernel/kprobes.h"
#include "kernel/ksyms.h"

bool pe_show_addresses(const struct seq_file *m)
{
	if (pe_ks_has(kallsyms_show_value) && m->file)
		return pe_ks(kallsyms_show_value)(m->file->f_cred);
	return capable(CAP_SYSLOG);
}
EXPORT_SYMBOL_GPL(pe_show_addresses);

static const char *mechanism_flag(const struct pe_site *site, const struct pe_kprobe *kp)
{
	if (kp->flags & PE_KPROBE_STOPPED)
		return "";
	if (!pe_site_serves(site, kp))
		return "";
	return site->mech == PE_MECH_ENTRY ? "[FTRACE]" : "[INT3]";
}

static void show_probe(struct seq_file *m, bool show, const struct pe_site *site,
		       const struct pe_kprobe *kp)
{
	char symbol[KSYM_SYMBOL_LEN], *module;
	bool gone = kp->flags & PE_KPROBE_GONE;

	/* "sym+0x1/0x2 [module]"; the module's column has no brackets */
	sprint_symbol(symbol, site->addr);
	module = strchr(symbol, ' ');
	if (module) {
		*module = '\0';
		module += 2;
		module[strcspn(module, "]")] = '\0';
	}
	symbol[strcspn(symbol, "/")] = '\0';
	seq_printf(m, "%px  %c  %s  %s %s%s%s%s\n", show ? (void *)site->addr : NULL,
		   kp->flags & PE_KPROBE_RETURN ? 'r' : 'k', symbol, module ?: " ",
		   gone ? "[GONE]" : "",
		   !gone && (kp->flags & PE_KPROBE_DISABLED) ? "[DISABLED]" : "",
		   mechanism_flag(site, kp), site->lost ? "[LOST]" : "");
}

static void show_site(struct seq_file *m, bool show, const struct pe_site *site)
{
	const struct pe_kprobe *kp;

	list_for_each_entry(kp, &site->probes, node)
		show_probe(m, show, site, kp);
	list_for_each_entry(kp, &site->returns, node)
		show_probe(m, show, site, kp);
}

void pe_kprobes_show_list(struct seq_file *m)
{
	bool show = pe_show_addresses(m);
	struct pe_site *site;
	int bucket;

	mutex_lock(&pe_mutex);
	hash_for_each(pe_sites, bucket, site, hash)
		show_site(m, show, site);
	list_for_each_entry(site, &pe_gone_sites, batch)
		show_site(m, show, site);
	mutex_unlock(&pe_mutex);
}
EXPORT_SYMBOL_GPL(pe_kprobes_show_list);
