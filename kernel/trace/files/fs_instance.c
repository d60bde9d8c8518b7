// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * fs_instance.c - the directory of an instance: the tables of its files; and
 * instances/, where mkdir makes an instance and rmdir removes it.
 */
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/mutex.h>
#include "files.h"
#include "kernel/trace/event/error_log.h"
#include "kernel/trace/event/event.h"
#include "kernel/trace/event/event_dir.h"
#include "kernel/trace/event/event_link.h"
#include "kernel/trace/event/instance.h"
#include "kernel/trace/parse/parse_err.h"
#include "kernel/trace/probefs/fs.h"
#include "kernel/trace/probefs/fs_dir.h"
#include "kernel/trace/trace_instance.h"
#include "small_file.h"

static const struct pe_fs_file pe_fs_instance_files[] = {
	{ "available_tracers",		PE_FS_RO, &pe_small_fops, &pe_tracers_file },
	{ "current_tracer",		PE_FS_RW, &pe_small_fops, &pe_tracer_file },
	{ "error_log",			PE_FS_RW, &pe_small_fops, &pe_error_log_file },
	{ "set_event",			PE_FS_RW, &pe_small_fops, &pe_set_event_file },
	{ "set_event_notrace_pid",	PE_FS_RW, &pe_small_fops, &pe_pids_files[PE_PIDS_NOT] },
	{ "set_event_pid",		PE_FS_RW, &pe_small_fops, &pe_pids_files[PE_PIDS_ONLY] },
	{ "timestamp_mode",		PE_FS_RO, &pe_small_fops, &pe_timestamp_mode_file },
	{ "tracing_cpumask",		PE_FS_RW, &pe_small_fops, &pe_cpumask_file },
	{ "trace_options",		PE_FS_RW, &pe_small_fops, &pe_options_file },
	{ "trace",			PE_FS_RW, &pe_trace_fops, &pe_of_buffer },
	{ "trace_pipe",			PE_FS_RO, &pe_pipe_fops },
	{ "snapshot",			PE_FS_RW, &pe_trace_fops, &pe_of_snapshot },
	{ "trace_marker",		0220,	  &pe_marker_fops },
	{ "trace_marker_raw",		0220,	  &pe_marker_raw_fops },
	{ "buffer_size_kb",		PE_FS_RW, &pe_small_fops, &pe_size_file },
	{ "buffer_total_size_kb",	PE_FS_RO, &pe_small_fops, &pe_total_size_file },
	{ "buffer_subbuf_size_kb",	PE_FS_RW, &pe_small_fops, &pe_subbuf_file },
	{ "free_buffer",		0200, &pe_free_fops },
	{ "buffer_percent",		PE_FS_RW, &pe_small_fops, &pe_percent_file },
	{ "trace_clock",		PE_FS_RW, &pe_small_fops, &pe_clock_file },
	{ "tracing_on",			PE_FS_RW, &pe_small_fops, &pe_tracing_on_file },
	{}
};

static const struct pe_fs_file pe_cpu_files[] = {
	{ "trace",			PE_FS_RW, &pe_trace_fops, &pe_of_buffer },
	{ "trace_pipe",			PE_FS_RO, &pe_pipe_fops },
	{ "trace_pipe_raw",		PE_FS_RO, &pe_raw_fops, &pe_of_buffer },
	{ "snapshot",			PE_FS_RW, &pe_trace_fops, &pe_of_snapshot },
	{ "snapshot_raw",		PE_FS_RO, &pe_raw_fops, &pe_of_snapshot },
	{ "stats",			PE_FS_RO, &pe_small_fops, &pe_stats_file },
	{ "buffer_size_kb",		PE_FS_RW, &pe_small_fops, &pe_size_file },
	{}
};

static int pe_per_cpu_files(struct pe_instance *inst)
{
	struct pe_node *dir, *per_cpu = pe_fs_mkdir(inst->dir, "per_cpu", PE_FS_DIR);
	unsigned int cpu;
	char name[16];

	if (IS_ERR(per_cpu))
		return PTR_ERR(per_cpu);
	for_each_possible_cpu(cpu) {
		snprintf(name, sizeof(name), "cpu%u", cpu);
		dir = pe_fs_create_dir(per_cpu, name, PE_FS_DIR, pe_cpu_files,
				       &inst->views[1 + cpu]);
		if (IS_ERR(dir))
			return PTR_ERR(dir);
	}
	return 0;
}

