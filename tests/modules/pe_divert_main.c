// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * pe_divert_main.c - probes that change registers, divert, and see the end of instructions: the
 * cases of pe_divert_test.ko.
 *
 * Needs pe_target.  Two oracles: the same code with the kernel's own kprobes, and registers
 * after an instruction beside those before the next one.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/kernel.h>
#include <linux/ptrace.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/vmalloc.h>
#include <asm/processor-flags.h>
#include <pe/kretprobe.h>
#include "pe_cases.h"
#include "pe_divert.h"
#include "pe_divert_log.h"
#include "pe_target.h"

#define ADD	"pe_target:pe_target_add"
#define MIX	"pe_target:pe_target_mix"

#define ARITHMETIC	(X86_EFLAGS_CF | X86_EFLAGS_PF | X86_EFLAGS_AF | X86_EFLAGS_ZF | \
			 X86_EFLAGS_SF | X86_EFLAGS_OF)
/* Flags that are to be the same with each prober. */
#define SAME_FLAGS	(ARITHMETIC | X86_EFLAGS_DF | X86_EFLAGS_IF)

static const struct divert_regs given = {
	.ax = 0x1111, .bx = 0x2222, .cx = 0x3333, .dx = 0x4444, .si = 9, .di = 3, .bp = 0x7777,
	.r8 = 0x8888, .r9 = 0x9999, .r10 = 0xaaaa, .r11 = 0xbbbb, .r12 = 0xcccc, .r13 = 0xdddd,
	.r14 = 0xeeee, .r15 = 0xffff, .flags = X86_EFLAGS_FIXED | X86_EFLAGS_IF | X86_EFLAGS_CF,
};

static unsigned long call_add(void)
{
	struct divert_regs out;

	divert_call(&given, &out, (unsigned long)pe_target_add);
	return out.ax;
}

static unsigned long call_mix(void)
{
	struct divert_regs out;

	divert_call(&given, &out, (unsigned long)pe_target_mix);
	return out.ax;
}

/* ---- every register ---- */

struct flipper {
	struct pe_kprobe kp;
	bool divert;
	unsigned long hits;
};

#define FLIP	0x5a5a0000UL

static void flip(struct pt_regs *regs)
{
	unsigned long *const all[] = {
		&regs->ax, &regs->bx, &regs->cx, &regs->dx, &regs->si, &regs->di, &regs->bp,
		&regs->r8, &regs->r9, &regs->r10, &regs->r11, &regs->r12, &regs->r13, &regs->r14,
		&regs->r15,
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(all); i++)
		*all[i] ^= FLIP;
	regs->flags ^= ARITHMETIC;
}

static bool flip_all(struct pe_kprobe *kp, const struct pe_hit *hit)
{
	struct flipper *f = container_of(kp, struct flipper, kp);

	f->hits++;
	flip(hit->regs);
	if (f->divert)
		hit->regs->ip = (unsigned long)divert_ret;
	return f->divert;
}

static void flipped(struct divert_regs *regs)
{
	unsigned long *reg;

	for (reg = &regs->ax; reg <= &regs->r15; reg++)
		*reg ^= FLIP;
	regs->flags ^= ARITHMETIC;
}

static void nothing(struct pe_kprobe *kp, const struct pe_hit *hit)
{
}

static void flip_after(struct pe_kprobe *kp, const struct pe_hit *hit)
{
	struct flipper *f = container_of(kp, struct flipper, kp);

	f->hits++;
	flip(hit->regs);
	hit->regs->ip = 1;	/* ignored */
}

static bool same(const struct divert_regs *got, const struct divert_regs *want)
{
	const unsigned long *g = &got->ax, *w = &want->ax;
	unsigned int i;

	for (i = 0; i < offsetof(struct divert_regs, flags) / sizeof(*g); i++) {
		if (g[i] != w[i]) {
			pr_err("register %u: %lx, want %lx\n", i, g[i], w[i]);
			return false;
		}
	}
	if ((got->flags ^ want->flags) & SAME_FLAGS)
		pr_err("flags: %lx, want %lx\n", got->flags, want->flags);
	return !((got->flags ^ want->flags) & SAME_FLAGS);
}

