// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * locks.c - names of the kernel's locks.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "locks.h"
#include "symbols.h"
#include "text.h"

static bool is_mmap_lock(struct locks *l, unsigned long long lock, unsigned long long mm)
{
	if (!l->tried)
		l->mmap_lock = words_offset(&l->words, "mm_struct", "mmap_lock");
	l->tried = true;
	return mm && l->mmap_lock >= 0 && lock - mm == (unsigned long long)l->mmap_lock;
}

/* A variable that is the lock. */
static const char *static_lock(struct locks *l, unsigned long long lock)
{
	if (!l->kallsyms) {
		l->kallsyms = read_file("/proc/kallsyms") ?: strdup("");
		if (l->kallsyms && symbols_load_data(&l->data, l->kallsyms))
			l->data.nr = 0;
	}
	return symbols_exact(&l->data, lock);
}

void locks_print(struct locks *l, const struct preset *p, unsigned long long lock,
		 unsigned long long mm, char *text)
{
	unsigned int kind = p->kinds.nr ? lock & LOCKS_KINDS : 0;
	const char *name;
	int len = 0;

	lock -= kind;
	if (kind && kind < p->kinds.nr)
		len = snprintf(text, LOCKS_TEXT, "%.16s ", p->kinds.of[kind]);
	name = is_mmap_lock(l, lock, mm) ? "mmap_lock" : static_lock(l, lock);
	if (name)
		snprintf(text + len, LOCKS_TEXT - len, "%s", name);
	else
		snprintf(text + len, LOCKS_TEXT - len, "0x%llx", lock);
}

void locks_free(struct locks *l)
{
	words_free(&l->words);
	functions_free(&l->data);
	free(l->kallsyms);
	*l = (struct locks){};
}
