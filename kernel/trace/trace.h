/* SPDX-License-Identifier: GPL-2.0 */
/*
 * trace.h - the objects of probe_events.ko and who may touch them.
 *
 *   struct pe_instance     a buffer and its switches: the top one, and those of
 *                          instances/
 *   struct pe_event        a name in a group, with an id and a record layout
 *   struct pe_event_probe  one probe point of an event (an event may have many)
 *   struct pe_event_link   event x instance: its directory there; is it enabled?
 *
 * pe_event_mutex guards everything here that changes, except what is said to be
 * RCU or atomic.  Order: pe_event_mutex, then the engine's own mutex, then
 * buffer and file-tree locks.  The hit path takes none: it reaches a probe
 * through the engine, the event through the probe, and links through RCU.
 */
#ifndef PE_TRACE_H
#define PE_TRACE_H

#include <linux/cpumask.h>
#include <linux/irq_work.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/refcount.h>
#include <linux/types.h>
#include <pe/kprobe.h>
#include <pe/kretprobe.h>
#include "kernel/trace/parse/filter.h"
#include "kernel/trace/parse/spec.h"

struct inode;
struct pe_buffer;
struct pe_buffer_common;
struct pe_group;
struct pe_layout;
struct pe_node;
struct pe_parse_err;
struct pe_pid_list;
struct pe_record_head;
struct pe_symref;
struct pe_view;
struct seq_file;

extern struct mutex pe_event_mutex;

/*
 * Event ids: away from the kernel's own, which perf would open instead.  It takes the
 * lowest that are free; no more than 16 bits of a record say what it is.
 */
#define PE_EVENT_ID_FIRST	32768
#define PE_EVENT_ID_LAST	65535

/* Why a hit left no record.  Recursion is counted by the engine. */
enum pe_loss {
	PE_LOSS_OFF,		/* tracing_on was 0, tracing_cpumask, or the buffer was held */
	PE_LOSS_FULL,		/* no room: no-overwrite mode, or nested too far */
	PE_LOSS_FILTER,		/* a filter said no */
	PE_LOSS_SOFT,		/* the event is off, armed for triggers only */
	PE_LOSS_PID,		/* set_event_pid or set_event_notrace_pid said no */
	PE_LOSS_UNLINKED,	/* reached while being enabled or disabled */
	PE_NR_LOSSES,
};

extern const char *const pe_loss_names[PE_NR_LOSSES];

/* Written by the hit path on its own CPU, possibly nested: this_cpu ops only. */
struct pe_event_stat {
	unsigned long hits;		/* handler runs */
	unsigned long extra;		/* records wanted beyond the first: of other
					 * instances, of stacks
					 */
	unsigned long records;
	unsigned long lost[PE_NR_LOSSES];
};

/* Lists of pids; see pids.h. */
enum pe_pids {
	PE_PIDS_ONLY,			/* set_event_pid */
	PE_PIDS_NOT,			/* set_event_notrace_pid */
	PE_NR_PIDS,
};

/* Entries of an error_log file; error_log.c's. */
struct pe_error_list {
	struct list_head entries;	/* oldest first */
	unsigned int nr;
};

/**
 * struct pe_engine_stat - what the engine knows of a probe's hits
 * @missed: not served because a handler was running
 * @calls: of a return probe, the others are 0 else: entries that were served
 * @returns: the handler has run
 * @no_stack: entries not served: too little stack was left for an instance
 * @dropped: returns not served: switched off meanwhile, or a handler was running
 *
 * Calls in flight are calls - returns - dropped: those that will never return,
 * too.
 */
struct pe_engine_stat {
	unsigned long missed;
	unsigned long calls;
	unsigned long returns;
	unsigned long no_stack;
	unsigned long dropped;
};

/**
 * struct pe_instance - a set of buffers and the switches that go with it
 * @list: in pe_instances; pe_event_mutex, RCU
 * @ref: one for being there, one per open file below @dir; 0 while it is being
 *	made or removed.  See instance.c.
 * @common: what @buffer and @snap share: who waits, the counter
 * @buffer: the ring buffers; resized in place, exchanged with @snap
 * @snap: the snapshot; snapshot.c, and so for what follows
 * @snap_flags: its state; atomic bit operations
 * @snap_users: triggers that want it to stay; @snap_mutex
 * @snap_mutex: serialises what process context does with it
 * @expanded: @buffer has its real size; before, its rings have two pages only;
 *	@snap_mutex
 * @hotplug: in the kernel's list of who wants to know of CPUs; hotplug.c
 * @wake: wakes readers on behalf of a hit
 * @tracing_on: read by the hit path
 * @by_pid: there is a list in @pids; read by the hit path
 * @pids: whose hits it wants; NULL: no such list.  RCU; pids.c's mutex
 * @dir: its directory (the root for the top instance)
 * @events: its directory events/
 * @links: one per event; pe_event_mutex
 * @group_dirs: its struct pe_group_dir; pe_event_mutex
 * @errors: its error_log
 * @stale: in @stale_list: its buffer may hold records of events that are gone
 * @options: PE_OPT_*; read by readers, and PE_OPT_STACKTRACE by the hit path
 * @buffer_percent: of a CPU's buffer has to be full before readers of raw pages
 *	are woken; 0: any record
 * @cpumask: where it records; fs_cpumask.c's mutex
 * @views: what its files' data points to: all CPUs, then each possible CPU
 */