static int pe_fs_instance_make_files(struct pe_instance *inst)
{
	int ret = pe_fs_create_files(inst->dir, pe_fs_instance_files, &inst->views[0]);

	if (!ret)
		ret = pe_options_files(inst);
	if (!ret)
		ret = pe_per_cpu_files(inst);
	if (!ret)
		ret = pe_fs_events_add(inst);
	if (ret)
		return ret;
	mutex_lock(&pe_name_mutex);
	ret = pe_instance_add_links(inst);
	/* Not before: a listing asks each group and event for its link. */
	if (!ret)
		pe_fs_set_dir(inst->events, &pe_events_dir_ops, inst);
	mutex_unlock(&pe_name_mutex);
	return ret;
}

/* An incomplete instance may be undone: no file of it can be opened, as ref is still 0. */
static int pe_attach_instance(struct pe_instance *inst, struct pe_node *parent,
			      const char *name)
{
	int ret;

	lockdep_assert_held(&pe_event_mutex);

	inst->dir = pe_fs_mkdir(parent, name, PE_FS_DIR);
	if (IS_ERR(inst->dir))
		return PTR_ERR(inst->dir);
	pe_fs_set_dir(inst->dir, NULL, inst);
	ret = pe_fs_instance_make_files(inst);
	if (ret)
		pe_instance_detach(inst);
	else
		pe_instance_publish(inst);
	return ret;
}

static struct pe_node *pe_instances_dir;

int pe_fs_instance_attach(struct pe_instance *inst, const char *name)
{
	return pe_attach_instance(inst, pe_instances_dir, name);
}

static int pe_instances_mkdir(struct pe_node *parent, const char *name)
{
	struct pe_instance *inst = pe_instance_create();
	int ret;

	if (IS_ERR(inst))
		return PTR_ERR(inst);
	ret = mutex_lock_killable(&pe_event_mutex);
	if (!ret) {
		ret = pe_attach_instance(inst, parent, name);
		mutex_unlock(&pe_event_mutex);
	}
	if (ret)
		pe_instance_destroy(inst);
	return ret;
}

/* Why it stays: it is a session's, or files of it are open. */
static void pe_log_busy(const struct pe_instance *inst)
{
	struct pe_parse_err err = { .code = PE_ERR_IN_USE };
	char who[128];

	if (inst->owned)
		strscpy(who, "a session's; it goes with that", sizeof(who));
	else if (!pe_pipe_reader(inst, who, sizeof(who)))
		scnprintf(who, sizeof(who), "%u of its files are open",
			  refcount_read(&inst->ref) - 1);
	err.detail = who;
	pe_error_log("instances", pe_fs_name(inst->dir), &err);
}

/* Two may remove it at once. */
static int pe_instances_rmdir(struct pe_node *parent, struct pe_node *node)
{
	struct pe_instance *inst;
	int ret;

	if (mutex_lock_killable(&pe_event_mutex))
		return -EINTR;
	inst = pe_fs_node_data(node);
	ret = inst ? pe_instance_remove(inst) : -ENOENT;
	if (ret == -EBUSY)
		pe_log_busy(inst);
	mutex_unlock(&pe_event_mutex);
	if (!ret)
		pe_instance_destroy(inst);
	return ret;
}

static const struct pe_dir_ops pe_instances_ops = {
	.mkdir = pe_instances_mkdir,
	.rmdir = pe_instances_rmdir,
};

int pe_fs_instances_init(void)
{
	struct pe_node *dir;
	int ret;

	mutex_lock(&pe_event_mutex);
	pe_fs_event_tables_set();
	pe_top.dir = pe_fs_root();
	ret = pe_fs_instance_make_files(&pe_top);
	mutex_unlock(&pe_event_mutex);
	if (ret)
		return ret;
	dir = pe_fs_mkdir(NULL, "instances", PE_FS_DIR);
	if (IS_ERR(dir))
		return PTR_ERR(dir);
	pe_fs_set_dir(dir, &pe_instances_ops, NULL);
	pe_instances_dir = dir;
	return 0;
}
