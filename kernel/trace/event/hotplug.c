// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * hotplug.c - rings for CPUs that come up.
 *
 * A CPU has its rings, in each instance, before its first instruction.  It keeps them when it
 * goes down, so that its records can be read.  Without memory for a ring the CPU comes up all
 * the same; its hits are refused and counted.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/cpuhotplug.h>
#include <linux/cpumask.h>
#include <linux/list.h>
#include <linux/minmax.h>
#include <linux/printk.h>
#include "buffers.h"
#include "hotplug.h"
#include "kernel/trace/trace_instance.h"

static int pe_rings_state;

/* Runs in the task that brings the CPU up, before it comes up. */
static int pe_cpu_coming(unsigned int cpu, struct hlist_node *node)
{
	struct pe_instance *inst = hlist_entry(node, struct pe_instance, hotplug);

	if (pe_buffers_add_ring(inst, cpu))
		pr_warn("no memory for the ring of CPU %u: its hits will be counted as off\n", cpu);
	return 0;
}

/* After the first call here, a CPU that comes up gets its ring in pe_cpu_coming(). */
int pe_hotplug_add(struct pe_instance *inst)
{
	unsigned int cpu;
	int ret = cpuhp_state_add_instance_nocalls(pe_rings_state, &inst->hotplug);

	for_each_online_cpu(cpu) {
		if (!ret)
			ret = pe_buffers_add_ring(inst, cpu);
	}
	return ret;
}

void pe_hotplug_remove(struct pe_instance *inst)
{
	if (!hlist_unhashed(&inst->hotplug))
		cpuhp_state_remove_instance_nocalls(pe_rings_state, &inst->hotplug);
}

int pe_hotplug_init(void)
{
	pe_rings_state = cpuhp_setup_state_multi(CPUHP_BP_PREPARE_DYN, "trace/probe_events:rings",
						 pe_cpu_coming, NULL);
	return min(pe_rings_state, 0);
}

void pe_hotplug_exit(void)
{
	cpuhp_remove_multi_state(pe_rings_state);
}
