/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * compile.h - events with compiled hits (compile.c).
 */
#ifndef PE_EVENT_COMPILE_H
#define PE_EVENT_COMPILE_H

#include <linux/types.h>
#ifdef PE_NO_CODE
#include <linux/errno.h>
#include <linux/seq_file.h>
#include "event_source.h"
#include "instance.h"
#endif

struct pe_event;
struct pe_event_probe;
struct pe_instance;
struct pe_source;
struct seq_file;

#ifdef PE_NO_CODE
static inline int pe_compile_init(void) { return 0; }
static inline void pe_compile_exit(void) { }
static inline void pe_compile_changed(struct pe_event *event) { }
static inline void pe_compile_free(struct pe_source *source) { pe_source_free(source); }
static inline void pe_compile_free_limit(struct pe_event *event) { }
static inline void pe_compile_free_instance(struct pe_instance *inst) { pe_instance_free(inst); }
static inline int pe_compile_switch(bool on) { return on ? -EOPNOTSUPP : 0; }
static inline bool pe_compile_is_on(void) { return false; }
static inline bool pe_compile_is_live(const struct pe_event_probe *probe) { return false; }

static inline int pe_compile_show(struct seq_file *m)
{
	seq_puts(m, "# hits cannot be compiled on this architecture\n");
	return 0;
}
#else
int pe_compile_init(void);
void pe_compile_exit(void);	/* no probe is left, and none comes; instances may be */

/*
 * The work of the event's hits has changed: hits that begin after the return are not compiled,
 * until they have been compiled anew, soon.  pe_event_mutex held.
 */
void pe_compile_changed(struct pe_event *event);

/*
 * Frees a source that is in no list and has no registered probes, as soon as no compiled hit counts
 * in it.  Process context.
 */
void pe_compile_free(struct pe_source *source);

/*
 * The limit of an event that is unlinked is freed with the event, or, if compiled hits may look at
 * it, when they do not any more.  pe_event_mutex held.
 */
void pe_compile_free_limit(struct pe_event *event);

/*
 * Frees an instance that has no events enabled any more, when no compiled hit looks at it.  Waits
 * for that, unless this task is killed.  Process context, without pe_event_mutex.
 */
void pe_compile_free_instance(struct pe_instance *inst);

/*
 * kprobes/compile and kprobes/compiled.  Process context, without pe_event_mutex.  0, or -EINTR:
 * killed.
 */
int pe_compile_switch(bool on);
bool pe_compile_is_on(void);
int pe_compile_show(struct seq_file *m);

/* Is there code for its hits?  With pe_event_mutex. */
bool pe_compile_is_live(const struct pe_event_probe *probe);
#endif

#endif
