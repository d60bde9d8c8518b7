// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * event_module.c - probes of events while their modules come and go.
 *
 * "MOD:SYM" goes from gone or pending to registered when MOD is loaded.  The probe of a tracepoint
 * does so when any module is loaded that has the tracepoint, and is pending when that goes.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/limits.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <pe/modules.h>
#include "event.h"
#include "event_probe.h"
#include "kernel/trace/trace.h"
#include "kernel/trace/trace_probe.h"
#include "tpoint.h"
#include "variant.h"

static bool pe_symbol_in_module(const char *symbol, const struct module *mod)
{
	size_t len = strlen(mod->name);

	return !strncmp(symbol, mod->name, len) && symbol[len] == ':';
}

/* The probes of an event are together in a batch. */
static void pe_events_changed(struct list_head *batch)
{
	const struct pe_event *before = NULL;
	struct pe_event_probe *probe;

	list_for_each_entry(probe, batch, batch) {
		if (probe->event != before)
			pe_event_changed(probe->event);
		before = probe->event;
		cond_resched();
	}
}

static void pe_say_refused(const struct pe_event_probe *probe)
{
	pr_notice("%s/%s: cannot probe %s%s%s\n", probe->event->group, probe->event->name,
		  pe_event_probe_name(probe), probe->kp.reason ? ": " : "", probe->kp.reason ?: "");
}

/* Without the symbols of its arguments a probe stays pending. */
static bool pe_event_module_make_ready(struct pe_event_probe *probe)
{
	pe_event_probe_prepare_armed(probe);
	probe->pending = pe_source_resolve(probe->source, &probe->kp.reason);
	if (probe->pending)
		pe_say_refused(probe);
	return !probe->pending;
}

/* One that cannot be placed, or not be armed, does not keep the others from firing. */
static void pe_register_some(struct pe_kprobe **kps, unsigned int n, int *errs)
{
	struct pe_event_probe *probe;
	unsigned int i;

	pe_register_kprobes_some(kps, n, errs);
	for (i = 0; i < n; i++) {
		probe = container_of(kps[i], struct pe_event_probe, kp);
		probe->pending = errs[i];
		if (errs[i] || pe_event_probe_start(probe))
			pe_say_refused(probe);
		cond_resched();
	}
}

/* In one call of the engine.  Without memory for that it takes longer. */
static void pe_register_batch(struct list_head *batch)
{
	struct pe_event_probe *probe;
	struct pe_kprobe **kps, *kp;
	unsigned int n = 0;
	int *errs, err;

	list_for_each_entry(probe, batch, batch)
		n++;
	kps = kvcalloc(n, sizeof(*kps), GFP_KERNEL);
	errs = kvcalloc(n, sizeof(*errs), GFP_KERNEL);
	pe_events_changed(batch);
	n = 0;
	list_for_each_entry(probe, batch, batch) {
		if (!pe_event_module_make_ready(probe))
			continue;
		kp = &probe->kp;
		if (kps && errs)
			kps[n++] = kp;
		else
			pe_register_some(&kp, 1, &err);
		cond_resched();
	}
	if (n)
		pe_register_some(kps, n, errs);
	kvfree(kps);
	kvfree(errs);
}

/*
 * The engine's counters go with its registration; add them up.  Calls in flight
 * at this time will not be recorded.  The few bytes are not worth a way to fail.
 */
static void pe_keep_engine_stat(struct pe_event_probe *probe)
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

/* Unregister them, but keep what they have counted. */
static void pe_suspend_batch(struct list_head *batch)
{
	struct pe_event_probe *probe;

	list_for_each_entry(probe, batch, batch) {
		pe_keep_engine_stat(probe);
		cond_resched();
	}
	pe_event_probes_unregister(batch);
}

static bool pe_waits_for(struct pe_event_probe *probe, unsigned long state,
			 const struct module *mod)
{
	if (probe->event->is_tpoint)
		return !probe->tpoint && pe_tpoint_find(probe, mod);
	return state == MODULE_STATE_COMING && probe->symbol &&
	       pe_symbol_in_module(probe->symbol, mod);
}

bool pe_event_in(const struct pe_event *event, const struct module *mod)
{
	struct pe_event_probe *probe;

	lockdep_assert_held(&pe_event_mutex);
	list_for_each_entry(probe, &event->probes, list)
		if (!probe->pending && (event->is_tpoint ? pe_tpoint_is_in(probe, mod) :
		    probe->symbol && pe_symbol_in_module(probe->symbol, mod)))
			return true;
	return false;
}

/*
 * A module that has been loaded but has not run yet: its probes can be placed.  Tracepoints are
 * looked for once more when it has run: commands written meanwhile have not found them.
 */
static void pe_module_comes(const struct module *mod, unsigned long state)
{
	struct pe_event_probe *probe;
	struct pe_event *event;
	LIST_HEAD(batch);

	mutex_lock(&pe_event_mutex);
	pe_for_each_probe(event, probe)
		if (pe_waits_for(probe, state, mod))
			list_add_tail(&probe->batch, &batch);
	if (!list_empty(&batch)) {
		pe_suspend_batch(&batch);
		pe_register_batch(&batch);
		pe_sources_unbatch(&batch);
	}
	mutex_unlock(&pe_event_mutex);
}

/* Told before tracepoints are forgotten; pe_event_mutex. */
static void (*pe_told_first)(const struct module *mod);

void pe_event_modules_tell(void (*goes)(const struct module *mod))
{
	mutex_lock(&pe_event_mutex);
	pe_told_first = goes;
	mutex_unlock(&pe_event_mutex);
}

/*
 * A module that is unloaded must have no tracepoints in use.  Others of its probes need nothing
 * here: the engine marks them gone, and their events stay.
 */
static void pe_module_goes(const struct module *mod)
{
	struct pe_event_probe *probe;
	struct pe_event *event;
	LIST_HEAD(batch);

	mutex_lock(&pe_event_mutex);
	if (pe_told_first)
		pe_told_first(mod);
	pe_for_each_probe(event, probe)
		if (pe_tpoint_is_in(probe, mod))
			list_add_tail(&probe->batch, &batch);
	pe_suspend_batch(&batch);
	pe_events_changed(&batch);
	list_for_each_entry(probe, &batch, batch) {
		pe_tpoint_forget(probe);
		pe_event_probe_prepare_armed(probe);
	}
	pe_sources_unbatch(&batch);
	mutex_unlock(&pe_event_mutex);
}

const struct pe_module_watch pe_event_module_watch = {
	.comes = pe_module_comes,
	.goes = pe_module_goes,
};
