/* SPDX-License-Identifier: GPL-2.0 */
/*
 * event_set.h - probes at all functions that one command names.
 *
 * Callers hold pe_event_mutex.
 */
#ifndef PE_EVENT_SET_H
#define PE_EVENT_SET_H

#include <linux/list.h>
#include <linux/types.h>

struct pe_engine_stat;
struct pe_event_probe;
struct pe_hint;
struct pe_place;
struct pe_probe_set;
struct pe_spec;
struct seq_file;

/* A function that cannot be probed. */
struct pe_refused {
	struct list_head list;
	const char *reason;		/* a constant string, or NULL */
	char name[];
};

/* event_set.c */

/**
 * pe_event_set_find() - find the functions that a command names
 * @probe: of the command; if it is one function, this becomes its probe, else the head of a set
 * @place: where to begin; becomes the first that exists
 * @hint: filled if none is found
 *
 * Return: 0, -ENOENT or -ENOMEM.
 */
int pe_event_set_find(struct pe_event_probe *probe, const struct pe_spec *spec,
		      struct pe_place *place, struct pe_hint *hint);

/* @probe could not be probed, for its kp.reason: it is no member any more, but listed. */
void pe_event_set_refuse(struct pe_probe_set *set, struct pe_event_probe *probe);

/**
 * pe_event_set_register() - register the members, and arm them if the event is armed
 * @head: its event is set
 *
 * Members that the engine refuses become refused functions.  If it refuses all, the reason of
 * the first is in @head's kp.reason.
 *
 * Return: 0, or the error of the first if it refuses all; or what arming has failed with.
 */
int pe_event_set_register(struct pe_event_probe *head);
void pe_event_set_unregister(struct pe_event_probe *head);

/* The members join the head's event, or are added to a batch. */
void pe_event_set_attach(struct pe_event_probe *head);
void pe_event_set_batch(struct pe_event_probe *head, struct list_head *batch);

void pe_event_set_free(struct pe_probe_set *set);	/* with members that are not registered */
void pe_event_set_engine_stat(const struct pe_probe_set *set, struct pe_engine_stat *sum);
size_t pe_event_set_memory(const struct pe_probe_set *set);
void pe_event_sets_show_refused(struct seq_file *m);	/* takes the mutex */

/* event_known.c */

/* Do both, of one event, fetch their arguments in the same way? */
bool pe_event_same_exprs(const struct pe_event_probe *a, const struct pe_event_probe *b);

/**
 * pe_event_set_drop_known() - leave out the functions that the event probes already
 * @probe: found, but not registered; its event is set
 *
 * Return: 0, -EEXIST if no other is left, -ENOMEM.
 */
int pe_event_set_drop_known(struct pe_event_probe *probe);

#endif
