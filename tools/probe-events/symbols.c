// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * symbols.c - names of addresses.
 */
#define _GNU_SOURCE
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "symbols.h"

static int compare_addresses(const void *va, const void *vb)
{
	const struct function *a = va, *b = vb;

	return (a->addr > b->addr) - (a->addr < b->addr);
}

int symbols_load(struct functions *all, char *kallsyms)
{
	if (functions_find(all, kallsyms, "*"))
		return -1;
	if (all->nr)
		qsort(all->of, all->nr, sizeof(*all->of), compare_addresses);
	return 0;
}

/* What comes after them is data. */
static bool is_end_of_text(const char *name)
{
	return !strcmp(name, "_etext") || !strcmp(name, "_einittext");
}

const struct function *symbols_find(const struct functions *all, const char *addr)
{
	unsigned long long at = strtoull(addr, NULL, 16);
	size_t low = 0, high = all->nr;
	const struct function *f;

	/* The last function that begins at or before the address.  Hidden addresses are 0. */
	while (low < high) {
		size_t middle = (low + high) / 2;

		if (all->of[middle].addr <= at)
			low = middle + 1;
		else
			high = middle;
	}
	f = low ? &all->of[low - 1] : NULL;
	return f && f->addr && !is_end_of_text(f->name) ? f : NULL;
}

void symbols_print(const struct functions *all, char *text, size_t size, const char *addr)
{
	const struct function *f = symbols_find(all, addr);

	snprintf(text, size, "%s", f ? f->name : addr);
}

int symbols_load_data(struct functions *all, char *kallsyms)
{
	char *line, *type, *name;
	size_t room = 0;

	*all = (struct functions){};
	while ((line = strsep(&kallsyms, "\n"))) {
		struct function *more = all->of;
		unsigned long long addr = strtoull(line, &type, 16);

		if (!addr || *type != ' ' || !strchr("bBdDrR", type[1]) || type[2] != ' ')
			continue;
		name = type + 3;
		name[strcspn(name, "\t")] = '\0';
		if (all->nr == room) {
			room = room * 2 + 1024;
			more = reallocarray(all->of, room, sizeof(*more));
		}
		if (!more)
			return -1;
		all->of = more;
		all->of[all->nr++] = (struct function){ .addr = addr, .name = name, .module = "" };
	}
	if (all->nr)
		qsort(all->of, all->nr, sizeof(*all->of), compare_addresses);
	return 0;
}

const char *symbols_exact(const struct functions *all, unsigned long long addr)
{
	const struct function key = { .addr = addr };
	const struct function *found = all->nr ? bsearch(&key, all->of, all->nr, sizeof(key),
							 compare_addresses) : NULL;

	return found ? found->name : NULL;
}
