// SPDX-License-Identifier: GPL-2.0
/*
 * return_check.c - may this function have return probes?  And their counters.
 */
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/kprobes.h>
#include <linux/percpu.h>
#include "kernel/kretprobes.h"
#include "kernel/ksyms.h"

/*
 * Functions that are entered for one task and return for another: those of the
 * kernel's own list, where it has one.
 */
static bool switches_stacks(unsigned long addr)
{
#ifdef CONFIG_KRETPROBES
	const struct kretprobe_blackpoint *p;
#endif
	unsigned long start, size;

	if (!pe_symbol_at(addr, &start, &size))
		return false;
	if (pe_ksym_address("__switch_to") == start)
		return true;
#ifdef CONFIG_KRETPROBES
	if (!pe_ks_data.kretprobe_blacklist)
		return false;
	for (p = pe_ks_data.kretprobe_blacklist; p->name; p++) {
		if (pe_ksym_address(p->name) == start)
			return true;
	}
#endif
	return false;
}

/**
 * pe_return_check() - is this the entry of a function that can be called through?
 * @rp: ->kp.addr and ->on_entry are known
 *
 * Context: process.
 */
struct pe_refusal pe_return_check(const struct pe_kretprobe *rp)
{
	if (!rp->kp.on_entry)
		return PE_REFUSE(EINVAL, "not the entry of a function");
	if (rp->data_size > PE_KRETPROBE_DATA_MAX || !rp->handler)
		return PE_REFUSE(EINVAL, "no handler, or too much data");
	if (switches_stacks(rp->kp.addr))
		return PE_REFUSE(EINVAL, "the function switches stacks");
	return PE_ACCEPT;
}

void pe_kretprobe_stat(const struct pe_kretprobe *rp, struct pe_kretprobe_stat *sum)
{
	const struct pe_kretprobe_stat *s;
	int cpu;

	*sum = (struct pe_kretprobe_stat){};
	for_each_possible_cpu(cpu) {
		s = per_cpu_ptr(rp->stat, cpu);
		/* Returns first: what is read in between looks like a call in progress. */
		sum->returns += READ_ONCE(s->returns);
		sum->dropped += READ_ONCE(s->dropped);
	}
	smp_rmb();	/* or a call could be seen to return that has not been entered */
	for_each_possible_cpu(cpu) {
		s = per_cpu_ptr(rp->stat, cpu);
		sum->entries += READ_ONCE(s->entries);
		sum->skipped += READ_ONCE(s->skipped);
		sum->no_stack += READ_ONCE(s->no_stack);
	}
}
EXPORT_SYMBOL_GPL(pe_kretprobe_stat);
