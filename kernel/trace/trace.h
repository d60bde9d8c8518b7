/* SPDX-License-Identifier: GPL-2.0 */
/*
 * trace.h - the objects of probe_events.ko and who may touch them.
 *
 *   struct pe_instance     a buffer and its switches (the top one; more later)
 *   struct pe_event        a name in a group, with an id and a record layout
 *   struct pe_event_probe  one probe point of an event (an event may have many)
 *   struct pe_event_link   event x instance: is it enabled there?
 *
 * pe_event_mutex guards everything here that changes, except what is said to be
 * RCU or atomic.  Order: pe_event_mutex, then the engine's own mutex, then
 * buffer and file-tree locks.  The hit path takes none: it reaches a probe
 * through the engine, the event through the probe, and links through RCU.
 */
#ifndef PE_TRACE_H
#define PE_TRACE_H

#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/refcount.h>
#include <linux/types.h>
#include <pe/kprobe.h>
#include "spec.h"

struct dentry;
struct pe_buffer;
struct pe_node;
struct pe_parse_err;
struct seq_file;

extern struct mutex pe_event_mutex;

/* Event ids: away from the kernel's own, which perf would open instead. */
#define PE_EVENT_ID_FIRST	60000
#define PE_EVENT_ID_LAST	65535

/* Why a hit left no record.  Recursion is counted by the engine. */
enum pe_loss {
	PE_LOSS_OFF,		/* tracing_on was 0, or the buffer was held */
	PE_LOSS_FULL,		/* no room: no-overwrite mode, or nested too far */
	PE_LOSS_FILTER,		/* a filter said no */
	PE_LOSS_UNLINKED,	/* reached while being enabled or disabled */
	PE_NR_LOSSES,
};

extern const char *const pe_loss_names[PE_NR_LOSSES];

/* Written by the hit path on its own CPU, possibly nested: this_cpu ops only. */
struct pe_event_stat {
	unsigned long hits;		/* handler runs */
	unsigned long records;
	unsigned long lost[PE_NR_LOSSES];
};

/**
 * struct pe_instance - a set of buffers and the switches that go with it
 * @buffer: the ring buffers; replaced never, resized in place
 * @tracing_on: read by the hit path
 * @clock_id: index in the clock table
 * @dir: its directory (the root for the top instance)
 * @links: of enabled and disabled events; pe_event_mutex
 */
struct pe_instance {
	struct pe_buffer *buffer;
	bool tracing_on;
	unsigned int clock_id;
	struct pe_node *dir;
	struct list_head links;
};

extern struct pe_instance pe_top;

/**
 * struct pe_event - a named event
 * @group: its group's name
 * @name: its own
 * @id: common_type of its records
 * @is_return: two fields, __probe_func and __probe_ret_ip, before the arguments
 * @nargs: arguments, the same for all of its probes
 * @args: those of its first probe; names, types and layout hold for all
 * @record_fixed: bytes of a record before string data
 * @probes: its struct pe_event_probe
 * @links: struct pe_event_link, RCU
 * @ref: one for being in the list, one per open file
 * @dead: unregistered; files answer -ENODEV
 */
struct pe_event {
	struct list_head list;		/* pe_events, in order of definition */
	const char *group;
	const char *name;
	u16 id;
	bool is_return;
	bool dead;
	unsigned int nargs;
	const struct pe_arg *args;
	unsigned int record_fixed;
	struct list_head probes;
	struct list_head links;
	refcount_t ref;
	struct pe_node *dir;
};

/**
 * struct pe_event_probe - one probe point
 * @kp: the engine's probe
 * @event: whose it is; constant while @kp is registered
 * @place: "[MOD:]SYM[+off]" or "0xADDR" as kprobe_events shows it
 * @args: this probe's fetch programs, event->nargs of them
 * @dynamic: a record holds strings, its size is known only after fetching
 * @pending: its module is not loaded; kp is not registered
 * @stat: per CPU
 */
struct pe_event_probe {
	struct list_head list;		/* event->probes */
	struct pe_kprobe kp;
	struct pe_event *event;
	char *place;
	struct pe_arg *args;
	char *pool;			/* strings args refer to */
	bool dynamic;
	bool pending;
	struct pe_event_stat __percpu *stat;
};

struct pe_event_link {
	struct list_head event_list;	/* event->links, RCU */
	struct list_head instance_list;	/* instance->links */
	struct pe_event *event;
	struct pe_instance *instance;
	bool enabled;			/* read by the hit path */
	struct rcu_head rcu;
};

extern struct list_head pe_events;	/* pe_event_mutex */

/* event.c: names, ids, life.  Callers hold pe_event_mutex unless said. */
struct pe_event *pe_event_find(const char *group, const char *name);
struct pe_event *pe_event_by_id(u16 id);	/* RCU or mutex; for printing */
void pe_event_get(struct pe_event *event);
void pe_event_put(struct pe_event *event);	/* any process context */
int pe_event_enable(struct pe_event *event, struct pe_instance *inst, bool on);
bool pe_event_enabled(const struct pe_event *event, const struct pe_instance *inst);
/* Several events at once: one round of patching.  group or name NULL: all. */
int pe_events_enable(const char *group, const char *name,
		     struct pe_instance *inst, bool on);

/* event_probe.c: commands.  Take pe_event_mutex themselves. */
int pe_command_run(const char *text);		/* one line; logs its error */
int pe_commands_delete_all(void);		/* -EBUSY when one is enabled */
void pe_event_probe_show(struct seq_file *m, const struct pe_event_probe *probe);

/* event_hit.c [H] */
void pe_event_hit(struct pe_kprobe *kp, const struct pe_hit *hit);

/* error_log.c */
void pe_error_log(const char *subsystem, const char *text,
		  const struct pe_parse_err *err);

/* cmdlines.c: pid to comm.  pe_cmdline_save() is [H]. */
void pe_cmdline_save(void);
void pe_cmdline_find(s32 pid, char comm[16]);

#endif