/* Code after the handler sees each register as the handler has left it. */
static bool flip_before(const char *symbol, unsigned long fn, enum pe_mechanism mechanism)
{
	struct flipper f = { .kp = { .symbol = symbol, .change = flip_all } };
	struct divert_regs want, in = given, out;

	flipped(&in);
	divert_call(&in, &want, fn);
	CHECK(!case_register_one(&f.kp));
	CHECK(pe_kprobe_mechanism(&f.kp) == mechanism);
	divert_call(&given, &out, fn);
	CHECK(same(&out, &want) && f.hits == 1);
	f.divert = true;
	divert_call(&given, &out, fn);
	CHECK(same(&out, &in) && f.hits == 2);
	CHECK(!pe_kprobe_missed(&f.kp));
	case_unregister_one(&f.kp);
	return true;
}

/* @want: what the call leaves then. */
static bool flip_behind(const char *symbol, unsigned long offset, unsigned long fn,
			const struct divert_regs *want)
{
	struct flipper f = {
		.kp = { .symbol = symbol, .offset = offset, .handler = nothing, .post = flip_after },
	};
	struct divert_regs out;

	CHECK(!case_register_one(&f.kp));
	divert_call(&given, &out, fn);
	CHECK(same(&out, want) && f.hits == 1);
	case_unregister_one(&f.kp);
	divert_call(&given, &out, fn);
	CHECK(f.hits == 1);
	return true;
}

static bool every_register(void)
{
	CHECK(flip_before(ADD, (unsigned long)pe_target_add, ENTRY_MECHANISM));
	CHECK(flip_before(MIX, (unsigned long)pe_target_mix, PE_MECH_BREAKPOINT));
	return true;
}

/* After the call of ftrace, a copied instruction, and one that is emulated. */
static bool every_register_after(void)
{
	unsigned long add = (unsigned long)pe_target_add, mix = (unsigned long)pe_target_mix;
	struct divert_regs in = given, want;

	flipped(&in);
	divert_call(&in, &want, add);
	if (ENTRY_MECHANISM == PE_MECH_ENTRY)
		CHECK(flip_behind(ADD, 0, add, &want));
	divert_call(&given, &want, mix);
	flipped(&want);
	CHECK(flip_behind(MIX, pe_mix_insns_end[-2].offset, mix, &want));	/* bswap */
	CHECK(flip_behind(MIX, pe_mix_insns_end[-1].offset, mix, &want));	/* ret */
	return true;
}

/* ---- the end of each instruction ---- */

static unsigned int nr_insns(void)
{
	return pe_mix_insns_end - pe_mix_insns;
}

static unsigned int executed(void)
{
	unsigned int i, n = 0;

	for (i = 0; i < nr_insns(); i++)
		n += pe_mix_insns[i].times;
	return n;
}

static struct actor *mix_actors(void)
{
	struct actor *all = vzalloc(array_size(nr_insns(), sizeof(*all)));
	unsigned int i;

	for (i = 0; all && i < nr_insns(); i++) {
		all[i].symbol = MIX;
		all[i].offset = pe_mix_insns[i].offset;
		all[i].id = i;
		all[i].post = true;
		actor_init(&all[i]);
	}
	return all;
}

static bool same_general(const struct pt_regs *a, const struct pt_regs *b)
{
	return a->ax == b->ax && a->bx == b->bx && a->cx == b->cx && a->dx == b->dx &&
	       a->si == b->si && a->di == b->di && a->bp == b->bp && a->r8 == b->r8 &&
	       a->r9 == b->r9 && a->r10 == b->r10 && a->r11 == b->r11 && a->r12 == b->r12 &&
	       a->r13 == b->r13 && a->r14 == b->r14 && a->r15 == b->r15 && a->sp == b->sp &&
	       !((a->flags ^ b->flags) & SAME_FLAGS);
}

