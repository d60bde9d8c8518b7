// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * pe_kinds_main.c - each kind of window, executed without a probe, under a breakpoint, by a jump.
 *
 *   cat kinds		"KIND jump|int3|neither INPUTS HITS ok", or in place of ok what differs
 *
 * Each function of pe_kinds_code.S is called with the same registers and flags in all three ways.
 * All three must leave the same registers and flags, and the same memory.  Breakpoint and jump must
 * have the same hits, with the same registers and flags, and the same return address on the stack.
 */
#include <linux/delay.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/mutex.h>
#include <linux/preempt.h>
#include <linux/ptrace.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/sysfs.h>
#include <linux/vmalloc.h>
#include <pe/kprobe.h>
#include "pe_exact.h"

struct exact_state exact_seen, exact_next;	/* of exact_target(), which is not used here */

/* As pe_kinds_code.S writes them. */
struct kind {
	unsigned long fn, site;		/* @site: bytes from @fn */
	const char *name;
};

extern const struct kind pe_kinds[], pe_kinds_end[];

/* OF SF ZF AF PF CF none, all, some; DF, AC, interrupts off. */
static const unsigned long flags[] = {
	0x202, 0xad7, 0x602, 0x40202, 0x40ed7, 0x002, 0x243, 0x286, 0xa06,
};

#define COUNTS		3	/* in rcx: 0, 1, 2 */
#define INPUTS		(ARRAY_SIZE(flags) * COUNTS)
#define MAX_HITS	3	/* of one call */
#define MEMORY		8	/* words on both sides of rdi */
#define RF		0x10000UL	/* set in what an exception saves */

/**
 * struct call - what a call shows
 * @out: registers and flags after it
 * @memory: around rdi
 * @hits: how many
 * @at: registers at each hit
 * @top: what is on the top of the stack there: where the function returns to
 */
struct call {
	struct exact_state out;
	unsigned long memory[2 * MEMORY];
	unsigned int hits;
	struct pt_regs at[MAX_HITS];
	unsigned long top[MAX_HITS];
};

static DEFINE_MUTEX(mutex);
static unsigned long memory[2 * MEMORY];
static struct pe_kprobe *probes;
static unsigned int nr;
static struct call *results, *bare, *trapped;	/* [nr][INPUTS]; @results: of the last run */
static struct call now;

static void on_hit(struct pe_kprobe *kp, const struct pe_hit *hit)
{
	unsigned int i = now.hits++;

	if (i >= MAX_HITS)
		return;
	now.at[i] = *hit->regs;
	now.at[i].flags &= ~RF;
	now.top[i] = *(unsigned long *)hit->regs->sp;
}

/* One call; the result is in @now. */
static noinline void call_once(unsigned int kind, unsigned int input)
{
	static struct exact_state in;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(in.reg); i++)
		in.reg[i] = 0x0123456789abcdefUL * (i + 1 + input);
	in.reg[CX] = input % COUNTS;
	in.reg[DI] = (unsigned long)&memory[MEMORY];
	in.flags = flags[input / COUNTS];
	memset(memory, 0x55, sizeof(memory));
	memset(&now, 0, sizeof(now));
	preempt_disable();
	exact_call(&in, &now.out, pe_kinds[kind].fn);
	preempt_enable();
	memcpy(now.memory, memory, sizeof(memory));
}

/* The same stack pointer at each call, in every run. */
static noinline void call_all(void)
{
	unsigned int i;

	for (i = 0; i < nr * INPUTS; i++) {
		call_once(i / INPUTS, i % INPUTS);
		results[i] = now;
	}
	/* An address between the instructions of a window, in the module's data, prevents the jump. */
	memset(&now, 0, sizeof(now));
}

static void keep(struct call *copy)
{
	memcpy(copy, results, nr * INPUTS * sizeof(*copy));
}

static bool same_behind(const struct call *a, const struct call *b)
{
	return !memcmp(&a->out, &b->out, sizeof(a->out)) &&
	       !memcmp(a->memory, b->memory, sizeof(a->memory));
}

