/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * emit_model.h - compiled hits against the C code for the same hit: random programs, filters,
 * memory and contexts, each on a ring of its own.  Afterwards both rings, counters and pages are
 * the same, byte by byte.
 */
#ifndef PE_TEST_EMIT_MODEL_H
#define PE_TEST_EMIT_MODEL_H

#include "emit_world.h"
#include "kernel/trace/hit/fetch.h"
#include "kernel/trace/hit/filter_hit.h"
#include "kernel/trace/parse/filter.h"

#define PAGES	3u
#define SHIFT	8u

#define MEMORY	0x500000u	/* address of what programs read */

static struct pe_rb ring, model;
static struct pe_event_stat model_stat[PE_HIT_PARTS];
static u8 memory[512];
static u64 seed, now;

u64 pe_clock_now(unsigned int clock, void *data)
{
	return now;
}

static u64 pick(unsigned int n)
{
	return pe_test_random(&seed) % n;
}

/* ---- programs ---- */

static const u16 regs_of[] = {
	offsetof(struct pt_regs, ax), offsetof(struct pt_regs, bx), offsetof(struct pt_regs, cx),
	offsetof(struct pt_regs, dx), offsetof(struct pt_regs, si), offsetof(struct pt_regs, di),
	offsetof(struct pt_regs, r8), offsetof(struct pt_regs, r9), offsetof(struct pt_regs, r12),
	offsetof(struct pt_regs, r13), offsetof(struct pt_regs, r14), offsetof(struct pt_regs, r15),
	offsetof(struct pt_regs, bp), offsetof(struct pt_regs, sp),
};

static const struct pe_type types[] = {
	{ .size = 1, .class = PE_CLASS_UINT }, { .size = 2, .class = PE_CLASS_UINT },
	{ .size = 4, .class = PE_CLASS_UINT }, { .size = 8, .class = PE_CLASS_UINT },
};
static const struct pe_type strings[] = {
	{ .size = 4, .class = PE_CLASS_STRING }, { .size = 4, .class = PE_CLASS_USTRING },
};

static struct pe_arg args[8];
static struct pe_program program;
static u16 meanings[WORDS];		/* of what is saved: the first argument, but for the time */
static bool with_memory;		/* programs read some */
static bool with_counts;		/* hits are counted in tables; most numbers are small */

static inline void random_derefs(struct pe_fetch *fetch, unsigned int n)
{
	unsigned int i;

	fetch->nr_derefs = n;
	for (i = 0; i < n; i++) {
		fetch->deref[i] = (struct pe_deref){ .off = pick(64) * 4 - 16, .user = pick(2) };
		if (!pick(5))
			fetch->deref[i] = (struct pe_deref){ .cpu = true };
	}
}

static inline void random_arg(struct pe_arg *arg, unsigned int at, unsigned int *nr_strings)
{
	*arg = (struct pe_arg){
		.type = &types[pick(4)], .offset = at,
		.fetch = { .load = PE_LOAD_REG, .reg = regs_of[pick(ARRAY_SIZE(regs_of))] },
	};
	if (program.nr_saved && pick(2)) {
		arg->fetch.load = PE_LOAD_SAVED;
		arg->fetch.index = pick(program.nr_saved);
	} else if (!pick(4)) {
		arg->fetch.load = PE_LOAD_CURRENT;
	} else if (!pick(4)) {
		arg->fetch.load = PE_LOAD_IMM;
		arg->fetch.imm = pick(2) ? MEMORY + pick(sizeof(memory)) : pe_test_random(&seed);
	}
	if (*nr_strings < 2 && !pick(6)) {
		arg->type = &strings[0];
		arg->fetch.load = PE_LOAD_COMM;
		++*nr_strings;
	} else if (with_memory && *nr_strings < 2 && !pick(3)) {
		arg->type = &strings[pick(2)];
		random_derefs(&arg->fetch, pick(3));
		if (arg->fetch.nr_derefs)	/* a string is in memory */
			arg->fetch.deref[arg->fetch.nr_derefs - 1].cpu = false;
		++*nr_strings;
	} else if (with_memory && pick(2)) {
		random_derefs(&arg->fetch, 1 + pick(3));
	}
	arg->size = arg->type->size;
	if (with_memory && !pe_type_is_string(arg->type) && !pick(4)) {
		arg->bf_width = 1 + pick(8 * arg->size);
		arg->bf_shift = pick(8 * arg->size - arg->bf_width + 1);
	}
}

static inline bool is_plain(const struct pe_arg *arg)
{
	return arg->fetch.load == PE_LOAD_REG && !pe_type_is_string(arg->type) &&
	       !arg->fetch.nr_derefs && !arg->bf_width;
}

