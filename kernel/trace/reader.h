/* SPDX-License-Identifier: GPL-2.0 */
/*
 * reader.h - from records to text, and the files that show it.
 *
 *   reader.c      records of one or all CPUs in order of time, as lines
 *   fs_trace.c    trace: reads without consuming
 *   fs_pipe.c     trace_pipe: consumes, waits
 *   fs_buffer.c   sizes, clock, switches, statistics
 *   fs_options.c  trace_options and options/
 *   instance.c    an instance and the table of its files
 */
#ifndef PE_READER_H
#define PE_READER_H

#include <linux/types.h>

struct file_operations;
struct pe_instance;
struct pe_node;
struct pe_reader;
struct seq_file;

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

/* Bits of pe_instance.options; atomic bit operations. */
enum pe_option {
	PE_OPT_ANNOTATE,	/* lines where a CPU's buffer starts */
	PE_OPT_CONTEXT_INFO,	/* task, CPU, time before each record */
	PE_NR_OPTIONS,
};

/**
 * pe_reader_alloc() - get ready to read
 * @consuming: for pe_reader_consume(); else for the others
 *
 * One user at a time.  Return: NULL when out of memory.
 */
struct pe_reader *pe_reader_alloc(struct pe_view *view, bool consuming);
void pe_reader_free(struct pe_reader *reader);

/**
 * pe_reader_consume() - print the oldest record and take it out of the buffer
 * @m: where; only its buf, size and count are used
 *
 * Return: 1; 0 when there is none; -ENOSPC when the line has no room in @m: then
 * nothing was printed or consumed.
 */
int pe_reader_consume(struct pe_reader *reader, struct seq_file *m);

/**
 * pe_reader_restart() - look at the buffer from its start
 *
 * What is written later is not part of what follows, so it ends even while
 * writers are faster than the reader.
 */
void pe_reader_restart(struct pe_reader *reader);

/* Is there a record to show? */
bool pe_reader_peek(struct pe_reader *reader);
/* After a true peek: print it, as often as liked; then go to the next. */
void pe_reader_show(struct pe_reader *reader, struct seq_file *m);
void pe_reader_step(struct pe_reader *reader);

/* The files, for instance.c's tables; data is a struct pe_view. */
extern const struct file_operations pe_trace_fops;
extern const struct file_operations pe_pipe_fops;
extern const struct file_operations pe_tracing_on_fops;
extern const struct file_operations pe_size_fops;
extern const struct file_operations pe_total_size_fops;
extern const struct file_operations pe_clock_fops;
extern const struct file_operations pe_tracer_fops;
extern const struct file_operations pe_tracers_fops;
extern const struct file_operations pe_stats_fops;
extern const struct file_operations pe_options_fops;
extern const struct file_operations pe_annotate_fops;
extern const struct file_operations pe_context_info_fops;
extern const struct file_operations pe_overwrite_fops;

/* options/ in an instance's directory. */
int pe_options_files(struct pe_instance *inst);

/* instance.c */

/**
 * pe_instance_init() - buffers and switches of the top instance
 */
int pe_instance_init(void);

/**
 * pe_instance_files() - make an instance's files in its directory
 *
 * trace, trace_pipe, tracing_on, buffer_size_kb, ..., per_cpu/.  For the top
 * instance in the root.  On failure some exist, to be removed with the directory.
 */
int pe_instance_files(struct pe_instance *inst);

/**
 * pe_instance_exit() - free the top instance's buffers; no hit, no file left
 */
void pe_instance_exit(void);

#endif
