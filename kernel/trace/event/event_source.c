// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * event_source.c - sources: what commands have defined, each with the probes that it needs.
 *
 * A source is made of a command.  Then it gets its probes: its own, or one for each function that
 * the command names (event_set.c).  The engine gets these (event_probe.c).  Only then does the
 * source join its event.
 */
#include <linux/err.h>
#include <linux/hash.h>
#include <linux/list.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <pe/listing.h>
#include <pe/symbols.h>
#include "compile.h"
#include "event.h"
#include "event_link.h"
#include "event_probe.h"
#include "event_source.h"
#include "kernel/trace/hit/event_hit.h"
#include "kernel/trace/parse/arg.h"
#include "kernel/trace/parse/limits.h"
#include "kernel/trace/parse/spec.h"
#include "kernel/trace/parse/sym_text.h"
#include "kernel/trace/trace.h"
#include "kernel/trace/trace_probe.h"
#include "mirror.h"

static char *pe_place_text(const struct pe_place *place)
{
	if (!place->symbol[0])
		return kasprintf(GFP_KERNEL, "0x%lx", place->addr);
	if (!place->offset)
		return kstrdup(place->symbol, GFP_KERNEL);
	return kasprintf(GFP_KERNEL, "%s+%lu", place->symbol, place->offset);
}

struct pe_symref *pe_source_symrefs(const struct pe_source *source)
{
	return (struct pe_symref *)(source->one.program.args + source->one.event->nargs);
}

/*
 * The args point into the command's pool: make them point into the source's, which is after the
 * list of what is saved.
 */
static int pe_copy_args(struct pe_source *source, const struct pe_placed *placed)
{
	struct pe_program *program = &source->one.program;
	struct pe_symref *symrefs;
	unsigned int i, n = 0;

	program->args = kvcalloc(placed->nargs, sizeof(*program->args) + sizeof(struct pe_symref),
				 GFP_KERNEL_ACCOUNT);
	program->saved = kvmalloc(placed->nr_saved * sizeof(*program->saved) + placed->pool_used,
				  GFP_KERNEL_ACCOUNT);
	if (!program->args || !program->saved)
		return -ENOMEM;

	symrefs = (struct pe_symref *)(program->args + placed->nargs);
	program->pool = (char *)(program->saved + placed->nr_saved);
	memcpy(program->pool, placed->pool, placed->pool_used);
	for (i = 0; i < placed->nargs; i++) {
		struct pe_arg *arg = &program->args[i];

		*arg = placed->args[i];
		arg->expr = program->pool + (arg->expr - placed->pool);
		if (arg->fetch.load == PE_LOAD_SYM)
			symrefs[n++] = (struct pe_symref) {
				.arg = i,
				.str = arg->fetch.str,
				.addend = arg->fetch.imm,
			};
	}
	source->nr_symrefs = n;
	BUILD_BUG_ON(PE_MAX_SAVED * sizeof(u64) > PE_KRETPROBE_DATA_MAX);
	pe_program_init(program, placed);
	return 0;
}

/* kmalloc() would round their size up to the next power of two. */
static struct kmem_cache *pe_source_cache;
static struct kmem_cache *pe_probe_cache;

static void pe_probe_begin(struct pe_event_probe *probe, struct pe_source *source)
{
	INIT_LIST_HEAD(&probe->list);
	INIT_LIST_HEAD(&probe->batch);
	probe->source = source;
	probe->pending = true;
	list_add_tail(&probe->mine, &source->probes);
}

struct pe_event_probe *pe_source_add(struct pe_source *source, char *symbol)
{
	struct pe_event_probe *probe = kmem_cache_zalloc(pe_probe_cache, GFP_KERNEL_ACCOUNT);

	if (!probe)
		return NULL;
	probe->symbol = symbol;
	pe_probe_begin(probe, source);
	return probe;
}

void pe_source_drop(struct pe_event_probe *probe)
{
	list_del(&probe->mine);
	kfree(probe->before);
	kfree(probe->symbol);
	if (probe != &probe->source->one)
		kmem_cache_free(pe_probe_cache, probe);
}

int pe_source_set_one(struct pe_source *source, const struct pe_place *place,
		      const struct pe_symbol *symbol)
{
	struct pe_event_probe *probe = &source->one;

	source->several = false;
	pe_probe_begin(probe, source);
	if (place->symbol[0]) {
		probe->symbol = kstrdup(place->symbol, GFP_KERNEL);
		if (!probe->symbol)
			return -ENOMEM;
	}
	if (symbol->count == 1 && !symbol->in_module)
		probe->fixed = symbol->addr;
	probe->kp.offset = place->symbol[0] ? place->offset : 0;
	probe->kp.addr = place->symbol[0] ? symbol->addr : place->addr;
	return 0;
}

