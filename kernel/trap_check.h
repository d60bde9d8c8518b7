/* SPDX-License-Identifier: GPL-2.0 */
/*
 * trap_check.h - may a breakpoint stand here?  All process context.
 */
#ifndef PE_TRAP_CHECK_H
#define PE_TRAP_CHECK_H

#include <linux/types.h>
#include "kernel/arch.h"

struct seq_file;

/* trap_check.c.  pe_mutex held. */
struct pe_refusal pe_trap_check(unsigned long addr);

/**
 * enum pe_reach - ways of probing that some code can't stand
 * @PE_REACH_TRAP: by a breakpoint
 * @PE_REACH_RETURN: by calling the function through, whatever diverts the call
 */
enum pe_reach {
	PE_REACH_TRAP,
	PE_REACH_RETURN,
};

/* reach.c */
int pe_reach_init(void);
void pe_reach_exit(void);
const char *pe_reach_reason(unsigned long addr, enum pe_reach kind);
void pe_reach_show(struct seq_file *m, bool show);

/* blacklist.c */
void pe_show_range(struct seq_file *m, bool show, unsigned long start, unsigned long end,
		   const char *reason);

#endif
