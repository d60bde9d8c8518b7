/* SPDX-License-Identifier: GPL-2.0 */
/*
 * ftrace.h - function entries that ftrace patches.
 */
#ifndef PE_MECH_FTRACE_H
#define PE_MECH_FTRACE_H

#include <linux/ftrace.h>
#include <linux/list.h>
#include <linux/types.h>

struct pe_blame;

/* ftrace.c.  pe_mutex held, except pe_ftrace_exit(). */
bool pe_ftrace_owns(unsigned long addr);
int pe_ftrace_arm(struct list_head *sites, struct pe_blame *blame);
void pe_ftrace_undo(struct list_head *sites);
void pe_ftrace_finish(struct list_head *armed, struct list_head *sites);
void pe_ftrace_exit(void);

/* ftrace_hit.c: once, while loading */
void pe_ftrace_hit_init(void);

#ifdef CONFIG_DYNAMIC_FTRACE_WITH_REGS
/* ftrace_hit.c: [H].  Of a function without return probes; of one that has some. */
void pe_ftrace_hit(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
		   struct ftrace_regs *fregs);
void pe_ftrace_hit_divert(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
			  struct ftrace_regs *fregs);

/* ftrace_ops.c.  pe_mutex held, except pe_ftrace_ops_exit(). */
struct ftrace_ops *pe_ftrace_ops_take(ftrace_func_t func, unsigned long flags);
void pe_ftrace_ops_put(struct ftrace_ops *ops);
int pe_ftrace_ops_register(struct ftrace_ops *ops);
void pe_ftrace_ops_unregister(struct ftrace_ops *ops);
void pe_ftrace_ops_exit(void);
#endif

#endif
