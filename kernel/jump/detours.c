// SPDX-License-Identifier: GPL-2.0
/*
 * detours.c - memory of detours.
 *
 * Detours are in slots of this module's own text, where the unwinder has data for them
 * (arch/x86/entry/detour_stub.S).  A slot is used; or left, while tasks may be in it (jump.c); or
 * free. One that may have a task in it keeps its code and its site.  A free one holds breakpoints.
 */
#include <linux/bitmap.h>
#include <linux/build_bug.h>
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/lockdep.h>
#include <linux/mutex.h>
#include <linux/seq_file.h>
#include "kernel/arch.h"
#include "kernel/jump/islands.h"
#include "kernel/jump/jump.h"
#include "kernel/kprobes.h"

static_assert(PE_ARCH_DETOURS <= 1 << 16);	/* a slot has 16 bits for its number */

/* Detours that are not free: the bits of pe_detour_jumps[]; pe_mutex. */
static DECLARE_BITMAP(pe_detours_used, PE_ARCH_DETOURS);

int pe_detour_take(struct pe_jump *j)
{
	unsigned int i = find_first_zero_bit(pe_detours_used, PE_ARCH_DETOURS);

	lockdep_assert_held(&pe_mutex);
	if (i >= PE_ARCH_DETOURS)
		return -ENOSPC;
	__set_bit(i, pe_detours_used);
	WRITE_ONCE(pe_detour_probes[i], &pe_detour_all);	/* read by pe_detour_stub */
	WRITE_ONCE(pe_detour_jumps[i], j);	/* read by pe_jump_hit() */
	j->detour = i;
	return 0;
}

void pe_detour_free(struct pe_jump *j)
{
	lockdep_assert_held(&pe_mutex);
	pe_island_remove(j);
	pe_arch_detour_clear(j->detour);
	WRITE_ONCE(pe_detour_jumps[j->detour], NULL);	/* read by pe_jump_hit() */
	__clear_bit(j->detour, pe_detours_used);
}

bool pe_detours_any_leaving(void)
{
	unsigned int i;

	lockdep_assert_held(&pe_mutex);
	for_each_set_bit(i, pe_detours_used, PE_ARCH_DETOURS) {
		if (pe_detour_jumps[i]->state == PE_JUMP_LEAVING)
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
	for_each_set_bit(i, pe_detours_used, PE_ARCH_DETOURS) {
		j = pe_detour_jumps[i];
		if (j->site && gone(j->site))
			WRITE_ONCE(j->site, NULL);	/* read by pe_jump_hit() */
	}
}

size_t pe_detours_memory(void)
{
	lockdep_assert_held(&pe_mutex);
	return bitmap_weight(pe_detours_used, PE_ARCH_DETOURS) * PE_ARCH_DETOUR_SIZE;
}

void pe_kprobes_show_detours(struct seq_file *m)
{
	unsigned int n;

	mutex_lock(&pe_mutex);
	n = bitmap_weight(pe_detours_used, PE_ARCH_DETOURS);
	mutex_unlock(&pe_mutex);
	seq_printf(m, "%u of %u\n", n, PE_ARCH_DETOURS);
}
EXPORT_SYMBOL_GPL(pe_kprobes_show_detours);
