/* SPDX-License-Identifier: GPL-2.0 */
/*
 * event.h - inside the event layer: from a spec to an armed, named event.
 *
 *   event_cmd.c     a command's text to what it does: create, append, delete
 *   event_probe.c   one probe point: place, engine, module coming and going
 *   event.c         names, groups, ids, references
 *   event_link.c    event x instance: where they meet and part
 *   event_enable.c  event x instance switches
 *   fs_event.c      the files under events/, of each instance
 *
 * Callers hold pe_event_mutex unless said otherwise.
 */
#ifndef PE_EVENT_H
#define PE_EVENT_H

#include "kernel/trace/trace.h"

/**
 * struct pe_group - the events of one name before the slash
 * @nr_events: it lives in the group list, and its directories exist, while not 0
 * @dirs: its struct pe_group_dir
 * @ref: one for being listed, one per event and per directory
 */
struct pe_group {
	struct list_head list;
	char name[PE_MAX_EVENT_NAME_LEN];
	unsigned int nr_events;
	struct list_head dirs;
	refcount_t ref;
};

/**
 * struct pe_group_dir - a group in an instance
 * @group: referenced
 * @instance: outlives this: open files hold it
 * @dir: events/GROUP in it
 * @ref: one for being in the lists, one per open file
 */
struct pe_group_dir {
	struct list_head group_list;
	struct list_head instance_list;
	struct pe_group *group;
	struct pe_instance *instance;
	struct pe_node *dir;
	refcount_t ref;
};

/* An argument's symbol, looked up anew each time the probe is registered. */
struct pe_symref {
	u8 arg;
	u16 str;			/* in the pool */
	u64 addend;
};

/* event.c */

/**
 * pe_event_alloc() - an event without name in the registry, id and files
 * @spec: its arguments' names, types and layout are copied
 *
 * Return: the event with one reference, or ERR_PTR(-ENOMEM).
 */
struct pe_event *pe_event_alloc(const struct pe_spec *spec);

/**
 * pe_event_publish() - give it a name, an id and its files
 *
 * Return: 0; -EEXIST when something else has the name, -ENOSPC when ids are
 * used up, -ENOMEM.  On failure nothing has changed but the caller's reference.
 */
int pe_event_publish(struct pe_event *event, const char *group, const char *name);

/**
 * pe_event_unpublish() - undo pe_event_publish() and mark the event dead
 *
 * Its id may still be looked up under RCU until a grace period later.
 */
void pe_event_unpublish(struct pe_event *event);

void pe_group_get(struct pe_group *group);
void pe_group_put(struct pe_group *group);	/* any process context */
void pe_events_exit(void);
extern struct list_head pe_groups;

/* event_link.c */

/**
 * pe_group_add_dirs() - make a new group's directory in each instance
 *
 * Return: 0 or -errno, and then there are none.
 */
int pe_group_add_dirs(struct pe_group *group);
void pe_group_remove_dirs(struct pe_group *group);
struct pe_group_dir *pe_group_dir_open(const struct inode *inode);	/* as pe_link_open() */
void pe_group_dir_close(struct pe_group_dir *gdir);

/**
 * pe_event_add_links() - link a new event to each instance, with its files there
 *
 * Return: 0 or -errno, and then there are none.
 */
int pe_event_add_links(struct pe_event *event);

/* The files of an event that is going; its links stay for hits under way. */
void pe_event_remove_files(struct pe_event *event);

/**
 * pe_instance_add_links() - make a new instance's events/ with all there is
 *
 * Return: 0 or -errno; then pe_instance_remove_links() has to clean up.
 */
int pe_instance_add_links(struct pe_instance *inst);

/**
 * pe_instance_remove_links() - no hit that begins later finds the instance
 *
 * Its nodes have been removed, none of its events is enabled.
 */
void pe_instance_remove_links(struct pe_instance *inst);

