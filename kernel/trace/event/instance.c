// SPDX-License-Identifier: GPL-2.0
/*
 * instance.c - instances: their birth and end, and the table of their files.
 *
 * The top instance lives as long as the module.  The others are made and removed
 * by mkdir and rmdir in instances/.
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
#include <linux/kernel.h>
#include <linux/rculist.h>
#include <linux/slab.h>
#include "event.h"
#include "event_trigger.h"
#include "kernel/trace/probefs/fs.h"
#include "kernel/trace/probefs/fs_node.h"
#include "instance.h"
#include "kernel/trace/hit/pids.h"
#include "kernel/trace/ring/rb_buffer.h"
#include "kernel/trace/ring/rb_wait.h"
#include "snapshot.h"
#include "kernel/trace/trace.h"

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
	if (view && !refcount_inc_not_zero(&view->inst->ref))
		view = NULL;
	rcu_read_unlock();
	return view;
}

void pe_view_close(struct pe_view *view)
{
	pe_instance_put(view->inst);
}

static const struct pe_fs_file files[] = {
	{ "available_tracers",		PE_FS_RO, &pe_tracers_fops },
	{ "current_tracer",		PE_FS_RW, &pe_tracer_fops },
	{ "error_log",			PE_FS_RW, &pe_error_log_fops },
	{ "set_event",			PE_FS_RW, &pe_set_event_fops },
	{ "set_event_notrace_pid",	PE_FS_RW, &pe_pids_not_fops },
	{ "set_event_pid",		PE_FS_RW, &pe_pids_only_fops },
	{ "timestamp_mode",		PE_FS_RO, &pe_timestamp_mode_fops },
	{ "tracing_cpumask",		PE_FS_RW, &pe_cpumask_fops },
	{ "trace_options",		PE_FS_RW, &pe_options_fops },
	{ "trace",			PE_FS_RW, &pe_trace_fops },
	{ "trace_pipe",			PE_FS_RO, &pe_pipe_fops },
	{ "snapshot",			PE_FS_RW, &pe_snapshot_fops },
	{ "trace_marker",		0220,	  &pe_marker_fops },
	{ "trace_marker_raw",		0220,	  &pe_marker_raw_fops },
	{ "buffer_size_kb",		PE_FS_RW, &pe_size_fops },
	{ "buffer_total_size_kb",	PE_FS_RO, &pe_total_size_fops },
	{ "buffer_subbuf_size_kb",	PE_FS_RW, &pe_subbuf_fops },
	{ "free_buffer",		0200, &pe_free_fops },
	{ "buffer_percent",		PE_FS_RW, &pe_percent_fops },
	{ "trace_clock",		PE_FS_RW, &pe_clock_fops },
	{ "tracing_on",			PE_FS_RW, &pe_tracing_on_fops },
	{}
};

static const struct pe_fs_file top_files[] = {
	{ "available_events",		PE_FS_RO, &pe_available_events_fops },
	{}
};

static const struct pe_fs_file cpu_files[] = {
	{ "trace",			PE_FS_RW, &pe_trace_fops },
	{ "trace_pipe",			PE_FS_RO, &pe_pipe_fops },
	{ "trace_pipe_raw",		PE_FS_RO, &pe_raw_fops },
	{ "snapshot",			PE_FS_RW, &pe_snapshot_fops },
	{ "snapshot_raw",		PE_FS_RO, &pe_snapshot_raw_fops },
	{ "stats",			PE_FS_RO, &pe_stats_fops },
	{ "buffer_size_kb",		PE_FS_RW, &pe_size_fops },
	{}
};

static int per_cpu_files(struct pe_instance *inst)
{
	struct pe_node *dir, *per_cpu = pe_fs_mkdir(inst->dir, "per_cpu", PE_FS_DIR);
	unsigned int cpu;
	char name[16];
	int ret;

	if (IS_ERR(per_cpu))
		return PTR_ERR(per_cpu);
	for_each_possible_cpu(cpu) {
		snprintf(name, sizeof(name), "cpu%u", cpu);
		dir = pe_fs_mkdir(per_cpu, name, PE_FS_DIR);
		if (IS_ERR(dir))
			return PTR_ERR(dir);
		ret = pe_fs_create_files(dir, cpu_files, &inst->views[1 + cpu]);
		if (ret)
			return ret;
	}
	return 0;
}

static int make_files(struct pe_instance *inst)
{
	int ret = pe_fs_create_files(inst->dir, files, &inst->views[0]);

	if (!ret)
		ret = pe_options_files(inst);
	if (!ret)
		ret = per_cpu_files(inst);
	return ret ? ret : pe_instance_add_links(inst);
}

static struct pe_view *alloc_views(struct pe_instance *inst)
{
	struct pe_view *views = kvcalloc(1 + nr_cpu_ids, sizeof(*views), GFP_KERNEL);
	unsigned int i;

	for (i = 0; views && i <= nr_cpu_ids; i++) {
		views[i].inst = inst;
		views[i].cpu = i ? i - 1 : PE_ALL_CPUS;
	}
	return views;
}

static void free_parts(struct pe_instance *inst)
{
	pe_hotplug_remove(inst);
	if (inst->snap)
		pe_snapshot_exit(inst);
	pe_error_log_clear(inst);
	pe_buffer_destroy(inst->buffer);
	pe_buffer_common_destroy(inst->common);
	free_cpumask_var(inst->cpumask);
	kvfree(inst->views);
}

static int init_instance(struct pe_instance *inst)
{
	INIT_LIST_HEAD(&inst->list);
	INIT_LIST_HEAD(&inst->links);
	INIT_LIST_HEAD(&inst->group_dirs);
	INIT_LIST_HEAD(&inst->errors.entries);
	INIT_HLIST_NODE(&inst->hotplug);
	inst->tracing_on = true;
	inst->buffer_percent = 50;
	inst->views = alloc_views(inst);
	inst->common = pe_buffer_common_create();
	if (inst->common)
		inst->buffer = pe_buffer_create(inst->common);
	if (inst->views && inst->buffer && !pe_snapshot_init(inst) &&
	    alloc_cpumask_var(&inst->cpumask, GFP_KERNEL) && !pe_hotplug_add(inst)) {
		cpumask_setall(inst->cpumask);
		return 0;
	}
	free_parts(inst);
	return -ENOMEM;
}

/* A buffer of full size at once, and the options of the top instance. */
static struct pe_instance *alloc_instance(void)
{
	struct pe_instance *inst = kzalloc(sizeof(*inst), GFP_KERNEL_ACCOUNT);
	int ret;

