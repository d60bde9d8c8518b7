/* SPDX-License-Identifier: GPL-2.0 */
/*
 * policy.h - what may be probed, and in which way.  All process context.
 */
#ifndef PE_POLICY_H
#define PE_POLICY_H

#include <linux/types.h>
#include "kernel/arch.h"

struct module;
struct seq_file;

/* blacklist.c: may the code be probed at all?  pe_mutex held, except init and show. */
void pe_blacklist_init(void);
struct pe_refusal pe_blacklist_check(unsigned long addr);
void pe_unprotect_module(const struct module *mod);
void pe_show_range(struct seq_file *m, bool show, unsigned long start, unsigned long end,
		   const char *reason);

/* text_reserved.c: is the text reserved?  pe_mutex held. */
struct pe_refusal pe_text_reserved_check(const struct pe_arch_site *as, unsigned long addr);
struct pe_refusal pe_text_reserved_check_kprobes(const struct pe_arch_site *as,
						 unsigned long addr);
void pe_lock_kernel_kprobes(void);
void pe_unlock_kernel_kprobes(void);

bool pe_kernel_kprobe_near(unsigned long addr, unsigned int len);
bool pe_text_range_reserved(unsigned long addr, unsigned int len);

/* patch_sites.c: may a jump label or a static call own a byte from @start to @last? */
bool pe_patch_site_may_be(unsigned long start, unsigned long last);

/* trap_check.c: may a breakpoint be there?  pe_mutex held. */
struct pe_refusal pe_trap_check(unsigned long addr);
/* Does ftrace trace the function that begins at @start, or the one that it is a part of? */
bool pe_traced_function(unsigned long start);

/**
 * enum pe_reach - ways of probing that some code cannot take
 * @PE_REACH_TRAP: by a breakpoint
 * @PE_REACH_RETURN: by calling the function through, with any mechanism
 */
enum pe_reach {
	PE_REACH_TRAP,
	PE_REACH_RETURN,
};

/* reach.c: can a probe's own actions lead to the code? */
int pe_reach_init(void);
void pe_reach_exit(void);
const char *pe_reach_reason(unsigned long addr, enum pe_reach kind);
void pe_reach_show(struct seq_file *m, bool show);

/*
 * module.c: modules that come and go.
 *
 * pe_module_is_announced(): of a module that is being loaded: will we be told if that fails?
 * pe_mutex held.
 */
bool pe_module_is_announced(const struct module *mod);
int pe_module_event_init(void);
void pe_module_event_exit(void);

#endif
