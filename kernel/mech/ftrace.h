/* SPDX-License-Identifier: GPL-2.0 */
/*
 * ftrace.h - function entries that ftrace patches.  Compiled only if ftrace saves registers.
 */
#ifndef PE_MECH_FTRACE_H
#define PE_MECH_FTRACE_H

#include <linux/ftrace.h>
#include <linux/types.h>

#ifdef CONFIG_DYNAMIC_FTRACE_WITH_REGS

/* ftrace.c.  Process context. */
bool pe_ftrace_owns(unsigned long addr);
void pe_ftrace_exit(void);

/* ftrace_hit.c: [H], except init.  For a function without return probes; for one that has some. */
void pe_ftrace_hit_init(void);
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

#else

static inline bool pe_ftrace_owns(unsigned long addr)
{
	return false;
}

static inline void pe_ftrace_hit_init(void)
{
}

static inline void pe_ftrace_exit(void)
{
}

#endif

#endif