struct pe_instance {
	struct list_head list;
	refcount_t ref;
	struct pe_buffer_common *common;
	struct pe_buffer *buffer;
	struct pe_buffer *snap;
	unsigned long snap_flags;
	unsigned int snap_users;
	struct mutex snap_mutex;
	bool expanded;
	struct hlist_node hotplug;
	struct irq_work wake;
	bool tracing_on;
	bool by_pid;
	struct pe_pid_list __rcu *pids[PE_NR_PIDS];
	struct pe_node *dir;
	struct pe_node *events;
	struct list_head links;
	struct list_head group_dirs;
	struct pe_error_list errors;
	bool stale;
	struct list_head stale_list;
	unsigned long options;
	unsigned int buffer_percent;
	cpumask_var_t cpumask;
	struct pe_view *views;
};

/*
 * The two, which a hit may exchange at any moment: look once, use what was found.
 * Who needs them to stay where they are goes through snapshot.h.
 */
static inline struct pe_buffer *pe_instance_buffer(const struct pe_instance *inst)
{
	return READ_ONCE(inst->buffer);
}

static inline struct pe_buffer *pe_instance_snap(const struct pe_instance *inst)
{
	return READ_ONCE(inst->snap);
}

extern struct pe_instance pe_top;
extern struct list_head pe_instances;	/* pe_top is the first; pe_event_mutex, RCU */

/**
 * struct pe_event - a named event
 * @grp: its group
 * @group: its group's name
 * @name: its own
 * @id: common_type of its records
 * @by_name: pe_event_find()
 * @is_return: two fields, __probe_func and __probe_ret_ip, before the arguments
 * @nargs: arguments, the same for all of its probes
 * @args: names, types and layout, the same for all of its probes; own copy, so
 *	that it outlives them.  Only a probe's own args can be fetched.
 * @record_fixed: bytes of a record before string data
 * @probes: its struct pe_event_probe
 * @links: struct pe_event_link, RCU
 * @ref: one for being in the list, one per link
 * @dead: unregistered; files answer -ENODEV
 * @moving: event_enable.c's mark while it switches
 */
struct pe_event {
	struct list_head list;		/* pe_events, in order of definition */
	struct hlist_node by_name;
	struct pe_group *grp;
	const char *group;
	char name[PE_MAX_EVENT_NAME_LEN];
	u16 id;
	bool is_return;
	bool dead;
	bool moving;
	unsigned int nargs;
	const struct pe_arg *args;
	unsigned int record_fixed;
	struct list_head probes;
	struct list_head links;
	refcount_t ref;
	struct rcu_head rcu;
};

/**
 * struct pe_event_probe - one probe point
 * @kp: the engine's probe; of a return probe the first member of @rp
 * @rp: likewise
 * @event: whose it is; constant while @kp is registered
 * @symbol: "[MOD:]SYM", NULL when the place is an address; kp.symbol
 * @place: "[MOD:]SYM[+off]" or "0xADDR" as kprobe_events shows it
 * @args: this probe's fetch programs, event->nargs of them
 * @pool: strings that args and symrefs refer to
 * @symrefs: symbols among the arguments
 * @dynamic: a record holds strings, its size is known only after fetching
 * @pending: kp is not registered: its module is not loaded
 * @maxactive: as given, for show only
 * @nr_saved: of a return probe: words that a call's instance keeps
 * @saved: what they are, as in struct pe_spec
 * @time_word: which of them is the time, -1 when none is
 * @before: the engine's counters of earlier loads of its module
 * @stat: per CPU
 */
struct pe_event_probe {
	struct list_head list;		/* event->probes */
	struct list_head all;		/* pe_probes, in order of definition */
	struct list_head batch;		/* while it is being removed or moved */
	union {
		struct pe_kprobe kp;
		struct pe_kretprobe rp;
	};
	struct pe_event *event;
	char *symbol;
	char *place;
	struct pe_arg *args;
	char *pool;
	struct pe_symref *symrefs;
	unsigned int nr_symrefs;
	bool dynamic;
	bool pending;
	unsigned int maxactive;
	unsigned int nr_saved;
	u16 saved[PE_MAX_SAVED];
	int time_word;
	struct pe_engine_stat before;
	struct pe_event_stat __percpu *stat;
};

/**
 * struct pe_link_filter - a compiled filter in use
 * @program: read by the hit path under RCU; never changed
 */
struct pe_link_filter {
	struct rcu_head rcu;
	struct pe_filter program;
};

