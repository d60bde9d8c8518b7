/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * mirror.h - events as events of the kernel, for perf, BPF and the kernel's tracefs.
 *
 * The kernel's mutex of events guards which events have a mirror, and its users.  It is
 * outside pe_event_mutex: the kernel holds it when perf opens or closes a mirror, and arming
 * takes pe_event_mutex then.  Without a mirror, our code takes it only to make one.
 */
#ifndef PE_MIRROR_H
#define PE_MIRROR_H

#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/types.h>
#include "event.h"
#include "kernel/know/tracing.h"

struct pe_event;
struct pe_mirror;
struct seq_file;

/**
 * struct pe_mirrors - locks held to remove or add events; a local variable of the caller's
 * @locked: the kernel's mutex, with pe_event_mutex
 * @more: the caller may make a mirror, and is counted as if it had
 * @gone: mirrors of events that the caller has removed
 */
struct pe_mirrors {
	bool locked, more;
	struct list_head gone;
};

#if PE_HAVE_TRACING

/* mirror.c */

/**
 * pe_mirrors_lock() - take pe_event_mutex, and let no user begin or end to use a mirror
 * @mirrors: filled
 * @more: the caller may make another mirror
 *
 * For callers that remove events, or add one with its mirror.  The kernel's mutex is taken if there
 * are mirrors.  If it has been taken, no other caller removes an event until pe_mirrors_end(), also
 * without pe_event_mutex.
 */
void pe_mirrors_lock(struct pe_mirrors *mirrors, bool more);
/* Releases pe_event_mutex, makes an end of mirrors that are gone, and releases the other mutex. */
void pe_mirrors_end(struct pe_mirrors *mirrors);

/* Has the event's mirror a user?  With pe_mirrors_lock(), and so the next one. */
bool pe_mirror_busy(const struct pe_event *event);
/* The event is being removed, and its mirror is not busy. */
void pe_mirror_cut(struct pe_event *event, struct pe_mirrors *mirrors);
/* Notes the users of the event's mirror in error_log. */
void pe_mirror_log_busy(const struct pe_event *event);

/**
 * pe_mirror_switch() - make the event one of the kernel's, or end that
 * @event: the event
 * @on: it is to have a mirror
 *
 * Takes the kernel's mutex.  The mirror keeps the module loaded.
 *
 * Return: 0; -ENODEV if the event has been removed, -EEXIST if the kernel has one of that
 * name, -EBUSY if the mirror is in use, -EOPNOTSUPP, -ENOMEM.  error_log says more.
 */
int pe_mirror_switch(struct pe_event *event, bool on);

/* kprobes/mirror: does each new event get a mirror? */
int pe_mirror_set_new(bool on);	/* 0 */
bool pe_mirror_is_new(void);

/*
 * Give a new event one.  If the kernel's mutex is held, releases pe_event_mutex meanwhile.
 * Return: as pe_mirror_switch().
 */
int pe_mirror_begin(struct pe_event *event, const struct pe_mirrors *mirrors);

/* The text of its file; takes the kernel's mutex.  0 or -ENODEV. */
int pe_mirror_show(struct seq_file *m, const struct pe_event *event);

/* mirror_event.c */

/* Fills all that the kernel asks of an event, but ->reg().  0 or -ENOMEM. */
int pe_mirror_describe(struct pe_mirror *mirror);
void pe_mirror_undescribe(struct pe_mirror *mirror);

#else
static inline void pe_mirrors_lock(struct pe_mirrors *mirrors, bool more)
{
	mutex_lock(&pe_event_mutex);
}

static inline void pe_mirrors_end(struct pe_mirrors *mirrors)
{
	mutex_unlock(&pe_event_mutex);
}

static inline bool pe_mirror_busy(const struct pe_event *event)
{
	return false;
}

static inline void pe_mirror_cut(struct pe_event *event, struct pe_mirrors *mirrors)
{
}

static inline void pe_mirror_log_busy(const struct pe_event *event)
{
}

static inline bool pe_mirror_is_new(void)
{
	return false;
}

static inline int pe_mirror_begin(struct pe_event *event, const struct pe_mirrors *mirrors)
{
	return 0;
}
#endif

#endif
