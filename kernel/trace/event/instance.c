// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * instance.c - instances: their birth and end.
 *
 * The top instance lives as long as the module.  The others are made and removed
 * by mkdir and rmdir in instances/ (../files/fs_instance.c).
 *
 * pe_instance.ref counts the open files below its directory, plus one for being
 * there.  rmdir takes that one only together with the end of the instance: while
 * a file is open it fails with -EBUSY.  From 1 to 0 is one atomic step, so an
 * open() that comes at the same moment either is seen by rmdir or sees 0 and gives
 * -ENODEV; it looks at views under RCU, and they are freed after a grace period.
 *
 * The end, in this order: no new file is opened (ref is 0), no event is enabled,
 * no path leads there (nodes), no new hit finds it (links); wait for hits that
 * have found it; free.
 */
#include <linux/bitops.h>
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/mm.h>
#include <linux/rculist.h>
#include <linux/slab.h>
#include "buffers.h"
#include "compile.h"
#include "error_log.h"
#include "event.h"
#include "event_enable.h"
#include "event_link.h"
#include "event_trigger.h"
#include "hotplug.h"
#include "instance.h"
#include "kernel/trace/probefs/fs.h"
#include "kernel/trace/ring/rb_buffer.h"
#include "kernel/trace/ring/rb_wait.h"
#include "kernel/trace/trace_instance.h"
#include "pids.h"
#include "snapshot.h"

struct pe_instance pe_top;
LIST_HEAD(pe_instances);

void pe_instance_get(struct pe_instance *inst)
{
	refcount_inc(&inst->ref);
}

void pe_instance_put(struct pe_instance *inst)
{
	/* Never the last: that is rmdir's. */
	refcount_dec(&inst->ref);
}

struct pe_view *pe_view_open(const struct inode *inode)
{
	struct pe_view *view;

	rcu_read_lock();
	view = pe_fs_data(inode);
	if (view && (READ_ONCE(view->inst->closed) || !refcount_inc_not_zero(&view->inst->ref)))
		view = NULL;
	rcu_read_unlock();
	return view;
}

void pe_view_close(struct pe_view *view)
{
	pe_instance_put(view->inst);
}

static struct pe_view *pe_alloc_views(struct pe_instance *inst)
{
	struct pe_view *views = kvcalloc(1 + nr_cpu_ids, sizeof(*views), GFP_KERNEL);
	unsigned int i;

	for (i = 0; views && i <= nr_cpu_ids; i++) {
		views[i].inst = inst;
		views[i].cpu = i ? i - 1 : PE_ALL_CPUS;
	}
	return views;
}

static void pe_free_parts(struct pe_instance *inst)
{
	pe_hotplug_remove(inst);
	pe_waits_destroy(inst->waits);
	pe_waits_destroy(inst->snap_waits);
	if (inst->snap)
		pe_snapshot_exit(inst);
	pe_error_log_clear(inst);
	pe_buffer_destroy(inst->buffer);
	free_cpumask_var(inst->cpumask);
	kvfree(inst->views);
}

static int pe_init_instance(struct pe_instance *inst)
{
	INIT_LIST_HEAD(&inst->list);
	INIT_LIST_HEAD(&inst->links);
	INIT_LIST_HEAD(&inst->group_dirs);
	INIT_LIST_HEAD(&inst->errors.entries);
	INIT_HLIST_NODE(&inst->hotplug);
	inst->tracing_on = true;
	inst->buffer_percent = 50;
	inst->views = pe_alloc_views(inst);
	inst->waits = pe_waits_create(&inst->buffer);
	inst->snap_waits = pe_waits_create(&inst->snap);
	inst->buffer = pe_buffer_create(&inst->counter);
	if (inst->views && inst->waits && inst->snap_waits && inst->buffer &&
	    !pe_snapshot_init(inst) && alloc_cpumask_var(&inst->cpumask, GFP_KERNEL) &&
	    !pe_hotplug_add(inst)) {
		cpumask_setall(inst->cpumask);
		return 0;
	}
	pe_free_parts(inst);
	return -ENOMEM;
}

struct pe_instance *pe_instance_create(void)
{
	struct pe_instance *inst = kzalloc(sizeof(*inst), GFP_KERNEL_ACCOUNT);
	int ret;

	if (!inst)
		return ERR_PTR(-ENOMEM);
	ret = pe_init_instance(inst);
	if (ret)
		goto free;
	inst->options = READ_ONCE(pe_top.options) & ~BIT(PE_OPT_EVENT_FORK);
	pe_buffers_set_overwrite(inst, READ_ONCE(pe_instance_buffer(&pe_top)->overwrite));
	ret = pe_buffers_expand(inst);
	if (!ret)
		return inst;
	pe_free_parts(inst);
free:
	kfree(inst);
	return ERR_PTR(ret);
}

void pe_instance_free(struct pe_instance *inst)
{
	pe_pids_free(inst);
	pe_free_parts(inst);
	kfree(inst);
}

void pe_instance_destroy(struct pe_instance *inst)
{
	/* Waits, for hits as well as for pe_view_open(). */
	pe_buffers_record_disable(inst, cpu_possible_mask);
	pe_compile_free_instance(inst);
}

void pe_instance_publish(struct pe_instance *inst)
{
	lockdep_assert_held(&pe_event_mutex);

	list_add_tail_rcu(&inst->list, &pe_instances);
	refcount_set(&inst->ref, 1);
}

/* Hits and tasks that have seen it may still be at work. */
void pe_instance_detach(struct pe_instance *inst)
{
	lockdep_assert_held(&pe_event_mutex);

	pe_instance_drop_limits(inst);
	mutex_lock(&pe_name_mutex);
	pe_fs_remove(inst->dir);
	pe_instance_remove_links(inst);
	mutex_unlock(&pe_name_mutex);
	list_del_rcu(&inst->list);
}

int pe_instance_remove(struct pe_instance *inst)
{
	lockdep_assert_held(&pe_event_mutex);

	if (!refcount_dec_if_one(&inst->ref))
		return -EBUSY;
	/* From here on nothing can fail.  Triggers first: one might enable an event again. */
	pe_triggers_clear(inst);
	pe_events_enable(NULL, NULL, inst, false);
	pe_instance_detach(inst);
	return 0;
}

int pe_instances_init(void)
{
	int ret = pe_init_instance(&pe_top);

	if (ret)
		return ret;
	pe_top.options = BIT(PE_OPT_ANNOTATE) | BIT(PE_OPT_CONTEXT_INFO) |
			 BIT(PE_OPT_MARKERS) | BIT(PE_OPT_IRQ_INFO);
	mutex_lock(&pe_event_mutex);
	pe_instance_publish(&pe_top);
	mutex_unlock(&pe_event_mutex);
	return 0;
}

void pe_instances_exit(void)
{
	struct pe_instance *inst, *next;

	mutex_lock(&pe_event_mutex);
	list_for_each_entry_safe(inst, next, &pe_instances, list) {
		if (inst == &pe_top)
			continue;
		pe_instance_detach(inst);
		pe_instance_destroy(inst);
	}
	/* Its probes go through the list. */
	pe_pids_free(&pe_top);
	mutex_lock(&pe_name_mutex);
	pe_instance_remove_links(&pe_top);
	mutex_unlock(&pe_name_mutex);
	list_del(&pe_top.list);
	mutex_unlock(&pe_event_mutex);
	pe_free_parts(&pe_top);
}
