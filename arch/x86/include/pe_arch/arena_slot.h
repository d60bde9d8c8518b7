/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * arena_slot.h - the slots through which functions are called, on x86.  For kernel/arena/.
 */
#ifndef PE_ARCH_ARENA_SLOT_H
#define PE_ARCH_ARENA_SLOT_H

#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/types.h>
#include <asm/segment.h>
#include "arch/x86/entry/return_arena.h"

/* [H] Fill in the registers that return_arena.S has left out. */
static __always_inline void pe_arch_complete_regs(struct pt_regs *regs, void *sp)
{
	regs->cs = __KERNEL_CS;
	regs->ss = __KERNEL_DS;
	regs->orig_ax = -1;
	regs->sp = (unsigned long)sp;
}

/* Is it what registers on a stack, which ftrace has shown us, have after their ->ip? */
static inline bool pe_arch_follows_ip(unsigned long word)
{
	return word == __KERNEL_CS;
}

/* Where the used part of the stack of a task that is switched out begins. */
static inline unsigned long pe_arch_sleeping_sp(const struct task_struct *t)
{
	return READ_ONCE(t->thread.sp);
}

/* The address of entry slot @i.  Control is diverted to it at the function's entry. */
static inline unsigned long pe_arch_return_entry(unsigned int i)
{
	return (unsigned long)pe_entry_slots + i * PE_RETURN_SLOT_SIZE;
}

/* [H] The address of call slot @i: it calls the function's body and comes back. */
static __always_inline unsigned long pe_arch_return_call(unsigned int i)
{
	return (unsigned long)pe_call_slots + i * PE_RETURN_SLOT_SIZE;
}

/* [H] Is @addr a return address into a call slot? */
static __always_inline bool pe_arch_in_call_slots(unsigned long addr)
{
	return addr - (unsigned long)pe_call_slots < PE_RETURN_SLOTS * PE_RETURN_SLOT_SIZE;
}

/* The number of the slot of @slots of which @addr is the byte at @offset, or -1. */
static inline int pe_arch_slot_with(const char *slots, unsigned long addr, unsigned int offset)
{
	unsigned long off = addr - (unsigned long)slots;

	if (off >= PE_RETURN_SLOTS * PE_RETURN_SLOT_SIZE || off % PE_RETURN_SLOT_SIZE != offset)
		return -1;
	return off / PE_RETURN_SLOT_SIZE;
}

/* The number of the entry slot that begins at @addr, or -1. */
static inline int pe_arch_entry_slot(unsigned long addr)
{
	return pe_arch_slot_with(pe_entry_slots, addr, 0);
}

/* The number of the call slot in which a body returns to @addr, or -1. */
static inline int pe_arch_call_return(unsigned long addr)
{
	return pe_arch_slot_with(pe_call_slots, addr, PE_RETURN_CALL_RETURN);
}

#endif