/**
 * pe_event_unlink() - the event is going: cut its links to instances
 *
 * Call after its probes are unregistered.  Instances where it was ever enabled
 * become stale.
 */
void pe_event_unlink(struct pe_event *event);

/**
 * pe_instances_clear_stale() - clear the buffers of stale instances
 *
 * Records of an event that is gone can't be printed.
 */
void pe_instances_clear_stale(void);

/* event_probe.c */

/**
 * pe_event_probe_alloc() - a probe point from a parsed command
 *
 * Return: the probe, belonging to no event, not registered; ERR_PTR(-ENOMEM).
 */
struct pe_event_probe *pe_event_probe_alloc(const struct pe_spec *spec);

/* Only what is not registered (any more). */
void pe_event_probe_free(struct pe_event_probe *probe);

/**
 * pe_event_probe_register() - resolve its symbols, hand it to the engine
 *
 * probe->event is set.  Armed at once when the event is enabled.  A probe of a
 * module that is not loaded becomes pending, which is success.
 *
 * Return: 0 or -errno; then probe->kp.reason may say more.
 */
int pe_event_probe_register(struct pe_event_probe *probe);

/**
 * pe_event_probes_remove() - unregister, wait, and free
 * @batch: of pe_event_probe.batch
 *
 * One grace period for all.  Events left without a probe go, too.
 */
void pe_event_probes_remove(struct list_head *batch);

/**
 * pe_module_loaded() - is the MOD of "MOD:SYM" there?
 *
 * True as well for a symbol without MOD.  May be called without the mutex.
 */
bool pe_module_loaded(const char *symbol);

/* Its place, for the reader of @m: in @buf if that is an address that he may not see. */
#define PE_PLACE_HASHED	24
const char *pe_event_probe_place(const struct seq_file *m, const struct pe_event_probe *probe,
				 char buf[PE_PLACE_HASHED]);
void pe_event_probe_show(struct seq_file *m, const struct pe_event_probe *probe);
void pe_event_probe_log_refusal(const struct pe_event_probe *probe);
void pe_event_probes_log_refusals(void);
void pe_event_probes_show_waiting(struct seq_file *m);
void pe_event_probe_stat(const struct pe_event_probe *probe, struct pe_event_stat *sum);
void pe_event_probe_engine_stat(const struct pe_event_probe *probe,
				struct pe_engine_stat *sum);
int pe_event_probe_init(void);			/* the module notifier */
void pe_event_probe_exit(void);

/* event_cmd.c: take the mutex themselves. */

/**
 * pe_command_run() - do what one line says; log its error
 * @allow_bang: "!p:..." deletes, as in dynamic_events
 *
 * Return: 0 or -errno as kprobe_events answers.
 */
int pe_command_run(const char *text, bool allow_bang);

/**
 * pe_commands_delete_all() - remove every probe, or none
 * @force: enabled ones, too (module exit)
 *
 * Return: 0, or -EBUSY when an event is enabled.
 */
int pe_commands_delete_all(bool force);

/* fs_event.c */
int pe_fs_events_add(struct pe_instance *inst);	/* sets inst->events */
int pe_fs_group_add(struct pe_group_dir *gdir);	/* sets gdir->dir */
/* In the directory @parent; sets link->dir. */
int pe_fs_event_add(struct pe_event_link *link, struct pe_node *parent);
/* Of a group of which nothing can be enabled; data is a struct pe_view. */
extern const struct file_operations pe_none_enable_fops;

/* fs_headers.c: its files in an instance's events/. */
int pe_fs_headers_add(struct pe_instance *inst, struct pe_node *events);

/* fs_control.c, fs_functions.c, fs_kprobes.c */
int pe_fs_control_init(void);
int pe_fs_functions_init(void);
int pe_fs_kprobes_init(void);

/* error_log.c: the last errors of commands of an instance.  Own lock. */
void pe_error_log_clear(struct pe_instance *inst);
extern const struct file_operations pe_error_log_fops;

#endif
