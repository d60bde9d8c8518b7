// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * event_set.c - probes at all functions that one command names.
 *
 * "f:net/in tcp_*" is one event, one line of every file, one removal: one source, with a probe
 * for each function.  They share its arguments, and its counters, which are per CPU.  They are
 * registered in one call of the engine, which leaves out what cannot be probed.
 *
 * One of the kernel itself is registered by its address; so functions of one name are told
 * apart.  One in a module is registered by its name: the module may be unloaded meanwhile.
 * When the module comes back, so does the probe, as any probe of a module.
 */
#include <linux/errno.h>
#include <linux/list.h>
#include <linux/list_sort.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <pe/kprobe.h>
#include <pe/symbols.h>
#include "event.h"
#include "event_enable.h"
#include "event_probe.h"
#include "event_set.h"
#include "event_source.h"
#include "kernel/trace/hit/filter_hit.h"
#include "kernel/trace/parse/near.h"
#include "kernel/trace/parse/spec.h"
#include "kernel/trace/trace.h"
#include "kernel/trace/trace_probe.h"
#include "place.h"
#include "variant.h"

/* ---- finding ---- */

/**
 * struct match - the functions that a place names
 * @source: gets the probes
 * @pattern: of their names
 * @is_pattern: it is one; else it is a name
 * @clones: of @pattern are meant
 * @failed: for want of memory
 */
struct match {
	struct pe_source *source;
	const char *pattern;
	bool is_pattern, clones;
	bool failed;
};

static bool pe_event_set_names(const struct match *match, const char *name)
{
	if (match->clones)
		return pe_name_is_clone(name, match->pattern) == PE_CLONE_WHOLE;
	if (!match->is_pattern)
		return !strcmp(name, match->pattern);
	return pe_name_is_function(name) && pe_glob_match(match->pattern, name, strlen(name));
}

static int pe_add_function(void *data, const char *modname, const char *name, unsigned long addr)
{
	struct match *match = data;
	struct pe_event_probe *probe = NULL;
	char *symbol;

	if (!pe_event_set_names(match, name))
		return 0;
	symbol = modname ? kasprintf(GFP_KERNEL, "%s:%s", modname, name) :
			   kstrdup(name, GFP_KERNEL);
	if (symbol)
		probe = pe_source_add(match->source, symbol);
	if (!probe) {
		kfree(symbol);
		match->failed = true;
		return 1;
	}
	probe->kp.addr = addr;
	probe->fixed = modname ? 0 : addr;
	return 0;
}

static int pe_by_address(void *unused, const struct list_head *a, const struct list_head *b)
{
	unsigned long x = list_entry(a, struct pe_event_probe, mine)->kp.addr;
	unsigned long y = list_entry(b, struct pe_event_probe, mine)->kp.addr;

	return (x > y) - (x < y);
}

/* A function may have several names: one probe for it. */
static void pe_drop_aliases(struct pe_source *source)
{
	struct pe_event_probe *probe, *next;

	list_sort(NULL, &source->probes, pe_by_address);
	list_for_each_entry_safe(probe, next, &source->probes, mine)
		if (!list_entry_is_head(next, &source->probes, mine) &&
		    probe->kp.addr == next->kp.addr)
			pe_source_drop(probe);
}

/* The functions that the place names become the source's.  0, -ENOENT: there are none, -ENOMEM. */
static int pe_event_set_collect(struct pe_source *source, const struct pe_placed *placed,
				bool clones)
{
	struct match match = {
		.source = source, .clones = clones, .is_pattern = pe_place_is_pattern(placed),
	};
	char modname[MODULE_NAME_LEN];

	match.pattern = pe_symbol_split(placed->place.symbol, modname, sizeof(modname));
	pe_functions_each(modname[0] ? modname : NULL, pe_add_function, &match);
	if (match.failed)
		return -ENOMEM;
	pe_drop_aliases(source);
	return list_empty(&source->probes) ? -ENOENT : 0;
}

/* At one of the alternatives.  Return: 0, -ENOENT: go on, -ENOMEM. */
static int pe_find_here(struct pe_source *source, const struct pe_placed *placed)
{
	struct pe_symbol found;

	if (!pe_place_is_pattern(placed)) {
		pe_symbol_find(placed->place.symbol, &found);
		if (found.count == 1)
			return pe_source_set_one(source, &placed->place, &found);
		if (!found.count)
			return -ENOENT;
	}
	return pe_event_set_collect(source, placed, false);
}

static int pe_find_clones(struct pe_source *source, struct pe_placed *placed, struct pe_hint *hint)
{
	unsigned int nr = pe_place_clone(placed, hint);

	if (nr == 1)
		return pe_find_here(source, placed);
	return nr ? pe_event_set_collect(source, placed, true) : -ENOENT;
}

static int pe_no_function(struct pe_hint *hint, const char *why)
{
	strscpy(hint->text, why, sizeof(hint->text));
	return -ENOENT;
}

static int pe_event_set_find_functions(struct pe_source *source, struct pe_placed *placed,
				       struct pe_hint *hint)
{
	static const struct pe_symbol none;
	int ret;

	do {
		ret = pe_find_here(source, placed);
	} while (ret == -ENOENT && pe_place_next(placed));
	if (ret != -ENOENT)
		return ret;
	if (!pe_module_loaded(placed->place.symbol)) {
		if (!pe_place_is_pattern(placed))
			return pe_source_set_one(source, &placed->place, &none);
		return pe_no_function(hint, "a pattern cannot wait for its module");
	}
	ret = pe_find_clones(source, placed, hint);
	if (ret == -ENOENT && !hint->text[0])
		pe_no_function(hint, "no function matches");
	return ret;
}