/* NULL: nothing differs. */
static const char *compare(unsigned int kind, const struct call *plain, const struct call *trap,
			   const struct call *jump)
{
	unsigned int i;

	if (!trap->hits || trap->hits > MAX_HITS || plain->hits)
		return "no hits, or too many, at a breakpoint";
	if (jump->hits != trap->hits)
		return "another number of hits";
	if (!same_behind(plain, trap))
		return "after a breakpoint";
	if (!same_behind(plain, jump))
		return "after a jump";
	for (i = 0; i < jump->hits; i++) {
		if (jump->at[i].ip != pe_kinds[kind].fn + pe_kinds[kind].site + 1)
			return "ip";
		if (memcmp(&jump->at[i], &trap->at[i], sizeof(jump->at[i])))
			return "registers at the site";
		if (jump->top[i] != trap->top[i])
			return "stack at the site";
	}
	return NULL;
}

static bool all_are(enum pe_mechanism mech)
{
	unsigned int i;

	for (i = 0; i < nr; i++) {
		if (pe_kprobe_mechanism(&probes[i]) != mech)
			return false;
	}
	return true;
}

static int show(char *buf, int len, unsigned int kind)
{
	static const char * const names[] = { "neither", "neither", "jump", "int3" };
	const char *how = names[pe_kprobe_mechanism(&probes[kind])], *what = NULL;
	unsigned int i, hits = 0;

	for (i = 0; i < INPUTS && !what; i++) {
		unsigned int at = kind * INPUTS + i;

		what = compare(kind, &bare[at], &trapped[at], &results[at]);
		hits += results[at].hits;
	}
	return sysfs_emit_at(buf, len, "%s %s %u %u %s\n", pe_kinds[kind].name, how, i, hits,
			     what ?: "ok");
}

static int kinds_get(char *buf, const struct kernel_param *param)
{
	unsigned int i;
	int len = 0;

	mutex_lock(&mutex);
	pe_kprobes_optimize(false);
	memset(trapped, 0, nr * INPUTS * sizeof(*trapped));
	if (all_are(PE_MECH_BREAKPOINT)) {
		call_all();
		keep(trapped);
	}
	pe_kprobes_optimize(true);
	for (i = 0; i < 600 && !all_are(PE_MECH_JUMP); i++)
		msleep(100);
	call_all();
	for (i = 0; i < nr; i++)
		len += show(buf, len, i);
	mutex_unlock(&mutex);
	return len;
}

static const struct kernel_param_ops kinds_ops = { .get = kinds_get };
module_param_cb(kinds, &kinds_ops, NULL, 0400);

static int register_all(void)
{
	struct pe_kprobe **kps = kmalloc_array(nr, sizeof(*kps), GFP_KERNEL);
	unsigned int i;
	int err;

	if (!kps)
		return -ENOMEM;
	for (i = 0; i < nr; i++) {
		probes[i].addr = pe_kinds[i].fn + pe_kinds[i].site;
		probes[i].handler = on_hit;
		kps[i] = &probes[i];
	}
	err = pe_register_kprobes(kps, nr);
	for (i = 0; err && i < nr; i++) {
		if (probes[i].reason)
			pr_err("%s: %s\n", pe_kinds[i].name, probes[i].reason);
	}
	kfree(kps);
	return err;
}

static void free_all(void)
{
	kfree(probes);
	vfree(results);
	vfree(bare);
	vfree(trapped);
}

static int __init kinds_init(void)
{
	int err = -ENOMEM;

	nr = pe_kinds_end - pe_kinds;
	probes = kcalloc(nr, sizeof(*probes), GFP_KERNEL);
	results = vzalloc(nr * INPUTS * sizeof(*results));
	bare = vzalloc(nr * INPUTS * sizeof(*bare));
	trapped = vzalloc(nr * INPUTS * sizeof(*trapped));
	if (probes && results && bare && trapped) {
		call_all();
		keep(bare);
		err = register_all();
	}
	if (err)
		free_all();
	return err;
}

static void __exit kinds_exit(void)
{
	unsigned int i;

	for (i = 0; i < nr; i++)
		pe_unregister_kprobe(&probes[i]);
	free_all();
}

module_init(kinds_init);
module_exit(kinds_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Each kind of window that a jump can replace, for tests");
