/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * pe_capi_cases.h - what the interface of kprobes answers and does: a module's code.
 *
 * It is compiled twice, for our <linux/kprobes.h> and for the kernel's.  Each answer is a line of
 * the log, "MODULE: KEY VALUE"; capi.sh knows what each of the two should say.
 *
 * Functions of pe_target.ko are found as many modules find functions, by registering a probe.
 * So pe_target can be unloaded meanwhile.
 */
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/objtool.h>
#include <linux/printk.h>
#include <linux/ptrace.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <asm/asm.h>
#include <asm/linkage.h>

/* The kernel answers some mistakes with a warning or a crash: these cases are ours only. */
#ifdef KPROBE_FLAG_OBSERVES
#define OURS	1
#define OBSERVES	KPROBE_FLAG_OBSERVES
#else
#define OURS	0
#define OBSERVES	0
#endif

#define ADD	"pe_target:pe_target_add"
#define MIX	"pe_target:pe_target_mix"
#define STRING	"pe_target:pe_target_string"
#define OUTER	"pe_target:pe_target_outer"

#define say(key, value)	pr_info("%s: %s %ld\n", KBUILD_MODNAME, key, (long)(value))

/* Offsets in pe_target_mix(): of "mov %rdi, %rdx", of "cmp %rsi, %rdi". */
static unsigned int mov_at, cmp_at;
module_param(mov_at, uint, 0);
module_param(cmp_at, uint, 0);

static unsigned long (*add)(unsigned long a, unsigned long b);
static unsigned long (*mix)(unsigned long a, unsigned long b);

/* A `ret`, to which handlers divert. */
extern const char capi_ret[];
asm(".pushsection .text\n.type capi_ret, @function\ncapi_ret:\n" ANNOTATE_NOENDBR "\n\t" ASM_RET
	".size capi_ret, . - capi_ret\n.popsection");

static void *address_of(const char *symbol, unsigned int offset)
{
	struct kprobe kp = { .symbol_name = symbol, .offset = offset };
	int err = register_kprobe(&kp);

	if (err)
		return NULL;
	unregister_kprobe(&kp);
	return kp.addr;
}

/* ---- handlers ---- */

struct probe {
	struct kprobe kp;
	unsigned int pre, post, turn;
	unsigned long post_flags;
	unsigned long before_ip, after_ip, di, dx_after;
	long fault;
};

static unsigned int turns;

static int count_pre(struct kprobe *kp, struct pt_regs *regs)
{
	struct probe *p = container_of(kp, struct probe, kp);
	unsigned long word;

	p->pre++;
	p->turn = ++turns;
	p->before_ip = regs->ip - (unsigned long)kp->addr;
	p->di = regs->di;
	p->fault = copy_from_kernel_nofault(&word, (void *)0x10, sizeof(word));
	return 0;
}

static void count_post(struct kprobe *kp, struct pt_regs *regs, unsigned long flags)
{
	struct probe *p = container_of(kp, struct probe, kp);

	p->post++;
	p->post_flags |= flags;
	p->after_ip = regs->ip - (unsigned long)kp->addr;
	p->dx_after = regs->dx;
}

static int change_pre(struct kprobe *kp, struct pt_regs *regs)
{
	regs->ax += 1000;
	regs->di += 1000;
	return 0;
}

static int override(struct kprobe *kp, struct pt_regs *regs)
{
	regs_set_return_value(regs, 77);
	instruction_pointer_set(regs, (unsigned long)capi_ret);
	return 1;
}

/* The probed function calls itself through its handler. */
static int call_again(struct kprobe *kp, struct pt_regs *regs)
{
	struct probe *p = container_of(kp, struct probe, kp);

	p->pre++;
	add(1, 1);
	return 0;
}

/* Not for probes, where the kernel has a list of such functions. */
static noinline __noclone void capi_never(void)
{
	barrier();
}
NOKPROBE_SYMBOL(capi_never);

/* ---- answers ---- */

static int try(struct kprobe kp)
{
	int err = register_kprobe(&kp);

	if (!err)
		unregister_kprobe(&kp);
	return err;
}

