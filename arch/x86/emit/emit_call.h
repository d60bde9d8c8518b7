/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * emit_call.h - the machine code that enters a function with return probes.  [P]
 *
 * The code is for one set of probes, and has all that is known of the set as constants.  It begins
 * as a tree for calls leaves it (code_area.S): rsp and rbp point to the frame's base, where rbp
 * is, with the function's return address above; r10, r11 and the flags are free; all other
 * registers are the function's.  In the order in which they are called:
 *
 *	pe_emit_call_look()	if nothing else looks whether the code is up to date
 *	pe_emit_call_frame()	look at the context, count the call, make the frame
 *		now code may fill the probes' data, and use the registers that it preserves
 *	pe_emit_call_go()	go to the call slot
 */
#ifndef PE_ARCH_EMIT_CALL_H
#define PE_ARCH_EMIT_CALL_H

#include <linux/types.h>
#include "arch/x86/emit/emit.h"

/* Argument words on the stack that are copied; a function with more is left to C code. */
#define PE_CALL_WORDS_MAX	8

/**
 * struct pe_call_env - where this kernel keeps what calls look at; the same for all code
 * @current_task: variable of each CPU, by its offset from %gs; so is the next one
 * @busy: a word, 0 unless a handler is running
 * @task_flags: in struct task_struct; so is the next one
 * @task_stack: lowest address of the stack
 * @unusual: bits of the task's flags; if any is set, C code has to enter the call
 * @stack_size: bytes of a task's stack
 * @reserve: of these, bytes below the frame that a call needs
 * @enter: C code enters the call; r11: the set
 * @interpret: C code does all; r11: the return address into the function
 * @ret: how code returns: 0: ret, or jump there
 */
struct pe_call_env {
	s64 current_task, busy;
	unsigned int task_flags, task_stack, unusual;
	unsigned int stack_size, reserve;
	u64 enter, interpret, ret;
};

/**
 * struct pe_call_code - a set, and the code for it
 * @live: address of a byte within 2 GB: 0: the code is out of date
 * @ret: return address of the function's call of us
 * @set: what the frame remembers
 * @mask: a bit for each of several probes; 0: there is one
 * @data: bytes of the probes' data, a multiple of 8
 * @words: argument words on the stack
 * @entries: counter of calls, by its offset from %gs
 * @call: address of the call in the call slot
 * @slow: while it is being made: the way out to C code
 * @stale: while it is being made: the way out of code that is out of date
 */
struct pe_call_code {
	u64 live, ret, set;
	u32 mask;
	unsigned int data, words;
	s64 entries;
	u64 call;
	/* in the making */
	struct pe_label slow, stale;
};

/* Bytes of the frame below its base. */
static inline unsigned int pe_call_frame_size(const struct pe_call_code *code)
{
	return 8 * (1 + !!code->mask + code->words) + code->data;
}

void pe_emit_call_look(struct pe_emit *e, struct pe_call_code *code);
void pe_emit_call_frame(struct pe_emit *e, const struct pe_call_env *env,
			struct pe_call_code *code);
void pe_emit_call_go(struct pe_emit *e, const struct pe_call_env *env, struct pe_call_code *code);

#endif
