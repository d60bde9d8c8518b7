/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * return_scan.h - what return probes read in the code of functions.  [P]
 */
#ifndef PE_ARCH_RETURN_SCAN_H
#define PE_ARCH_RETURN_SCAN_H

#include <linux/types.h>

/* Is @addr a piece of code that does nothing but return, in place of a `ret`? */
typedef bool (*pe_is_return_t)(unsigned long addr);

/**
 * struct pe_arg_words - where a function's arguments are, at most
 * @regs: words in registers
 * @stack: words on the stack
 */
struct pe_arg_words {
	unsigned int regs, stack;
};

/**
 * struct pe_stack_state - what is known before an instruction
 * @depth: bytes from the return address down to rsp
 * @rbp: the same of rbp, if that is a place in the frame
 */
struct pe_stack_state {
	s16 depth, rbp;
};

/* return_words.c */
void pe_arg_words_add(struct pe_arg_words *w, unsigned int size, bool aggregate);
bool pe_code_sees_no_words(const u8 *code, size_t len, unsigned long addr,
			   pe_is_return_t is_return, bool compiled, struct pe_stack_state *states);

#endif