int pe_event_set_find(struct pe_source *source, struct pe_placed *placed, struct pe_hint *hint)
{
	int ret = pe_event_set_find_functions(source, placed, hint);

	return ret ?: pe_source_set_place(source, &placed->place);
}

/* ---- registering ---- */

static unsigned int pe_prepare_functions(struct pe_source *source, struct pe_kprobe **kps)
{
	struct pe_event_probe *probe;
	unsigned long addr;
	unsigned int n = 0;

	list_for_each_entry(probe, &source->probes, mine) {
		addr = probe->kp.addr;
		pe_event_probe_prepare(probe);
		/* The engine goes by the symbol; this tells which one, if it cannot. */
		probe->kp.addr = addr;
		kps[n++] = &probe->kp;
	}
	return n;
}

void pe_event_set_refuse(struct pe_event_probe *probe)
{
	size_t size = strlen(probe->symbol) + 1;
	struct pe_refused *refused;

	/* Without memory the list lacks it; it is in no other place either. */
	refused = kmalloc(struct_size(refused, name, size), GFP_KERNEL_ACCOUNT);
	if (refused) {
		refused->reason = probe->kp.reason;
		memcpy(refused->name, probe->symbol, size);
		list_add_tail(&refused->list, &probe->source->refused);
	}
	pe_source_drop(probe);
}

/* "MOD:SYM,N" for the probe of a function of a module that has several symbols SYM. */
static bool pe_name_by_number(struct pe_event_probe *probe, unsigned long addr)
{
	struct pe_symbol found = { .count = 1 };
	unsigned int number;
	char *name;

	for (number = 1; found.count; number++) {
		name = kasprintf(GFP_KERNEL, "%s,%u", probe->symbol, number);
		if (!name)
			return false;
		pe_symbol_find(name, &found);
		if (found.count && found.addr == addr) {
			kfree(probe->symbol);
			probe->symbol = name;
			return true;
		}
		kfree(name);
	}
	return false;
}

/* Try again, by number, functions with names that are not unique in their module. */
static void pe_register_by_number(struct pe_source *source, int *errs)
{
	struct pe_event_probe *probe;
	struct pe_kprobe *kp;
	unsigned int i = 0;

	list_for_each_entry(probe, &source->probes, mine) {
		if (errs[i] == -EADDRNOTAVAIL && pe_name_by_number(probe, probe->kp.addr)) {
			pe_event_probe_prepare(probe);
			kp = &probe->kp;
			pe_register_kprobes_some(&kp, 1, &errs[i]);
		}
		i++;
	}
}

/* Return: 0 if at least one is left, else the error of the first, and its @reason. */
static int pe_sort_out(struct pe_source *source, const int *errs, const char **reason)
{
	const char *first = list_first_entry(&source->probes, struct pe_event_probe,
					     mine)->kp.reason;
	struct pe_event_probe *probe, *next;
	unsigned int i = 0;

	list_for_each_entry_safe(probe, next, &source->probes, mine) {
		if (errs[i++])
			pe_event_set_refuse(probe);
		else
			probe->pending = false;
	}
	if (!list_empty(&source->probes))
		return 0;
	*reason = first;
	return errs[0];
}

/* The event is armed already: so are its new probes. */
static int pe_arm_functions(struct pe_source *source, struct pe_kprobe **kps, const char **reason)
{
	struct pe_event_probe *probe;
	unsigned int n = 0;
	int ret;

	if (!pe_event_armed(source->one.event))
		return 0;
	pe_event_changed(source->one.event);
	list_for_each_entry(probe, &source->probes, mine)
		kps[n++] = &probe->kp;
	ret = pe_enable_kprobes(kps, n);
	if (!ret)
		return 0;
	list_for_each_entry(probe, &source->probes, mine)
		*reason = probe->kp.reason ?: *reason;
	pe_source_unregister(source);
	return ret;
}

static int pe_register_functions(struct pe_source *source, struct pe_kprobe **kps, int *errs,
				 const char **reason)
{
	int ret = pe_source_resolve(source, reason);

	if (ret)
		return ret;
	pe_register_kprobes_some(kps, pe_prepare_functions(source, kps), errs);
	pe_register_by_number(source, errs);
	ret = pe_sort_out(source, errs, reason);
	return ret ?: pe_arm_functions(source, kps, reason);
}

static int pe_event_set_register(struct pe_source *source, const char **reason)
{
	size_t n = list_count_nodes(&source->probes);
	struct pe_kprobe **kps = kvcalloc(n, sizeof(*kps), GFP_KERNEL);
	int *errs = kvcalloc(n, sizeof(*errs), GFP_KERNEL);
	int ret = -ENOMEM;

	lockdep_assert_held(&pe_event_mutex);
	if (kps && errs)
		ret = pe_register_functions(source, kps, errs, reason);
	kvfree(kps);
	kvfree(errs);
	return ret;
}

int pe_source_register(struct pe_source *source, const char **reason)
{
	int ret;

	if (source->several)
		return pe_event_set_register(source, reason);
	ret = pe_event_probe_register(&source->one);
	*reason = source->one.kp.reason;
	return ret;
}
