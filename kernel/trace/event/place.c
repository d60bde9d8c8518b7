// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * place.c - which symbol a command means, and what to say if there is none.
 *
 * The compiler makes clones of functions, with other parameters: FUNC.isra.0, FUNC.constprop.0.
 * Then there may be no FUNC any more, and which clones there are differs from kernel to kernel.
 * So if FUNC does not exist, its only clone stands for it.  A part of a function does not
 * (FUNC.part.0, FUNC.cold): the rest of it is elsewhere, and a probe would miss calls.
 */
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <pe/kprobe.h>
#include <pe/symbols.h>
#include "kernel/trace/parse/near.h"
#include "kernel/trace/parse/spec.h"
#include "place.h"

/**
 * struct search - a walk through all functions for one that is not there
 * @plain: its name
 * @wholes: clones found
 * @clone: the first of them
 * @part: a part of it, or ""
 * @near: names like it
 */
struct search {
	const char *plain;
	unsigned int wholes;
	char clone[KSYM_NAME_LEN];
	char part[KSYM_NAME_LEN];
	struct pe_near near;
};

static int pe_place_look(void *data, const char *modname, const char *name, unsigned long addr)
{
	struct search *search = data;

	switch (pe_name_is_clone(name, search->plain)) {
	case PE_CLONE_WHOLE:
		if (!search->wholes++)
			strscpy(search->clone, name, sizeof(search->clone));
		break;
	case PE_CLONE_PART:
		if (!search->part[0] || strstr(search->part, ".cold"))
			strscpy(search->part, name, sizeof(search->part));
		break;
	case PE_CLONE_NO:
		if (pe_name_is_function(name))
			pe_near_offer(&search->near, name);
		break;
	}
	return 0;
}

static void pe_search_functions(struct search *search, const struct pe_place *place)
{
	char modname[MODULE_NAME_LEN];

	search->plain = pe_symbol_split(place->symbol, modname, sizeof(modname));
	search->wholes = 0;
	search->part[0] = '\0';
	pe_near_init(&search->near, search->plain);
	pe_functions_each(modname[0] ? modname : NULL, pe_place_look, search);
}

static void pe_name_clone(struct pe_place *place, const char *clone)
{
	char modname[MODULE_NAME_LEN];
	size_t at = pe_symbol_split(place->symbol, modname, sizeof(modname)) - place->symbol;

	strscpy(place->symbol + at, clone, sizeof(place->symbol) - at);
}

static void pe_say_missing(struct pe_hint *hint, const struct search *search)
{
	size_t used = strlen(hint->text);
	char *to = hint->text + used;
	size_t size = sizeof(hint->text) - used;

	if (search->wholes > 1)
		scnprintf(to, size, "%u clones: %s and others", search->wholes, search->clone);
	else if (search->part[0])
		scnprintf(to, size, "inlined, except for %s", search->part);
	else if (search->near.name[0])
		scnprintf(to, size, "did you mean %s?", search->near.name);
	else
		scnprintf(to, size, "%s",
			  "no such symbol; it may be inlined everywhere, or its module is not loaded");
}

/* The text about one of several alternatives begins with its name. */
static void pe_begin_hint(struct pe_hint *hint, const struct pe_place *place, bool several)
{
	size_t used = strlen(hint->text);

	if (several)
		scnprintf(hint->text + used, sizeof(hint->text) - used, "%s%s: ",
			  used ? "; " : "", place->symbol);
}

unsigned int pe_place_clone(struct pe_placed *placed, struct pe_hint *hint)
{
	struct search *search = kmalloc(sizeof(*search), GFP_KERNEL);
	const struct pe_place *first = &placed->spec->place;
	struct pe_place *place = &placed->place;
	unsigned int wholes = 0;

	if (!search)
		return 0;
	hint->text[0] = '\0';
	*place = *first;
	do {
		if (pe_place_is_pattern(placed))
			continue;
		pe_search_functions(search, place);
		wholes = search->wholes;
		if (wholes == 1) {
			pe_name_clone(place, search->clone);
		} else {
			pe_begin_hint(hint, place, first->next);
			pe_say_missing(hint, search);
		}
	} while (!wholes && pe_place_next(placed));
	place->next = 0;
	kfree(search);
	return wholes;
}

void pe_hint_number(struct pe_hint *hint, const struct pe_place *place, unsigned int count)
{
	scnprintf(hint->text, sizeof(hint->text), "choose one of %s,1 to %s,%u", place->symbol,
		  place->symbol, count);
}

void pe_place_find(const struct pe_place *place, struct pe_symbol *found, struct pe_hint *hint)
{
	pe_symbol_find(place->symbol, found);
	if (found->count > 1)
		pe_hint_number(hint, place, found->count);
}

const char *pe_hint_bounds(struct pe_hint *hint, const struct pe_place *place,
			   const struct pe_symbol *found, unsigned long addr)
{
	unsigned long before = 0, after = 0, base = found->addr, start, size;
	bool bounds = pe_insn_bounds(addr, &before, &after);
	size_t used;

	/* No symbol is told for a given address: not each reader may know where it is. */
	if (!base) {
		scnprintf(hint->text, sizeof(hint->text),
			  "the nearest instructions begin %lu bytes before it and %lu after it",
			  addr - before, after - addr);
		return bounds ? hint->text : NULL;
	}
	if (!pe_symbol_at(base, &start, &size))
		return NULL;
	used = scnprintf(hint->text, sizeof(hint->text), "%s is %lu bytes long", place->symbol,
			 size);
	if (!bounds || addr - base >= size)
		return hint->text;
	scnprintf(hint->text + used, sizeof(hint->text) - used,
		  after - base < size ? "; instructions begin at +%lu and +%lu" :
		  "; the last instruction begins at +%lu", before - base, after - base);
	return hint->text;
}