static void answers(void)
{
	struct kprobe never = { .symbol_name = ADD, .addr = (kprobe_opcode_t *)1 };
	char *mov = address_of(MIX, mov_at);
	struct kprobe *none = NULL;

	say("neither", try((struct kprobe){}));
	say("both", try((struct kprobe){ .symbol_name = ADD, .addr = (void *)add }));
	say("no symbol", try((struct kprobe){ .symbol_name = "pe_no_such_symbol" }));
	say("no module", try((struct kprobe){ .symbol_name = "pe_none:pe_target_add" }));
	say("no address", try((struct kprobe){ .addr = (kprobe_opcode_t *)0x1000 }));
	say("address", try((struct kprobe){ .addr = (void *)add }));
	say("address and offset", try((struct kprobe){ .addr = (void *)(mov - mov_at), .offset = mov_at }));
	say("data", try((struct kprobe){ .symbol_name = "pe_target:pe_mix_insns" }));
	say("inside", try((struct kprobe){ .symbol_name = MIX, .offset = mov_at + 1 }));
	say("noinstr", try((struct kprobe){ .symbol_name = "exc_int3" }));
	say("nokprobe", try((struct kprobe){ .addr = (void *)capi_never }) ==
			(IS_ENABLED(CONFIG_KPROBES) ? -EINVAL : 0));
	say("init text", try((struct kprobe){ .symbol_name = "pe_target:pe_target_init_text" }));
	say("array of none", register_kprobes(&none, 0));
	say("enable never", enable_kprobe(&never));
	say("disable never", disable_kprobe(&never));
	unregister_kprobe(&never);
	say("unregister never", !never.addr);
}

static void again(void)
{
	struct probe p = { .kp = { .symbol_name = ADD, .pre_handler = count_pre } };

	say("register", register_kprobe(&p.kp));
	say("flags", p.kp.flags & ~KPROBE_FLAG_FTRACE);
	say("twice", register_kprobe(&p.kp));
	if (OURS) {
		p.kp.symbol_name = NULL;
		say("twice by address", register_kprobe(&p.kp));
	}
	add(1, 2);
	unregister_kprobe(&p.kp);
	say("hits", p.pre);
	unregister_kprobe(&p.kp);
	say("unregister twice", !p.kp.addr);
}

static void arrays(void)
{
	struct probe a = { .kp = { .symbol_name = ADD, .pre_handler = count_pre } };
	struct probe b = { .kp = { .symbol_name = "pe_no_such_symbol" } };
	struct kprobe *kps[] = { &a.kp, &b.kp };

	say("array", register_kprobes(kps, 2));
	say("array keeps", !a.kp.addr);
	add(1, 2);
	say("array hits", a.pre);
	a.kp.addr = NULL;
	b.kp.addr = NULL;
	b.kp.symbol_name = MIX;
	a.kp.flags = 0;
	say("array again", register_kprobes(kps, 2));
	add(1, 2);
	unregister_kprobes(kps, 2);
	add(1, 2);
	say("array hits again", a.pre);
	/* The one that is not registered loses its address, and the other goes. */
	a.kp.addr = NULL;
	a.kp.flags = 0;
	register_kprobe(&a.kp);
	unregister_kprobes(kps, 2);
	add(1, 2);
	say("array with a wrong one", a.pre * 10 + !b.kp.addr);
	if (!OURS)
		return;
	a.kp.addr = NULL;
	kps[1] = &a.kp;
	say("array of twice one", register_kprobes(kps, 2));
}

/* ---- what handlers can do ---- */

static void see(void)
{
	struct probe p = {
		.kp = { .symbol_name = ADD, .pre_handler = count_pre, .post_handler = count_post },
	};

	register_kprobe(&p.kp);
	say("sum", add(3, 4));
	unregister_kprobe(&p.kp);
	say("pre and post", p.pre * 10 + p.post);
	say("ip before", p.before_ip);
	say("argument", p.di);
	say("fault", p.fault);
	p = (struct probe){
		.kp = { .symbol_name = MIX, .offset = mov_at, .pre_handler = count_pre,
			.post_handler = count_post },
	};
	register_kprobe(&p.kp);
	mix(3, 4);
	unregister_kprobe(&p.kp);
	say("inside: pre and post", p.pre * 10 + p.post);
	say("inside: ip after", p.after_ip);
	say("inside: rdx after", p.dx_after);
	p = (struct probe){ .kp = { .symbol_name = ADD, .post_handler = count_post } };
	register_kprobe(&p.kp);
	add(1, 2);
	unregister_kprobe(&p.kp);
	say("post alone", p.post);
	say("post flags", p.post_flags);
	p = (struct probe){ .kp = { .symbol_name = ADD } };
	say("no handlers", register_kprobe(&p.kp));
	say("sum without handlers", add(3, 4));
	unregister_kprobe(&p.kp);
}

