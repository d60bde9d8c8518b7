// SPDX-License-Identifier: GPL-2.0
/*
 * event_probe.c - probes of events: from a spec to a probe that the engine can
 * arm.
 *
 * States of a probe:
 *   registered    the engine has it; armed while its event is enabled
 *   gone          still registered, but its module was unloaded; the engine has
 *                 marked it and will not fire it again
 *   pending       not registered; its module is not loaded, or it was refused then
 * event_module.c leads from gone and pending to registered.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/errno.h>
#include <linux/kobject.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "kernel/trace/parse/arg.h"
#include "compile.h"
#include "error_log.h"
#include "event.h"
#include "event_enable.h"
#include "kernel/trace/hit/event_hit.h"
#include "event_link.h"
#include "event_probe.h"
#include "event_set.h"
#include "kernel/trace/parse/limits.h"
#include "mirror.h"
#include "kernel/trace/parse/parse_err.h"
#include "kernel/trace/parse/spec.h"
#include "kernel/trace/parse/sym_text.h"
#include "kernel/trace/trace.h"
#include "kernel/trace/trace_probe.h"
#include "tpoint.h"
#include "variant.h"

char *pe_event_probe_place_text(const struct pe_place *place)
{
	if (!place->symbol[0])
		return kasprintf(GFP_KERNEL, "0x%lx", place->addr);
	if (!place->offset)
		return kstrdup(place->symbol, GFP_KERNEL);
	return kasprintf(GFP_KERNEL, "%s+%lu", place->symbol, place->offset);
}

/*
 * The args point into the spec's pool: make them point into the probe's, which is behind the list
 * of what is saved.
 */
static int pe_copy_args(struct pe_event_probe *probe, const struct pe_spec *spec)
{
	struct pe_program *program = &probe->program;
	unsigned int i, n = 0;

	program->args = kvcalloc(spec->nargs, sizeof(*program->args), GFP_KERNEL_ACCOUNT);
	program->saved = kvmalloc(spec->nr_saved * sizeof(*program->saved) + spec->pool_used + 1,
				  GFP_KERNEL_ACCOUNT);
	probe->symrefs = kvcalloc(spec->nargs, sizeof(*probe->symrefs),
				  GFP_KERNEL_ACCOUNT);
	if (!program->args || !program->saved || !probe->symrefs)
		return -ENOMEM;

	program->pool = (char *)(program->saved + spec->nr_saved);
	memcpy(program->pool, spec->pool, spec->pool_used);
	program->pool[spec->pool_used] = '\0';
	for (i = 0; i < spec->nargs; i++) {
		struct pe_arg *arg = &program->args[i];

		*arg = spec->args[i];
		arg->expr = program->pool + (arg->expr - spec->pool);
		if (arg->fetch.load == PE_LOAD_SYM)
			probe->symrefs[n++] = (struct pe_symref) {
				.arg = i,
				.str = arg->fetch.str,
				.addend = arg->fetch.imm,
			};
	}
	probe->nr_symrefs = n;
	static_assert(PE_MAX_SAVED * sizeof(u64) <= PE_KRETPROBE_DATA_MAX);
	pe_program_init(program, spec);
	return 0;
}

/* kmalloc() would round their size up to the next power of two. */
static struct kmem_cache *pe_probe_cache;

struct pe_event_probe *pe_event_probe_new(void)
{
	struct pe_event_probe *probe = kmem_cache_zalloc(pe_probe_cache, GFP_KERNEL_ACCOUNT);

	if (!probe)
		return NULL;
	INIT_LIST_HEAD(&probe->list);
	INIT_LIST_HEAD(&probe->all);
	INIT_LIST_HEAD(&probe->batch);
	return probe;
}

struct pe_event_probe *pe_event_probe_alloc(const struct pe_spec *spec,
					    const struct pe_place *place,
					    const struct pe_symbol *symbol)
{
	struct pe_event_probe *probe;

	probe = pe_event_probe_new();
	if (!probe)
		return ERR_PTR(-ENOMEM);
	if (place->symbol[0]) {
		probe->symbol = kstrdup(place->symbol, GFP_KERNEL);
		if (!probe->symbol)
			goto fail;
	}
	probe->place = probe->symbol && !place->offset ? probe->symbol :
		       pe_event_probe_place_text(place);
	if (!probe->place)
		goto fail;
	if (symbol->count == 1 && !symbol->in_module)
		probe->fixed = symbol->addr;
	probe->kp.offset = place->symbol[0] ? place->offset : 0;
	probe->kp.addr = place->symbol[0] ? 0 : place->addr;
	probe->maxactive = spec->maxactive;
	probe->stat = alloc_percpu(struct pe_event_stat);
	if (!probe->stat || pe_copy_args(probe, spec))
		goto fail;
	return probe;

fail:
	pe_event_probe_free(probe);
	return ERR_PTR(-ENOMEM);
}

