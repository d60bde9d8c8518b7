/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * event_source.h - sources: what commands have defined, each with the probes that it needs.
 *
 * Callers hold pe_event_mutex unless said otherwise.
 */
#ifndef PE_EVENT_SOURCE_H
#define PE_EVENT_SOURCE_H

#include <linux/types.h>

struct list_head;
struct pe_engine_stat;
struct pe_event;
struct pe_event_probe;
struct pe_event_stat;
struct pe_kretprobe;
struct pe_mirrors;
struct pe_place;
struct pe_placed;
struct pe_program;
struct pe_source;
struct pe_symbol;
struct seq_file;

/* An argument's symbol, looked up anew each time a probe is registered. */
struct pe_symref {
	u8 arg;
	u16 str;			/* in the pool */
	u64 addend;
};

/* event_source.c */

/* Stored after the arguments; there are @source->nr_symrefs. */
struct pe_symref *pe_source_symrefs(const struct pe_source *source);

/**
 * pe_source_alloc() - a source from a parsed command
 * @placed: the command at one of its places
 * @symbol: what the place's symbol is, if it has one
 *
 * Has its one probe, which is not registered; but if the place names functions, none yet.
 *
 * Return: the source, without event; ERR_PTR(-ENOMEM).
 */
struct pe_source *pe_source_alloc(const struct pe_placed *placed, const struct pe_symbol *symbol);

/* With its probes, of which none is registered. */
void pe_source_free(struct pe_source *source);

/*
 * Its probe is that of one place.  kp.addr is @symbol's address until the probe is prepared.
 * -ENOMEM, and then it has to be freed.
 */
int pe_source_set_one(struct pe_source *source, const struct pe_place *place,
		      const struct pe_symbol *symbol);
/* One more of several.  @symbol becomes the probe's; NULL: no memory. */
struct pe_event_probe *pe_source_add(struct pe_source *source, char *symbol);
/* The probe, which is not registered, is none of its source any more: it is freed. */
void pe_source_drop(struct pe_event_probe *probe);

/* Set what files show, once its probes are known.  -ENOMEM. */
int pe_source_set_place(struct pe_source *source, const struct pe_place *place);

/* Commands and files see it, and its probes are its event's. */
void pe_source_attach(struct pe_source *source);

/* The next source of an event, or of all if @event is NULL.  @source NULL: the first. */
struct pe_source *pe_source_next(const struct pe_event *event, const struct pe_source *source);

/* The event's probe that a return probe is in, NULL: it is not this event's. */
const struct pe_event_probe *pe_event_return_of(const struct pe_event *event,
						const struct pe_kretprobe *rp);

/* Add its probes to a batch, by pe_event_probe.batch, unless they are in it; take all off one. */
void pe_source_batch(struct pe_source *source, struct list_head *batch);
void pe_sources_unbatch(struct list_head *batch);
void pe_source_unregister(struct pe_source *source);

/**
 * pe_sources_remove() - unregister, wait, and free
 * @batch: of pe_event_probe.batch: all probes of each source
 * @mirrors: gets those of events left without a probe
 *
 * One grace period for all.  Events left without a probe go, too.
 */
void pe_sources_remove(struct list_head *batch, struct pe_mirrors *mirrors);

/* The place for @m's reader.  An address that the reader may not see is hashed, in @buf. */
#define PE_PLACE_HASHED	24
const char *pe_source_place(const struct seq_file *m, const struct pe_source *source,
			    char buf[PE_PLACE_HASHED]);
char pe_event_kind(const struct pe_event *event);	/* the letter of its commands */
void pe_source_show(struct seq_file *m, const struct pe_source *source);
void pe_sources_show_refused(struct seq_file *m);	/* takes the mutex */
void pe_source_stat(const struct pe_source *source, struct pe_event_stat *sum);
void pe_source_engine_stat(const struct pe_source *source, struct pe_engine_stat *sum);

int pe_sources_init(void);			/* memory for sources and probes */
void pe_sources_exit(void);			/* none is left */

#endif
