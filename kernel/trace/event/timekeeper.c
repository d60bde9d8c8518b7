// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * timekeeper.c - does the kernel's clock count cycles?
 *
 * The kernel tells each change of its clock, as it does KVM: its source, its rate, which NTP
 * changes all the time, and that it has stood still.  Before the system sleeps it tells that, too:
 * then the counter may stop, or begin anew, and code that runs meanwhile must not count its cycles.
 *
 * Counts begin in a round of the work (compile.c), as compiled hits alone use them.
 */
#include <linux/kprobes.h>
#include <linux/ktime.h>
#include <linux/notifier.h>
#include <linux/pvclock_gtod.h>
#include <linux/spinlock.h>
#include <linux/suspend.h>
#include <linux/timekeeper_internal.h>
#include <pe_arch/cycles.h>
#include "kernel/probe/wait.h"
#include "kernel/trace/hit/elapsed.h"
#include "timekeeper.h"

/* Within the kernel's timekeeper_lock, too. */
static DEFINE_RAW_SPINLOCK(pe_timekeeper_lock);

/* The kernel holds its lock, and readers of its clock wait: do not read that, wake no task. */
static int pe_timekeeper_changes(struct notifier_block *nb, unsigned long was_set, void *data)
{
	const struct timekeeper *tk = data;
	const struct tk_read_base *mono = &tk->tkr_mono;
	const struct pe_elapsed_tick now = {
		.is_cycles = pe_arch_counts_cycles(mono->clock),
		.mult = mono->mult, .shift = mono->shift, .cycle = mono->cycle_last,
		.ns = ktime_to_ns(mono->base) + (mono->xtime_nsec >> mono->shift),
		.slept = tk->offs_boot,
	};
	unsigned long flags;

	raw_spin_lock_irqsave(&pe_timekeeper_lock, flags);
	pe_elapsed_look(&now);
	raw_spin_unlock_irqrestore(&pe_timekeeper_lock, flags);
	return NOTIFY_DONE;
}

static int pe_timekeeper_sleeps(struct notifier_block *nb, unsigned long action, void *data)
{
	unsigned long flags;
	bool on;

	switch (action) {
	case PM_SUSPEND_PREPARE:
	case PM_HIBERNATION_PREPARE:
	case PM_RESTORE_PREPARE:
		on = true;
		break;
	case PM_POST_SUSPEND:
	case PM_POST_HIBERNATION:
	case PM_POST_RESTORE:
		on = false;
		break;
	default:
		return NOTIFY_DONE;
	}
	raw_spin_lock_irqsave(&pe_timekeeper_lock, flags);
	pe_elapsed_sleeps(on);
	raw_spin_unlock_irqrestore(&pe_timekeeper_lock, flags);
	return NOTIFY_DONE;
}

static struct notifier_block pe_event_timekeeper_changes = {.notifier_call = pe_timekeeper_changes};
static struct notifier_block pe_event_timekeeper_sleeps = { .notifier_call = pe_timekeeper_sleeps };

void pe_timekeeper_renew(void)
{
	unsigned int stops;
	bool may, first;

	raw_spin_lock_irq(&pe_timekeeper_lock);
	may = pe_elapsed_may_begin(&stops, &first);
	raw_spin_unlock_irq(&pe_timekeeper_lock);
	if (!may)
		return;
	if (!first)
		pe_wait_for_text();
	raw_spin_lock_irq(&pe_timekeeper_lock);
	pe_elapsed_begin(stops);
	raw_spin_unlock_irq(&pe_timekeeper_lock);
}

int pe_timekeeper_init(void)
{
	int ret = register_pm_notifier(&pe_event_timekeeper_sleeps);

	if (ret)
		return ret;
	ret = pvclock_gtod_register_notifier(&pe_event_timekeeper_changes);
	if (ret) {
		unregister_pm_notifier(&pe_event_timekeeper_sleeps);
		return ret;
	}
	pe_timekeeper_renew();
	return 0;
}

void pe_timekeeper_exit(void)
{
	pvclock_gtod_unregister_notifier(&pe_event_timekeeper_changes);
	unregister_pm_notifier(&pe_event_timekeeper_sleeps);
}
