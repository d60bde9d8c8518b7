/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * event_probe.h - a probe of an event: its place, the engine, its module.
 *
 * Callers hold pe_event_mutex unless said otherwise.
 */
#ifndef PE_EVENT_PROBE_H
#define PE_EVENT_PROBE_H

#include <linux/types.h>
#include "event_source.h"

struct list_head;
struct module;
struct pe_engine_stat;
struct pe_event;
struct pe_event_probe;
struct pe_module_watch;
struct pe_source;
struct seq_file;

/* event_probe.c */

/*
 * Steps of registering: find the symbols of the arguments; make a probe ready for the engine.
 * If the first fails, @reason says more.
 */
int pe_source_resolve(struct pe_source *source, const char **reason);
void pe_event_probe_prepare(struct pe_event_probe *probe);
void pe_event_probe_prepare_armed(struct pe_event_probe *probe);	/* if its event is */

/* The engine has it: if its event is armed, so must its tracepoint be. */
int pe_event_probe_start(struct pe_event_probe *probe);

/**
 * pe_event_probe_register() - resolve a probe's symbols, hand it to the engine
 * @probe: the probe
 *
 * Its source has its event.  The probe is armed at once if the event is
 * enabled.  A probe of a module that is not loaded becomes pending: success.
 *
 * Return: 0 or -errno; then probe->kp.reason may say more.
 */
int pe_event_probe_register(struct pe_event_probe *probe);

/* Unregister a batch in one call of the engine: one grace period instead of n. */
void pe_event_probes_unregister(struct list_head *batch);


/**
 * pe_module_loaded() - is the MOD of "MOD:SYM" loaded?
 * @symbol: "MOD:SYM"
 *
 * Also true for a symbol without MOD.  May be called without the mutex.
 */
bool pe_module_loaded(const char *symbol);

/* The place that no loaded module has, so that it is waited for; NULL: there is none. */
const char *pe_source_awaits(const struct pe_source *source);

/* As pe_source_place(), of one probe. */
const char *pe_event_probe_place(const struct seq_file *m, const struct pe_event_probe *probe,
				 char buf[PE_PLACE_HASHED]);
void pe_event_probe_log_refusal(const struct pe_event_probe *probe);
void pe_event_probes_log_refusals(void);
void pe_event_probes_show_waiting(struct seq_file *m);
void pe_event_probe_engine_stat(const struct pe_event_probe *probe,
				struct pe_engine_stat *sum);

/**
 * struct pe_event_memory - memory that events take, in bytes as they are allocated
 * @events: with names and layouts, and links to instances
 * @probes: with places and programs; not what the engine has of them
 * @counters: of the probes, on each possible CPU
 */
struct pe_event_memory {
	size_t events, probes, counters;
};

/* event_module.c */
bool pe_event_in(const struct pe_event *event, const struct module *mod);	/* is a probe? */
extern const struct pe_module_watch pe_event_module_watch;	/* for the engine */
/*
 * @goes is told, with pe_event_mutex, that a module goes.  NULL: nothing is told, and no call is in
 * progress any more.
 */
void pe_event_modules_tell(void (*goes)(const struct module *mod));

/* event_memory.c; takes pe_event_mutex. */
void pe_event_probes_memory(struct pe_event_memory *memory);

int pe_event_probe_init(void);			/* what modules do is told; memory for probes */
void pe_event_probe_exit(void);			/* no more of that */
void pe_event_probe_end(void);			/* no probe is left */

#endif
