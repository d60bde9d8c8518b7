// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * trap_hook.c - how a breakpoint reaches us.
 *
 *	asm_exc_int3 -> exc_int3 -> irqentry_nmi_enter, then -> kprobe_int3_handler ...
 *
 * exc_int3() and the functions that it calls up to there are noinstr: no tracer or notifier
 * runs there, and nothing calls out of them.  The next function may be traced like any
 * other, and calls a chain of notifiers.  So a tracer, a tracepoint or a notifier could run
 * between a breakpoint and us.  A breakpoint in its code would be hit again before we could
 * see it.  No list names everything that such code calls.
 *
 * So the call that follows irqentry_nmi_enter() is redirected to us.  A breakpoint that is
 * not ours goes on to the function that the call was for.  The way of a breakpoint is then
 * short, and known from the kernel's text alone (reach.c).
 *
 * Only the distance in that call instruction changes, by text_poke_bp().  A CPU that executes
 * the call meanwhile takes one of the two ways: before the call, exc_int3() looks for a
 * breakpoint of text_poke_bp()'s own.
 *
 * Unloading puts the call back.  When text_poke_bp() returns, every online CPU has taken an
 * interrupt since then.  The handler runs with interrupts off from the trap to the return,
 * so no online CPU is in it.  pe_wait_for_hits() waits for CPUs that come up or go down, so
 * they are not in it either.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/errno.h>
#include <linux/kdebug.h>
#include <linux/mm.h>
#include <linux/notifier.h>
#include <linux/printk.h>
#include <linux/static_call.h>
#include <linux/string.h>
#include <pe/symbols.h>
#include "arch/x86/insn/insn_fixup.h"
#include "kernel/arch.h"
#include "kernel/engine.h"
#include "kernel/know/ksyms.h"
#include "kernel/probe/hit.h"
#include "kernel/probe/wait.h"

#define CALL_OPCODE	0xe8
#define MOST_CODE	1024	/* a longer exc_int3(), in bytes, is not understood */
/* Kernels that count calls, to keep the return predictor filled, call code this much earlier. */
#define CALL_PADDING	16

/* do_int3() returns bool, kprobe_int3_handler() an int that is 0 or 1. */
typedef bool takes_regs_t(struct pt_regs *regs);
typedef int takes_event_t(enum die_val val, const char *str, struct pt_regs *regs, long err,
			  int trap, int sig);

DEFINE_STATIC_CALL_NULL(pe_next_takes_regs, takes_regs_t);
DEFINE_STATIC_CALL_NULL(pe_next_takes_event, takes_event_t);

/* [H] Called in the place of do_int3() or kprobe_int3_handler(). */
static int __pe_hit_text pe_hit_by_regs(struct pt_regs *regs)
{
	return pe_breakpoint(regs) || static_call(pe_next_takes_regs)(regs);
}

/* [H] Called in the place of notify_die(). */
static int __pe_hit_text pe_hit_by_event(enum die_val val, const char *str, struct pt_regs *regs,
					 long err, int trap, int sig)
{
	if (pe_breakpoint(regs))
		return NOTIFY_STOP;
	return static_call(pe_next_takes_event)(val, str, regs, err, trap, sig);
}

/* The functions that exc_int3() may call first.  The compiler may have inlined some. */
static const struct next {
	const char *name;
	bool by_event;
} pe_trap_nexts[] = {
	{ "do_int3", false },
	{ "kprobe_int3_handler", false },
	{ "notify_die", true },
};

/* The redirected call (0: none), and the instruction as it was. */
static unsigned long pe_hook_at;
static u8 pe_hook_was[PE_JMP32_SIZE];

static bool pe_is_call_of(const struct pe_insn *insn, unsigned long next, unsigned long addr)
{
	return insn->enc == PE_ENC_LEGACY && insn->map == PE_MAP_ONE &&
	       insn->opcode == CALL_OPCODE && addr - (next + insn->imm) <= CALL_PADDING;
}

/* The offset of the first call after that of irqentry_nmi_enter(), or -ENOENT. */
static int pe_find_call(const u8 *code, size_t size, unsigned long addr, const struct next **who)
{
	unsigned long enter = pe_ksym_address("irqentry_nmi_enter"), to;
	bool entered = false;
	struct pe_insn insn;
	size_t off = 0, at;
	unsigned int i;

	while (enter && pe_insn_next(&insn, code, size, &off) > 0) {
		at = off - insn.length;
		for (i = 0; entered && i < ARRAY_SIZE(pe_trap_nexts); i++) {
			to = pe_ksym_address(pe_trap_nexts[i].name);
			if (to && pe_is_call_of(&insn, addr + off, to)) {
				*who = &pe_trap_nexts[i];
				return at;
			}
		}
		entered |= pe_is_call_of(&insn, addr + off, enter);
	}
	return -ENOENT;
}

static int pe_trap_hook_redirect(unsigned long at, const u8 *was, unsigned long to)
{
	u8 code[PE_JMP32_SIZE];
	int err = pe_emit_jmp32(code, at, to);

	if (err < 0)
		return err;
	code[0] = CALL_OPCODE;
	memcpy(pe_hook_was, was, sizeof(pe_hook_was));
	pe_hook_at = at;
	pe_text_replace_live(at, code, sizeof(code));
	return 0;
}

/* Make other breakpoints go where the call went: to the symbol, not to its padding. */
static unsigned long pe_take_place(const struct next *who)
{
	unsigned long next = pe_ksym_address(who->name);

	if (who->by_event) {
		static_call_update(pe_next_takes_event, (takes_event_t *)next);
		return (unsigned long)pe_hit_by_event;
	}
	static_call_update(pe_next_takes_regs, (takes_regs_t *)next);
	return (unsigned long)pe_hit_by_regs;
}

/**
 * pe_arch_hit_init() - make breakpoints reach us
 *
 * Context: process.
 * Return: 0; -EOPNOTSUPP if exc_int3() has an unknown shape (the log says so),
 * -ENOMEM.
 */
int pe_arch_hit_init(void)
{
	unsigned long addr = pe_ksym_address("exc_int3"), start, size;
	const struct next *who;
	int at = -ENOENT;
	u8 *code;

	code = kvmalloc(MOST_CODE, GFP_KERNEL);
	if (!code)
		return -ENOMEM;
	if (addr && pe_symbol_at(addr, &start, &size) && size <= MOST_CODE &&
	    pe_text_read(code, addr, size))
		at = pe_find_call(code, size, addr, &who);
	if (at < 0 || pe_trap_hook_redirect(addr + at, code + at, pe_take_place(who)) < 0) {
		pr_err("exc_int3() of this kernel is not understood\n");
		at = -EOPNOTSUPP;
	}
	kvfree(code);
	return at < 0 ? at : 0;
}

/* The caller has removed all breakpoints.  Afterwards no CPU is in the handler. */
void pe_arch_hit_exit(void)
{
	pe_text_replace_live(pe_hook_at, pe_hook_was, sizeof(pe_hook_was));
	pe_hook_at = 0;
	pe_wait_for_hits();
}
