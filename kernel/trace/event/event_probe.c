// SPDX-License-Identifier: GPL-2.0
/*
 * event_probe.c - probes of events: from a spec to a probe that the engine can
 * arm, while its module comes and goes.
 *
 * States of a probe:
 *   registered    the engine has it; armed while its event is enabled
 *   gone          still registered, but its module was unloaded; the engine has
 *                 marked it and will not fire it again
 *   pending       not registered; its module is not loaded
 * "MOD:SYM" goes from gone or pending to registered when MOD is loaded.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/errno.h>
#include <linux/kobject.h>
#include <linux/limits.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/notifier.h>
#include <linux/percpu.h>
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
#include "variant.h"

char *pe_event_probe_place_text(const struct pe_spec *spec)
{
	if (!spec->symbol[0])
		return kasprintf(GFP_KERNEL, "0x%lx", spec->addr);
	if (!spec->offset)
		return kstrdup(spec->symbol, GFP_KERNEL);
	return kasprintf(GFP_KERNEL, "%s+%lu", spec->symbol, spec->offset);
}

/*
 * The args point into the spec's pool: make them point into the probe's, which is behind the list
 * of what is saved.
 */
static int copy_args(struct pe_event_probe *probe, const struct pe_spec *spec)
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
static struct kmem_cache *probe_cache;

struct pe_event_probe *pe_event_probe_new(void)
{
	struct pe_event_probe *probe = kmem_cache_zalloc(probe_cache, GFP_KERNEL_ACCOUNT);

	if (!probe)
		return NULL;
	INIT_LIST_HEAD(&probe->list);
	INIT_LIST_HEAD(&probe->all);
	INIT_LIST_HEAD(&probe->batch);
	return probe;
}

struct pe_event_probe *pe_event_probe_alloc(const struct pe_spec *spec,
					    const struct pe_symbol *symbol)
{
	struct pe_event_probe *probe;

	probe = pe_event_probe_new();
	if (!probe)
		return ERR_PTR(-ENOMEM);
	if (spec->symbol[0]) {
		probe->symbol = kstrdup(spec->symbol, GFP_KERNEL);
		if (!probe->symbol)
			goto fail;
	}
	probe->place = probe->symbol && !spec->offset ? probe->symbol :
		       pe_event_probe_place_text(spec);
	if (!probe->place)
		goto fail;
	if (symbol->count == 1 && !symbol->in_module)
		probe->fixed = symbol->addr;
	probe->kp.offset = spec->symbol[0] ? spec->offset : 0;
	probe->kp.addr = spec->symbol[0] ? 0 : spec->addr;
	probe->maxactive = spec->maxactive;
	probe->stat = alloc_percpu(struct pe_event_stat);
	if (!probe->stat || copy_args(probe, spec))
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
		kmem_cache_free(probe_cache, probe);
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
	kmem_cache_free(probe_cache, probe);
}

static bool symbol_in_module(const char *symbol, const struct module *mod)
{
	size_t len = strlen(mod->name);

	return !strncmp(symbol, mod->name, len) && symbol[len] == ':';
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
	probe->kp.flags |= PE_KPROBE_DISABLED;
}

static void prepare_kp(struct pe_event_probe *probe)
{
	pe_event_probe_prepare(probe);
	pe_event_changed(probe->event);
	if (pe_event_armed(probe->event))
		probe->kp.flags &= ~PE_KPROBE_DISABLED;
}

static int register_now(struct pe_event_probe *probe)
{
	int ret;

	prepare_kp(probe);
	ret = pe_event_probe_resolve(probe);
	if (!ret)
		ret = pe_register_kprobe(&probe->kp);
	probe->pending = ret;
	return ret;
}

int pe_event_probe_register(struct pe_event_probe *probe)
{
	int ret;

	lockdep_assert_held(&pe_event_mutex);

	ret = register_now(probe);
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
	if (!n)
		return;

	kps = kvcalloc(n, sizeof(*kps), GFP_KERNEL);
	n = 0;
	list_for_each_entry(probe, batch, batch) {
		if (probe->pending)
			continue;
		/* Without memory for the array this is slow, but never fails. */
		if (kps)
			kps[n++] = &probe->kp;
		else
			pe_unregister_kprobe(&probe->kp);
	}
	if (kps)
		pe_unregister_kprobes(kps, n);
	kvfree(kps);
	list_for_each_entry(probe, batch, batch)
		probe->pending = true;
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
 * Release: probes at once, links by kfree_rcu(), events by their last put.
 */
void pe_event_probes_remove(struct list_head *batch)
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
			pe_mirror_cut(event);
			list_add_tail(&event->list, &dead);
		}
	}

	pe_event_probes_unregister(batch);

	list_for_each_entry_safe(probe, next_probe, batch, batch) {
		list_del(&probe->batch);
		pe_compile_free(probe);
	}
	list_for_each_entry_safe(event, next_event, &dead, list) {
		list_del(&event->list);
		pe_event_unlink(event);
		pe_event_put(event);
	}
	pe_instances_clear_stale();
}

/*
 * Register all probes in one call.  If the engine refuses one of them, register each alone:
 * a probe that can't be placed must not keep the others from firing.
 */