static void change(void)
{
	struct probe p = { .kp = { .symbol_name = ADD, .pre_handler = change_pre } };
	unsigned long plain = mix(3, 4);

	register_kprobe(&p.kp);
	say("changed argument", add(3, 4));
	unregister_kprobe(&p.kp);
	p = (struct probe){
		.kp = { .symbol_name = MIX, .offset = cmp_at, .pre_handler = change_pre },
	};
	register_kprobe(&p.kp);
	say("inside: changed", mix(3, 4) != plain);
	unregister_kprobe(&p.kp);
	say("inside: as before", mix(3, 4) == plain);
}

/* The kernel ignores ->ip of an optimised kprobe: a post_handler keeps it from being one. */
static void divert(void)
{
	struct probe p = { .kp = { .symbol_name = ADD, .pre_handler = override } };
	struct probe other = {
		.kp = { .symbol_name = MIX, .offset = cmp_at, .pre_handler = count_pre,
			.post_handler = count_post },
	};

	register_kprobe(&p.kp);
	say("override", add(3, 4));
	unregister_kprobe(&p.kp);
	p = (struct probe){
		.kp = { .symbol_name = MIX, .offset = cmp_at, .pre_handler = override,
			.post_handler = count_post },
	};
	register_kprobe(&p.kp);
	say("inside: override", mix(3, 4));
	unregister_kprobe(&p.kp);
	say("override: post", p.post);
	/*
	 * Both orders, as the kernel runs the last one first.  Not at an entry that ftrace patches:
	 * there the kernel can't take a post_handler beside another kprobe.
	 */
	p.kp.addr = NULL;
	p.kp.flags = 0;
	register_kprobe(&p.kp);
	register_kprobe(&other.kp);
	mix(3, 4);
	say("override, then another", other.pre * 10 + other.post);
	unregister_kprobe(&p.kp);
	unregister_kprobe(&other.kp);
	other.pre = other.post = 0;
	p.kp.addr = other.kp.addr = NULL;
	p.kp.flags = other.kp.flags = 0;
	register_kprobe(&other.kp);
	register_kprobe(&p.kp);
	mix(3, 4);
	say("another, then override", other.pre * 10 + other.post);
	unregister_kprobe(&p.kp);
	unregister_kprobe(&other.kp);
}

#ifdef KPROBE_FLAG_OBSERVES
/*
 * A promise that is broken: the log says so.  And a post_handler that comes to an entry at which
 * another probe is: the kernel's kprobes can't.
 */
static void observes(void)
{
	struct probe p = {
		.kp = { .symbol_name = ADD, .pre_handler = override, .flags = KPROBE_FLAG_OBSERVES },
	};
	struct probe late = {
		.kp = { .symbol_name = ADD, .pre_handler = count_pre, .post_handler = count_post },
	};

	register_kprobe(&p.kp);
	say("broken promise", add(3, 4));
	unregister_kprobe(&p.kp);
	p.kp = (struct kprobe){ .symbol_name = ADD, .pre_handler = count_pre };
	say("beside", register_kprobe(&p.kp));
	say("post beside", register_kprobe(&late.kp));
	say("sum beside", add(3, 4));
	unregister_kprobe(&late.kp);
	add(3, 4);
	say("hits beside", p.pre * 100 + late.pre * 10 + late.post);
	unregister_kprobe(&p.kp);
}
#else
static void observes(void) { }
#endif

static void several(void)
{
	struct probe a = { .kp = { .symbol_name = ADD, .pre_handler = count_pre } }, b = a, c = a;
	struct kprobe *kps[] = { &a.kp, &b.kp, &c.kp };

	register_kprobes(kps, 3);
	turns = 0;
	add(1, 2);
	say("order", a.turn * 100 + b.turn * 10 + c.turn);
	say("disable one", disable_kprobe(&b.kp));
	add(1, 2);
	say("hits of three", a.pre * 100 + b.pre * 10 + c.pre);
	unregister_kprobes(kps, 3);
}

