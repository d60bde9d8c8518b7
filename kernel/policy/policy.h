/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
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
bool pe_blacklist_init(void);
struct pe_refusal pe_blacklist_check(unsigned long addr);

/**
 * enum pe_owner - what has a claim on text
 * @PE_OWNER_NONE: nothing
 * @PE_OWNER_KPROBE: a kprobe of the kernel, whose jump may be over it
 * @PE_OWNER_PATCHER: ftrace, alternatives, a livepatch, a jump label, a static call: they
 *	rewrite it
 * @PE_OWNER_TRAP: the exception table: the kernel looks up the address of the first byte
 * @PE_OWNER_ISLAND: a jump of ours that goes on in padding
 * @PE_OWNER_ANY: all of these
 */
enum pe_owner {
	PE_OWNER_NONE,
	PE_OWNER_KPROBE = 1,
	PE_OWNER_PATCHER = 2,
	PE_OWNER_TRAP = 4,
	PE_OWNER_ISLAND = 8,
	PE_OWNER_ANY = 15,
};

/* text_reserved.c: is the text reserved?  pe_mutex held. */
struct pe_refusal pe_text_reserved_check(const struct pe_arch_site *as, unsigned long addr,
					 unsigned int ask);
enum pe_owner pe_text_owner(unsigned long start, unsigned int len, const struct pe_arch_site *insn,
			    unsigned int ask, const char **who);
/* pe_mutex, with the kernel's kprobes kept as they are. */
void pe_lock_text(void);
void pe_unlock_text(void);

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

/**
 * struct pe_reach_ours - where a walk begins in code of ours
 * @kind: which way of probing leads there
 * @code: the function
 */
struct pe_reach_ours {
	enum pe_reach kind;
	void *code;
};

#define PE_REACH_OURS	8	/* most of them */

/* reach.c: can a probe's own actions lead to the code? */
int pe_reach_init(const struct pe_reach_ours *ours, bool names);
void pe_reach_exit(void);
const char *pe_reach_reason(unsigned long addr, enum pe_reach kind);
void pe_reach_show(struct seq_file *m, bool show);
void pe_show_range(struct seq_file *m, bool show, unsigned long start, unsigned long end,
		   const char *reason);

/*
 * module.c: modules that are protected, and those that come.  pe_mutex held, but for
 * pe_module_announce().
 *
 * pe_module_is_announced(): of a module that is being loaded: will we be told if that fails?
 */
#define PE_MAX_PROTECTED	8
bool pe_module_is_protected(const struct module *mod);
const struct module *pe_protected_module(unsigned int i);
void pe_unprotect_module(const struct module *mod);
bool pe_module_is_announced(const struct module *mod);
void pe_module_announce(const struct module *mod);
void pe_module_forget(const struct module *mod);
void pe_modules_forget(void);

#endif
