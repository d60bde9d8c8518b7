/* SPDX-License-Identifier: GPL-2.0 */
/*
 * event_probe.h - a probe of an event: its place, the engine, its module.
 *
 * Callers hold pe_event_mutex unless said otherwise.
 */
#ifndef PE_EVENT_PROBE_H
#define PE_EVENT_PROBE_H

#include <linux/types.h>

struct list_head;
struct pe_engine_stat;
struct pe_event_probe;
struct pe_event_stat;
struct pe_mirrors;
struct pe_place;
struct pe_spec;
struct pe_symbol;
struct seq_file;

/* An argument's symbol, looked up anew each time the probe is registered. */
struct pe_symref {
	u8 arg;
	u16 str;			/* in the pool */
	u64 addend;
};

/* event_probe.c */

/**
 * pe_event_probe_alloc() - a probe from a parsed command
 * @spec: the command
 * @place: one of its places
 * @symbol: what the place's symbol is, if it has one
 *
 * Return: the probe, without event, not registered; ERR_PTR(-ENOMEM).
 */
struct pe_event_probe *pe_event_probe_alloc(const struct pe_spec *spec,
					    const struct pe_place *place,
					    const struct pe_symbol *symbol);

/* A probe of which nothing is known yet; NULL: no memory. */
struct pe_event_probe *pe_event_probe_new(void);

/* "[MOD:]SYM[+OFFS]" or "0xADDR", to be freed; NULL: no memory. */
char *pe_event_probe_place_text(const struct pe_place *place);

/*
 * Steps of registering: find the symbols of its arguments; make it ready for the engine.
 */
int pe_event_probe_resolve(struct pe_event_probe *probe);
void pe_event_probe_prepare(struct pe_event_probe *probe);
void pe_event_probe_prepare_armed(struct pe_event_probe *probe);	/* if its event is */

/* The engine has it: if its event is armed, so must its tracepoint be. */
int pe_event_probe_start(struct pe_event_probe *probe);

/* Only for a probe that is not registered. */
void pe_event_probe_free(struct pe_event_probe *probe);

/**
 * pe_event_probe_register() - resolve a probe's symbols, hand it to the engine
 *
 * The caller has set probe->event.  The probe is armed at once if the event is
 * enabled.  A probe of a module that is not loaded becomes pending: success.
 *
 * Return: 0 or -errno; then probe->kp.reason may say more.
 */
int pe_event_probe_register(struct pe_event_probe *probe);

/* Unregister a batch in one call of the engine: one grace period instead of n. */
void pe_event_probes_unregister(struct list_head *batch);

/**
 * pe_event_probes_remove() - unregister, wait, and free
 * @batch: of pe_event_probe.batch
 * @mirrors: gets those of events left without a probe
 *
 * One grace period for all.  Events left without a probe go, too.
 */
void pe_event_probes_remove(struct list_head *batch, struct pe_mirrors *mirrors);

/**
 * pe_module_loaded() - is the MOD of "MOD:SYM" loaded?
 *
 * Also true for a symbol without MOD.  May be called without the mutex.
 */
bool pe_module_loaded(const char *symbol);

/* The probe's place for @m's reader.  An address that the reader may not see is hashed, in @buf. */
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
int pe_event_modules_init(void);
void pe_event_modules_exit(void);		/* no notification will come */

/* event_memory.c; takes pe_event_mutex. */
void pe_event_probes_memory(struct pe_event_memory *memory);

int pe_event_probe_init(void);			/* the module notifiers; memory for probes */
void pe_event_probe_exit(void);			/* no notification will come */
void pe_event_probe_end(void);			/* no probe is left */

#endif