static inline void random_program(void)
{
	bool is_return = world_from == PE_CODE_RETURN;
	unsigned int at = is_return ? sizeof(struct pe_return_head) : sizeof(struct pe_record_head);
	unsigned int i, n = pick(9), nr_strings = 0;
	bool rest = false;

	program = (struct pe_program){ .args = args, .end = args + n, .type = pick(65536),
				       .is_return = is_return, .saved = meanings,
				       .time_word = -1, .since_word = -1 };
	if (is_return)
		program.nr_saved = pick(WORDS + 1);
	if (program.nr_saved && pick(2))
		program.time_word = pick(program.nr_saved);
	program.rest = args + n;
	for (i = 0; i < n; i++) {
		random_arg(&args[i], at, &nr_strings);
		at += args[i].size;
		if (!rest && !is_plain(&args[i])) {
			program.rest = &args[i];
			rest = true;
		}
	}
	program.fixed = at;
}

/* The task's name; after it only NULs.  As the kernel has it, the last byte is one. */
static inline void random_name(void)
{
	unsigned int i, len = pick(16);

	memset(task.comm, 0, sizeof(task.comm));
	for (i = 0; i < len; i++)
		task.comm[i] = 1 + pick(255);
	memcpy(pe_fake_comm, task.comm, sizeof(pe_fake_comm));
	slot.seq = 2 * pick(1U << 31);
}

/* Numbers, pointers into it, texts; it ends, and in a part of it nothing is mapped. */
static inline void random_memory(void)
{
	unsigned int i;
	u64 word;

	for (i = 0; i < sizeof(memory); i += 8) {
		word = pick(2) ? MEMORY + pick(sizeof(memory)) : pe_test_random(&seed);
		if (pick(3) == 0)
			word &= 0x7f7f7f7f7f7f7f7fULL << (8 * pick(8));
		if (pick(3) == 0)
			word |= 0x4141414141414141ULL;
		memcpy(memory + i, &word, 8);
	}
	pe_fake_unmap_all();
	pe_fake_map((unsigned long)&task, &task, sizeof(task), 1);
	pe_fake_map(MEMORY, memory, 200, 1);
	pe_fake_map(MEMORY + 240, memory + 240, sizeof(memory) - 240, 1);
}

static struct {
	struct pe_filter f;
	struct pe_filter_test tests[8];
} filter;

/* A test of an argument that can be compiled; targets go forward. */
static inline bool random_test(struct pe_filter_test *test, unsigned int i, unsigned int n)
{
	unsigned int nargs = program.end - program.args;
	const struct pe_arg *arg = nargs ? &args[pick(nargs)] : NULL;

	if (!arg || pe_type_is_string(arg->type) || arg->fetch.nr_derefs || arg->bf_width)
		return false;
	if (arg->fetch.load == PE_LOAD_SAVED && (int)arg->fetch.index == program.time_word)
		return false;
	if (arg->fetch.load == PE_LOAD_REG && arg->fetch.reg == offsetof(struct pt_regs, bp))
		return false;
	if (arg->fetch.load == PE_LOAD_REG && arg->fetch.reg == offsetof(struct pt_regs, sp))
		return false;
	*test = (struct pe_filter_test){
		.what = pick(2) ? PE_TEST_SIGNED : PE_TEST_UNSIGNED,
		.op = PE_FILTER_NE + pick(PE_FILTER_NR_OPS - PE_FILTER_NE),
		.offset = arg->offset, .size = arg->size, .val = (s32)pe_test_random(&seed),
		.on_true = PE_FILTER_ACCEPT, .on_false = PE_FILTER_REJECT,
	};
	if (pick(2))
		test->val = (s64)pick(5) - 2;
	if (pick(2))
		test->on_true = i + 1 < n ? i + 1 + pick(n - i - 1) : PE_FILTER_REJECT;
	if (pick(2))
		test->on_false = i + 1 < n ? i + 1 + pick(n - i - 1) : PE_FILTER_ACCEPT;
	return true;
}

static inline const struct pe_filter *random_filter(void)
{
	unsigned int i, n = 1 + pick(8);

	if (pick(2))
		return NULL;
	for (i = 0; i < n; i++) {
		if (!random_test(&filter.f.tests[i], i, n))
			return NULL;
	}
	filter.f.nr_tests = n;
	return &filter.f;
}

/* ---- the model ---- */

/* The data of return probes, as C code would find it. */
static u64 saved[WORDS];

