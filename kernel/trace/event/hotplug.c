// SPDX-License-Identifier: GPL-2.0
/*
 * hotplug.c - CPUs that come get their rings, and who sleeps is woken after one has
 * come or gone.
 *
 * A CPU has its rings, in each instance, before its first instruction, and keeps
 * them when it goes: what it has recorded is read then, too.  No memory for them is no
 * reason to keep it from coming; its hits are refused and counted then.
 *
 * An irq_work that is queued on a CPU that is on its way down, or not yet up, may
 * never run: its interrupt is lost with the CPU's local APIC, and what waits in the
 * CPU's list then keeps the kernel's own from being announced, too.  So the hit path
 * queues none there (pe_can_wake()), and who should have been woken is woken from
 * here: every so often as long as a CPU is on its way, and a few times more, because
 * one that counts as offline still has its last steps to do.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/cpuhotplug.h>
#include <linux/cpumask.h>
#include <linux/jiffies.h>
#include <linux/list.h>
#include <linux/minmax.h>
#include <linux/mutex.h>
#include <linux/printk.h>
#include <linux/workqueue.h>
#include "buffers.h"
#include "event.h"
#include "hotplug.h"
#include "instance.h"
#include "kernel/trace/ring/rb_wait.h"
#include "kernel/trace/trace_instance.h"

#define WAKE_DELAY	(HZ / 10)
#define QUIET_ROUNDS	3

static void wake_all(struct work_struct *work);

static DECLARE_DELAYED_WORK(wake_work, wake_all);
static unsigned int quiet;		/* rounds since a CPU was seen on its way */
static int online_state;
static int rings_state;

static void wake_all(struct work_struct *work)
{
	bool settled = cpumask_equal(cpu_online_mask, &pe_waking_cpus);
	struct pe_instance *inst;

	mutex_lock(&pe_event_mutex);
	list_for_each_entry(inst, &pe_instances, list)
		pe_buffers_wake(inst);
	mutex_unlock(&pe_event_mutex);
	WRITE_ONCE(quiet, settled ? READ_ONCE(quiet) + 1 : 0);
	if (READ_ONCE(quiet) < QUIET_ROUNDS)
		schedule_delayed_work(&wake_work, WAKE_DELAY);
}

static void wake_soon(void)
{
	WRITE_ONCE(quiet, 0);
	mod_delayed_work(system_wq, &wake_work, WAKE_DELAY);
}

/* Both on the CPU itself.  A way down that is given up ends with the first. */
static int cpu_up_now(unsigned int cpu)
{
	cpumask_set_cpu(cpu, &pe_waking_cpus);
	wake_soon();
	return 0;
}

static int cpu_going_down(unsigned int cpu)
{
	cpumask_clear_cpu(cpu, &pe_waking_cpus);
	wake_soon();
	return 0;
}

/* In whoever lets it come, before it does. */
static int cpu_coming(unsigned int cpu, struct hlist_node *node)
{
	struct pe_instance *inst = hlist_entry(node, struct pe_instance, hotplug);

	if (pe_buffers_add_ring(inst, cpu))
		pr_warn("no memory for a ring of CPU %u: its hits are counted as off\n", cpu);
	return 0;
}

/* From here on a CPU that is not online yet comes through cpu_coming(). */
int pe_hotplug_add(struct pe_instance *inst)
{
	unsigned int cpu;
	int ret = cpuhp_state_add_instance_nocalls(rings_state, &inst->hotplug);

	for_each_online_cpu(cpu) {
		if (!ret)
			ret = pe_buffers_add_ring(inst, cpu);
	}
	return ret;
}

void pe_hotplug_remove(struct pe_instance *inst)
{
	if (!hlist_unhashed(&inst->hotplug))
		cpuhp_state_remove_instance_nocalls(rings_state, &inst->hotplug);
}

int pe_hotplug_init(void)
{
	rings_state = cpuhp_setup_state_multi(CPUHP_BP_PREPARE_DYN, "trace/probe_events:rings",
					      cpu_coming, NULL);
	if (rings_state < 0)
		return rings_state;
	online_state = cpuhp_setup_state(CPUHP_AP_ONLINE_DYN, "trace/probe_events:online",
					 cpu_up_now, cpu_going_down);
	if (online_state < 0) {
		cpuhp_remove_multi_state(rings_state);
		cancel_delayed_work_sync(&wake_work);
	}
	return min(online_state, 0);
}

void pe_hotplug_exit(void)
{
	cpuhp_remove_state(online_state);
	cpuhp_remove_multi_state(rings_state);
	cancel_delayed_work_sync(&wake_work);
}