	if (!inst)
		return ERR_PTR(-ENOMEM);
	ret = init_instance(inst);
	if (ret)
		goto free;
	inst->options = READ_ONCE(pe_top.options) & ~BIT(PE_OPT_EVENT_FORK);
	pe_instance_set_overwrite(inst, READ_ONCE(pe_instance_buffer(&pe_top)->overwrite));
	ret = pe_instance_expand(inst);
	if (!ret)
		return inst;
	free_parts(inst);
free:
	kfree(inst);
	return ERR_PTR(ret);
}

/* Takes it from everybody's sight; what has seen it may still be at work. */
static void detach_instance(struct pe_instance *inst)
{
	pe_fs_remove(inst->dir);
	pe_instance_remove_links(inst);
	list_del_rcu(&inst->list);
}

/* Of a detached one. */
static void free_instance(struct pe_instance *inst)
{
	/* Waits, for hits as well as for pe_view_open(). */
	pe_instance_record_disable(inst, cpu_possible_mask);
	pe_pids_free(inst);
	free_parts(inst);
	kfree(inst);
}

/* ref is still 0, so that nobody can open a file of what may yet be undone. */
static int attach_instance(struct pe_instance *inst, struct pe_node *parent,
			   const char *name)
{
	int ret;

	lockdep_assert_held(&pe_event_mutex);

	inst->dir = pe_fs_mkdir(parent, name, PE_FS_DIR);
	if (IS_ERR(inst->dir))
		return PTR_ERR(inst->dir);
	pe_fs_set_dir(inst->dir, NULL, inst);
	ret = make_files(inst);
	if (ret) {
		detach_instance(inst);
		return ret;
	}
	list_add_tail_rcu(&inst->list, &pe_instances);
	refcount_set(&inst->ref, 1);
	return 0;
}

static int instances_mkdir(struct pe_node *parent, const char *name)
{
	struct pe_instance *inst = alloc_instance();
	int ret;

	if (IS_ERR(inst))
		return PTR_ERR(inst);
	mutex_lock(&pe_event_mutex);
	ret = attach_instance(inst, parent, name);
	mutex_unlock(&pe_event_mutex);
	if (ret)
		free_instance(inst);
	return ret;
}

static int remove_locked(struct pe_instance *inst)
{
	lockdep_assert_held(&pe_event_mutex);

	if (!refcount_dec_if_one(&inst->ref))
		return -EBUSY;
	/* From here on nothing can fail.  Triggers first: one might enable an event again. */
	pe_triggers_clear(inst);
	pe_events_enable(NULL, NULL, inst, false);
	detach_instance(inst);
	return 0;
}

static int instances_rmdir(struct pe_node *parent, struct pe_node *node)
{
	struct pe_instance *inst = pe_fs_node_data(node);
	int ret;

	mutex_lock(&pe_event_mutex);
	ret = remove_locked(inst);
	mutex_unlock(&pe_event_mutex);
	if (!ret)
		free_instance(inst);
	return ret;
}

static const struct pe_dir_ops instances_ops = {
	.mkdir = instances_mkdir,
	.rmdir = instances_rmdir,
};

static int make_top(void)
{
	struct pe_node *dir;
	int ret;

	pe_top.dir = pe_fs_root();
	pe_top.options = BIT(PE_OPT_ANNOTATE) | BIT(PE_OPT_CONTEXT_INFO) |
			 BIT(PE_OPT_MARKERS) | BIT(PE_OPT_IRQ_INFO);
	mutex_lock(&pe_event_mutex);
	ret = make_files(&pe_top);
	if (!ret)
		ret = pe_fs_create_files(pe_top.dir, top_files, &pe_top.views[0]);
	list_add(&pe_top.list, &pe_instances);
	refcount_set(&pe_top.ref, 1);
	mutex_unlock(&pe_event_mutex);
	if (ret)
		return ret;
	dir = pe_fs_mkdir(NULL, "instances", PE_FS_DIR);
	if (IS_ERR(dir))
		return PTR_ERR(dir);
	pe_fs_set_dir(dir, &instances_ops, NULL);
	return 0;
}

int pe_instances_init(void)
{
	int ret = init_instance(&pe_top);

	if (ret)
		return ret;
	ret = make_top();
	if (ret)
		pe_instances_exit();
	return ret;
}

void pe_instances_exit(void)
{
	struct pe_instance *inst, *next;

	mutex_lock(&pe_event_mutex);
	list_for_each_entry_safe(inst, next, &pe_instances, list) {
		if (inst == &pe_top)
			continue;
		detach_instance(inst);
		free_instance(inst);
	}
	/* Its probes go through the list. */
	pe_pids_free(&pe_top);
	list_del(&pe_top.list);
	mutex_unlock(&pe_event_mutex);
	free_parts(&pe_top);
}
