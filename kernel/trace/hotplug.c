// SPDX-License-Identifier: GPL-2.0
/*
 * hotplug.c - who sleeps is woken after a CPU has come or gone.
 *
 * An irq_work that is queued on a CPU that is on its way down, or not yet up, may
 * never run: its interrupt is lost with the CPU's local APIC, and what waits in the
 * CPU's list then keeps the kernel's own from being announced, too.  So the hit path
 * queues none there (pe_can_wake()), and who should have been woken is woken from
 * here: every so often as long as a CPU is on its way, and a few times more, because
 * one that counts as offline still has its last steps to do.
 */
#include <linux/cpuhotplug.h>
#include <linux/cpumask.h>
#include <linux/jiffies.h>
#include <linux/list.h>
#include <linux/minmax.h>
#include <linux/mutex.h>
#include <linux/workqueue.h>
#include "instance.h"
#include "rb_buffer.h"
#include "snapshot.h"
#include "trace.h"

#define WAKE_DELAY	(HZ / 10)
#define QUIET_ROUNDS	3

static void wake_all(struct work_struct *work);

/* From the last step of coming up to the first of going down. */
struct cpumask pe_waking_cpus __read_mostly;

static DECLARE_DELAYED_WORK(wake_work, wake_all);
static unsigned int quiet;		/* rounds since a CPU was seen on its way */
static int online_state;

static void wake_all(struct work_struct *work)
{
	bool settled = cpumask_equal(cpu_online_mask, &pe_waking_cpus);
	struct pe_instance *inst;

	mutex_lock(&pe_event_mutex);
	list_for_each_entry(inst, &pe_instances, list)
		pe_instance_wake(inst);
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

/* Process context, before anybody can wait.  Return: 0 or -errno. */
int pe_hotplug_init(void)
{
	online_state = cpuhp_setup_state(CPUHP_AP_ONLINE_DYN, "trace/probe_events:online",
					 cpu_up_now, cpu_going_down);
	if (online_state < 0)
		cancel_delayed_work_sync(&wake_work);
	return min(online_state, 0);
}

/* Nobody waits any more; there are instances still, and no locks are held. */
void pe_hotplug_exit(void)
{
	cpuhp_remove_state(online_state);
	cancel_delayed_work_sync(&wake_work);
}
