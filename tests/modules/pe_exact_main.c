// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * pe_exact_main.c - return probes on functions that follow no ABI: every register and
 * flag must stay the same, at the entry and at the return.  The cases of pe_exact.ko.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/cpufeature.h>
#include <linux/gfp.h>
#include <linux/kernel.h>
#include <linux/percpu.h>
#include <linux/ptrace.h>
#include <linux/random.h>
#include <linux/string.h>
#include <asm/processor-flags.h>
#include <pe/kretprobe.h>
#include <pe/symbols.h>
#include <pe_arch/hit_entry.h>
#include "pe_cases.h"
#include "pe_exact.h"

static_assert(offsetof(struct exact_state, flags) == EXACT_FLAGS);

struct exact_state exact_seen, exact_next;

#define ARITHMETIC	(X86_EFLAGS_CF | X86_EFLAGS_PF | X86_EFLAGS_AF | X86_EFLAGS_ZF |	\
			 X86_EFLAGS_SF | X86_EFLAGS_OF)
#define ANY_FLAGS	(ARITHMETIC | X86_EFLAGS_DF | X86_EFLAGS_AC)

/* ---- a probe that notes the registers, or lets calls pass ---- */

static struct pt_regs at_entry, at_return;
static unsigned long kernel_flags;	/* flags that must be clear in handlers */
static bool pass;

static bool note_entry(struct pe_kretprobe *rp, const struct pe_hit *hit, void *data)
{
	unsigned long flags;

	asm volatile("pushfq; pop %0" : "=r"(flags));
	kernel_flags |= flags & (X86_EFLAGS_DF | X86_EFLAGS_AC);
	at_entry = *hit->regs;
	return !pass;
}

static void note_return(struct pe_kretprobe *rp, const struct pe_hit *hit, unsigned long ret_ip,
			void *data)
{
	unsigned long flags;

	asm volatile("pushfq; pop %0" : "=r"(flags));
	kernel_flags |= flags & (X86_EFLAGS_DF | X86_EFLAGS_AC);
	at_return = *hit->regs;
}

static int probe(struct pe_kretprobe *rp, const char *symbol)
{
	int err;

	*rp = (struct pe_kretprobe) {
		.kp = { .symbol = symbol, .flags = PE_KPROBE_RETURN },
		.entry = note_entry,
		.handler = note_return,
	};
	err = case_register_one(&rp->kp);
	if (err)
		pr_info("%s: %d %s\n", symbol, err, rp->kp.reason ?: "");
	return err;
}

static bool regs_are(const struct pt_regs *regs, const struct exact_state *s)
{
	return regs->ax == s->reg[AX] && regs->cx == s->reg[CX] && regs->dx == s->reg[DX] &&
	       regs->si == s->reg[SI] && regs->di == s->reg[DI] && regs->r8 == s->reg[R8] &&
	       regs->r9 == s->reg[R9] && regs->r10 == s->reg[R10] && regs->r11 == s->reg[R11] &&
	       !((regs->flags ^ s->flags) & ANY_FLAGS);
}

static bool same(const struct exact_state *a, const struct exact_state *b)
{
	return !memcmp(a->reg, b->reg, sizeof(a->reg)) && !((a->flags ^ b->flags) & ~X86_EFLAGS_RF);
}

static void randomize(struct exact_state *s, bool irqs_off)
{
	get_random_bytes(s, sizeof(*s));
	s->flags &= ANY_FLAGS;
	s->flags |= X86_EFLAGS_FIXED;
	if (!irqs_off)
		s->flags |= X86_EFLAGS_IF;
}

static bool random_calls(unsigned int n, bool noted)
{
	struct exact_state in, out;
	unsigned int i;

	for (i = 0; i < n; i++) {
		randomize(&in, false);
		randomize(&exact_next, i & 1);
		exact_call(&in, &out, (unsigned long)exact_target);
		CHECK(same(&in, &exact_seen));
		CHECK(same(&exact_next, &out));
		if (noted)
			CHECK(regs_are(&at_entry, &in) && (pass || regs_are(&at_return, &out)));
	}
	return true;
}

#define CALLS	2000

static bool without_probe(void)
{
	return random_calls(CALLS, false);
}

static bool with_probe(void)
{
	struct pe_kretprobe_stat s;
	struct pe_kretprobe rp;

	CHECK(!probe(&rp, "pe_exact:exact_target"));
	CHECK(random_calls(CALLS, true));
	pe_kretprobe_stat(&rp, &s);
	CHECK(s.entries == CALLS && s.returns == CALLS && !kernel_flags);
	case_unregister_one(&rp.kp);
	return true;
}

/* Calls that enter the function and get no frame. */
static bool passed(void)
{
	struct pe_kretprobe_stat s;
	struct pe_kretprobe rp;

	CHECK(!probe(&rp, "pe_exact:exact_target"));
	pass = true;
	CHECK(random_calls(CALLS, true));
	pass = false;
	pe_kretprobe_stat(&rp, &s);
	CHECK(s.skipped == CALLS && !s.returns && !kernel_flags);
	case_unregister_one(&rp.kp);
	return true;
}

/* ---- the kernel's functions ---- */

#define BUF	4096
#define LEN	1000
#define NOWHERE	0x10	/* an unmapped address of user space */

static u8 *src, *dst;
static DEFINE_PER_CPU_ALIGNED(u64, words[2]);

enum inputs { COPY_CX, COPY_DX, STORE, CLEAR, COUNT, GET, PUT, CMPXCHG };