static void disabled(void)
{
	struct probe p = {
		.kp = { .symbol_name = ADD, .pre_handler = count_pre, .flags = KPROBE_FLAG_DISABLED },
	};

	say("register disabled", register_kprobe(&p.kp));
	say("is disabled", !!kprobe_disabled(&p.kp));
	add(1, 2);
	say("disabled hits", p.pre);
	say("enable", enable_kprobe(&p.kp));
	say("enable twice", enable_kprobe(&p.kp));
	say("is enabled", !kprobe_disabled(&p.kp));
	add(1, 2);
	say("enabled hits", p.pre);
	say("disable", disable_kprobe(&p.kp));
	say("disable twice", disable_kprobe(&p.kp));
	add(1, 2);
	say("disabled hits again", p.pre);
	unregister_kprobe(&p.kp);
	p.kp.addr = NULL;
	p.kp.flags = ~KPROBE_FLAG_DISABLED;
	register_kprobe(&p.kp);
	say("other flags", !kprobe_disabled(&p.kp) && !kprobe_gone(&p.kp));
	unregister_kprobe(&p.kp);
}

static void recursion(void)
{
	struct probe p = { .kp = { .symbol_name = ADD, .pre_handler = call_again } };

	p.kp.nmissed = 99;
	register_kprobe(&p.kp);
	say("missed", p.kp.nmissed);
	add(1, 2);
	add(1, 2);
	say("recursion: hits", p.pre);
	say("recursion: missed", p.kp.nmissed);
	unregister_kprobe(&p.kp);
}

/* The others use what it has. */
#include "pe_capi_returns.h"

#include "pe_capi_cost.h"
#include "pe_capi_races.h"

/* ---- probes that stay ---- */

static struct probe stays = { .kp = { .symbol_name = STRING, .pre_handler = count_pre } };
static struct probe jumps = {
	.kp = { .symbol_name = "pe_target:pe_target_loop", .pre_handler = count_only,
		.flags = OBSERVES },
};
static struct probe breaks = {
	.kp = { .symbol_name = "pe_target:pe_target_loop", .offset = 7, .pre_handler = count_only },
};
static struct returning stays_too = { .rp = { .handler = leave, .kp.symbol_name = OUTER } };
static struct kprobe *staying[] = { &stays.kp, &jumps.kp, &breaks.kp };
static bool forget;
module_param(forget, bool, 0);
MODULE_PARM_DESC(forget, "no cases, and leave the probes there");

static int show_stays(char *buf, const struct kernel_param *kp)
{
	return sysfs_emit(buf, "hits %u gone %d%d\n", stays.pre, kprobe_gone(&stays.kp),
			  kprobe_gone(&stays_too.rp.kp));
}

static int set_stays(const char *val, const struct kernel_param *kp)
{
	return *val == '1' ? enable_kprobe(&stays.kp) : disable_kprobe(&stays.kp);
}

static const struct kernel_param_ops stays_ops = { .get = show_stays, .set = set_stays };
module_param_cb(stays, &stays_ops, NULL, 0600);

static void run_cases(void)
{
	answers();
	again();
	arrays();
	see();
	change();
	divert();
	observes();
	several();
	disabled();
	recursion();
	return_answers();
	returns();
	return_depth();
	races();
}

static int __init capi_init(void)
{
	int err;

	add = address_of(ADD, 0);
	mix = address_of(MIX, 0);
	if (!add || !mix)
		return -ENOENT;
	if (measure) {
		costs();
		return 0;
	}
	if (!forget)
		run_cases();
	err = register_kprobes(staying, ARRAY_SIZE(staying));
	if (err)
		return err;
	err = register_kretprobe(&stays_too.rp);
	if (err)
		unregister_kprobes(staying, ARRAY_SIZE(staying));
	return err;
}

static void __exit capi_exit(void)
{
	if (forget || measure)
		return;
	unregister_kprobes(staying, ARRAY_SIZE(staying));
	unregister_kretprobe(&stays_too.rp);
}

module_init(capi_init);
module_exit(capi_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Tests of the kernel's interface for kprobes");
