/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * emit_return_hit.h - a compiled return and the C code for the same return: the frame, the words that
 * the entry has saved, the registers that a function's caller expects.
 */
#ifndef PE_TEST_EMIT_RETURN_HIT_H
#define PE_TEST_EMIT_RETURN_HIT_H

#include "emit_model.h"

static inline bool wants(unsigned int offset)
{
	const struct pe_arg *arg;

	for (arg = program.args; arg < program.end; arg++) {
		if (arg->fetch.load == PE_LOAD_REG && arg->fetch.reg == offset)
			return true;
	}
	return false;
}

/* Of registers that callees may change, C code finds those as they were that programs want. */
static inline void same_at_return(const struct pt_regs *regs, bool interpret)
{
	struct pt_regs now = emit_regs;

	now.r10 = regs->r10;
	now.r11 = regs->r11;
	now.flags = regs->flags;
	if (!interpret || !wants(offsetof(struct pt_regs, cx)))
		now.cx = regs->cx;
	if (!interpret || !wants(offsetof(struct pt_regs, r8)))
		now.r8 = regs->r8;
	if (!interpret || !wants(offsetof(struct pt_regs, r9)))
		now.r9 = regs->r9;
	if (with_counts && (!interpret || !wants(offsetof(struct pt_regs, si))))
		now.si = regs->si;
	if (with_counts && (!interpret || !wants(offsetof(struct pt_regs, di))))
		now.di = regs->di;
	EXPECT(!memcmp(&now, regs, sizeof(now)));
}

/*
 * A word of the time, and what C code would say of it now.  A difference of two counts is so large,
 * and the factor so small, that the time till the code reads the TSC makes no difference.
 * Return: does the code ask C code?
 */
static inline bool random_time(u64 *word, u64 *elapsed)
{
	u64 ticks = pick(1 << 29);
	bool mono = !pick(4);

	near->elapsed = (struct pe_elapsed){ .skew = PE_ELAPSED_FIRST - world_tsc(), .factor = 1 };
	near->since = pe_test_random(&seed);
	*word = PE_ELAPSED_FIRST - (ticks << 32) - (1ULL << 31);
	near->elapsed.skew += pick(2) ? pe_test_random(&seed) >> 3 : 0;
	*word += near->elapsed.skew - (PE_ELAPSED_FIRST - world_tsc());
	*elapsed = ticks;
	if (!pick(4))
		near->elapsed.skew = 0;
	else if (mono)
		*word = pe_test_random(&seed) >> 2;
	else if (!pick(8))
		*word += (ticks + 2) << 32;	/* later than now */
	else
		return false;
	*elapsed = near->since;
	return true;
}

/* One return. */
static inline unsigned int return_both(void)
{
	bool asks = false;
	u64 words[WORDS], returns = cpu->returns;
	unsigned int outcome, i;
	struct pt_regs regs;

	random_regs(&emit_regs);
	emit_regs.flags = 0x202;
	for (i = 0; i < WORDS; i++)
		words[i] = with_memory && pick(2) ? MEMORY + pick(sizeof(memory)) : pick(5) - 2;
	memcpy(near->words, words, sizeof(words));
	memcpy(saved, words, sizeof(words));
	near->asked = 0;
	if (program.time_word >= 0) {
		asks = random_time(&near->words[program.time_word], &saved[program.time_word]);
		words[program.time_word] = near->words[program.time_word];
	}
	emit_regs.ip = near->shown;
	regs = emit_regs;
	near->now = now;
	outcome = world_hit();
	if (asks && near->asked)
		EXPECT_EQ(near->asked, words[program.time_word]);
	EXPECT(asks || !near->asked);
	EXPECT_EQ(emit_regs.sp, 0);
	emit_regs.sp = regs.sp;
	same_at_return(&regs, outcome == INTERPRET);
	/* C code ends the call itself. */
	EXPECT_EQ(cpu->returns - returns, outcome != INTERPRET);
	if (outcome == REST && program.time_word >= 0)
		EXPECT_EQ(near->words[program.time_word], saved[program.time_word]);
	EXPECT(!(called & RESCHEDULED) && (!(called & LEFT) || outcome != INTERPRET));
	emit_regs = regs;
	return outcome;
}

#endif
