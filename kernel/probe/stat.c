// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * stat.c - the engine's counters for all probes together, and for one.
 */
#include <linux/cpumask.h>
#include <linux/export.h>
#include <linux/hashtable.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <pe/code.h>
#include <pe/kprobe.h>
#include <pe/listing.h>
#include "kernel/engine.h"
#include "kernel/mech/mech.h"
#include "kernel/probe/site.h"
#include "kernel/probe/stat.h"
#include "kernel/return/return.h"

unsigned long pe_kprobes_unwatched(void)
{
	return pe_counter_sum(&pe_unwatched);
}
EXPORT_SYMBOL_GPL(pe_kprobes_unwatched);

unsigned long pe_kprobe_missed(const struct pe_kprobe *kp)
{
	return kp->missed ? pe_counter_sum(kp->missed) : 0;
}
EXPORT_SYMBOL_GPL(pe_kprobe_missed);

static void pe_add_site(struct pe_memory *memory, const struct pe_site *site)
{
	const struct pe_kprobe *kp;
	unsigned int kind;
	size_t counters;

	memory->sites += ksize(site) + site->mech->memory(site);
	pe_site_for_each_probe(kp, kind, site) {
		memory->probes++;
		counters = sizeof(*kp->missed);
		if (kind == PE_CLIENT_RETURNS)
			counters += sizeof(struct pe_kretprobe_stat);
		memory->counters += counters * num_possible_cpus();
	}
}

void pe_kprobes_memory(struct pe_memory *memory)
{
	const struct pe_mech *const *mech;
	struct pe_kretprobe_usage usage;
	const struct pe_site *site;
	struct pe_code_usage code;
	int bucket;

	pe_code_usage(&code);
	*memory = (struct pe_memory){ .compiled = code.used };
	pe_kretprobe_usage(&usage);
	memory->slots = usage.functions * PE_ARCH_RETURN_CODE;
	mutex_lock(&pe_mutex);
	hash_for_each(pe_sites, bucket, site, hash) {
		pe_add_site(memory, site);
		cond_resched();
	}
	list_for_each_entry(site, &pe_gone_sites, batch)
		pe_add_site(memory, site);
	memory->returns = pe_return_memory();
	pe_for_each_mech(mech) {
		if ((*mech)->add_memory)
			(*mech)->add_memory(memory);
	}
	mutex_unlock(&pe_mutex);
}
EXPORT_SYMBOL_GPL(pe_kprobes_memory);
