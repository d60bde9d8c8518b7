// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * traceable.c - functions of the kernel that ftrace can trace: probes at their entries
 * need no breakpoint.
 */
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/ftrace.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <pe/symbols.h>
#include "kernel/know/ksyms.h"
#include "kernel/know/names.h"

bool pe_ftrace_owns(unsigned long addr)
{
	return pe_ks_has(ftrace_location) && pe_ks(ftrace_location)(addr) == addr;
}

#ifdef CONFIG_DYNAMIC_FTRACE

bool pe_traceable_known(void)
{
	return pe_ks_data.ftrace_lock && pe_ks_has(ftrace_rec_iter_start) &&
	       pe_ks_has(ftrace_rec_iter_next) && pe_ks_has(ftrace_rec_iter_record);
}
EXPORT_SYMBOL_GPL(pe_traceable_known);

/*
 * ftrace has a single iterator.  Its mutex guards it.
 *
 * Return: how many there are; the first @room of them are in @addrs.
 */
static size_t pe_traceable_collect(unsigned long *addrs, size_t room)
{
	struct ftrace_rec_iter *iter;
	size_t n = 0;

	mutex_lock(pe_ks_data.ftrace_lock);
	for (iter = pe_ks(ftrace_rec_iter_start)(); iter;
	     iter = pe_ks(ftrace_rec_iter_next)(iter)) {
		if (n < room)
			addrs[n] = pe_ks(ftrace_rec_iter_record)(iter)->ip;
		n++;
	}
	mutex_unlock(pe_ks_data.ftrace_lock);
	return n;
}

#else

bool pe_traceable_known(void)
{
	return false;
}
EXPORT_SYMBOL_GPL(pe_traceable_known);

static size_t pe_traceable_collect(unsigned long *addrs, size_t room)
{
	return 0;
}

#endif

unsigned long *pe_traceable_functions(size_t *nr)
{
	size_t room = pe_traceable_collect(NULL, 0);
	unsigned long *addrs;

	/* A module may be loaded between the two calls. */
	for (;;) {
		addrs = kvmalloc_array(max_t(size_t, room, 1), sizeof(*addrs), GFP_KERNEL);
		if (!addrs)
			return ERR_PTR(-ENOMEM);
		*nr = pe_traceable_collect(addrs, room);
		if (*nr <= room)
			return addrs;
		room = *nr;
		kvfree(addrs);
	}
}
EXPORT_SYMBOL_GPL(pe_traceable_functions);
