// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * program.c - from a command at a place to the program of its probe's hits.  [P]
 */
#include <linux/build_bug.h>
#include <linux/kernel.h>
#include <linux/ptrace.h>
#include "program.h"
#include "spec.h"

#define ARG_REG(r)	offsetof(struct pt_regs, r),
const u16 pe_arg_regs[PE_REG_ARGS] = { PE_ARCH_ARG_REGS(ARG_REG) };

static void pe_load_from_reg(struct pe_fetch *fetch, u32 reg)
{
	fetch->load = PE_LOAD_REG;
	fetch->reg = reg;
}

static void pe_settle_load(struct pe_fetch *fetch)
{
	switch (fetch->load) {
	case PE_LOAD_STACKP:
		pe_load_from_reg(fetch, PE_ARCH_REG_SP);
		break;
	case PE_LOAD_RETVAL:
		pe_load_from_reg(fetch, PE_ARCH_REG_VALUE);
		break;
	case PE_LOAD_ARG:
		if (fetch->index < PE_REG_ARGS) {
			pe_load_from_reg(fetch, pe_arg_regs[fetch->index]);
			break;
		}
		fetch->load = PE_LOAD_STACK;
		fetch->index += PE_ARCH_ENTRY_WORDS - PE_REG_ARGS;
		break;
	}
}

/* A register, unchanged: by far the most frequent argument. */
static bool pe_is_plain(const struct pe_arg *arg)
{
	return arg->fetch.load == PE_LOAD_REG && !arg->fetch.nr_derefs && !arg->bf_width &&
	       !pe_type_is_string(arg->type);
}

void pe_program_init(struct pe_program *program, const struct pe_placed *placed)
{
	const struct pe_arg *end = program->args + placed->nargs;
	struct pe_arg *arg;
	unsigned int i;

	for (arg = program->args; arg < end; arg++)
		pe_settle_load(&arg->fetch);
	for (arg = program->args; arg < end && pe_is_plain(arg);)
		arg++;
	program->rest = arg;
	program->end = end;
	program->fixed = placed->record_fixed;
	program->is_return = placed->spec->cmd == PE_CMD_RETURN;
	BUILD_BUG_ON(PE_MAX_SAVED >= 128);
	program->nr_saved = placed->nr_saved;
	program->time_word = -1;
	program->since_word = -1;
	for (i = 0; i < placed->nr_saved; i++) {
		program->saved[i] = placed->saved[i];
		if (placed->saved[i] == PE_SAVE_TIME)
			program->time_word = i;
		if (placed->saved[i] == PE_SAVE_SINCE)
			program->since_word = i;
	}
}