int pe_source_set_place(struct pe_source *source, const struct pe_place *place)
{
	if (source->place != source->one.symbol)
		kfree(source->place);
	source->place = source->one.symbol && !place->offset ? source->one.symbol :
			pe_place_text(place);
	return source->place ? 0 : -ENOMEM;
}

struct pe_source *pe_source_alloc(const struct pe_placed *placed, const struct pe_symbol *symbol)
{
	const struct pe_spec *spec = placed->spec;
	struct pe_source *source = kmem_cache_zalloc(pe_source_cache, GFP_KERNEL_ACCOUNT);
	int ret = 0;

	if (!source)
		return ERR_PTR(-ENOMEM);
	INIT_LIST_HEAD(&source->probes);
	INIT_LIST_HEAD(&source->refused);
	source->several = spec->fprobe && !spec->tpoint;
	source->maxactive = spec->maxactive;
	source->one.stat = alloc_percpu(struct pe_event_stat);
	/* Sources that are hit together are not timed together: each delays the next one. */
	source->one.phase = hash_long((unsigned long)source->one.stat, 8);
	if (!source->several)
		ret = pe_source_set_one(source, &placed->place, symbol);
	if (!ret)
		ret = pe_source_set_place(source, &placed->place);
	if (!ret)
		ret = pe_copy_args(source, placed);
	if (!ret && source->one.stat)
		return source;
	pe_source_free(source);
	return ERR_PTR(-ENOMEM);
}

void pe_source_free(struct pe_source *source)
{
	struct pe_event_probe *probe, *next_probe;
	struct pe_refused *refused, *next;

	if (source->place != source->one.symbol)
		kfree(source->place);
	list_for_each_entry_safe(probe, next_probe, &source->probes, mine)
		pe_source_drop(probe);
	list_for_each_entry_safe(refused, next, &source->refused, list)
		kfree(refused);
	free_percpu(source->one.stat);
	kvfree(source->one.program.saved);
	kvfree(source->one.program.args);
	kmem_cache_free(pe_source_cache, source);
}

void pe_source_attach(struct pe_source *source)
{
	struct pe_event *event = source->one.event;
	struct pe_event_probe *probe;

	source->one.program.type = event->id;
	list_add_tail(&source->all, &pe_sources);
	list_for_each_entry(probe, &source->probes, mine) {
		probe->program.type = event->id;
		list_add_tail(&probe->list, &event->probes);
	}
}

/* The probes of a source are together in its event's list. */
struct pe_source *pe_source_next(const struct pe_event *event, const struct pe_source *source)
{
	const struct list_head *head = event ? &event->probes : &pe_sources, *next = head->next;

	if (source && event)
		next = list_last_entry(&source->probes, struct pe_event_probe, mine)->list.next;
	else if (source)
		next = source->all.next;
	if (next == head)
		return NULL;
	return event ? list_entry(next, struct pe_event_probe, list)->source :
		       list_entry(next, struct pe_source, all);
}

const struct pe_event_probe *pe_event_return_of(const struct pe_event *event,
						const struct pe_kretprobe *rp)
{
	const struct pe_event_probe *probe = container_of(rp, struct pe_event_probe, rp);

	return rp->handler == pe_event_return && probe->event == event ? probe : NULL;
}

void pe_source_batch(struct pe_source *source, struct list_head *batch)
{
	struct pe_event_probe *probe;

	list_for_each_entry(probe, &source->probes, mine)
		if (list_empty(&probe->batch))
			list_add_tail(&probe->batch, batch);
}

void pe_sources_unbatch(struct list_head *batch)
{
	struct pe_event_probe *probe, *next;

	list_for_each_entry_safe(probe, next, batch, batch) {
		list_del_init(&probe->batch);
		cond_resched();
	}
}

void pe_source_unregister(struct pe_source *source)
{
	LIST_HEAD(batch);

	pe_source_batch(source, &batch);
	pe_event_probes_unregister(&batch);
	pe_sources_unbatch(&batch);
}

/*
 * Removal in three steps.
 *
 * Unreachable: no command finds sources that are off the list.  No user finds
 * an event without probes after it is unpublished.
 *
 * Wait: pe_unregister_kprobes() returns when no CPU is inside a handler.  Until
 * then a hit in any context, NMI included, may still use a probe, its event and
 * its links.  The engine's wait covers hits, because handlers run with
 * preemption off.  Two others use an event for longer, and are safe:
 *   printers	are inside rcu_read_lock(); call_rcu() frees the event
 *   open files	hold a reference
 * Pages of the ring buffer know only the event's id.
 *
 * Release: sources at once, links and events by call_rcu() after their last put.
 */