static const struct known {
	const char *name;
	enum inputs inputs;
	bool ac;		/* callers have allowed access to user space */
	bool must;		/* every kernel has it */
	bool adds;		/* its flags are those of an addition to rsp, at the end */
} known[] = {
	{ "__sw_hweight32", COUNT, .must = true },
	{ "__sw_hweight64", COUNT, .must = true },
	{ "clear_page_orig", CLEAR, .must = true },
	{ "clear_page_rep", CLEAR, .must = true },
	{ "clear_page_erms", CLEAR, .must = true },
	{ "__get_user_1", GET, .must = true },
	{ "__get_user_2", GET, .must = true },
	{ "__get_user_4", GET, .must = true },
	{ "__get_user_8", GET, .must = true },
	{ "__get_user_nocheck_4", GET },
	{ "__get_user_nocheck_8", GET },
	{ "__put_user_1", PUT, .must = true },
	{ "__put_user_2", PUT, .must = true },
	{ "__put_user_4", PUT, .must = true },
	{ "__put_user_8", PUT, .must = true },
	{ "__put_user_nocheck_4", PUT },
	{ "__put_user_nocheck_8", PUT },
	{ "rep_movs_alternative", COPY_CX, .ac = true },
	{ "rep_stos_alternative", STORE, .ac = true },
	{ "copy_user_generic_unrolled", COPY_DX },
	{ "copy_user_generic_string", COPY_DX },
	{ "copy_user_enhanced_fast_string", COPY_DX },
	{ "__copy_user_nocache", COPY_DX, .ac = true },
	{ "clear_user_original", STORE, .ac = true },
	{ "clear_user_rep_good", STORE, .ac = true },
	{ "clear_user_erms", STORE, .ac = true },
	{ "csum_partial_copy_generic", COPY_DX, .ac = true, .adds = true },
	{ "copy_mc_fragile", COPY_DX },
	{ "copy_mc_enhanced_fast_string", COPY_DX },
	{ "this_cpu_cmpxchg16b_emu", CMPXCHG },
};

static void set_up(struct exact_state *in, const struct known *k)
{
	unsigned int i;
	int cpu;

	for (i = 0; i < 9; i++)
		in->reg[i] = 0x0123456789abcdefUL * (i + 1);
	in->flags = X86_EFLAGS_FIXED | X86_EFLAGS_IF | (k->ac ? X86_EFLAGS_AC : 0);
	for (i = 0; i < BUF; i++) {
		src[i] = i * 7 + i / 256;
		dst[i] = 0x55;
	}
	for_each_possible_cpu(cpu)
		memset(per_cpu_ptr(words, cpu), 0, sizeof(words));
	switch (k->inputs) {
	case COPY_CX:
	case COPY_DX:
		in->reg[DI] = (unsigned long)dst;
		in->reg[SI] = (unsigned long)src;
		in->reg[k->inputs == COPY_CX ? CX : DX] = LEN;
		in->reg[AX] = LEN;
		break;
	case STORE:
		in->reg[DI] = (unsigned long)dst;
		in->reg[CX] = LEN;
		in->reg[AX] = 0;
		break;
	case CLEAR:
		in->reg[DI] = (unsigned long)dst;
		break;
	case COUNT:
		break;
	case GET:
		in->reg[AX] = NOWHERE;
		break;
	case PUT:
		in->reg[CX] = NOWHERE;
		break;
	case CMPXCHG:
		in->reg[SI] = (unsigned long)words;
		in->reg[AX] = 0;
		in->reg[DX] = 0;
		break;
	}
}

/* With IBT, only code that begins with ENDBR64 can be called by address. */
static bool callable(unsigned long addr)
{
	return !pe_arch_checks_targets() || *(const u32 *)addr == 0xfa1e0ff3;
}

/* With retbleed=stuff, RET is replaced by a thunk that changes the flags. */
static bool thunk_counts(void)
{
#ifdef X86_FEATURE_CALL_DEPTH
	return boot_cpu_has(X86_FEATURE_CALL_DEPTH);
#else
	return false;
#endif
}

static bool one_known(const struct known *k, unsigned int *done)
{
	unsigned long addr = pe_symbol_lookup(k->name);
	struct exact_state in, plain, probed;
	static u8 result[BUF];
	struct pe_kretprobe_stat s;
	struct pe_kretprobe rp;

	if (!addr || !callable(addr)) {
		CHECK(addr || !k->must);
		return true;
	}
	set_up(&in, k);
	exact_call(&in, &plain, addr);
	memcpy(result, dst, BUF);
	CHECK(!probe(&rp, k->name));
	set_up(&in, k);
	exact_call(&in, &probed, addr);
	pe_kretprobe_stat(&rp, &s);
	case_unregister_one(&rp.kp);
	if (k->adds || thunk_counts())
		probed.flags = plain.flags;
	if (!same(&plain, &probed) || memcmp(result, dst, BUF) || !s.returns || kernel_flags)
		pr_err("%s\n", k->name);
	CHECK(same(&plain, &probed) && !memcmp(result, dst, BUF));
	CHECK(s.returns && s.returns == s.entries && !kernel_flags);
	(*done)++;
	return true;
}

static bool __maybe_unused the_kernels(void)
{
	unsigned int i, done = 0;

	src = (u8 *)get_zeroed_page(GFP_KERNEL);
	dst = (u8 *)get_zeroed_page(GFP_KERNEL);
	CHECK(src && dst);
	for (i = 0; i < ARRAY_SIZE(known); i++)
		CHECK(one_known(&known[i], &done));
	free_page((unsigned long)src);
	free_page((unsigned long)dst);
	pr_info("%u functions of the kernel\n", done);
	CHECK(done);
	return true;
}

static const struct pe_case cases[] = {
	CASE(without_probe), CASE(with_probe), CASE(passed),
#ifndef CONFIG_DYNAMIC_FTRACE	/* else only modules' assembler can be probed */
	CASE(the_kernels),
#endif
};

PE_CASES_MODULE(cases);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Tests of return probes on functions in assembler");