void pe_event_probe_free(struct pe_event_probe *probe)
{
	kfree(probe->before);
	if (probe->set && !probe->is_head) {
		kfree(probe->place);	/* all else is the head's, or the same */
		kmem_cache_free(pe_probe_cache, probe);
		return;
	}
	if (probe->is_head)
		pe_event_set_free(probe->set);
	free_percpu(probe->stat);
	kvfree(probe->symrefs);
	kvfree(probe->program.saved);
	kvfree(probe->program.args);
	if (probe->place != probe->symbol)
		kfree(probe->place);
	kfree(probe->symbol);
	kmem_cache_free(pe_probe_cache, probe);
}

/*
 * The set of module kobjects is the only list of modules that other modules can
 * search.  A reference to a module's kobject keeps its struct module.
 */
bool pe_module_loaded(const char *symbol)
{
	const char *colon = strchr(symbol, ':');
	struct kobject *kobj;
	struct module *mod;
	bool loaded;
	char *name;

	if (!colon)
		return true;
	name = kstrndup(symbol, colon - symbol, GFP_KERNEL);
	if (!name)
		return true;
	kobj = kset_find_obj(THIS_MODULE->mkobj.kobj.kset, name);
	kfree(name);
	if (!kobj)
		return false;
	mod = container_of(kobj, struct module_kobject, kobj)->mod;
	loaded = mod && mod->state != MODULE_STATE_GOING;
	kobject_put(kobj);
	return loaded;
}

int pe_event_probe_resolve(struct pe_event_probe *probe)
{
	unsigned int i;

	for (i = 0; i < probe->nr_symrefs; i++) {
		const struct pe_symref *ref = &probe->symrefs[i];
		struct pe_fetch *fetch = &probe->program.args[ref->arg].fetch;
		unsigned long addr = pe_symbol_lookup(probe->program.pool + ref->str);

		if (!addr) {
			probe->kp.reason = "symbol in an argument not found";
			return -ENOENT;
		}
		if (fetch->deref[0].cpu && !pe_symbol_is_percpu(addr)) {
			probe->kp.reason = "symbol in this_cpu_...() is no per-CPU variable";
			return -EINVAL;
		}
		fetch->load = PE_LOAD_IMM;
		fetch->imm = addr + ref->addend;
	}
	return 0;
}

/* Set up @probe->kp for the engine, disabled; drop all state of an earlier registration. */
void pe_event_probe_prepare(struct pe_event_probe *probe)
{
	unsigned long addr = probe->symbol ? probe->fixed : probe->kp.addr;
	unsigned long offset = probe->kp.offset;

	static_assert(offsetof(struct pe_kretprobe, kp) == 0);
	memset(&probe->rp, 0, sizeof(probe->rp));
	probe->kp.symbol = addr ? NULL : probe->symbol;
	probe->kp.addr = addr;
	probe->kp.offset = offset;
	if (probe->event->is_return) {
		probe->kp.flags = PE_KPROBE_RETURN;
		probe->rp.entry = probe->program.nr_saved ? pe_event_entry : NULL;
		probe->rp.handler = pe_event_return;
		probe->rp.data_size = probe->program.nr_saved * sizeof(u64);
	} else {
		probe->kp.handler = pe_event_hit;
	}
	probe->kp.flags |= PE_KPROBE_DISABLED | PE_KPROBE_NESTS;
}

void pe_event_probe_prepare_armed(struct pe_event_probe *probe)
{
	pe_event_probe_prepare(probe);
	if (pe_event_armed(probe->event))
		probe->kp.flags &= ~PE_KPROBE_DISABLED;
}

/* If its tracepoint does not take it, it is registered no more. */
int pe_event_probe_start(struct pe_event_probe *probe)
{
	int ret = pe_event_armed(probe->event) ? pe_tpoint_start(probe) : 0;

	if (ret) {
		pe_unregister_kprobe(&probe->kp);
		probe->pending = true;
	}
	return ret;
}

static int pe_register_now(struct pe_event_probe *probe)
{
	int ret;

	pe_event_changed(probe->event);
	pe_event_probe_prepare_armed(probe);
	ret = pe_event_probe_resolve(probe);
	if (!ret)
		ret = pe_register_kprobe(&probe->kp);
	probe->pending = ret;
	return ret ?: pe_event_probe_start(probe);
}

