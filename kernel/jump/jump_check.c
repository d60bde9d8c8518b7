// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * jump_check.c - may a jump take the place of a site's breakpoint?
 *
 * jump.c has the list of conditions.  Some hold for ever or never, because text and tables do
 * not change.  Others may hold later, and there are two kinds of these:
 *
 *   -EBUSY	the reason is ours; pe_jump_kick() is called when it goes away
 *   -EAGAIN	the end is not reported to us: no memory, a kprobe of the kernel, changed text.
 *		The check has to be repeated now and then
 */
#include <linux/errno.h>
#include "kernel/arch.h"
#include "kernel/jump/islands.h"
#include "kernel/jump/jump.h"
#include "kernel/policy/policy.h"
#include "kernel/probe/site.h"

bool pe_jump_may_be(const struct pe_site *site)
{
	return site->text && site->state == PE_SITE_SERVING && site->hits == PE_HITS_OBSERVED &&
	       !site->posts && !READ_ONCE(site->text->never);
}

/* Is another of our sites, armed or lost, in so many bytes? */
static bool pe_is_crowded(const struct pe_site *site, unsigned int len)
{
	const struct pe_site *other;
	unsigned int off;

	for (off = 1; off < len; off++) {
		other = pe_site_find(site->addr + off);
		if (other && other->state != PE_SITE_IDLE)
			return true;
	}
	return false;
}

bool pe_jump_has_neighbour(const struct pe_site *site, unsigned int len)
{
	const char *who;

	return pe_is_crowded(site, len) ||
	       pe_text_owner(site->addr, len, NULL, PE_OWNER_KPROBE, &who);
}

/* Return: 0, or -EOPNOTSUPP with @why. */
static int pe_check_reserved(const struct pe_site *site, const struct pe_arch_jump *arch,
			     const char **why)
{
	struct pe_arch_site as;
	struct pe_refusal r;
	unsigned int i, off, len = pe_arch_jump_length(arch);

	for (i = 0; pe_arch_jump_insn(arch, i, &as, &off); i++) {
		r = pe_text_reserved_check(&as, site->addr + off, PE_OWNER_ANY);
		*why = r.reason;
		if (r.err)
			return -EOPNOTSUPP;
	}
	off = pe_arch_jump_padding(arch);
	if (off >= len || !pe_text_owner(site->addr + off, len - off, NULL, PE_OWNER_PATCHER, why))
		return 0;
	*why = "the padding that follows is reserved";
	return -EOPNOTSUPP;
}

/* Check the conditions of a known window that may change. */
static int pe_check_now(const struct pe_site *site, const struct pe_arch_jump *arch,
			const char **why)
{
	unsigned int len = pe_arch_jump_length(arch);

	*why = "another probe is near";
	if (pe_is_crowded(site, len))
		return -EBUSY;
	switch (pe_text_owner(site->addr, len, NULL, PE_OWNER_KPROBE | PE_OWNER_ISLAND, why)) {
	case PE_OWNER_NONE:
		*why = "other code has changed the text";
		return pe_text_is_breakpoint_of(arch, site->addr) ? 0 : -EAGAIN;
	case PE_OWNER_ISLAND:
		*why = "padding that is in use follows";
		return -EBUSY;
	default:
		*why = "a kprobe of the kernel is near";
		return -EAGAIN;
	}
}

/* Can a jump of @size bytes be at the site?  Return: as pe_jump_check(). */
static int pe_check_window(const struct pe_site *site, struct pe_arch_jump *arch, unsigned int size,
			   const char **why)
{
	int err = pe_arch_jump_examine(arch, site->addr, size, why);

	if (!err)
		err = pe_arch_targets_between(site->addr + 1,
					      site->addr + pe_arch_jump_length(arch), why);
	if (!err)
		err = pe_check_now(site, arch, why);
	return err ?: pe_check_reserved(site, arch, why);
}

int pe_jump_check(const struct pe_site *site, struct pe_arch_jump *arch, const char **why)
{
	const char *ignored;
	int err;

	*why = "another probe is near";
	if (pe_is_crowded(site, PE_ARCH_JUMP_SIZE))	/* the window is not shorter */
		return -EBUSY;
	err = pe_check_window(site, arch, PE_ARCH_JUMP_SIZE, why);
	if (err != -EOPNOTSUPP)
		return err;
	return pe_check_window(site, arch, PE_ARCH_SHORT_SIZE, &ignored) ?:
	       pe_arch_island_find(arch, site->addr, pe_island_is_free);
}
