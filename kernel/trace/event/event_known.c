// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * event_known.c - functions that an event probes already.
 *
 * Several commands may add functions to one event, and a pattern may name some that another
 * command has named.  A second probe there would record each hit twice.  So functions
 * are left out if their arguments would be fetched in the same way; kprobes/refused lists them.
 */
#include <linux/errno.h>
#include <linux/list.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include <linux/string.h>
#include <pe/kprobe.h>
#include <pe/symbols.h>
#include "event.h"
#include "event_set.h"
#include "kernel/trace/parse/arg.h"
#include "kernel/trace/trace.h"
#include "kernel/trace/trace_probe.h"

/* Do both, @b of an event, fetch their arguments in the same way? */
static bool pe_event_same_exprs(const struct pe_source *a, const struct pe_source *b)
{
	unsigned int i;

	if (a == b)
		return true;
	for (i = 0; i < b->one.event->nargs; i++) {
		if (strcmp(a->one.program.args[i].expr, b->one.program.args[i].expr))
			return false;
	}
	return true;
}

/* If a command has several functions, each is compared as well. */
bool pe_event_has_same(const struct pe_event *event, const struct pe_source *source)
{
	const struct pe_event_probe *probe;

	list_for_each_entry(probe, &event->probes, list)
		if ((!strcmp(source->place, probe->source->place) ||
		     !strcmp(source->place, pe_event_probe_name(probe))) &&
		    pe_event_same_exprs(source, probe->source))
			return true;
	return false;
}

/* The address where the probe's function begins.  0: its module is not there. */
static unsigned long pe_function_of(const struct pe_event_probe *probe)
{
	unsigned long start, size;

	if (probe->pending || (probe->kp.flags & PE_KPROBE_GONE))
		return 0;
	if (probe->fixed)
		return probe->fixed;
	return pe_symbol_at(probe->kp.addr, &start, &size) ? start : 0;
}

/* Return: how many there are; @starts gets @max of them, if it is not NULL. */
static size_t pe_known_functions(const struct pe_source *like, unsigned long *starts,
				 size_t max)
{
	const struct pe_event_probe *probe;
	size_t n = 0;

	list_for_each_entry(probe, &like->one.event->probes, list) {
		unsigned long start = pe_function_of(probe);

		if (!start || !pe_event_same_exprs(like, probe->source))
			continue;
		if (starts && n == max)
			break;
		if (starts)
			starts[n] = start;
		n++;
	}
	return n;
}

static int pe_compare_starts(const void *a, const void *b)
{
	unsigned long x = *(const unsigned long *)a, y = *(const unsigned long *)b;

	return (x > y) - (x < y);
}

/* The two lists are sorted by address.  Return: 0 if a probe is left, else -EEXIST. */
static int pe_drop_known_functions(struct pe_source *source, const unsigned long *starts, size_t n)
{
	struct pe_event_probe *probe, *next;
	size_t i = 0;

	list_for_each_entry_safe(probe, next, &source->probes, mine) {
		while (i < n && starts[i] < probe->kp.addr)
			i++;
		if (i == n || starts[i] != probe->kp.addr)
			continue;
		probe->kp.reason = "the event already probes it";
		pe_event_set_refuse(probe);
	}
	return list_empty(&source->probes) ? -EEXIST : 0;
}

static bool pe_is_known(const unsigned long *starts, size_t n, unsigned long start)
{
	while (n--) {
		if (starts[n] == start)
			return true;
	}
	return false;
}

int pe_event_set_drop_known(struct pe_source *source)
{
	unsigned long *starts;
	size_t n;
	int ret;

	lockdep_assert_held(&pe_event_mutex);
	n = pe_known_functions(source, NULL, 0);
	if (!n)
		return 0;
	starts = kvmalloc_array(n, sizeof(*starts), GFP_KERNEL);
	if (!starts)
		return -ENOMEM;
	/* A module may have gone meanwhile, with its functions. */
	n = pe_known_functions(source, starts, n);
	if (source->several) {
		sort(starts, n, sizeof(*starts), pe_compare_starts, NULL);
		ret = pe_drop_known_functions(source, starts, n);
	} else {
		ret = pe_is_known(starts, n, source->one.kp.addr) ? -EEXIST : 0;
	}
	kvfree(starts);
	return ret;
}