int pe_event_probe_register(struct pe_event_probe *probe)
{
	int ret;

	lockdep_assert_held(&pe_event_mutex);

	if (probe->event->is_tpoint && !pe_tpoint_find(probe, NULL)) {
		pe_event_probe_prepare(probe);
		probe->pending = true;
		return 0;
	}
	ret = pe_register_now(probe);
	if (ret == -ENOENT && probe->symbol && !pe_module_loaded(probe->symbol))
		return 0;
	return ret;
}

void pe_event_probes_unregister(struct list_head *batch)
{
	struct pe_event_probe *probe;
	struct pe_kprobe **kps;
	unsigned int n = 0;

	list_for_each_entry(probe, batch, batch)
		n += !probe->pending;
	kps = n ? kvcalloc(n, sizeof(*kps), GFP_KERNEL) : NULL;
	n = 0;
	list_for_each_entry(probe, batch, batch) {
		if (probe->pending)
			continue;
		/* Without memory for the array this is slow, but never fails. */
		if (kps)
			kps[n++] = &probe->kp;
		else
			pe_unregister_kprobe(&probe->kp);
		cond_resched();
	}
	if (kps)
		pe_unregister_kprobes(kps, n);
	kvfree(kps);
	list_for_each_entry(probe, batch, batch) {
		pe_tpoint_stop(probe);
		probe->pending = true;
		cond_resched();
	}
}

/*
 * Removal in three steps.
 *
 * Unreachable: no command finds probes that are off the lists.  No user finds
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
 * Release: probes at once, links and events by call_rcu() after their last put.
 */
void pe_event_probes_remove(struct list_head *batch, struct pe_mirrors *mirrors)
{
	struct pe_event_probe *probe, *next_probe;
	struct pe_event *event, *next_event;
	LIST_HEAD(dead);

	lockdep_assert_held(&pe_event_mutex);

	list_for_each_entry(probe, batch, batch) {
		event = probe->event;
		list_del(&probe->all);
		list_del(&probe->list);
		if (list_empty(&event->probes)) {
			pe_event_unpublish(event);
			pe_mirror_cut(event, mirrors);
			list_add_tail(&event->list, &dead);
		}
		cond_resched();
	}

	pe_event_probes_unregister(batch);

	list_for_each_entry_safe(probe, next_probe, batch, batch) {
		list_del(&probe->batch);
		pe_compile_free(probe);
		cond_resched();
	}
	list_for_each_entry_safe(event, next_event, &dead, list) {
		list_del(&event->list);
		pe_event_unlink(event);
		pe_event_put(event);
		cond_resched();
	}
	pe_instances_clear_stale();
}

int pe_event_probe_init(void)
{
	pe_probe_cache = KMEM_CACHE(pe_event_probe, 0);
	return pe_probe_cache ? pe_event_modules_init() : -ENOMEM;
}

void pe_event_probe_exit(void)
{
	pe_event_modules_exit();
}

void pe_event_probe_end(void)
{
	pe_tpoints_end();
	kmem_cache_destroy(pe_probe_cache);
}

const char *pe_event_probe_place(const struct seq_file *m, const struct pe_event_probe *probe,
				 char buf[PE_PLACE_HASHED])
{
	if (probe->symbol || probe->is_head || pe_show_addresses(m))
		return probe->place;
	pe_sprint_hashed(buf, PE_PLACE_HASHED, probe->kp.addr);
	return buf;
}

static char pe_event_probe_kind_of(const struct pe_event *event)
{
	if (event->is_fprobe)
		return event->is_tpoint ? 't' : 'f';
	return event->is_return ? 'r' : 'p';
}

void pe_event_probe_show(struct seq_file *m, const struct pe_event_probe *probe)
{
	const struct pe_event *event = probe->event;
	char hashed[PE_PLACE_HASHED];
	unsigned int i;

	seq_putc(m, pe_event_probe_kind_of(event));
	if (probe->maxactive)
		seq_printf(m, "%u", probe->maxactive);
	seq_printf(m, ":%s/%s %s%s", event->group, event->name,
		   pe_event_probe_place(m, probe, hashed),
		   event->is_fprobe && event->is_return ? "%return" : "");
	for (i = 0; i < event->nargs; i++)
		seq_printf(m, " %s=%s", event->args[i].name, probe->program.args[i].expr);
	seq_putc(m, '\n');
}