/* The registers after an instruction are those before the next one. */
static bool chained(const struct seen_log *log)
{
	unsigned int i;

	for (i = 0; i + 1 < log->n; i++) {
		const struct seen *a = &log->seen[i], *b = &log->seen[i + 1];
		bool inside = a->regs.ip >= (unsigned long)pe_target_mix &&
			      a->regs.ip < (unsigned long)pe_target_mix_end;

		if (a->when == BEFORE && b->when == AFTER && a->id == b->id)
			continue;
		if (a->when == AFTER && b->when == BEFORE && !inside)
			continue;	/* a call of mix_helper */
		if (a->when == AFTER && b->when == BEFORE && a->regs.ip == b->regs.ip - 1 &&
		    same_general(&a->regs, &b->regs))
			continue;
		pr_err("after the first, the second:\n");
		show_seen(a);
		show_seen(b);
		return false;
	}
	return true;
}

static bool ends_of(struct seen_log *log, struct actor *all)
{
	unsigned long want = call_mix();
	const struct seen *ret;
	struct pe_kprobe *kps[64];
	unsigned int i;

	CHECK(nr_insns() <= ARRAY_SIZE(kps));
	for (i = 0; i < nr_insns(); i++)
		kps[i] = &all[i].kp;
	CHECK(!case_register(kps, nr_insns()));
	log_to(log);
	CHECK(call_mix() == want);
	log_to(NULL);
	CHECK(log->n == 2 * executed());
	CHECK(chained(log));
	ret = &log->seen[log->n - 1];
	CHECK(ret->when == AFTER && ret->id == nr_insns() - 1);
	CHECK(ret->regs.ip == ret[-1].top && ret->regs.sp == ret[-1].regs.sp + 8);
	for (i = 0; i < nr_insns(); i++)
		CHECK(!pe_kprobe_missed(kps[i]));
	case_unregister(kps, nr_insns());
	CHECK(call_mix() == want && log->n == 2 * executed());
	return true;
}

static bool ends(void)
{
	struct seen_log *log = log_new(1000);
	struct actor *all = mix_actors();
	bool ok = log && all && ends_of(log, all);

	log_to(NULL);
	vfree(all);
	vfree(log);
	return ok;
}

/* Copied without a post handler, emulated with one. */
static bool jumps_of(struct seen_log *log, struct actor *a, unsigned long at, unsigned long to)
{
	struct divert_regs out;

	*a = (struct actor){ .symbol = "pe_divert_test:divert_jumps", .post = true };
	a->offset = at - (unsigned long)divert_jumps;
	actor_init(a);
	CHECK(!case_register_one(&a->kp));
	log_to(log);
	divert_call(&given, &out, (unsigned long)divert_jumps);
	log_to(NULL);
	CHECK(log->n == 2 && log->seen[1].when == AFTER && log->seen[1].regs.ip == to);
	log->seen[1].regs.ip = log->seen[0].regs.ip;
	CHECK(same_general(&log->seen[0].regs, &log->seen[1].regs));
	case_unregister_one(&a->kp);
	return true;
}

static bool jumps(void)
{
	struct seen_log *log = log_new(10);
	struct actor reg, mem;
	bool ok;

	ok = log && jumps_of(log, &reg, (unsigned long)divert_jmp_reg,
			     (unsigned long)divert_after_reg) &&
	     jumps_of(log, &mem, (unsigned long)divert_jmp_mem, (unsigned long)divert_after_mem);
	log_to(NULL);
	vfree(log);
	return ok;
}

/* ---- the kernel's own kprobes do the same ---- */

/* An address on the stack differs from call to call. */
static unsigned long place(const struct seen *s, unsigned long value)
{
	long off = value - s->regs.sp;

	return off > -4096 && off < 4096 ? (unsigned long)off : value;
}

static bool same_seen(const struct seen *a, const struct seen *b)
{
	struct pt_regs x = a->regs, y = b->regs;

	x.bp = place(a, x.bp);
	y.bp = place(b, y.bp);
	x.sp = 0;
	y.sp = 0;
	return a->id == b->id && a->when == b->when && x.ip == y.ip && same_general(&x, &y);
}

