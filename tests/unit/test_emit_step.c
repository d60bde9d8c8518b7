// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * An interrupt before every single instruction of a compiled hit, and on top of it an NMI.
 * Each writes records by C code.  Afterwards every record is there once, in order of time, and
 * all is published.
 */
#include "emit_world.h"
#include "sim.h"

#define PAGES	8u
#define SHIFT	8u
#define OURS	7u		/* common_type of the compiled hit's records */
#define THEIRS	8u

static struct pe_rb ring;
static struct pe_program program;
static struct pe_arg args[2];
static const struct pe_type u64_type = { .size = 8, .class = PE_CLASS_UINT };
static unsigned int nr_ours, nr_theirs, outcomes[3], raced, slow;
static unsigned int irq_records, nr_parts;

u64 pe_clock_now(unsigned int clock, void *data)
{
	return __atomic_add_fetch(&near->now, 1, __ATOMIC_RELAXED);
}

static void c_record(u16 type, unsigned int len)
{
	u8 built[64] __aligned(8) = {};
	struct pe_rb_handle h;
	void *rec;

	*(struct pe_record_head *)built = (struct pe_record_head){ .type = type };
	rec = pe_rb_reserve(&ring, len, &h);
	if (!rec) {
		EXPECT(rec);
		return;
	}
	memcpy(rec, built, len);
	pe_rb_commit(&h);
}

/* What the C code does when the code has left the hit to it. */
static void hit(void)
{
	unsigned int outcome, left = nr_parts;

	emit_regs.flags = 0;	/* or it would end the stepping */
	outcome = world_hit();
	outcomes[outcome]++;
	raced += called & LEFT && outcome != RETURNED;
	slow += called & LEFT && outcome == RETURNED;
	if (outcome == INTERPRET)
		left = 0;
	if (outcome == REST) {
		left = (near->r11 - REST_AT) / REST_SIZE;
		EXPECT_EQ(cpu->preempt_count, PLAIN + 1);
		cpu->preempt_count = PLAIN;
	}
	for (; left < nr_parts; left++)
		c_record(OURS, program.fixed);
	nr_ours += nr_parts;
}

/* An interrupt, of 0 to 3 records; a clock that goes on. */
static void irq(void)
{
	unsigned int i;

	near->now += 3;
	for (i = 0; i < irq_records; i++)
		c_record(THEIRS, 16 + 8 * i);
	nr_theirs += irq_records;
}

static void check(void)
{
	unsigned int ours = 0, theirs = 0;
	struct pe_rb_record rec;
	u64 ts = 0;

	EXPECT_EQ(ring.nest, 0);
	EXPECT_EQ(ring.commit, local_read(&ring.write));
	EXPECT_EQ(cpu->preempt_count, PLAIN);
	while (pe_rb_peek(&ring, &rec)) {
		const struct pe_record_head *head = rec.data;
		u16 type;

		memcpy(&type, &head->type, sizeof(type));
		EXPECT_EQ(rec.lost, 0);
		EXPECT(rec.ts >= ts);
		EXPECT(rec.ts <= near->now);
		ts = rec.ts;
		ours += type == OURS;
		theirs += type == THEIRS;
		pe_rb_consume(&ring);
	}
	EXPECT_EQ(ours, nr_ours);
	EXPECT_EQ(theirs, nr_theirs);
}

/* @before: records in the ring, so that the hit's place in the page differs. */
static long one(unsigned int before, long at)
{
	unsigned int i;
	long steps;

	world_open(&ring, PAGES, SHIFT, false);
	world_plain();
	near->now = 1000;
	nr_ours = nr_theirs = 0;
	for (i = 0; i < before; i++)
		hit();
	steps = pe_sim_step(hit, at, irq);
	/* The next ones find the ring as they should. */
	hit();
	hit();
	check();
	world_close(&ring);
	return steps;
}

/* Interrupts of 1 to @most records, in each @nth place of a page. */
static void every_instruction(unsigned int most, unsigned int nth)
{
	struct pe_hit_part parts[3];
	unsigned int before, i;
	long at, steps;

	for (i = 0; i < nr_parts; i++) {
		parts[i] = world_part(&program, NULL);
		parts[i].extra = i > 0;
	}
	world_compile_parts(parts, nr_parts);
	memset(outcomes, 0, sizeof(outcomes));
	raced = slow = 0;
	for (irq_records = 1; irq_records <= most; irq_records++) {
		for (before = 0; before < 7; before += nth) {
			steps = one(before, -1);
			for (at = 0; at < steps && !pe_test_failures; at++)
				one(before, at);
			if (pe_test_failures) {
				printf("   %u records before, interrupt of %u at %ld\n", before,
				       irq_records, at - 1);
				return;
			}
		}
	}
	printf("   %u returned, %u to C, %u the rest to C, %u raced, %u into the next page\n",
	       outcomes[RETURNED], outcomes[INTERPRET], outcomes[REST], raced, slow);
	EXPECT(raced);
	EXPECT(slow);
	EXPECT(outcomes[INTERPRET]);
	EXPECT(nr_parts == 1 || outcomes[REST]);
}

static void one_record(void)
{
	nr_parts = 1;
	every_instruction(3, 1);
}

static void three_records(void)
{
	nr_parts = 3;
	every_instruction(2, 3);
}

int main(void)
{
	static const struct pe_test tests[] = {
		{ "every instruction, one record", one_record },
		{ "every instruction, three records", three_records },
	};

	world_emit_open(&ring);
	args[0] = (struct pe_arg){
		.type = &u64_type, .offset = 16, .size = 8,
		.fetch = { .load = PE_LOAD_REG, .reg = offsetof(struct pt_regs, di) },
	};
	args[1] = args[0];
	args[1].offset = 24;
	args[1].fetch.reg = offsetof(struct pt_regs, cx);
	program = (struct pe_program){
		.args = args, .rest = args + 2, .end = args + 2, .fixed = 32, .type = OURS,
	};
	return PE_RUN(tests);
}