/* Pending for want of its module, and not because it was refused? */
static bool pe_is_waiting(const struct pe_event_probe *probe)
{
	return probe->event->is_tpoint ? !probe->tpoint : !pe_module_loaded(probe->symbol);
}

/**
 * pe_event_probes_show_waiting() - lines of kprobes/list for pending probes
 * @m: the file
 *
 * WAITING: the module is not loaded.  REFUSED: it is, but the engine did not
 * take the probe.  Context: process, sleeps.
 */
void pe_event_probes_show_waiting(struct seq_file *m)
{
	struct pe_event_probe *probe;
	struct pe_event *event;

	mutex_lock(&pe_event_mutex);
	pe_for_each_probe(event, probe) {
		if (probe->pending && probe->symbol)
			pe_kprobe_show_unregistered(m, &probe->kp, probe->symbol,
						    pe_is_waiting(probe) ? "WAITING" : "REFUSED");
		cond_resched();
	}
	mutex_unlock(&pe_event_mutex);
}

/* Notes in error_log the probes that kprobes/enabled could not arm. */
void pe_event_probes_log_refusals(void)
{
	struct pe_event_probe *probe;
	struct pe_event *event;

	mutex_lock(&pe_event_mutex);
	pe_for_each_probe(event, probe) {
		if (!probe->pending && probe->kp.reason)
			pe_event_probe_log_refusal(probe);
		cond_resched();
	}
	mutex_unlock(&pe_event_mutex);
}

/**
 * pe_event_probe_log_refusal() - note in error_log that a probe can't be armed
 * @probe: probe for which the engine has given a reason
 *
 * Context: process, sleeps.
 */
void pe_event_probe_log_refusal(const struct pe_event_probe *probe)
{
	struct pe_parse_err err = { .code = PE_ERR_FAIL_REG_PROBE, .detail = probe->kp.reason };
	bool is_address = !probe->symbol && !probe->is_head;
	const struct pe_event *event = probe->event;
	const char *subsystem = event->is_fprobe ? "trace_fprobe" : "trace_kprobe";
	const char *place = is_address ? "" : probe->place;
	char *text = kasprintf(GFP_KERNEL, "%c:%s/%s %s", pe_event_probe_kind_of(event),
			       event->group, event->name, place);
	char hashed[PE_PLACE_HASHED];

	if (!text)
		return;		/* the writer has the errno */
	err.pos = strlen(text) - strlen(place);
	pe_sprint_hashed(hashed, sizeof(hashed), probe->kp.addr);
	if (is_address)
		pe_error_log_address(subsystem, text, probe->place, hashed, &err);
	else
		pe_error_log(subsystem, text, &err);
	kfree(text);
}

/**
 * pe_event_probe_stat() - sum of a probe's counters over all CPUs
 * @probe: the probe
 * @sum: filled
 *
 * Exact if no hit is in progress.  Otherwise each counter, by itself, is
 * between its values before and after the call.
 */
void pe_event_probe_stat(const struct pe_event_probe *probe, struct pe_event_stat *sum)
{
	unsigned int cpu, i;

	memset(sum, 0, sizeof(*sum));
	for_each_possible_cpu(cpu) {
		const struct pe_event_stat *stat = per_cpu_ptr(probe->stat, cpu);

		unsigned long both = READ_ONCE(stat->both);

		sum->hits += READ_ONCE(stat->hits) + both;
		sum->extra += READ_ONCE(stat->extra);
		sum->records += READ_ONCE(stat->records) + both;
		sum->mirrored += READ_ONCE(stat->mirrored);
		for (i = 0; i < PE_NR_LOSSES; i++)
			sum->lost[i] += READ_ONCE(stat->lost[i]);
	}
}

/**
 * pe_event_probe_engine_stat() - the engine's counters of a probe
 * @probe: the probe; all of its registrations count
 * @sum: filled
 *
 * As exact as pe_event_probe_stat().
 */
void pe_event_probe_engine_stat(const struct pe_event_probe *probe,
				struct pe_engine_stat *sum)
{
	struct pe_kretprobe_stat stat;

	*sum = probe->before ? *probe->before : (struct pe_engine_stat){};
	if (probe->is_head)
		pe_event_set_engine_stat(probe->set, sum);
	if (probe->pending)
		return;
	sum->missed += pe_kprobe_missed(&probe->kp);
	if (!probe->event->is_return)
		return;
	pe_kretprobe_stat(&probe->rp, &stat);
	sum->calls += stat.entries;
	sum->returns += stat.returns;
	sum->no_stack += stat.no_stack;
	sum->dropped += stat.dropped;
}
