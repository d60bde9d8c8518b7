// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * Compiled returns against the C code for the same return (emit_return_hit.h): the frame, the words
 * that the entry has saved, the registers that a function's caller expects.
 */
#include "emit_return_hit.h"

static void differential_return(void)
{
	world_from = PE_CODE_RETURN;
	programs(rounds() / 2, 1, return_both);
	programs(rounds() / 4, PE_HIT_PARTS, return_both);
	with_memory = true;
	programs(rounds() / 2, 3, return_both);
	with_memory = false;
	world_from = PE_CODE_ENTRY;
}

#define INTERPRETED()							\
	do {								\
		EXPECT_EQ(return_both(), INTERPRET);			\
		EXPECT_EQ(cpu->stat.both, 0);				\
		world_plain();						\
		near->shown = shown;					\
	} while (0)

/* A return's code looks at the frame, at the return address, whether it is up to date. */
static void return_guards(void)
{
	u64 shown;

	world_from = PE_CODE_RETURN;
	random_program();
	world_compile(&program, NULL);
	open_rings();
	world_plain();
	shown = true_return();
	near->shown = shown;
	near->live = 0;
	INTERPRETED();
	near->live = 0;
	instance.tracing_on = 0;
	INTERPRETED();
	EXPECT_EQ(cpu->stat.lost[PE_LOSS_OFF], 0);
	instance.tracing_on = 0;
	EXPECT_EQ(return_both(), RETURNED);
	EXPECT_EQ(cpu->stat.lost[PE_LOSS_OFF], 1);
	world_plain();
	slot.pid++;
	INTERPRETED();
	task.migration = 1;
	INTERPRETED();
	cpu->busy = 1;
	INTERPRETED();
	near->shown = TRACER;
	INTERPRETED();
	near->shown = SLOTS;
	INTERPRETED();
	near->shown = SLOTS + SLOTS_SIZE - 1;
	INTERPRETED();
	near->elsewhere = SET + 1;
	INTERPRETED();
	near->elsewhere = SET + (1ULL << 40);
	INTERPRETED();
	world_close(&ring);
	world_close(&model);
	world_from = PE_CODE_ENTRY;
}

#define NS(tsc)	((u64)((__int128)((tsc) + near->elapsed.skew - near->words[0]) *	\
		       near->elapsed.factor >> PE_ELAPSED_SHIFT))

/* The time since a count is between two readings of the same in C, at any rate. */
static void own_cycles(void)
{
	struct pe_arg *arg = &args[0];
	u64 before, after, is;
	unsigned int i;

	world_from = PE_CODE_RETURN;
	meanings[0] = PE_SAVE_TIME;
	*arg = (struct pe_arg){
		.type = &types[3], .offset = sizeof(struct pe_return_head), .size = 8,
		.fetch = { .load = PE_LOAD_SAVED },
	};
	program = (struct pe_program){
		.args = args, .rest = args, .end = args + 1, .is_return = true,
		.nr_saved = 1, .saved = meanings, .fixed = sizeof(struct pe_return_head) + 8,
	};
	world_compile(&program, NULL);
	for (i = 0; i < 1000; i++) {
		open_rings();
		world_plain();
		near->shown = true_return();
		near->now = now;
		near->elapsed.factor = (pe_test_random(&seed) | 1ULL << 63) >> (30 + pick(6));
		near->elapsed.skew = PE_ELAPSED_FIRST + (pe_test_random(&seed) >> 3) - world_tsc();
		near->words[0] = world_tsc() + near->elapsed.skew - (pe_test_random(&seed) >> (3 + pick(60)));
		near->asked = 0;
		emit_regs.flags = 0x202;
		ring.last_pos = local_read(&ring.write);
		ring.last_ts = now;
		before = world_tsc();
		EXPECT_EQ(world_hit(), RETURNED);
		after = world_tsc();
		EXPECT_EQ(near->asked, 0);
		is = *(u64 *)((u8 *)ring.tail->data + PE_RB_PAGE_HEAD + 4 +
			      sizeof(struct pe_return_head));
		EXPECT(is >= NS(before) && is <= NS(after));
		world_close(&ring);
		world_close(&model);
	}
	world_from = PE_CODE_ENTRY;
}

int main(void)
{
	static const struct pe_test tests[] = {
		{ "differential, at a return", differential_return },
		{ "guards of a return", return_guards },
		{ "own cycles", own_cycles },
	};

	seed = pe_test_seed();
	world_emit_open(&ring);
	return PE_RUN(tests);
}