void pe_sources_remove(struct list_head *batch, struct pe_mirrors *mirrors)
{
	struct pe_source *source, *next_source;
	struct pe_event *event, *next_event;
	struct pe_event_probe *probe;
	LIST_HEAD(sources);
	LIST_HEAD(dead);

	lockdep_assert_held(&pe_event_mutex);

	list_for_each_entry(probe, batch, batch) {
		event = probe->event;
		source = probe->source;
		if (list_is_first(&probe->mine, &source->probes))
			list_move_tail(&source->all, &sources);
		list_del(&probe->list);
		if (list_empty(&event->probes)) {
			pe_event_unpublish(event);
			pe_mirror_cut(event, mirrors);
			list_add_tail(&event->list, &dead);
		}
		cond_resched();
	}

	pe_event_probes_unregister(batch);

	list_for_each_entry_safe(source, next_source, &sources, all) {
		list_del(&source->all);
		pe_compile_free(source);
		cond_resched();
	}
	list_for_each_entry_safe(event, next_event, &dead, list) {
		list_del(&event->list);
		pe_event_unlink(event);
		pe_compile_free_limit(event);
		pe_event_put(event);
		cond_resched();
	}
	pe_instances_clear_stale();
}

/* ---- what files show ---- */

const char *pe_source_place(const struct seq_file *m, const struct pe_source *source,
			    char buf[PE_PLACE_HASHED])
{
	if (!pe_source_is_address(source) || pe_show_addresses(m))
		return source->place;
	pe_sprint_hashed(buf, PE_PLACE_HASHED, source->one.kp.addr);
	return buf;
}

char pe_event_kind(const struct pe_event *event)
{
	if (event->is_fprobe)
		return event->is_tpoint ? 't' : 'f';
	return event->is_return ? 'r' : 'p';
}

void pe_source_show(struct seq_file *m, const struct pe_source *source)
{
	const struct pe_event *event = source->one.event;
	char hashed[PE_PLACE_HASHED];
	unsigned int i;

	seq_putc(m, pe_event_kind(event));
	if (source->maxactive)
		seq_printf(m, "%u", source->maxactive);
	seq_printf(m, ":%s/%s %s%s", event->group, event->name, pe_source_place(m, source, hashed),
		   event->is_fprobe && event->is_return ? "%return" : "");
	for (i = 0; i < event->nargs; i++)
		seq_printf(m, " %s=%s", event->args[i].name, source->one.program.args[i].expr);
	if (event->text)
		seq_printf(m, " %s \"%s\"", event->text_is_line ? "line" : "print", event->text);
	seq_putc(m, '\n');
}

void pe_sources_show_refused(struct seq_file *m)
{
	const struct pe_refused *refused;
	const struct pe_source *source;

	mutex_lock(&pe_event_mutex);
	list_for_each_entry(source, &pe_sources, all) {
		list_for_each_entry(refused, &source->refused, list)
			seq_printf(m, "%s/%s %s %s\n", source->one.event->group,
				   source->one.event->name, refused->name,
				   refused->reason ?: "no memory");
	}
	mutex_unlock(&pe_event_mutex);
}

/**
 * pe_source_stat() - sum of a source's counters over all CPUs
 * @source: the source
 * @sum: filled
 *
 * Exact if no hit is in progress.  Otherwise each counter, by itself, is
 * between its values before and after the call.
 */
void pe_source_stat(const struct pe_source *source, struct pe_event_stat *sum)
{
	unsigned int cpu, i;

	memset(sum, 0, sizeof(*sum));
	for_each_possible_cpu(cpu) {
		const struct pe_event_stat *stat = per_cpu_ptr(source->one.stat, cpu);

		unsigned long both = READ_ONCE(stat->both);

		sum->hits += READ_ONCE(stat->hits) + both;
		sum->extra += READ_ONCE(stat->extra);
		sum->records += READ_ONCE(stat->records) + both;
		sum->mirrored += READ_ONCE(stat->mirrored);
		sum->counted += READ_ONCE(stat->counted);
		for (i = 0; i < PE_NR_LOSSES; i++)
			sum->lost[i] += READ_ONCE(stat->lost[i]);
	}
}

/**
 * pe_source_engine_stat() - sum of the engine's counters of a source's probes
 * @source: the source
 * @sum: filled
 *
 * As exact as pe_source_stat().
 */
void pe_source_engine_stat(const struct pe_source *source, struct pe_engine_stat *sum)
{
	const struct pe_event_probe *probe;
	struct pe_engine_stat one;

	*sum = (struct pe_engine_stat){};
	list_for_each_entry(probe, &source->probes, mine) {
		pe_event_probe_engine_stat(probe, &one);
		sum->missed += one.missed;
		sum->calls += one.calls;
		sum->returns += one.returns;
		sum->no_stack += one.no_stack;
		sum->dropped += one.dropped;
		cond_resched();
	}
}

int pe_sources_init(void)
{
	pe_source_cache = KMEM_CACHE(pe_source, 0);
	pe_probe_cache = KMEM_CACHE(pe_event_probe, 0);
	return pe_source_cache && pe_probe_cache ? 0 : -ENOMEM;
}

void pe_sources_exit(void)
{
	kmem_cache_destroy(pe_source_cache);
	kmem_cache_destroy(pe_probe_cache);
}