/**
 * struct pe_event_link - an event in an instance
 *
 * Made with whichever of the two comes last, cut when one of them goes; the data
 * of the files in events/GROUP/EVENT/ of the instance.  Those that are open hold
 * a reference, and one on the instance, which therefore cannot go before them;
 * the event can: link->event->dead.
 */
struct pe_event_link {
	struct list_head event_list;	/* event->links, RCU */
	struct list_head instance_list;	/* instance->links */
	struct pe_event *event;		/* referenced */
	struct pe_instance *instance;
	struct pe_node *dir;		/* NULL once removed */
	refcount_t ref;
	bool enabled;			/* read by the hit path */
	bool was_enabled;		/* its records may be in the buffer */
	bool fresh;			/* event_enable.c's mark while it switches */
	struct pe_link_filter __rcu *filter; /* NULL: all records; event_filter.c */
	char *filter_text;		/* what its file shows, NULL: "none" */
	struct list_head triggers;	/* struct pe_trigger, RCU */
	bool triggers_look;		/* some need the record; read by the hit path */
	unsigned int soft;		/* who wants it armed though it may be off:
					 * its triggers, and triggers that switch it;
					 * read by the hit path
					 */
	struct rcu_head rcu;
};

extern struct list_head pe_events;	/* pe_event_mutex */
extern struct list_head pe_probes;	/* likewise, of all events */

/* event.c: names, ids, life.  Callers hold pe_event_mutex unless said. */
struct pe_event *pe_event_find(const char *group, const char *name);
struct pe_event *pe_event_by_id(u16 id);	/* RCU or mutex; for printing */
void pe_event_get(struct pe_event *event);
void pe_event_put(struct pe_event *event);	/* any process context */
void pe_event_layout(const struct pe_event *event, struct pe_layout *layout);

/* event_link.c */

/**
 * pe_link_open() - the link behind a file of events/GROUP/EVENT/, for ->open()
 *
 * Takes pe_event_mutex.  Return: the link, for pe_link_close() to release, or
 * NULL when the event or the instance is gone (answer -ENODEV).
 */
struct pe_event_link *pe_link_open(const struct inode *inode);
void pe_link_close(struct pe_event_link *link);	/* any process context */

/* instance.c */
void pe_instance_get(struct pe_instance *inst);	/* of one that is referenced */
void pe_instance_put(struct pe_instance *inst);	/* any context */

/* event_enable.c: switches.  Callers hold pe_event_mutex.  Switching off cannot fail. */
int pe_event_enable(struct pe_event *event, struct pe_instance *inst, bool on);
/* In @inst; NULL: in any. */
bool pe_event_enabled(const struct pe_event *event, const struct pe_instance *inst);
/* Is it armed, there or anywhere: enabled, or of use to a trigger? */
bool pe_event_armed(const struct pe_event *event);
/*
 * Keep an event armed in an instance, enabled or not; they nest.  pe_link_drop_soft(),
 * which cannot fail, is for when no hit changes link->enabled any more; what nobody
 * wants armed then is disarmed by pe_events_disarm_dropped(), once after any number.
 */
int pe_link_arm_soft(struct pe_event_link *link);
void pe_link_drop_soft(struct pe_event_link *link);
void pe_events_disarm_dropped(void);
/* Several events at once: one round of patching.  NULL: all groups, all names. */
int pe_events_enable(const char *group, const char *name,
		     struct pe_instance *inst, bool on);

/* Which events are meant; what is NULL does not matter. */
struct pe_event_match {
	const char *group;
	const char *name;
	const char *either;		/* of group and name */
};

bool pe_events_match(const struct pe_event_match *match);	/* any event? */
int pe_events_switch(const struct pe_event_match *match, struct pe_instance *inst, bool on);
/* '0', '1', 'X' when mixed, '?' when there is no event. */
char pe_events_state(const char *group, const struct pe_instance *inst);

/* event_hit.c [H]; init before, exit after any probe is registered */
int pe_event_hit_init(void);
void pe_event_hit_exit(void);
void pe_event_hit(struct pe_kprobe *kp, const struct pe_hit *hit);
bool pe_event_entry(struct pe_kretprobe *rp, const struct pe_hit *hit, void *data);
void pe_event_return(struct pe_kretprobe *rp, const struct pe_hit *hit,
		     unsigned long ret_ip, void *data);
/* But for ->ip, of a record that a task makes in a system call. */
void pe_record_head_fill(struct pe_record_head *head, u16 type);

/* error_log.c: any process context.  pe_error_log() is that of the top. */
void pe_error_log_in(struct pe_instance *inst, const char *subsystem, const char *text,
		     const struct pe_parse_err *err);
void pe_error_log(const char *subsystem, const char *text,
		  const struct pe_parse_err *err);

/* cmdlines.c: pid to comm.  pe_cmdline_save() is [H]. */
void pe_cmdline_save(void);
s32 pe_cmdline_find(s32 pid, char comm[16]);

#endif
