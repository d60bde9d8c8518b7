// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * tpoint.c - tracepoints with probes.
 *
 * A tracepoint that has one user calls that user's function.  If it has several, it calls its
 * iterator, __traceiter_NAME, which calls them all.  The iterator has the tracepoint's arguments,
 * after one that is not needed.  So the probe of an event is at the iterator's entry.  While
 * the event is armed, a function that does nothing is the tracepoint's user twice: then there
 * are always several.
 *
 * The kernel's own events of this kind make __probestub_NAME a user, and probe that.  With two such
 * users each probe there would have two hits, so we must not do the same.  The iterator is called
 * once, however many users the tracepoint has.  Kernels before 6.5 have it, too.
 *
 * Only events that are armed are users.  An unused tracepoint costs nothing, but a used one
 * does, and some make every system call slower.
 */
#include <linux/kobject.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/tracepoint.h>
#include "event.h"
#include "kernel/probe/hit.h"
#include "kernel/trace/trace.h"
#include "kernel/trace/trace_probe.h"
#include "tpoint.h"

/* Takes any arguments: its callers put them into place and take them away. */
static void __pe_hit_text pe_do_nothing(void *data)
{
}

/* @near: gets names like @name; NULL: they are not looked for */
struct search {
	const char *name;
	struct tracepoint *found;
	struct pe_near *near;
};

static void pe_tpoint_compare(struct tracepoint *tp, void *data)
{
	struct search *search = data;

	if (!search->found && !strcmp(tp->name, search->name))
		search->found = tp;
	else if (search->near)
		pe_near_offer(search->near, tp->name);
}

static void pe_search_module(const struct module *mod, struct search *search)
{
	unsigned int i;

	/* The kernel leaves these out as well: what they call a tracepoint may be none. */
	if (test_bit(TAINT_FORCED_MODULE, &mod->taints))
		return;
	for (i = 0; i < mod->num_tracepoints; i++)
		pe_tpoint_compare(tracepoint_ptr_deref(&mod->tracepoints_ptrs[i]), search);
}

/*
 * Modules that are coming are left out: their static calls may not be set up.  So are those that
 * are going: their probes have had their notice.
 */
static void pe_search_modules(struct search *search)
{
	struct kset *modules = THIS_MODULE->mkobj.kobj.kset;
	const struct module *mod;
	struct kobject *kobj;

	/* A module that is in the list stays while the lock is held. */
	spin_lock(&modules->list_lock);
	list_for_each_entry(kobj, &modules->list, entry) {
		mod = container_of(kobj, struct module_kobject, kobj)->mod;
		if (mod && READ_ONCE(mod->state) == MODULE_STATE_LIVE)
			pe_search_module(mod, search);
		if (search->found)
			break;
	}
	spin_unlock(&modules->list_lock);
}

/* In @mod, which may be coming; without one, in the kernel and in modules that are there. */
static struct tracepoint *pe_tpoint_search(const struct module *mod, struct search search)
{
	if (mod) {
		pe_search_module(mod, &search);
		return search.found;
	}
	for_each_kernel_tracepoint(pe_tpoint_compare, &search);
	if (!search.found)
		pe_search_modules(&search);
	return search.found;
}

void pe_tpoint_near(const char *place, struct pe_near *near)
{
	const char *colon = strchr(place, ':');
	struct search search = { .name = colon ? colon + 1 : place, .near = colon ? NULL : near };

	pe_near_init(near, search.name);
	if (pe_tpoint_search(NULL, search))
		pe_near_offer(near, search.name);
}

/*
 * With the mutex the module stays: it was alive, and to go it has to give us notice.  Later the
 * address may be that of nothing: it is not called.
 */
unsigned long pe_tpoint_function(const char *name, bool held)
{
	const struct tracepoint *tp;
	unsigned long addr;

	if (!held)
		mutex_lock(&pe_event_mutex);
	tp = pe_tpoint_search(NULL, (struct search){ .name = name });
	addr = tp ? (unsigned long)tp->iterator : 0;
	if (!held)
		mutex_unlock(&pe_event_mutex);
	return addr;
}

bool pe_tpoint_find(struct pe_event_probe *probe, const struct module *mod)
{
	lockdep_assert_held(&pe_event_mutex);

	probe->tpoint = pe_tpoint_search(mod, (struct search){ .name = probe->source->place });
	if (!probe->tpoint)
		return false;
	probe->fixed = (unsigned long)probe->tpoint->iterator;
	return true;
}

bool pe_tpoint_is_in(const struct pe_event_probe *probe, const struct module *mod)
{
	return probe->tpoint && within_module((unsigned long)probe->tpoint, mod);
}

void pe_tpoint_forget(struct pe_event_probe *probe)
{
	probe->tpoint = NULL;
	probe->fixed = 0;
}

/* Users are told apart by their data, which pe_do_nothing() does not look at. */
static void *pe_first_user(struct pe_event_probe *probe)
{
	return probe;
}

static void *pe_second_user(struct pe_event_probe *probe)
{
	return &probe->tpoint;
}

int pe_tpoint_start(struct pe_event_probe *probe)
{
	int ret;

	lockdep_assert_held(&pe_event_mutex);

	if (!probe->tpoint || probe->pending || probe->uses_tpoint)
		return 0;
	ret = tracepoint_probe_register(probe->tpoint, pe_do_nothing, pe_first_user(probe));
	if (ret)
		return ret;
	ret = tracepoint_probe_register(probe->tpoint, pe_do_nothing, pe_second_user(probe));
	if (ret) {
		tracepoint_probe_unregister(probe->tpoint, pe_do_nothing, pe_first_user(probe));
		return ret;
	}
	probe->uses_tpoint = true;
	return 0;
}

/* Calls of pe_do_nothing() may still be in progress, but do not use the probe. */
void pe_tpoint_stop(struct pe_event_probe *probe)
{
	lockdep_assert_held(&pe_event_mutex);

	if (!probe->uses_tpoint)
		return;
	tracepoint_probe_unregister(probe->tpoint, pe_do_nothing, pe_first_user(probe));
	tracepoint_probe_unregister(probe->tpoint, pe_do_nothing, pe_second_user(probe));
	probe->uses_tpoint = false;
}

void pe_tpoints_end(void)
{
	tracepoint_synchronize_unregister();
}
