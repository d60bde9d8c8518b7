/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * trace_instance.h - an instance, and the views of it that its files have.
 */
#ifndef PE_TRACE_INSTANCE_H
#define PE_TRACE_INSTANCE_H

#include <linux/atomic.h>
#include <linux/build_bug.h>
#include <linux/cache.h>
#include <linux/cpumask.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/refcount.h>
#include <linux/sched.h>
#include <linux/types.h>

struct pe_buffer;
struct pe_event_link;
struct pe_node;
struct pe_pid_list;
struct pe_view;
struct pe_waits;

/* Lists of pids; see pids.h. */
enum pe_pids {
	PE_PIDS_ONLY,			/* set_event_pid */
	PE_PIDS_NOT,			/* set_event_notrace_pid */
	PE_NR_PIDS,
};

/* Bits of pe_instance.options; atomic bit operations. */
enum pe_option {
	PE_OPT_ANNOTATE,	/* lines where a CPU's buffer starts */
	PE_OPT_CONTEXT_INFO,	/* task, CPU, time before each record */
	PE_OPT_DISABLE_ON_FREE,	/* closing free_buffer stops tracing */
	PE_OPT_MARKERS,		/* trace_marker may be written */
	PE_OPT_PAUSE,		/* an open trace file stops recording */
	PE_OPT_EVENT_FORK,	/* lists of pids follow forks; only pids.c sets it */
	PE_OPT_STACKTRACE,	/* a record of the stack after each record */
	PE_OPT_TGID,		/* thread group before each record */
	PE_OPT_IRQ_INFO,	/* flags before each record */
	PE_NR_OPTIONS,
};

/* Entries of an error_log file; error_log.c's. */
struct pe_error_list {
	struct list_head entries;	/* oldest first */
	unsigned int nr;
	unsigned int total;		/* entries ever made */
};

/**
 * struct pe_instance - a set of buffers and the switches that go with it
 * @list: in pe_instances; pe_event_mutex, RCU
 * @ref: one for being there, one per open file below @dir; 0 while it is being
 *	made or removed.  See instance.c.
 * @buffer: the ring buffers; resized in place, exchanged with @snap
 * @waits: readers that wait for records in @buffer
 * @snap: the snapshot; snapshot.c, and so for what follows
 * @snap_waits: readers that wait for records in @snap
 * @snap_flags: its state; atomic bit operations
 * @snap_users: triggers that want it to stay; @snap_mutex
 * @snap_mutex: serialises what process context does with it
 * @expanded: @buffer has its real size; before, its rings have two pages only;
 *	@snap_mutex
 * @hotplug: in the kernel's list of who wants to know of CPUs; hotplug.c
 * @tracing_on: read by the hit path
 * @pids: whose hits it wants; NULL: no such list.  RCU; pe_event_mutex
 * @dir: its directory (the root for the top instance)
 * @events: its directory events/
 * @links: one per event; pe_event_mutex
 * @marker: the one of trace_marker; constant
 * @group_dirs: its struct pe_group_dir; pe_event_mutex
 * @errors: its error_log
 * @compiled: compiled hits may have looked at it; compile.c
 * @clock_changes: to another one, so no hit is compiled; pe_event_mutex
 * @stale: in @stale_list: its buffer may hold records of events that are gone
 * @owned: it is a session's, which has a reference; pe_event_mutex
 * @closed: no file of it can be opened: its session is still making it, or has ended;
 *	pe_event_mutex, or READ_ONCE()
 * @dying: its session has ended, and files of it are open: readers do not wait; pe_event_mutex, or
 *	READ_ONCE()
 * @stale_list: links instances that are to be looked at; event_link.c
 * @retired: compile.c
 * @options: PE_OPT_*; read by readers
 * @tracer_options: that have been switched; bits of fs_options.c
 * @buffer_percent: of a CPU's buffer has to be full before readers of raw pages
 *	are woken; 0: any record
 * @cpumask: where it records; fs_cpumask.c's mutex
 * @views: what its files' data points to: all CPUs, then each possible CPU
 * @counter: of the clock "counter", for both buffers
 */
struct pe_instance {
	struct list_head list;
	refcount_t ref;
	struct pe_buffer *buffer;
	struct pe_waits *waits;
	struct pe_buffer *snap;
	struct pe_waits *snap_waits;
	unsigned long snap_flags;
	unsigned int snap_users;
	struct mutex snap_mutex;
	bool expanded;
	struct hlist_node hotplug;
	bool tracing_on;
	struct pe_pid_list __rcu *pids[PE_NR_PIDS];
	struct pe_node *dir;
	struct pe_node *events;
	struct list_head links;
	struct pe_event_link *marker;
	struct list_head group_dirs;
	struct pe_error_list errors;
	bool compiled;
	bool clock_changes;
	bool stale;
	bool owned;
	bool closed;
	bool dying;
	struct list_head stale_list;
	struct callback_head retired;
	unsigned long options;
	unsigned long tracer_options;
	unsigned int buffer_percent;
	cpumask_var_t cpumask;
	struct pe_view *views;
	atomic64_t counter ____cacheline_aligned_in_smp;
};

/* With that clock, every hit writes here; with any other one, hits write nothing here. */
static_assert(offsetof(struct pe_instance, counter) % SMP_CACHE_BYTES == 0);
static_assert(sizeof(struct pe_instance) - offsetof(struct pe_instance, counter) ==
	      SMP_CACHE_BYTES);

/*
 * The two, which a hit may exchange at any moment: look once, use what was found.
 * Code that needs them to stay where they are goes through snapshot.h.
 */
static inline struct pe_buffer *pe_instance_buffer(const struct pe_instance *inst)
{
	return READ_ONCE(inst->buffer);
}

static inline struct pe_buffer *pe_instance_snap(const struct pe_instance *inst)
{
	return READ_ONCE(inst->snap);
}

/**
 * struct pe_view - an instance seen through one CPU or through all
 * @inst: the instance
 * @cpu: or PE_ALL_CPUS
 * @piped: its trace_pipe is open; fs_pipe.c's mutex, as the next two
 * @pid: of who has opened it
 * @comm: his name
 */
struct pe_view {
	struct pe_instance *inst;
	int cpu;
	bool piped;
	pid_t pid;
	char comm[TASK_COMM_LEN];
};

#endif