/* @extra: the probe's hit has been counted. */
static inline void c_hit(struct pe_rb *rb, struct pe_event_stat *stat, const struct pt_regs *regs,
			 const struct pe_filter *f, bool extra)
{
	const struct pe_fetch_source from = { .regs = regs, .saved = saved };
	u8 built[1024] __aligned(8) = {};
	struct pe_rb_handle h;
	unsigned int len;
	void *rec;

	stat->hits += !extra;
	stat->extra += extra;
	if (instance.gate) {
		stat->lost[PE_LOSS_LIMITED]++;
		return;
	}
	if (!instance.tracing_on) {
		stat->lost[PE_LOSS_OFF]++;
		return;
	}
	*(struct pe_record_head *)built = (struct pe_record_head){
		.type = program.type, .pid = task.pid, .ip = -0x7edcba99,
	};
	if (program.is_return)
		((struct pe_return_head *)built)->ret_ip = regs->ip;
	len = pe_fetch_args(built, sizeof(built), &program, from);
	if (f && !pe_filter_match(f, built, len, 0)) {
		stat->lost[PE_LOSS_FILTER]++;
		return;
	}
	rec = pe_rb_reserve(rb, len, &h);
	if (!rec) {
		stat->lost[h.fail == PE_RB_FAIL_OFF ? PE_LOSS_OFF : PE_LOSS_FULL]++;
		return;
	}
	memcpy(rec, built, len);
	pe_rb_commit(&h);
	stat->records++;
}

static inline void model_record(const struct pt_regs *regs, const struct pe_filter *f)
{
	c_hit(&model, model_stat, regs, f, false);
}

static inline void same_rings(void)
{
	struct pe_event_stat stat = cpu->stat;
	unsigned int i;

	EXPECT_EQ(local_read(&ring.write), local_read(&model.write));
	EXPECT_EQ(ring.last_ts, model.last_ts);
	EXPECT_EQ(ring.last_pos, model.last_pos);
	EXPECT_EQ(ring.commit, model.commit);
	EXPECT_EQ(ring.nest, model.nest);
	EXPECT_EQ(ring.open_end, model.open_end);
	for (i = 0; i <= PAGES; i++) {
		EXPECT_EQ(local_read(&ring.pages[i].total), local_read(&model.pages[i].total));
		EXPECT_EQ(ring.pages[i].first, model.pages[i].first);
		EXPECT(!memcmp(ring.pages[i].data, model.pages[i].data, 1 << SHIFT));
	}
	stat.hits += stat.both;
	stat.records += stat.both;
	stat.both = 0;
	EXPECT(!memcmp(&stat, model_stat, sizeof(*model_stat)));
}

static inline void open_rings(void)
{
	unsigned int i;

	world_open(&ring, PAGES, SHIFT, true);
	world_open(&model, PAGES, SHIFT, true);
	for (i = 0; i <= PAGES; i++) {
		memset(ring.pages[i].data, 0, 1 << SHIFT);
		memset(model.pages[i].data, 0, 1 << SHIFT);
	}
	memset(&cpu->stat, 0, sizeof(cpu->stat));
	memset(model_stat, 0, sizeof(model_stat));
	now = 1000;
}

static inline void random_regs(struct pt_regs *regs)
{
	unsigned long *word = (void *)regs;
	unsigned int i;

	for (i = 0; i < sizeof(*regs) / sizeof(*word); i++)
		word[i] = with_counts && pick(8) ? pick(3) :
			  with_memory && pick(2) ? MEMORY + pick(sizeof(memory)) :
			  pick(3) ? pe_test_random(&seed) : pick(5) - 2;
	regs->flags = 0x202 | (pe_test_random(&seed) & 0x8d5);
}

/* ---- hits of both ---- */

/* Where a call returns to: what emit_call() pushes.  It is known when it has returned once. */
static u64 true_return(void)
{
	near->elsewhere = SET + 1;
	emit_regs.flags = 0x202;
	EXPECT_EQ(world_hit(), INTERPRET);
	near->elsewhere = SET;
	return near->real;
}

static inline bool uses_sp(void)
{
	const struct pe_arg *arg;

	for (arg = program.args; arg < program.end; arg++) {
		if (arg->fetch.reg == offsetof(struct pt_regs, sp))
			return true;
	}
	return false;
}

/*
 * One probe in several instances, which share a ring here.  Part @n is done in C, and those
 * after it.
 */
static inline void c_parts(struct pe_rb *rb, struct pe_event_stat *stat, const struct pt_regs *regs,
			   const struct pe_filter *f, unsigned int n, unsigned int nr)
{
	for (; n < nr; n++)
		c_hit(rb, stat, regs, f, n > 0);
}

