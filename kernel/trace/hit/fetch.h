/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * fetch.h - a program's fetches at a hit: from registers and memory to a record's fields.
 */
#ifndef PE_FETCH_H
#define PE_FETCH_H

#include <linux/compiler.h>
#include <linux/string.h>
#include <linux/types.h>
#include "kernel/trace/parse/arg.h"
#include "kernel/trace/parse/program.h"

struct pt_regs;

#define PE_RWBS_LEN	10	/* with the NUL */

/* Sources of values.  Passed by value: two words, which stay in registers. */
struct pe_fetch_source {
	const struct pt_regs *regs;
	const u64 *saved;		/* of a return probe: saved at entry; since the last hit */
};

/* fetch_hit.c */

/**
 * pe_fetch_saved() - at entry, save the arguments that a return probe wants [H]
 * @to: a word for each; words for PE_SAVE_TIME and PE_SAVE_SINCE are not written
 * @program: the probe's
 * @regs: at entry
 */
void pe_fetch_saved(u64 *to, const struct pe_program *program, const struct pt_regs *regs);

/* Runs the fetches from program->rest on.  [H] */
unsigned int pe_fetch_rest(void *rec, unsigned int room, const struct pe_program *program,
			   struct pe_fetch_source from);

static __always_inline u64 pe_fetch_reg(const struct pt_regs *regs, unsigned int offset)
{
	unsigned long word;

	memcpy(&word, (const char *)regs + offset, sizeof(word));
	return word;
}

static __always_inline void pe_fetch_store(void *dst, u64 value, unsigned int size)
{
	switch (size) {
	case 8:
		memcpy(dst, &value, 8);
		break;
	case 4:
		memcpy(dst, &value, 4);
		break;
	case 2:
		memcpy(dst, &value, 2);
		break;
	case 1:
		memcpy(dst, &value, 1);
		break;
	}
}

/**
 * pe_fetch_args() - run the fetches of a program [H]
 * @rec: the record's start; the fixed part is written at the args' offsets
 * @room: limit of string data, in bytes from @rec
 * @program: the probe's
 * @from: where values come from
 *
 * Any context.  Memory that can't be read gives 0, or a string of length 0.
 *
 * Return: bytes of the record with its string data, which goes after the fixed part.
 */
static __always_inline unsigned int pe_fetch_args(void *rec, unsigned int room,
						  const struct pe_program *program,
						  struct pe_fetch_source from)
{
	const struct pe_arg *arg;

	for (arg = program->args; arg < program->rest; arg++)
		pe_fetch_store(rec + arg->offset, pe_fetch_reg(from.regs, arg->fetch.reg),
			       arg->size);
	if (likely(arg == program->end))
		return program->fixed;
	return pe_fetch_rest(rec, room, program, from);
}

/*
 * Seams of fetch_hit.c, for any context.  Defined in cmdlines.c, and for user space in
 * tests/unit/stubs.c.
 *
 * pe_current_comm(): the current task's name.  A rename may tear it, but it is always
 * terminated.
 * pe_current_task(): the address of its struct task_struct.
 * pe_read_task(): the pid and name of the task at that address.  False if they cannot be read.  If
 * the task has ended, they may be those of another one, or none at all.
 * pe_rwbs_text(): the letters of a block request's operation and flags; in rwbs.c.
 * pe_cpu_offset(): from the address of a variable of each CPU to that of this CPU's.
 */
void pe_current_comm(char comm[16]);
unsigned long pe_current_task(void);
bool pe_read_task(u64 task, int *pid, char comm[16]);
void pe_rwbs_text(u64 flags, char to[PE_RWBS_LEN]);
unsigned long pe_cpu_offset(void);

#endif
