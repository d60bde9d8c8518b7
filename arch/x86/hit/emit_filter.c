// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * emit_filter.c - a filter as machine code: comparisons of registers, and of words that the
 * entry of a call has saved, with numbers.  [P]
 */
#include <linux/kernel.h>
#include "arch/x86/hit/hit_parts.h"

const struct pe_arg *pe_hit_arg_at(const struct pe_program *program, unsigned int offset)
{
	const struct pe_arg *arg;

	for (arg = program->args; arg < program->end; arg++) {
		if (arg->offset == offset)
			return arg;
	}
	return NULL;
}

/* Comparisons may be the first that the code does: no register has been pushed. */
static const char *pe_cannot_test(const struct pe_program *program,
				  const struct pe_filter_test *test)
{
	const struct pe_arg *arg = pe_hit_arg_at(program, test->offset);
	int reg;

	if (test->what != PE_TEST_UNSIGNED && test->what != PE_TEST_SIGNED)
		return "the filter compares more than numbers";
	if (!arg || arg->size != test->size)
		return "the filter compares a field that is no argument";
	if (arg->fetch.nr_derefs || arg->bf_width)
		return "the filter compares a field that is not just a register";
	/* An event that is only counted may have such arguments: its code fetches none. */
	if (pe_hit_cannot_load(&arg->fetch))
		return "the filter compares a word of the stack";
	if (arg->fetch.load == PE_LOAD_SAVED && arg->fetch.index == program->time_word)
		return "the filter compares the elapsed time";
	reg = arg->fetch.load == PE_LOAD_REG ? pe_hit_reg_at(arg->fetch.reg) : PE_RAX;
	if (reg < 0 || reg == PE_RBP || reg == PE_RSP)
		return "the filter compares the stack or frame pointer";
	if (test->size == 8 && (s64)test->val != (s32)test->val)
		return "the filter compares with a number of more than 32 bits";
	if (test->invert || test->op == PE_FILTER_GLOB || test->op >= PE_FILTER_NR_OPS)
		return "the filter has an unusual operator";
	return NULL;
}

/* Return: NULL, or why not. */
const char *pe_hit_can_filter(const struct pe_program *program, const struct pe_filter *filter)
{
	const char *why = NULL;
	unsigned int i;

	if (filter->nr_tests > PE_HIT_TESTS)
		return "the filter is long";
	for (i = 0; !why && i < filter->nr_tests; i++)
		why = pe_cannot_test(program, &filter->tests[i]);
	return why;
}

static enum pe_cond pe_emit_filter_condition(const struct pe_filter_test *test)
{
	bool is_signed = test->what == PE_TEST_SIGNED;

	switch (test->op) {
	case PE_FILTER_EQ:
		return PE_COND_E;
	case PE_FILTER_LT:
		return is_signed ? PE_COND_L : PE_COND_B;
	case PE_FILTER_LE:
		return is_signed ? PE_COND_LE : PE_COND_BE;
	case PE_FILTER_GT:
		return is_signed ? PE_COND_G : PE_COND_A;
	case PE_FILTER_GE:
		return is_signed ? PE_COND_GE : PE_COND_AE;
	default:	/* NE; AND, where it is the result of test */
		return PE_COND_NE;
	}
}

/* Conditions come in pairs that differ in the lowest bit. */
static enum pe_cond pe_emit_filter_opposite(enum pe_cond cond)
{
	return cond ^ 1;
}

static void pe_emit_comparison(struct hit *h, const struct pe_filter_test *test)
{
	const struct pe_arg *arg = pe_hit_arg_at(h->part->program, test->offset);
	enum pe_reg reg = pe_hit_value(h, &arg->fetch, PE_R10);

	if (test->op != PE_FILTER_AND) {
		pe_emit_alu_imm(h->e, PE_ALU_CMP, reg, test->val, test->size);
		return;
	}
	if (reg != PE_R10)
		pe_emit_mov(h->e, PE_R10, reg);
	pe_emit_alu_imm(h->e, PE_ALU_AND, PE_R10, test->val, test->size);
}

/* Goes on if the filter says yes.  Uses r10. */
void pe_hit_emit_filter_of(struct hit *h, const struct pe_filter *filter,
			   struct pe_label *rejected)
{
	struct pe_label at[PE_HIT_TESTS + 1] = {}, *on_true, *on_false, *next;
	struct pe_label *accept = &at[filter->nr_tests];
	const struct pe_filter_test *test;
	enum pe_cond cond;
	unsigned int i;

	for (i = 0; i < filter->nr_tests; i++) {
		test = &filter->tests[i];
		next = &at[i + 1];
		on_true = test->on_true == PE_FILTER_ACCEPT ? accept :
			  test->on_true == PE_FILTER_REJECT ? rejected : &at[test->on_true];
		on_false = test->on_false == PE_FILTER_ACCEPT ? accept :
			   test->on_false == PE_FILTER_REJECT ? rejected : &at[test->on_false];
		cond = pe_emit_filter_condition(test);
		pe_emit_bind(h->e, &at[i]);
		pe_emit_comparison(h, test);
		if (on_true == next) {
			pe_emit_jcc(h->e, pe_emit_filter_opposite(cond), on_false);
			continue;
		}
		pe_emit_jcc(h->e, cond, on_true);
		if (on_false != next)
			pe_emit_jmp(h->e, on_false);
	}
	pe_emit_bind(h->e, accept);
}

/* The same of the part's filter. */
void pe_hit_emit_filter(struct hit *h)
{
	pe_hit_emit_filter_of(h, h->part->filter, &pe_hit_labels(h)->rejected);
}