/*
 * Return: the part that is left to C, or @nr.  @hit: makes one of both, and returns what has become of
 * it.
 */
static inline unsigned int hit_parts(unsigned int (*hit)(void), unsigned int nr)
{
	switch (hit()) {
	case INTERPRET:
		return 0;
	case REST:
		if (world_from == PE_CODE_ENTRY || world_from == PE_CODE_DETOUR) {
			EXPECT_EQ(cpu->preempt_count, PLAIN + 1);
			cpu->preempt_count = PLAIN;
		}
		return (near->r11 - REST_AT) / REST_SIZE;
	default:
		return nr;
	}
}

/*
 * One hit of both.  What makes the code leave it to C has no effect on the model, but for
 * @off and @disabled, so then the real ring gets the record by C code as well: both are the
 * same again.
 */
static inline unsigned int hit_both(void)
{
	struct pt_regs regs;
	unsigned int outcome;

	random_regs(&emit_regs);
	regs = emit_regs;
	near->now = now;
	outcome = world_hit();
	/* rsp at the function's entry: see emit_call() and struct pt_regs in a hit. */
	EXPECT_EQ(emit_regs.sp, 0);
	emit_regs.sp = regs.sp;
	if (world_from != PE_CODE_DETOUR) {
		emit_regs.r10 = regs.r10;
		emit_regs.r11 = regs.r11;
		emit_regs.flags = regs.flags;
	}
	EXPECT(!memcmp(&emit_regs, &regs, sizeof(regs)));
	EXPECT(!(called & LEFT) || outcome != INTERPRET);
	EXPECT(!called || called_ring == &ring);
	if (world_from == PE_CODE_CALL && outcome == REST)
		EXPECT_EQ(near->shown, RET);
	if (world_from == PE_CODE_CALL && outcome == INTERPRET)
		EXPECT_EQ(near->r11, RET);
	return outcome;
}

static inline unsigned long rounds(void)
{
	return getenv("PE_ROUNDS") ? strtoul(getenv("PE_ROUNDS"), NULL, 0) : 20000;
}

/* The rings are compared after each hit. */
static inline void programs(unsigned long n, unsigned int most_parts, unsigned int (*hit)(void))
{
	unsigned int outcomes[PE_HIT_PARTS + 1] = {}, done = 0, i, left, nr;
	struct pe_hit_part parts[PE_HIT_PARTS];
	const struct pe_filter *f;
	struct pt_regs regs;
	bool limited;
	u64 cost;

	for (; n && !pe_test_failures; n--) {
		do
			random_program();
		while (uses_sp() || pe_hit_can_emit(&program, NULL));
		f = random_filter();
		EXPECT(!pe_hit_can_emit(&program, f));
		nr = 1 + pick(most_parts);
		limited = pick(3) == 0;
		for (i = 0; i < nr; i++) {
			parts[i] = world_part(&program, f);
			parts[i].extra = i > 0;
			if (limited) {
				parts[i].gate = (u64)&instance.gate;
				parts[i].cost = offsetof(struct cpu, cost);
			}
		}
		world_compile_parts(parts, nr);
		open_rings();
		random_memory();
		random_name();
		world_plain();
		if (world_from == PE_CODE_RETURN)
			near->shown = true_return();
		for (i = 0; i < 12 && !pe_test_failures; i++) {
			now += pick(8) ? pick(100) : pick(1 << 28);
			instance.tracing_on = pick(10) != 0;
			instance.gate = limited && pick(6) == 0 ? 1 + pick(4) : 0;
			cost = cpu->cost;
			left = hit_parts(hit, nr);
			if (left)	/* else it is counted in C as well */
				EXPECT_EQ(cpu->cost, cost + (limited && !instance.gate));
			EXPECT(cpu->cost - cost <= (limited && !instance.gate));
			regs = emit_regs;
			EXPECT_EQ(cpu->preempt_count, PLAIN);
			EXPECT_EQ(cpu->busy, 0);
			done += left == nr;
			outcomes[left] += left < nr;
			c_parts(&model, model_stat, &regs, f, 0, nr);
			c_parts(&ring, &cpu->stat, &regs, f, left, nr);
			same_rings();
		}
		world_close(&ring);
		world_close(&model);
	}
	printf("   %u returned, %u to C, %u from the second record on\n", done, outcomes[0],
	       outcomes[1]);
	EXPECT(4 * done > outcomes[0]);
	EXPECT(outcomes[0]);
	EXPECT(most_parts == 1 || outcomes[1]);
}

#endif
