// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * Jumps to labels, as short as they can be: each of them, followed as a CPU would follow it, comes
 * to its label.  Programs are random: jumps on some conditions, labels, and code between them.
 */
#include "arch/x86/emit/emit.h"
#include "harness.h"

#define STEPS	700u
#define LABELS	4u

enum step_kind { FILL, JUMP, BIND };

static const enum pe_cond conds[] = { PE_COND_NE, PE_COND_E, PE_COND_A, PE_COND_ALWAYS };

static struct step {
	enum step_kind kind;
	unsigned int label, len;
	enum pe_cond cond;
	u32 at;				/* where a jump begins, in the code that is made last */
} steps[STEPS];

static struct pe_label labels[LABELS];
static u32 bound[LABELS];
static unsigned int nr_steps;
static u64 seed;
static u8 code[64 * STEPS];

/* Each label is bound after all jumps there, as a label is. */
static void plan(unsigned int n, unsigned int fill)
{
	unsigned int i;

	for (i = 0; i < n; i++) {
		steps[i] = (struct step){
			.kind = pe_test_random(&seed) % 3 ? JUMP : FILL,
			.label = pe_test_random(&seed) % LABELS,
			.cond = conds[pe_test_random(&seed) % ARRAY_SIZE(conds)],
			.len = pe_test_random(&seed) % fill,
		};
	}
	for (i = 0; i < LABELS; i++) {
		steps[n++] = (struct step){ .kind = BIND, .label = i };
		steps[n++] = (struct step){ .kind = FILL, .len = pe_test_random(&seed) % fill };
	}
	nr_steps = n;
}

static void emit(struct pe_emit *e)
{
	unsigned int i, j;

	memset(labels, 0, sizeof(labels));
	for (i = 0; i < nr_steps; i++) {
		steps[i].at = e->len;
		switch (steps[i].kind) {
		case FILL:
			for (j = 0; j < steps[i].len; j++)
				pe_emit_byte(e, 0x90);
			break;
		case JUMP:
			pe_emit_jcc(e, steps[i].cond, &labels[steps[i].label]);
			break;
		case BIND:
			bound[steps[i].label] = e->len;
			pe_emit_bind(e, &labels[steps[i].label]);
			break;
		}
	}
}

/* Where the jump at @at leads if @cond holds; 0: there is none on this condition. */
static u32 follow(u32 at, enum pe_cond cond)
{
	s32 distance;

	if (code[at] == (cond == PE_COND_ALWAYS ? 0xeb : 0x70 + cond))
		return at + 2 + (s8)code[at + 1];
	if (cond != PE_COND_ALWAYS && code[at] == 0x0f && code[at + 1] == 0x80 + cond) {
		memcpy(&distance, code + at + 2, 4);
		return at + 6 + distance;
	}
	if (cond == PE_COND_ALWAYS && code[at] == 0xe9) {
		memcpy(&distance, code + at + 1, 4);
		return at + 5 + distance;
	}
	return 0;
}

/* Return: it is the first of several jumps. */
static bool leads_there(const struct step *s)
{
	u32 at = follow(s->at, s->cond);
	unsigned int more;

	EXPECT(at);
	for (more = 0; at && at != bound[s->label]; more++)
		at = follow(at, s->cond);
	EXPECT_EQ(at, bound[s->label]);
	return more;
}

/* Return: how many jumps lead to others. */
static unsigned int check(void)
{
	unsigned int i, chained = 0;

	for (i = 0; i < nr_steps; i++) {
		if (steps[i].kind == JUMP)
			chained += leads_there(&steps[i]);
	}
	return chained;
}

static u32 make(struct pe_short_jumps *shorts)
{
	struct pe_emit e = { .code = code, .size = sizeof(code), .shorts = shorts };

	emit(&e);
	EXPECT(!e.bad);
	return e.len;
}

static void random_jumps(void)
{
	unsigned int i, chained = 0;
	u32 longest, len;

	seed = pe_test_seed();
	for (i = 0; i < 3000; i++) {
		struct pe_short_jumps shorts = {};
		struct pe_emit all_long = { .shorts = &shorts }, measure = all_long;

		/* Sometimes with more jumps than there are bits. */
		plan(i % 100 ? pe_test_random(&seed) % 60 : 2 * PE_EMIT_JUMPS * 2 / 3,
		     2 + pe_test_random(&seed) % 60);
		longest = make(NULL);
		EXPECT_EQ(check(), 0);
		emit(&all_long);
		EXPECT_EQ(all_long.len, longest);
		shorts.known = true;
		emit(&measure);
		len = make(&shorts);
		EXPECT_EQ(measure.len, len);
		EXPECT(len <= longest);
		chained += check();
	}
	EXPECT(chained > 1000);
}

/* Three jumps on a condition and one on another, far from their label: all but two are short. */
static void a_chain(void)
{
	struct pe_short_jumps shorts = {};
	struct pe_emit all_long = { .shorts = &shorts };
	static const enum pe_cond chain[] = { PE_COND_NE, PE_COND_A, PE_COND_NE, PE_COND_NE };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(chain); i++) {
		steps[2 * i] = (struct step){ .kind = JUMP, .cond = chain[i] };
		steps[2 * i + 1] = (struct step){ .kind = FILL, .len = 40 };
	}
	steps[8] = (struct step){ .kind = FILL, .len = 200 };
	steps[9] = (struct step){ .kind = BIND };
	nr_steps = 10;
	emit(&all_long);
	EXPECT_EQ(all_long.len, 4 * 6 + 360);
	shorts.known = true;
	EXPECT_EQ(make(&shorts), 2 * 6 + 2 * 2 + 360);
	EXPECT_EQ(check(), 2);
}

/* A label that no jump leads to; one that is bound at once; the longest short jump. */
static void edges(void)
{
	unsigned int i;

	for (i = 120; i < 135; i++) {
		struct pe_short_jumps shorts = {};
		struct pe_emit all_long = { .shorts = &shorts };

		steps[0] = (struct step){ .kind = BIND, .label = 1 };
		steps[1] = (struct step){ .kind = JUMP, .label = 0, .cond = PE_COND_ALWAYS };
		steps[2] = (struct step){ .kind = FILL, .len = i < 134 ? i : 0 };
		steps[3] = (struct step){ .kind = BIND, .label = 0 };
		nr_steps = 4;
		emit(&all_long);
		EXPECT(!pe_label_is_used(&labels[1]));
		EXPECT(pe_label_is_used(&labels[0]));
		shorts.known = true;
		EXPECT_EQ(make(&shorts), steps[2].len + (steps[2].len <= 127 ? 2 : 5));
		EXPECT_EQ(check(), 0);
	}
}

static const struct pe_test tests[] = {
	{ "random_jumps", random_jumps },
	{ "a_chain", a_chain },
	{ "edges", edges },
};

int main(void)
{
	return PE_RUN(tests);
}
