// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * detours.c - memory of detours.
 *
 * Detours are in slots of this module's own text, where the unwinder has data for them
 * (detour_stub.S).  A slot is used; or left, while tasks may be in it (jump.c); or
 * free. One that may have a task in it keeps its code and its site.  A free one holds breakpoints.
 */
#include <linux/build_bug.h>
#include <linux/compiler.h>
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/lockdep.h>
#include <linux/minmax.h>
#include <linux/seq_file.h>
#include "kernel/arch.h"
#include "kernel/engine.h"
#include "kernel/jump/islands.h"
#include "kernel/jump/jump.h"

/* A slot has 16 bits for its number. */
static_assert(PE_ARCH_DETOURS * PE_DETOUR_WORDS <= 1 << 16);

/* How many are not free, and the first one that may be free; pe_mutex. */
static unsigned int pe_detours_used, pe_detours_next;

int pe_detour_take(struct pe_jump *j)
{
	struct pe_detour *d;

	lockdep_assert_held(&pe_mutex);
	if (pe_detours_used == PE_ARCH_DETOURS)
		return -ENOSPC;
	do {
		j->detour = pe_detours_next++;
		d = &pe_detour_slots[j->detour];
	} while (d->jump);
	pe_detours_used++;
	WRITE_ONCE(d->probe, &pe_detour_all);	/* read by pe_detour_stub */
	WRITE_ONCE(d->jump, j);		/* read by pe_jump_hit() */
	return 0;
}

void pe_detour_free(struct pe_jump *j)
{
	lockdep_assert_held(&pe_mutex);
	pe_island_remove(j);
	pe_arch_detour_clear(j->detour);
	WRITE_ONCE(pe_detour_slots[j->detour].jump, NULL);	/* read by pe_jump_hit() */
	pe_detours_used--;
	pe_detours_next = min_t(unsigned int, pe_detours_next, j->detour);
}

bool pe_detours_any_leaving(void)
{
	const struct pe_jump *j;
	unsigned int i;

	lockdep_assert_held(&pe_mutex);
	for (i = 0; i < PE_ARCH_DETOURS; i++) {
		j = pe_detour_slots[i].jump;
		if (j && j->state == PE_JUMP_LEAVING)
			return true;
	}
	return false;
}

/* Hits that are in a detour of such a site find no site. */
void pe_detours_forget(bool (*gone)(const struct pe_site *site))
{
	struct pe_jump *j;
	unsigned int i;

	lockdep_assert_held(&pe_mutex);
	for (i = 0; i < PE_ARCH_DETOURS; i++) {
		j = pe_detour_slots[i].jump;
		if (j && j->site && gone(j->site))
			WRITE_ONCE(j->site, NULL);	/* read by pe_jump_hit() */
	}
}

size_t pe_detours_memory(void)
{
	lockdep_assert_held(&pe_mutex);
	return pe_detours_used * PE_ARCH_DETOUR_SIZE;
}

void pe_kprobes_show_detours(struct seq_file *m)
{
	seq_printf(m, "%u of %u\n", READ_ONCE(pe_detours_used), PE_ARCH_DETOURS);
}
EXPORT_SYMBOL_GPL(pe_kprobes_show_detours);
