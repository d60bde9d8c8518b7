// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * trap_check.c - may a breakpoint be here?
 *
 * blacklist.c says which code may be probed at all.  To hold a breakpoint, the code must
 * also be able to take an exception.  There are two questions:
 *
 *   - Does a breakpoint lead to the code, or does it run where no exception is handled?
 *     reach.c derives the answer from the kernel's text.
 *   - Does ftrace trace the function?  Then the kernel's own developers have said that
 *     tracers may run there.  The kernel itself puts breakpoints on its entry whenever
 *     tracing is switched on or off.  ftrace leaves out functions that tracing itself uses,
 *     and code that runs when little works.  A walk cannot follow all calls there, so nothing
 *     proves a breakpoint safe.  The code of modules is exempt: no breakpoint's way leads
 *     there.  Kernels without ftrace are exempt, too: no tracing is on the way of a
 *     breakpoint, and following the calls is proof enough.
 *
 * Probes at entries that ftrace patches need none of this: they take no exception.
 */
#include <linux/errno.h>
#include <linux/kallsyms.h>
#include <linux/string.h>
#include <pe/symbols.h>
#include "kernel/engine.h"
#include "kernel/know/ksyms.h"
#include "kernel/know/names.h"
#include "kernel/policy/policy.h"

static bool pe_is_traced(unsigned long start)
{
	return pe_ks(ftrace_location)(start) != 0;
}

/* Returns non-zero, which ends the search, at the first function that ftrace does not trace. */
static int pe_traced_match(void *data, unsigned long addr)
{
	bool *any = data;

	*any = pe_is_traced(addr);
	return !*any;
}

/*
 * A part that the compiler has put elsewhere is treated like its function.  If several
 * functions have that name, ftrace must trace all of them.
 */
static bool pe_parent_is_traced(unsigned long addr)
{
	char name[KSYM_SYMBOL_LEN];
	bool traced = false;
	char *part;

	pe_symbol_name(addr, name);
	part = strstr(name, ".cold");
	if (!part)
		return false;
	*part = '\0';
	pe_kernel_matches(name, pe_traced_match, &traced);
	return traced;
}

bool pe_traced_function(unsigned long start)
{
	return pe_ks_has(ftrace_location) && (pe_is_traced(start) || pe_parent_is_traced(start));
}

/**
 * pe_trap_check() - may a breakpoint be at an address?
 * @addr: passed by pe_blacklist_check()
 *
 * Context: process, pe_mutex held.
 * Return: PE_ACCEPT, or errno and reason.
 */
struct pe_refusal pe_trap_check(unsigned long addr)
{
	const char *reason = pe_reach_reason(addr, PE_REACH_TRAP);
	unsigned long start, size;

	lockdep_assert_held(&pe_mutex);
	if (reason)
		return PE_REFUSE(EINVAL, reason);
	if (!pe_ks_has(ftrace_location) || !pe_ks(core_kernel_text)(addr))
		return PE_ACCEPT;
	if (!pe_symbol_at(addr, &start, &size))
		return PE_REFUSE(EILSEQ, "no function is known to hold the address");
	if (pe_traced_function(start))
		return PE_ACCEPT;
	return PE_REFUSE(EINVAL, "ftrace does not trace this function; its callers can be probed");
}
