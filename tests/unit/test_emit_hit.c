// SPDX-License-Identifier: GPL-2.0
/*
 * Compiled hits against the C code for the same hit: random programs, filters, registers,
 * memory and contexts, each on a ring of its own.  Afterwards both rings, counters and pages are
 * the same, byte by byte, and the function's registers are as they were.
 */
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

static void random_derefs(struct pe_fetch *fetch, unsigned int n)
{
	unsigned int i;

	fetch->nr_derefs = n;
	for (i = 0; i < n; i++)
		fetch->deref[i] = (struct pe_deref){ .off = pick(64) * 4 - 16, .user = pick(2) };
}

static void random_arg(struct pe_arg *arg, unsigned int at, unsigned int *nr_strings)
{
	*arg = (struct pe_arg){
		.type = &types[pick(4)], .offset = at,
		.fetch = { .load = PE_LOAD_REG, .reg = regs_of[pick(ARRAY_SIZE(regs_of))] },
	};
	if (program.nr_saved && pick(2)) {
		arg->fetch.load = PE_LOAD_SAVED;
		arg->fetch.index = pick(program.nr_saved);
	}
	if (with_memory && *nr_strings < 2 && !pick(3)) {
		arg->type = &strings[pick(2)];
		random_derefs(&arg->fetch, pick(3));
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

static bool is_plain(const struct pe_arg *arg)
{
	return arg->fetch.load == PE_LOAD_REG && !pe_type_is_string(arg->type) &&
	       !arg->fetch.nr_derefs && !arg->bf_width;
}

static void random_program(void)
{
	bool is_return = world_from == PE_CODE_RETURN;
	unsigned int at = is_return ? sizeof(struct pe_return_head) : sizeof(struct pe_record_head);
	unsigned int i, n = pick(9), nr_strings = 0;
	bool rest = false;

	program = (struct pe_program){ .args = args, .end = args + n, .type = pick(65536),
				       .is_return = is_return, .saved = meanings,
				       .time_word = -1 };
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

/* Numbers, pointers into it, texts; it ends, and in a part of it nothing is mapped. */
static void random_memory(void)
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
	pe_fake_map(MEMORY, memory, 200, 1);
	pe_fake_map(MEMORY + 240, memory + 240, sizeof(memory) - 240, 1);
}

static struct {
	struct pe_filter f;
	struct pe_filter_test tests[8];
} filter;

/* A test of an argument that can be compiled; targets go forward. */
static bool random_test(struct pe_filter_test *test, unsigned int i, unsigned int n)
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

static const struct pe_filter *random_filter(void)
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
static void c_hit(struct pe_rb *rb, struct pe_event_stat *stat, const struct pt_regs *regs,
		  const struct pe_filter *f, bool extra)
{
	const struct pe_fetch_source from = { .regs = regs, .saved = saved };
	u8 built[1024] __aligned(8) = {};
	struct pe_rb_handle h;
	unsigned int len;
	void *rec;

	stat->hits += !extra;
	stat->extra += extra;
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

static void model_record(const struct pt_regs *regs, const struct pe_filter *f)
{
	c_hit(&model, model_stat, regs, f, false);
}

static void same_rings(void)
{
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
	EXPECT(!memcmp(&cpu->stat, model_stat, sizeof(*model_stat)));
}

static void open_rings(void)
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

static void random_regs(struct pt_regs *regs)
{
	unsigned long *word = (void *)regs;
	unsigned int i;

	for (i = 0; i < sizeof(*regs) / sizeof(*word); i++)
		word[i] = with_memory && pick(2) ? MEMORY + pick(sizeof(memory)) :
			  pick(3) ? pe_test_random(&seed) : pick(5) - 2;
	regs->flags = 0x202 | (pe_test_random(&seed) & 0x8d5);
}

/*
 * One hit of both.  What makes the code leave it to C has no effect on the model, but for
 * @off and @disabled, so then the real ring gets the record by C code as well: both are the
 * same again.
 */
static unsigned int hit_both(const struct pe_filter *f)
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

/* Where a call returns to: what emit_call() pushes.  It is known when it has returned once. */
static u64 true_return(void)
{
	near->elsewhere = SET + 1;
	emit_regs.flags = 0x202;
	EXPECT_EQ(world_hit(), INTERPRET);
	near->elsewhere = SET;
	return near->real;
}

static bool wants(unsigned int offset)
{
	const struct pe_arg *arg;

	for (arg = program.args; arg < program.end; arg++) {
		if (arg->fetch.load == PE_LOAD_REG && arg->fetch.reg == offset)
			return true;
	}
	return false;
}

/* Of registers that callees may change, C code finds those as they were that programs want. */
static void same_at_return(const struct pt_regs *regs, bool interpret)
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
	EXPECT(!memcmp(&now, regs, sizeof(now)));
}

/* One return. */
static unsigned int return_both(void)
{
	u64 words[WORDS], returns = cpu->returns;
	unsigned int outcome, i;
	struct pt_regs regs;

	random_regs(&emit_regs);
	emit_regs.flags = 0x202;
	for (i = 0; i < WORDS; i++)
		words[i] = with_memory && pick(2) ? MEMORY + pick(sizeof(memory)) : pick(5) - 2;
	memcpy(near->words, words, sizeof(words));
	memcpy(saved, words, sizeof(words));
	near->time = pe_test_random(&seed);
	if (program.time_word >= 0)
		saved[program.time_word] = near->time - words[program.time_word];
	emit_regs.ip = near->shown;
	regs = emit_regs;
	near->now = now;
	outcome = world_hit();
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

/* ---- tests ---- */

static bool uses_sp(void)
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
 * behind it.
 */
static void c_parts(struct pe_rb *rb, struct pe_event_stat *stat, const struct pt_regs *regs,
		    const struct pe_filter *f, unsigned int n, unsigned int nr)
{
	for (; n < nr; n++)
		c_hit(rb, stat, regs, f, n > 0);
}

/* Return: the part that is left to C, or @nr. */
static unsigned int hit_parts(const struct pe_filter *f, unsigned int nr)
{
	switch (world_from == PE_CODE_RETURN ? return_both() : hit_both(f)) {
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

static unsigned long rounds(void)
{
	return getenv("PE_ROUNDS") ? strtoul(getenv("PE_ROUNDS"), NULL, 0) : 20000;
}

/* The rings are compared after each hit. */
static void programs(unsigned long n, unsigned int most_parts)
{
	unsigned int outcomes[PE_HIT_PARTS + 1] = {}, done = 0, i, left, nr;
	struct pe_hit_part parts[PE_HIT_PARTS];
	const struct pe_filter *f;
	struct pt_regs regs;

	for (; n && !pe_test_failures; n--) {
		do
			random_program();
		while (uses_sp() || pe_hit_can_emit(&program, NULL));
		f = random_filter();
		EXPECT(!pe_hit_can_emit(&program, f));
		nr = 1 + pick(most_parts);
		for (i = 0; i < nr; i++) {
			parts[i] = world_part(&program, f);
			parts[i].extra = i > 0;
		}
		world_compile_parts(parts, nr);
		open_rings();
		random_memory();
		world_plain();
		if (world_from == PE_CODE_RETURN)
			near->shown = true_return();
		for (i = 0; i < 12 && !pe_test_failures; i++) {
			now += pick(8) ? pick(100) : pick(1 << 28);
			instance.tracing_on = pick(10) != 0;
			left = hit_parts(f, nr);
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

static void differential(void)
{
	programs(rounds(), 1);
}

static void differential_memory(void)
{
	with_memory = true;
	programs(rounds(), 1);
	with_memory = false;
}

static void differential_detour(void)
{
	world_from = PE_CODE_DETOUR;
	programs(rounds() / 4, 1);
	with_memory = true;
	programs(rounds() / 4, 3);
	with_memory = false;
	world_from = PE_CODE_ENTRY;
}

static void differential_call(void)
{
	world_from = PE_CODE_CALL;
	programs(rounds() / 4, 1);
	with_memory = true;
	programs(rounds() / 4, 3);
	with_memory = false;
	world_from = PE_CODE_ENTRY;
}

static void differential_return(void)
{
	world_from = PE_CODE_RETURN;
	programs(rounds() / 2, 1);
	programs(rounds() / 4, PE_HIT_PARTS);
	with_memory = true;
	programs(rounds() / 2, 3);
	with_memory = false;
	world_from = PE_CODE_ENTRY;
}

#define INTERPRETED()							\
	do {								\
		EXPECT_EQ(return_both(), INTERPRET);			\
		EXPECT_EQ(cpu->stat.records, 0);			\
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

static void differential_parts(void)
{
	programs(rounds() / 4, PE_HIT_PARTS);
	with_memory = true;
	programs(rounds() / 4, 3);
	with_memory = false;
}

/* A ring whose page has a record already: the first one of a page is not the code's. */
static void begin_page(void)
{
	world_plain();
	open_rings();
	emit_regs.flags = 0x202;
	model_record(&emit_regs, NULL);
	world_close(&ring);
	ring = model;
	world_open(&model, PAGES, SHIFT, true);
	near->now = now + 1;
}

static void end_page(void)
{
	world_close(&model);
	world_close(&ring);
}

/* The stack pointer as it was before the function's call. */
static void stack_pointer(void)
{
	const struct pe_record_head *head;

	random_program();
	args[0] = (struct pe_arg){
		.type = &types[3], .offset = sizeof(*head), .size = 8,
		.fetch = { .load = PE_LOAD_REG, .reg = offsetof(struct pt_regs, sp) },
	};
	program = (struct pe_program){
		.args = args, .rest = args + 1, .end = args + 1, .fixed = sizeof(*head) + 8,
	};
	world_compile(&program, NULL);
	begin_page();
	EXPECT_EQ(world_hit(), RETURNED);
	head = (void *)ring.tail->data + PE_RB_PAGE_HEAD + 2 * (4 + program.fixed) -
	       program.fixed;
	/* emit_call() has stored its rsp and taken away the same: the word says the former. */
	EXPECT(*(u64 *)(head + 1));
	EXPECT_EQ(*(u64 *)(head + 1) % 8, 0);
	end_page();
}

/* The position is at the end of the page before it: the difference wraps. */
static struct pe_rb_page other_page;

/* A change that makes the code leave the hit to C, and another one that undoes it. */
#define GUARD(name, spoil)						\
	static void spoil_##name(void) { spoil; }
GUARD(preempt, cpu->preempt_count = PLAIN + 16)
GUARD(softirq_off, cpu->preempt_count = PLAIN + 0x200)
GUARD(hardirq, cpu->preempt_count = PLAIN + 0x10000)
GUARD(nmi, cpu->preempt_count = PLAIN + 0x100000)
GUARD(resched, cpu->preempt_count = 0)
GUARD(live, near->live = 0)
GUARD(busy, cpu->busy = 0x100)
GUARD(flags, task.flags = NEED_RESCHED)
GUARD(migration, task.migration = 1)
GUARD(softirq, task.softirq = 0x100)
GUARD(pid, slot.pid++)
GUARD(tgid, slot.tgid++)
GUARD(comm0, slot.words[0] ^= 1ULL << 56)
GUARD(comm1, slot.words[1] ^= 1)
GUARD(disabled, ring.disabled = 1)
GUARD(last_pos, ring.last_pos -= 8)
GUARD(base, ring.tail = &other_page)
GUARD(late, near->now += 1 << 27)
GUARD(back, near->now = ring.last_ts - 1)

static const struct {
	const char *name;
	void (*spoil)(void);
} guards[] = {
#define ROW(name) { #name, spoil_##name }
	ROW(preempt), ROW(softirq_off), ROW(hardirq), ROW(nmi), ROW(resched), ROW(live), ROW(busy),
	ROW(flags), ROW(migration), ROW(softirq), ROW(pid), ROW(tgid), ROW(comm0),
	ROW(comm1), ROW(disabled), ROW(last_pos), ROW(base), ROW(late), ROW(back),
};

/* Each guard alone sends the hit to C, and nothing has been changed then. */
static void each_guard(void)
{
	struct pe_event_stat stat;
	struct pe_rb before;
	unsigned int i;
	u32 count;

	random_program();
	world_compile(&program, NULL);
	for (i = 0; i < ARRAY_SIZE(guards); i++) {
		begin_page();
		EXPECT_EQ(world_hit(), RETURNED);	/* nothing is spoiled yet */
		end_page();
		begin_page();
		other_page = *ring.tail;
		other_page.base = local_read(&ring.write) + 4;
		guards[i].spoil();
		stat = cpu->stat;
		before = ring;
		count = cpu->preempt_count;
		if (world_hit() != INTERPRET) {
			printf("   %s: not left to C\n", guards[i].name);
			pe_test_failures++;
		}
		EXPECT_EQ(cpu->preempt_count, count);
		EXPECT(!memcmp(&stat, &cpu->stat, sizeof(stat)));
		EXPECT(!memcmp(&before, &ring, sizeof(ring)));
		end_page();
	}
}

/* common_flags and common_preempt_count of a task that disables preemption. */
static void depths(void)
{
	unsigned int depth;
	const u8 *head;

	random_program();
	world_compile(&program, NULL);
	for (depth = 0; depth < 16; depth++) {
		begin_page();
		head = (void *)ring.tail->data;
		head += local_read(&ring.write) % (1 << SHIFT) + 4;
		cpu->preempt_count += depth;
		EXPECT_EQ(world_hit(), RETURNED);
		EXPECT_EQ(cpu->preempt_count, PLAIN + depth);
		EXPECT_EQ(head[offsetof(struct pe_record_head, preempt_count)], depth);
		EXPECT_EQ(head[offsetof(struct pe_record_head, flags)], 0);
		end_page();
	}
}

/* A loss without a record looks whether it is up to date, and whether a handler runs. */
static void losses(void)
{
	random_program();
	world_compile(&program, NULL);
	open_rings();
	world_plain();
	emit_regs.flags = 0x202;
	instance.tracing_on = 0;
	EXPECT_EQ(world_hit(), RETURNED);
	EXPECT_EQ(cpu->stat.lost[PE_LOSS_OFF], 1);
	EXPECT_EQ(cpu->stat.hits, 1);
	near->live = 0;
	EXPECT_EQ(world_hit(), INTERPRET);
	near->live = 1;
	cpu->busy = 1 << 24;
	EXPECT_EQ(world_hit(), INTERPRET);
	EXPECT_EQ(cpu->stat.lost[PE_LOSS_OFF], 1);
	EXPECT_EQ(cpu->stat.hits, 1);
	world_close(&model);
	world_close(&ring);
}

static u64 tsc(void)
{
	u32 low, high;

	__asm__ volatile("rdtsc" : "=a" (low), "=d" (high));
	return (u64)high << 32 | low;
}

static u64 ns(void)
{
	return (u64)((__int128)tsc() * env.clock.mul >> env.clock.shift) + cpu->offset;
}

/* The clock that the code reads by itself is between two readings of the same in C. */
static void own_clock(void)
{
	u64 read = env.clock.read, before, after;
	unsigned int i;

	env.clock.read = 0;
	env.clock.mul = 0x9c0f5a1b;
	random_program();
	for (i = 0; i < 64; i++) {
		env.clock.shift = i;
		env.clock.seq_was = cpu->seq;
		env.clock.seq_of_cpu = i % 2 ? offsetof(struct cpu, seq_of_cpu) : 0;
		cpu->seq_of_cpu = cpu->seq;
		world_compile(&program, NULL);
		cpu->offset = pe_test_random(&seed) >> 2;	/* times are signed */
		open_rings();
		world_plain();
		emit_regs.flags = 0x202;
		now = ns();
		model_record(&emit_regs, NULL);
		world_close(&ring);
		ring = model;
		world_open(&model, PAGES, SHIFT, true);
		/* Fast clocks are too late for a short record. */
		before = ns();
		if (world_hit() == RETURNED) {
			after = ns();
			EXPECT(ring.last_ts - before <= after - before);
		} else {
			EXPECT(i < 40);
		}
		cpu->seq++;
		EXPECT_EQ(world_hit(), INTERPRET);
		world_close(&model);
		world_close(&ring);
	}
	env.clock.seq_of_cpu = 0;
	env.clock.read = read;
}

static void refused(void)
{
	random_program();
	program.nr_saved = 1;
	program.saved[0] = PE_REG_ARGS;
	EXPECT(pe_hit_can_emit(&program, NULL));
	program.saved[0] = PE_SAVE_TIME;
	EXPECT(!pe_hit_can_emit(&program, NULL));
	program.nr_saved = 0;
	EXPECT(!pe_hit_can_emit(&program, NULL));
	args[0].fetch.reg = offsetof(struct pt_regs, r11);
	program.rest = program.end = args + 1;
	EXPECT(pe_hit_can_emit(&program, NULL));
	args[0].fetch.reg = offsetof(struct pt_regs, di);
	EXPECT(!pe_hit_can_emit(&program, NULL));
	args[0].count = 2;
	EXPECT(pe_hit_can_emit(&program, NULL));
}

int main(void)
{
	static const struct pe_test tests[] = {
		{ "differential", differential },
		{ "differential, memory", differential_memory },
		{ "differential, several parts", differential_parts },
		{ "differential, in a detour", differential_detour },
		{ "differential, at a call", differential_call },
		{ "differential, at a return", differential_return },
		{ "guards of a return", return_guards },
		{ "each guard", each_guard },
		{ "stack pointer", stack_pointer },
		{ "depths", depths },
		{ "losses", losses },
		{ "own clock", own_clock },
		{ "refused", refused },
	};

	seed = pe_test_seed();
	world_emit_open(&ring);
	return PE_RUN(tests);
}