static void register_batch(struct list_head *batch)
{
	struct pe_event_probe *probe;
	struct pe_kprobe **kps = NULL;
	unsigned int n = 0;
	int ret = -EAGAIN;

	list_for_each_entry(probe, batch, batch)
		n++;
	if (n > 1)
		kps = kvcalloc(n, sizeof(*kps), GFP_KERNEL);
	if (kps) {
		n = 0;
		list_for_each_entry(probe, batch, batch) {
			prepare_kp(probe);
			if (pe_event_probe_resolve(probe))
				goto one_by_one;
			kps[n++] = &probe->kp;
		}
		ret = pe_register_kprobes(kps, n);
	}

one_by_one:
	list_for_each_entry(probe, batch, batch) {
		probe->pending = false;
		if (!ret || !register_now(probe))
			continue;
		pr_notice("%s/%s: cannot probe %s%s%s\n", probe->event->group,
			  probe->event->name, probe->place,
			  probe->kp.reason ? ": " : "", probe->kp.reason ?: "");
	}
	kvfree(kps);
}

/*
 * The engine's counters go with its registration; add them up.  Calls in flight
 * at this time will not be recorded.  The few bytes are not worth a way to fail.
 */
static void keep_engine_stat(struct pe_event_probe *probe)
{
	struct pe_engine_stat sum;

	if (probe->pending)
		return;
	pe_event_probe_engine_stat(probe, &sum);
	sum.dropped = sum.calls - sum.returns;
	if (!probe->before)
		probe->before = kmalloc(sizeof(sum), GFP_KERNEL | __GFP_NOFAIL);
	*probe->before = sum;
}

/*
 * A module that has been loaded but has not run yet: its probes can be placed.
 * An unloaded module needs nothing here: the engine marks its probes gone, and
 * their events stay.
 */
static int module_notify(struct notifier_block *nb, unsigned long action, void *data)
{
	struct pe_event_probe *probe, *next;
	const struct module *mod = data;
	struct pe_event *event;
	LIST_HEAD(batch);

	if (action != MODULE_STATE_COMING)
		return NOTIFY_DONE;

	mutex_lock(&pe_event_mutex);
	pe_for_each_probe(event, probe)
		if (probe->symbol && symbol_in_module(probe->symbol, mod))
			list_add_tail(&probe->batch, &batch);
	if (!list_empty(&batch)) {
		list_for_each_entry(probe, &batch, batch)
			keep_engine_stat(probe);
		pe_event_probes_unregister(&batch);
		register_batch(&batch);
		list_for_each_entry_safe(probe, next, &batch, batch)
			list_del_init(&probe->batch);
	}
	mutex_unlock(&pe_event_mutex);
	return NOTIFY_DONE;
}

/* Runs last: after notifiers that patch the text or record reserved text. */
static struct notifier_block module_nb = {
	.notifier_call = module_notify,
	.priority = INT_MIN,
};

int pe_event_probe_init(void)
{
	probe_cache = KMEM_CACHE(pe_event_probe, 0);
	return probe_cache ? register_module_notifier(&module_nb) : -ENOMEM;
}

void pe_event_probe_exit(void)
{
	unregister_module_notifier(&module_nb);
}

void pe_event_probe_end(void)
{
	kmem_cache_destroy(probe_cache);
}

const char *pe_event_probe_place(const struct seq_file *m, const struct pe_event_probe *probe,
				 char buf[PE_PLACE_HASHED])
{
	if (probe->symbol || probe->is_head || pe_show_addresses(m))
		return probe->place;
	pe_sprint_hashed(buf, PE_PLACE_HASHED, probe->kp.addr);
	return buf;
}

static char kind_of(const struct pe_event *event)
{
	return event->is_fprobe ? 'f' : event->is_return ? 'r' : 'p';
}

void pe_event_probe_show(struct seq_file *m, const struct pe_event_probe *probe)
{
	const struct pe_event *event = probe->event;
	char hashed[PE_PLACE_HASHED];
	unsigned int i;

	seq_putc(m, kind_of(event));
	if (probe->maxactive)
		seq_printf(m, "%u", probe->maxactive);
	seq_printf(m, ":%s/%s %s%s", event->group, event->name,
		   pe_event_probe_place(m, probe, hashed),
		   event->is_fprobe && event->is_return ? "%return" : "");
	for (i = 0; i < event->nargs; i++)
		seq_printf(m, " %s=%s", event->args[i].name, probe->program.args[i].expr);
	seq_putc(m, '\n');
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
			pe_kprobe_show_unregistered(m, &probe->kp,
						    pe_module_loaded(probe->symbol) ?
						    "REFUSED" : "WAITING");
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
	const struct pe_event *event = probe->event;
	char *text = kasprintf(GFP_KERNEL, "%c:%s/%s %s", kind_of(event), event->group, event->name,
			       probe->place);

	if (!text)
		return;		/* the writer has the errno */
	err.pos = strlen(text) - strlen(probe->place);
	pe_error_log(event->is_fprobe ? "trace_fprobe" : "trace_kprobe", text, &err);
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

		sum->hits += READ_ONCE(stat->hits);
		sum->extra += READ_ONCE(stat->extra);
		sum->records += READ_ONCE(stat->records);
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
