/* SPDX-License-Identifier: GPL-2.0 */
/*
 * entry_ops.h - what ftrace knows of us: entry_ops.c for entry_ftrace.c.
 *
 * All but pe_ops_exit() with pe_mutex.
 */
#ifndef PE_ENTRY_OPS_H
#define PE_ENTRY_OPS_H

#include <linux/ftrace.h>

#ifdef CONFIG_DYNAMIC_FTRACE_WITH_REGS
struct ftrace_ops *pe_ops_take(ftrace_func_t func, unsigned long flags);
void pe_ops_put(struct ftrace_ops *ops);
int pe_ops_register(struct ftrace_ops *ops);
void pe_ops_unregister(struct ftrace_ops *ops);
void pe_ops_exit(void);
#endif

#endif