static bool same_logs(const struct seen_log *ours, const struct seen_log *stock)
{
	unsigned int i;

	for (i = 0; i < ours->n && i < stock->n; i++) {
		if (same_seen(&ours->seen[i], &stock->seen[i]))
			continue;
		pr_err("ours, stock:\n");
		show_seen(&ours->seen[i]);
		show_seen(&stock->seen[i]);
		return false;
	}
	if (ours->n != stock->n)
		pr_err("%u ours, %u stock\n", ours->n, stock->n);
	return ours->n == stock->n;
}

struct play {
	struct actor *actors;
	unsigned int n;
	unsigned long (*call)(void);
	unsigned long value;
};

/* The kernel's kprobes at one place run in the opposite order: the last one first. */
static bool play_stock(struct play *p, struct seen_log *log)
{
	unsigned int i, done;
	int err = 0;

	for (i = p->n; i > 0 && !err; i--)
		err = stock_register(&p->actors[i - 1]);
	done = i + !!err;
	if (!err) {
		log_to(log);
		p->value = p->call();
		log_to(NULL);
	}
	for (i = done; i < p->n; i++)
		stock_unregister(&p->actors[i]);
	if (err)
		pr_err("stock refuses the actor %u: %d\n", done - 1, err);
	return !err;
}

static bool play_ours(struct play *p, struct seen_log *log)
{
	unsigned int i;
	int err;

	for (i = 0; i < p->n; i++) {
		actor_init(&p->actors[i]);
		err = case_register_one(&p->actors[i].kp);
		if (err)
			pr_err("actor %u: %d %s\n", i, err, p->actors[i].kp.reason);
		CHECK(!err);
	}
	log_to(log);
	p->value = p->call();
	log_to(NULL);
	for (i = 0; i < p->n; i++) {
		CHECK(!pe_kprobe_missed(&p->actors[i].kp));
		case_unregister_one(&p->actors[i].kp);
	}
	return true;
}

/* @text: what the log is to be; NULL: that of the kernel's kprobes, if there are any */
static bool play_both(struct play *p, const char *text)
{
	struct seen_log *ours = log_new(1000), *stock = log_new(1000);
	bool ok = ours && stock && play_ours(p, ours);
	unsigned long value = p->value;
	char buf[256];

	if (ok && text && strcmp(log_text(ours, buf, sizeof(buf)), text)) {
		pr_err("seen \"%s\", want \"%s\"\n", buf, text);
		ok = false;
	}
	if (ok && IS_ENABLED(CONFIG_KPROBES)) {
		ok = play_stock(p, stock) && same_logs(ours, stock);
		if (ok && p->value != value)
			pr_err("value %lx, stock %lx\n", value, p->value);
		ok = ok && p->value == value;
	}
	p->value = value;
	vfree(ours);
	vfree(stock);
	return ok;
}

/* The kernel's kprobes count wrong there: they jump once more, with a counter of 0. */
static bool is_loop(const struct actor *a)
{
	return *((const u8 *)pe_target_mix + a->offset) == 0xe2;
}

/* The kernel's kprobes refuse some instructions: a call through memory, for example. */
static bool ends_as_stock(void)
{
	struct actor *all = mix_actors();
	struct play p = { .actors = all, .call = call_mix };
	unsigned int i;
	bool ok;

	if (!IS_ENABLED(CONFIG_KPROBES) || !all) {
		vfree(all);
		return !IS_ENABLED(CONFIG_KPROBES);
	}
	for (i = 0; i < nr_insns(); i++) {
		if (is_loop(&all[i]) || stock_register(&all[i]))
			continue;
		stock_unregister(&all[i]);
		all[p.n++] = all[i];
	}
	pr_info("the kernel's kprobes take %u of %u instructions\n", p.n, nr_insns());
	ok = p.n > nr_insns() / 2 && play_both(&p, NULL);
	vfree(all);
	return ok;
}

/* Of the @i-th instruction of pe_target_mix(). */
static unsigned long mix_addr(unsigned int i)
{
	return (unsigned long)pe_target_mix + pe_mix_insns[i].offset;
}

/* ---- several at one place ---- */

