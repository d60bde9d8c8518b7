// SPDX-License-Identifier: GPL-2.0
/*
 * hotplug.c - who sleeps is woken after a CPU has come or gone.
 *
 * An irq_work that is queued on a CPU that is on its way down, or not yet up, may
 * never run: its interrupt is lost with the CPU's local APIC, and what waits in the
 * CPU's list then keeps the kernel's own from being announced, too.  So the hit path
 * queues none on a CPU that is not active (pe_can_wake()), and who should have been
 * woken is woken from here: every so often until no CPU is on its way, and once more.
 */
#include <linux/cpuhotplug.h>
#include <linux/cpumask.h>
#include <linux/jiffies.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/workqueue.h>
#include "event.h"
#include "instance.h"
#include "snapshot.h"
#include "trace.h"

#define WAKE_DELAY	(HZ / 10)

static void wake_all(struct work_struct *work);

static DECLARE_DELAYED_WORK(wake_work, wake_all);
static int online_state;

static void wake_all(struct work_struct *work)
{
	bool settled = cpumask_equal(cpu_online_mask, cpu_active_mask);
	static bool once_more;
	struct pe_instance *inst;

	mutex_lock(&pe_event_mutex);
	list_for_each_entry(inst, &pe_instances, list)
		pe_instance_wake(inst);
	mutex_unlock(&pe_event_mutex);
	once_more = !settled || !once_more;
	if (once_more)
		schedule_delayed_work(&wake_work, WAKE_DELAY);
}

/* At the end of coming up, and at the beginning of going down. */
static int cpu_on_its_way(unsigned int cpu)
{
	schedule_delayed_work(&wake_work, WAKE_DELAY);
	return 0;
}

/* Process context, before any event is enabled.  Return: 0 or -errno. */
int pe_hotplug_init(void)
{
	online_state = cpuhp_setup_state_nocalls(CPUHP_AP_ONLINE_DYN, "trace/probe_events:online",
						 cpu_on_its_way, cpu_on_its_way);
	return min(online_state, 0);
}

/* There are instances still, and no locks are held. */
void pe_hotplug_exit(void)
{
	cpuhp_remove_state_nocalls(online_state);
	cancel_delayed_work_sync(&wake_work);
}
