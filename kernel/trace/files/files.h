/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * files.h - files for the tables of other files of files/, and the functions
 * that make the rest.  Data of a file in an instance's directory is a struct
 * pe_view.
 */
#ifndef PE_FILES_H
#define PE_FILES_H

#include <linux/types.h>
#include "kernel/trace/probefs/fs.h"
#include "small_file.h"

struct file;
struct file_operations;
struct pe_group;
struct pe_group_file;
struct pe_instance;
struct pe_table_format;
struct seq_file;
struct seq_operations;

/* fs_buffer.c */
extern const struct pe_small_file pe_clock_file;
extern const struct file_operations pe_free_fops;
extern const struct pe_small_file pe_percent_file;
extern const struct pe_small_file pe_size_file;
extern const struct pe_small_file pe_stats_file;
extern const struct pe_small_file pe_subbuf_file;
extern const struct pe_small_file pe_timestamp_mode_file;
extern const struct pe_small_file pe_total_size_file;
extern const struct pe_small_file pe_tracer_file;
extern const struct pe_small_file pe_tracers_file;
extern const struct pe_small_file pe_tracing_on_file;

/* fs_btf.c */
extern const struct file_operations pe_btf_fops;

/* fs_cmdlines.c */
extern const struct pe_small_file pe_cmdlines_file, pe_cmdlines_size_file, pe_tgids_file;

/* fs_commands.c */
extern const struct pe_small_file pe_command_files[];	/* by enum pe_command_file */

/* fs_commands.c: all sources, one per line; takes pe_event_mutex from start to stop. */
void *pe_sources_start(struct seq_file *m, loff_t *pos);
void *pe_sources_next(struct seq_file *m, void *v, loff_t *pos);
void pe_sources_stop(struct seq_file *m, void *v);
#define PE_SOURCES_LIST(show_one) {								\
	.start = pe_sources_start, .next = pe_sources_next, .stop = pe_sources_stop,		\
	.show = (show_one),									\
}

/* fs_cpumask.c */
extern const struct pe_small_file pe_cpumask_file;

/* fs_error_log.c */
extern const struct pe_small_file pe_error_log_file;

/* fs_event.c */
/* Of all events; and for a group whose events cannot be enabled. */
extern const struct pe_small_file pe_all_enable_file, pe_none_enable_file;
void pe_fs_event_tables_set(void);	/* with pe_event_mutex */

/* fs_functions.c */
extern const struct file_operations pe_functions_fops;

/* fs_group.c */
/* Data is a struct pe_group_dir. */
extern const struct file_operations pe_group_fops;
extern const struct pe_group_file pe_group_enable_file, pe_group_filter_file;
/* The text and a write of an enable file of several events: a group's, or all if it is NULL. */
int pe_several_show(struct seq_file *m, const struct pe_group *group,
		    const struct pe_instance *inst);
ssize_t pe_several_write(const struct file *file, const struct pe_group *group,
			 struct pe_instance *inst, const char __user *buf, size_t count);

/* fs_kprobes.c: kprobes/ */
extern const struct pe_fs_file pe_kprobes_files[];

/* fs_limits.c */
extern const struct pe_small_file pe_limits_file;
void pe_costs_show(struct seq_file *m);		/* the text of kprobes/cost */

/* fs_marker.c */
extern const struct file_operations pe_marker_fops;
extern const struct file_operations pe_marker_raw_fops;

/* fs_mirror.c; the kernel's tracing must be there */
extern const struct file_operations pe_mirror_fops;

/* fs_profile.c */
extern const struct pe_small_file pe_profile_file, pe_losses_file;

/* fs_readme.c */
extern const struct pe_small_file pe_readme_file;

/* fs_options.c */
extern const struct pe_small_file pe_options_file;
/* options/ in an instance's directory. */
int pe_options_files(struct pe_instance *inst);
/* The columns before a record, by the instance's options: PE_COLUMN_... */
unsigned int pe_instance_columns(const struct pe_instance *inst);

/* fs_pids.c */
extern const struct pe_small_file pe_pids_files[];	/* by enum pe_pids */

/* fs_pipe.c */
extern const struct file_operations pe_pipe_fops;
/* "trace_pipe is being read by COMM-PID", of one of its readers; false: there is none. */
bool pe_pipe_reader(const struct pe_instance *inst, char *buf, size_t size);

/* fs_raw.c */
extern const struct file_operations pe_raw_fops;

/* fs_set_event.c */
extern const struct pe_small_file pe_set_event_file;
extern const struct pe_small_file pe_available_events_file;

/* fs_table.c */
extern const struct file_operations pe_table_fops;
extern const struct pe_table_format pe_hist_format, pe_table_format;	/* its rows */

/* fs_trace.c */
extern const struct file_operations pe_trace_fops;
/* Its rows, and those of fs_raw.c. */
extern const bool pe_of_buffer, pe_of_snapshot;

/* fs_instance.c: give a new instance its directory in instances/; with pe_event_mutex.  -errno. */
int pe_fs_instance_attach(struct pe_instance *inst, const char *name);

/* fs_headers.c */
extern const struct pe_small_file pe_printk_formats_file;
/* Makes events/ and what is in it before there are events. */
int pe_fs_events_add(struct pe_instance *inst);

/*
 * Called once, in this order: the top instance's directory and instances/, then
 * the files that exist once.  0 or -errno.
 */
int pe_fs_instances_init(void);		/* fs_instance.c */
int pe_fs_control_init(void);		/* fs_control.c */

#endif
