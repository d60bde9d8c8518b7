/* SPDX-License-Identifier: GPL-2.0 */
/*
 * mirror.h - events as events of the kernel, for perf, BPF and the kernel's tracefs.
 *
 * The kernel's mutex of events guards which events have a mirror, and who uses it.  It is
 * outside pe_event_mutex: the kernel holds it when perf opens or closes a mirror, and arming
 * takes pe_event_mutex then.  Nobody takes it while there is no mirror, but to make one.
 */
#ifndef PE_MIRROR_H
#define PE_MIRROR_H

#include <linux/mutex.h>
#include <linux/types.h>
#include "event.h"
#include "kernel/tracing.h"

struct pe_event;
struct pe_mirror;
struct seq_file;

#if PE_HAVE_TRACING

/* mirror.c */

/**
 * pe_mirrors_lock() - take pe_event_mutex, and let nobody begin or end to use a mirror
 * @more: the caller may make another mirror
 *
 * For who removes events, or adds one with its mirror.  The kernel's mutex is taken if there are
 * mirrors.  Until pe_mirrors_unlock(), also without pe_event_mutex, nobody else removes an event
 * if it has been taken.
 *
 * Return: has it been taken?
 */
bool pe_mirrors_lock(bool more);
/*
 * With what pe_mirrors_lock() has got and given, and without pe_event_mutex: the mirrors of events
 * that have been removed go now.
 */
void pe_mirrors_unlock(bool locked, bool more);

/* Does anybody use the event's mirror?  With pe_mirrors_lock(), and so the next one. */
bool pe_mirror_busy(const struct pe_event *event);
/* The event is being removed, and its mirror is not busy. */
void pe_mirror_cut(struct pe_event *event);
/* Notes in error_log who uses the event's mirror. */
void pe_mirror_log_busy(const struct pe_event *event);

/**
 * pe_mirror_switch() - make the event one of the kernel's, or end that
 *
 * Takes the kernel's mutex.  The mirror keeps the module loaded.
 *
 * Return: 0; -ENODEV if the event has been removed, -EEXIST if the kernel has one of that
 * name, -EBUSY if the mirror is in use, -EOPNOTSUPP, -ENOMEM.  error_log says more.
 */
int pe_mirror_switch(struct pe_event *event, bool on);

/* kprobes/mirror: does each new event get a mirror? */
void pe_mirror_set_new(bool on);
bool pe_mirror_is_new(void);

/*
 * Give a new event one.  @locked: what pe_mirrors_lock() has said; if true, without pe_event_mutex.
 * Return: as pe_mirror_switch().
 */
int pe_mirror_begin(struct pe_event *event, bool locked);

/* The text of its file; takes the kernel's mutex.  0 or -ENODEV. */
int pe_mirror_show(struct seq_file *m, const struct pe_event *event);

/* mirror_event.c */

/* Fills all that the kernel asks of an event, but ->reg().  0 or -ENOMEM. */
int pe_mirror_describe(struct pe_mirror *mirror);
void pe_mirror_undescribe(struct pe_mirror *mirror);

#else
static inline bool pe_mirrors_lock(bool more)
{
	mutex_lock(&pe_event_mutex);
	return false;
}

static inline void pe_mirrors_unlock(bool locked, bool more)
{
}

static inline bool pe_mirror_busy(const struct pe_event *event)
{
	return false;
}

static inline void pe_mirror_cut(struct pe_event *event)
{
}

static inline void pe_mirror_log_busy(const struct pe_event *event)
{
}

static inline bool pe_mirror_is_new(void)
{
	return false;
}

static inline int pe_mirror_begin(struct pe_event *event, bool locked)
{
	return 0;
}
#endif

#endif
