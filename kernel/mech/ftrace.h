/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * ftrace.h - function entries that ftrace patches.  Compiled only if ftrace saves registers.
 */
#ifndef PE_MECH_FTRACE_H
#define PE_MECH_FTRACE_H

#include <linux/ftrace.h>
#include <linux/types.h>

#ifdef CONFIG_DYNAMIC_FTRACE_WITH_REGS

/*
 * ftrace_hit.c: [H], except init.  The first of each pair is for functions without return
 * probes, the second for those that have some.  ftrace calls the first pair, the stubs of
 * the architecture call the second one (kernel/arch.h).
 */
void pe_ftrace_hit_init(void);
void pe_ftrace_hit(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
		   struct ftrace_regs *fregs);
void pe_ftrace_hit_divert(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
			  struct ftrace_regs *fregs);
void pe_ftrace_stub_hit(struct pt_regs *regs);
unsigned long pe_ftrace_stub_hit_divert(struct pt_regs *regs);

unsigned long pe_optprobe_stub_hit(struct pt_regs *regs);	/* optprobe.c */

/**
 * struct pe_ftrace_kind - what an ftrace_ops is made of
 * @func: ftrace calls it for a function with several tracers
 * @stub: a function without another tracer calls it
 * @flags: of the ops
 */
struct pe_ftrace_kind {
	ftrace_func_t func;
	void (*stub)(void);
	unsigned long flags;
};

/* ftrace_ops.c.  pe_mutex held, except pe_ftrace_ops_exit(). */
struct ftrace_ops *pe_ftrace_ops_begin(const struct pe_ftrace_kind *kind, unsigned long *ips,
				       unsigned int n);
void pe_ftrace_ops_unregister(struct ftrace_ops *ops);
void pe_ftrace_ops_exit(void);

#else

static inline void pe_ftrace_hit_init(void)
{
}

static inline void pe_ftrace_ops_exit(void)
{
}

#endif

#endif
