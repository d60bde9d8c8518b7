/* SPDX-License-Identifier: GPL-2.0 */
/*
 * entry_hit.h - what ftrace calls: entry_hit.c for entry_ftrace.c.  [H]
 */
#ifndef PE_ENTRY_HIT_H
#define PE_ENTRY_HIT_H

#include <linux/ftrace.h>

#ifdef CONFIG_DYNAMIC_FTRACE_WITH_REGS
/* Of a function without return probes; of one that has some.  Any context. */
void pe_entry_hit(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
		  struct ftrace_regs *fregs);
void pe_entry_hit_return(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
			 struct ftrace_regs *fregs);
#endif

#endif
