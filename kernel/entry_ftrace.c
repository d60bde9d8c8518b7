// SPDX-License-Identifier: GPL-2.0
/*
 * entry_ftrace.c - function entries, armed through ftrace.
 *
 * Where the kernel has ftrace, the bytes at the entry of a traceable function
 * belong to it.  One ftrace_ops of ours carries all such sites in its filter;
 * ftrace patches the text, and calls on_entry() with the registers.
 *
 * A filter that is empty means "every function", so the ops is registered when
 * the first site comes and unregistered before the last one leaves the filter.
 *
 * FTRACE_OPS_FL_PERMANENT: as long as there is a site, the sysctl that stops
 * ftrace is refused; without it, it would stop our probes without a word.
 * No FTRACE_OPS_FL_RECURSION and no _FL_RCU: either makes ftrace drop calls
 * without telling us.  Recursion is counted by pe_site_hit_entry(); a call
 * where RCU isn't watching can't be served (nothing may be looked up) and is
 * counted here, although such code is noinstr and has no entry to trace.
 */
#include <linux/errno.h>
#include <linux/ftrace.h>
#include <linux/kprobes.h>
#include <linux/list.h>
#include <linux/lockdep.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include "kernel/kprobes.h"
#include "kernel/ksyms.h"

#ifdef CONFIG_DYNAMIC_FTRACE_WITH_REGS

static DEFINE_PER_CPU(unsigned long, unwatched);

/* [H] Any context.  Preemption may be on. */
static void on_entry(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
		     struct ftrace_regs *fregs)
{
	struct pt_regs *regs = ftrace_get_regs(fregs);
	struct pe_site *site;
	unsigned long orig_ip;

	preempt_disable_notrace();
	if (!regs || !rcu_is_watching()) {
		this_cpu_inc(unwatched);
		goto out;
	}
	site = pe_site_find(ip);
	if (!site)
		goto out;
	orig_ip = regs->ip;
	regs->ip = ip + 1;
	pe_site_hit_entry(site, regs);
	regs->ip = orig_ip;
out:
	preempt_enable_notrace();
}
NOKPROBE_SYMBOL(on_entry);

static struct ftrace_ops entry_ops __read_mostly = {
	.func = on_entry,
	.flags = FTRACE_OPS_FL_SAVE_REGS | FTRACE_OPS_FL_PERMANENT,
};

/* Sites in the filter; pe_mutex. */
static unsigned int nr_filtered;

/* Hits that could not be attributed to a site. */
unsigned long pe_entry_unwatched(void)
{
	unsigned long sum = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		sum += per_cpu(unwatched, cpu);
	return sum;
}

/* Is @addr an instruction that ftrace patches? */
bool pe_entry_available(unsigned long addr)
{
	return pe_ks_has(ftrace_location) && pe_ks(ftrace_location)(addr) == addr;
}

static unsigned long *addresses(struct list_head *sites, unsigned int *n)
{
	struct pe_site *site;
	unsigned long *ips;

	*n = list_count_nodes(sites);
	ips = kvmalloc_array(*n, sizeof(*ips), GFP_KERNEL);
	if (!ips)
		return NULL;
	*n = 0;
	list_for_each_entry(site, sites, batch)
		ips[(*n)++] = site->addr;
	return ips;
}

static int filter(unsigned long *ips, unsigned int n, bool remove)
{
	return ftrace_set_filter_ips(&entry_ops, ips, n, remove, 0);
}

static int filter_add(unsigned long *ips, unsigned int n)
{
	int err = filter(ips, n, false);

	if (err || nr_filtered)
		return err;
	err = register_ftrace_function(&entry_ops);
	if (err)
		filter(ips, n, true);
	return err;
}

/**
 * pe_entry_arm() - let ftrace call us at all these sites, or at none
 * @sites: linked by ->batch; empty is fine
 *
 * One update of the kernel's text for all of them.
 * Return: 0 or the error of ftrace (-EBUSY: switched off by sysctl).
 */
int pe_entry_arm(struct list_head *sites)
{
	struct pe_site *site;
	unsigned long *ips;
	unsigned int n;
	int err;

	lockdep_assert_held(&pe_mutex);
	if (list_empty(sites))
		return 0;
	ips = addresses(sites, &n);
	if (!ips)
		return -ENOMEM;
	err = filter_add(ips, n);
	kvfree(ips);
	if (err)
		return err;
	nr_filtered += n;
	list_for_each_entry(site, sites, batch)
		site->armed = true;
	return 0;
}

/* One at a time needs no memory. */
static void filter_remove_each(struct list_head *sites)
{
	struct pe_site *site;

	list_for_each_entry(site, sites, batch)
		filter(&site->addr, 1, true);
}

/**
 * pe_entry_disarm() - undo pe_entry_arm()
 * @sites: linked by ->batch, all armed
 *
 * A handler that has begun may still run on return, and a task that was
 * preempted on its way to on_entry() may come late; it finds no site.
 */
void pe_entry_disarm(struct list_head *sites)
{
	unsigned int n = list_count_nodes(sites);
	struct pe_site *site;
	unsigned long *ips;

	lockdep_assert_held(&pe_mutex);
	if (!n)
		return;
	if (n == nr_filtered)
		unregister_ftrace_function(&entry_ops);
	ips = addresses(sites, &n);
	if (!ips || filter(ips, n, true))
		filter_remove_each(sites);
	kvfree(ips);
	nr_filtered -= n;
	list_for_each_entry(site, sites, batch)
		site->armed = false;
}

#else /* !CONFIG_DYNAMIC_FTRACE_WITH_REGS: entries have no call site */

unsigned long pe_entry_unwatched(void)
{
	return 0;
}

bool pe_entry_available(unsigned long addr)
{
	return false;
}

int pe_entry_arm(struct list_head *sites)
{
	return list_empty(sites) ? 0 : -EOPNOTSUPP;
}

void pe_entry_disarm(struct list_head *sites)
{
}

#endif
