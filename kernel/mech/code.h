/* SPDX-License-Identifier: GPL-2.0 */
/*
 * code.h - compiled hits, as the engine sees them (code.c); <pe/code.h> is for who makes the code.
 */
#ifndef PE_MECH_CODE_H
#define PE_MECH_CODE_H

#include <linux/ptrace.h>
#include <linux/static_call.h>
#include <pe/code.h>
#include <pe/kprobe.h>
#include "kernel/arch.h"
#include "kernel/site.h"

#ifdef CONFIG_DYNAMIC_FTRACE_WITH_REGS
/* What functions call whose calls are only observed. */
DECLARE_STATIC_CALL(pe_entry_front, pe_entry_stub);
/* What detours call. */
DECLARE_STATIC_CALL(pe_detour_front, pe_detour_stub);

static inline unsigned long pe_code_detour_front(void)
{
	return (unsigned long)&STATIC_CALL_TRAMP(pe_detour_front);
}

/* Also for other code that is made at run time: write it; sort the leaves of a tree. */
void pe_code_write(unsigned long to, const u8 *code, unsigned int len);
int pe_tree_by_ret(const void *a, const void *b);

static inline bool pe_code_is_return(const struct pe_kprobe *kp)
{
	return kp->flags & PE_KPROBE_RETURN;
}

/* Bytes of code, and of the trees that lead there.  Takes pe_mutex. */
static inline size_t pe_code_memory(void)
{
	struct pe_code_usage usage;

	pe_code_usage(&usage);
	return usage.used;
}

/* code_site.c */
const char *pe_code_site_probes(struct pe_kprobe *kp, struct pe_kprobe **kps, unsigned int *nr);

/* pe_mutex held. */
void pe_code_site_changes(struct pe_site *site);
void pe_code_forget(struct pe_kprobe *kp);

/* arch/x86/entry_stub.S calls it.  [H] */
void pe_code_rest_hit(struct pt_regs *regs, const void *data);
#else
static inline unsigned long pe_code_detour_front(void)
{
	return (unsigned long)pe_detour_stub;
}

static inline size_t pe_code_memory(void)
{
	return 0;
}

static inline void pe_code_site_changes(struct pe_site *site)
{
}

static inline void pe_code_forget(struct pe_kprobe *kp)
{
}
#endif

#endif
