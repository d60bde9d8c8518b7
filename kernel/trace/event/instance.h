/* SPDX-License-Identifier: GPL-2.0 */
/*
 * instance.h - instances, and the files that instance.c makes in the directory of each.
 *
 *   fs_trace.c    trace: reads without consuming
 *   fs_pipe.c     trace_pipe: consumes, waits
 *   fs_raw.c      trace_pipe_raw: consumes whole sub-buffers, waits
 *   fs_buffer.c   sizes, clock, switches, statistics
 *   fs_options.c  trace_options and options/
 *   fs_cpumask.c  tracing_cpumask
 *   fs_marker.c   trace_marker, trace_marker_raw
 *   pids.c        set_event_pid, set_event_notrace_pid
 *   fs_set_event.c  set_event and available_events
 */
#ifndef PE_INSTANCE_H
#define PE_INSTANCE_H

#include <linux/types.h>

struct file_operations;
struct inode;
struct pe_instance;

/**
 * struct pe_view - an instance seen through one CPU or through all
 * @inst: the instance
 * @cpu: or PE_ALL_CPUS
 * @piped: its trace_pipe is open; fs_pipe.c's mutex
 */
struct pe_view {
	struct pe_instance *inst;
	int cpu;
	bool piped;
};

/**
 * pe_view_open() - the view behind a file's inode, for its ->open()
 *
 * Return: the view, whose instance stays until pe_view_close(); NULL when the
 * instance is gone or not complete: answer -ENODEV.
 */
struct pe_view *pe_view_open(const struct inode *inode);
void pe_view_close(struct pe_view *view);

/* Bits of pe_instance.options; atomic bit operations. */
enum pe_option {
	PE_OPT_ANNOTATE,	/* lines where a CPU's buffer starts */
	PE_OPT_CONTEXT_INFO,	/* task, CPU, time before each record */
	PE_OPT_DISABLE_ON_FREE,	/* closing free_buffer stops tracing */
	PE_OPT_MARKERS,		/* trace_marker may be written */
	PE_OPT_PAUSE,		/* an open trace file stops recording */
	PE_OPT_EVENT_FORK,	/* lists of pids follow forks; only pids.c sets it */
	PE_OPT_STACKTRACE,	/* a record of the stack behind each record */
	PE_OPT_TGID,		/* thread group before each record */
	PE_OPT_IRQ_INFO,	/* flags before each record */
	PE_NR_OPTIONS,
};

/* By its options, what is to stand before a record: PE_COLUMN_... */
unsigned int pe_instance_columns(const struct pe_instance *inst);

/* The files; data is a struct pe_view. */
extern const struct file_operations pe_trace_fops;
extern const struct file_operations pe_pipe_fops;
extern const struct file_operations pe_raw_fops;
extern const struct file_operations pe_snapshot_fops;
extern const struct file_operations pe_snapshot_raw_fops;
extern const struct file_operations pe_percent_fops;
extern const struct file_operations pe_subbuf_fops;
extern const struct file_operations pe_free_fops;
extern const struct file_operations pe_disable_on_free_fops;
extern const struct file_operations pe_tracing_on_fops;
extern const struct file_operations pe_size_fops;
extern const struct file_operations pe_total_size_fops;
extern const struct file_operations pe_clock_fops;
extern const struct file_operations pe_tracer_fops;
extern const struct file_operations pe_tracers_fops;
extern const struct file_operations pe_stats_fops;
extern const struct file_operations pe_cpumask_fops;
extern const struct file_operations pe_timestamp_mode_fops;
extern const struct file_operations pe_set_event_fops;
extern const struct file_operations pe_available_events_fops;
extern const struct file_operations pe_marker_fops;
extern const struct file_operations pe_marker_raw_fops;
extern const struct file_operations pe_pids_only_fops;
extern const struct file_operations pe_pids_not_fops;
extern const struct file_operations pe_options_fops;
extern const struct file_operations pe_annotate_fops;
extern const struct file_operations pe_context_info_fops;
extern const struct file_operations pe_overwrite_fops;
extern const struct file_operations pe_markers_fops;
extern const struct file_operations pe_event_fork_fops;
extern const struct file_operations pe_pause_fops;
extern const struct file_operations pe_stacktrace_fops;
extern const struct file_operations pe_record_tgid_fops;
extern const struct file_operations pe_irq_info_fops;

/* options/ in an instance's directory. */
int pe_options_files(struct pe_instance *inst);

/**
 * pe_instances_init() - the top instance with all its files, and instances/
 *
 * The root exists.  Return: 0 or -errno, and then only nodes are left behind.
 */
int pe_instances_init(void);

/*
 * hotplug.c: before the first instance is made and after the last is gone; no locks
 * are held.  Return: 0 or -errno.
 */
int pe_hotplug_init(void);
void pe_hotplug_exit(void);

/**
 * pe_hotplug_add() - give an instance the rings of the CPUs there are and will be
 *
 * Return: 0 or -errno; pe_hotplug_remove() is needed in any case.
 */
int pe_hotplug_add(struct pe_instance *inst);
void pe_hotplug_remove(struct pe_instance *inst);

/**
 * pe_instances_exit() - free all instances; no event, no hit, no file is left
 */
void pe_instances_exit(void);

#endif
