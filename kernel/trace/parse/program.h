/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * program.h - what every hit of a probe does, in any instance.
 *
 * A spec is what the user has said.  A program is what hits run.  The variant of a link is the work
 * of a hit in one instance only: see event/variant.c.
 */
#ifndef PE_PROGRAM_H
#define PE_PROGRAM_H

#include <linux/types.h>
#include <pe_arch/abi.h>
#include "arg.h"
#include "limits.h"

extern const u16 pe_arg_regs[PE_REG_ARGS];	/* offsets in struct pt_regs */

/**
 * struct pe_program - what every hit of a probe does
 * @args: the fetches
 * @rest: the first of @args that is not just a register
 * @end: after the last of @args
 * @pool: strings that they refer to
 * @fixed: bytes of a record before string data
 * @type: common_type of a record; the event's id
 * @is_return: a record has the return's fields as well
 * @nr_saved: of a return probe: words that a call's frame keeps; of another: 1 if there is
 *	@since_word
 * @saved: their meaning, as in struct pe_placed
 * @time_word: index of the word that is the time, -1 if none is
 * @since_word: index of the word that is the time since the last hit, -1 if none is
 *
 * Constant while the probe can be hit.
 */
struct pe_program {
	struct pe_arg *args;
	const struct pe_arg *rest;
	const struct pe_arg *end;
	char *pool;
	u16 fixed;
	u16 type;
	bool is_return;
	u8 nr_saved;
	s8 time_word;
	s8 since_word;
	u16 *saved;
};

/* Does a return probe save something at the entry? */
static inline bool pe_program_saves(const struct pe_program *program)
{
	return program->nr_saved > (program->since_word >= 0);
}

struct pe_placed;

/* program.c */

/**
 * pe_program_init() - make a program of what a command means at its place
 * @program: has its args and pool, copied from @placed, and room for what is saved; the rest is
 *	set here
 * @placed: with its arguments parsed
 *
 * Sets all but @type, which is the event's.  Loads of what is in a register become
 * PE_LOAD_REG, and those of an argument on the stack PE_LOAD_STACK.  A hit knows
 * no other loads of these.
 */
void pe_program_init(struct pe_program *program, const struct pe_placed *placed);

#endif