static const struct actor in_order[] = {
	{ .act = ACT_LOOK, .id = 0 },
	{ .act = ACT_ARG, .id = 1 },
	{ .act = ACT_LOOK, .id = 2, .post = true },
	{ .act = ACT_LIE, .id = 3, .post = true },
	{ .act = ACT_LOOK, .id = 4 },
	{ .act = ACT_RETURN, .id = 5, .post = true },
	{ .act = ACT_LOOK, .id = 6, .post = true },
};

static bool play_in_order(struct actor *all, unsigned long (*call)(void))
{
	struct play p = { .actors = all, .call = call };

	p.n = 5;
	CHECK(play_both(&p, "0 1 2 3 4 2' 3'"));
	p.n = 7;
	CHECK(play_both(&p, "0 1 2 3 4 5"));
	CHECK(p.value == 77);
	p.actors = &all[5];
	p.n = 2;
	CHECK(play_both(&p, "5") && p.value == 77);
	p.actors = all;
	p.n = 1;
	CHECK(play_both(&p, "0"));
	return true;
}

static bool order_at(const char *symbol, unsigned int offset, unsigned long (*call)(void))
{
	struct actor *all = kmemdup(in_order, sizeof(in_order), GFP_KERNEL);
	unsigned int i;
	bool ok;

	if (!all)
		return false;
	for (i = 0; i < ARRAY_SIZE(in_order); i++) {
		all[i].symbol = symbol;
		all[i].offset = offset;
	}
	ok = play_in_order(all, call);
	kfree(all);
	return ok;
}

/* mov %rdi,%rdx: copied, nothing is on the stack yet.  jb: emulated. */
static bool order(void)
{
	CHECK(order_at(ADD, 0, call_add));
	CHECK(order_at(MIX, pe_mix_insns[2].offset, call_mix));
	CHECK(order_at(MIX, pe_mix_insns[10].offset, call_mix));
	return true;
}

/* ---- what a handler can do ---- */

static bool arguments(void)
{
	struct actor a = { .symbol = ADD, .act = ACT_ARG };
	struct play p = { .actors = &a, .n = 1, .call = call_add };
	unsigned long want = pe_target_mix(50, 9);	/* other jumps are taken */

	CHECK(play_both(&p, "0") && p.value == 50 + 9);
	a = (struct actor){ .symbol = MIX, .offset = pe_mix_insns[1].offset, .act = ACT_ARG };
	p.call = call_mix;
	CHECK(play_both(&p, "0") && p.value == want);
	CHECK(call_mix() == pe_target_mix(3, 9) && call_mix() != want);
	return true;
}

/* Instead of an instruction that is copied, of a jump, of a call; to one that has a probe, too. */
static bool skip(void)
{
	static const struct { unsigned int from, to; const char *text; } skips[] = {
		{ 4, 5, "0 1" }, { 10, 11, "0 1" }, { 19, 20, "0 1" }, { 2, 5, "0 1" },
	};
	unsigned long want = call_mix();
	struct actor all[2];
	struct play p = { .actors = all, .n = 2, .call = call_mix };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(skips); i++) {
		all[0] = (struct actor){
			.symbol = MIX, .offset = pe_mix_insns[skips[i].from].offset,
			.act = ACT_SKIP, .to = mix_addr(skips[i].to), .post = true,
		};
		all[1] = (struct actor){
			.symbol = MIX, .offset = pe_mix_insns[skips[i].to].offset, .id = 1,
		};
		CHECK(play_both(&p, skips[i].text));
		CHECK(p.value != want);
	}
	CHECK(call_mix() == want);
	return true;
}

static const struct pe_case cases[] = {
	CASE(every_register),
	CASE(every_register_after),
	CASE(ends),
	CASE(jumps),
	CASE(ends_as_stock),
	CASE(order),
	CASE(arguments),
	CASE(skip),
	{ "refusals", divert_refusals },
	{ "recursion", divert_recursion },
	{ "beside_returns", divert_beside_returns },
	{ "comes_and_goes", divert_comes_and_goes },
	{ "beside_stock", divert_beside_stock },
	{ "returned_values", divert_returned_values },
	{ "return_data", divert_return_data },
};

PE_CASES_MODULE(cases);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Tests of probes that change registers and divert");
