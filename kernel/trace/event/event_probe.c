// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * event_probe.c - probes of events in the engine: registered, waiting, refused, counted.
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
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <pe/listing.h>
#include <pe/modules.h>
#include <pe/symbols.h>
#include "error_log.h"
#include "event.h"
#include "event_enable.h"
#include "event_probe.h"
#include "event_source.h"
#include "kernel/trace/hit/event_hit.h"
#include "kernel/trace/parse/arg.h"
#include "kernel/trace/parse/parse_err.h"
#include "kernel/trace/parse/sym_text.h"
#include "kernel/trace/trace.h"
#include "kernel/trace/trace_probe.h"
#include "tpoint.h"
#include "variant.h"

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

int pe_source_resolve(struct pe_source *source, const char **reason)
{
	unsigned int i;

	for (i = 0; i < source->nr_symrefs; i++) {
		const struct pe_symref *ref = pe_source_symrefs(source) + i;
		struct pe_fetch *fetch = &source->one.program.args[ref->arg].fetch;
		unsigned long addr = pe_symbol_lookup(source->one.program.pool + ref->str);

		if (!addr) {
			*reason = "symbol in an argument not found";
			return -ENOENT;
		}
		if (fetch->deref[0].cpu && !pe_symbol_is_percpu(addr)) {
			*reason = "symbol in this_cpu_...() is no per-CPU variable";
			return -EINVAL;
		}
		fetch->load = PE_LOAD_IMM;
		fetch->imm = addr + ref->addend;
	}
	return 0;
}

/* Set up @probe for the engine, disabled; drop all state of an earlier registration. */
void pe_event_probe_prepare(struct pe_event_probe *probe)
{
	unsigned long addr = probe->symbol ? probe->fixed : probe->kp.addr;
	unsigned long offset = probe->kp.offset;

	if (probe->source->several) {
		probe->event = probe->source->one.event;
		probe->stat = probe->source->one.stat;
		probe->phase = probe->source->one.phase;
		probe->program = probe->source->one.program;
	}
	BUILD_BUG_ON(offsetof(struct pe_kretprobe, kp));
	memset(&probe->rp, 0, sizeof(probe->rp));
	probe->kp.symbol = addr ? NULL : probe->symbol;
	probe->kp.addr = addr;
	probe->kp.offset = offset;
	if (probe->event->is_return) {
		probe->kp.flags = PE_KPROBE_RETURN;
		probe->rp.entry = pe_program_saves(&probe->program) ? pe_event_entry : NULL;
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
	ret = pe_source_resolve(probe->source, &probe->kp.reason);
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

int pe_event_probe_init(void)
{
	int err = pe_sources_init();

	if (!err)
		pe_modules_watch(&pe_event_module_watch);
	return err;
}

void pe_event_probe_exit(void)
{
	pe_modules_watch(NULL);
}

void pe_event_probe_end(void)
{
	pe_tpoints_end();
	pe_sources_exit();
}

const char *pe_event_probe_place(const struct seq_file *m, const struct pe_event_probe *probe,
				 char buf[PE_PLACE_HASHED])
{
	return probe->source->several ? probe->symbol : pe_source_place(m, probe->source, buf);
}

/* Pending for want of its module, and not because it was refused? */
static bool pe_is_waiting(const struct pe_event_probe *probe)
{
	return probe->event->is_tpoint ? !probe->tpoint : !pe_module_loaded(probe->symbol);
}

const char *pe_source_awaits(const struct pe_source *source)
{
	lockdep_assert_held(&pe_event_mutex);
	/* One in a batch is about to go. */
	return !source->several && source->one.pending && source->one.symbol &&
	       list_empty(&source->one.batch) && pe_is_waiting(&source->one) ? source->place : NULL;
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
	bool is_address = pe_source_is_address(probe->source);
	const struct pe_event *event = probe->event;
	const char *subsystem = event->is_fprobe ? "trace_fprobe" : "trace_kprobe";
	const char *place = is_address ? "" : pe_event_probe_name(probe);
	char *text = kasprintf(GFP_KERNEL, "%c:%s/%s %s", pe_event_kind(event),
			       event->group, event->name, place);
	char hashed[PE_PLACE_HASHED];

	if (!text)
		return;		/* the writer has the errno */
	err.pos = strlen(text) - strlen(place);
	pe_sprint_hashed(hashed, sizeof(hashed), probe->kp.addr);
	if (is_address)
		pe_error_log_address(subsystem, text, pe_event_probe_name(probe), hashed, &err);
	else
		pe_error_log(subsystem, text, &err);
	kfree(text);
}

/**
 * pe_event_probe_engine_stat() - the engine's counters of a probe
 * @probe: the probe; all of its registrations count
 * @sum: filled
 *
 * As exact as pe_source_stat().
 */
void pe_event_probe_engine_stat(const struct pe_event_probe *probe,
				struct pe_engine_stat *sum)
{
	struct pe_kretprobe_stat stat;

	*sum = probe->before ? *probe->before : (struct pe_engine_stat){};
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
