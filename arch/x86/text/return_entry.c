// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * return_entry.c - is an address one that is called?
 *
 * A symbol may be something else than a function: a part of one that the compiler has put
 * elsewhere (`.cold`) and jumps to, or a label within assembler.  Code that is jumped to
 * expects its function's frame on the stack.  Calling through would put our frame in
 * between.
 */
#include <linux/compiler.h>
#include <linux/kallsyms.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <asm/segment.h>
#include <asm/unwind.h>
#include "kernel/arch.h"
#include "kernel/know/names.h"

/**
 * pe_arch_is_called() - is there nothing on the stack but a return address?
 * @addr: of an instruction
 *
 * The unwinder has data of every instruction (ORC).  It gets a made-up stack on which each
 * word could be a return address.  The answer is yes if it takes the first word.  A kernel
 * with an unwinder that follows frame pointers has no such data, so there the answer is always yes.
 *
 * Context: process.
 */
bool pe_arch_is_called(unsigned long addr)
{
#ifdef CONFIG_UNWINDER_ORC
	unsigned long stack[8];
	struct pt_regs regs = {
		.ip = addr,
		.sp = (unsigned long)stack,
		.bp = (unsigned long)(stack + 4),
		.cs = __KERNEL_CS,
	};
	struct unwind_state state;
	unsigned int i;

	/* read by unwind_start(), which the compiler does not see */
	for (i = 0; i < ARRAY_SIZE(stack); i++)
		WRITE_ONCE(stack[i], (unsigned long)pe_arch_is_called + 1);
	unwind_start(&state, current, &regs, NULL);
	return !unwind_done(&state) && !unwind_error(&state) &&
	       state.sp == (unsigned long)(stack + 1);
#else
	return true;
#endif
}

/* Is @addr one of the thunks that replace `ret`?  Process context. */
bool pe_arch_is_return_thunk(unsigned long addr)
{
	char name[KSYM_SYMBOL_LEN];

	pe_symbol_name(addr, name);
	return strstr(name, "return_thunk");
}
