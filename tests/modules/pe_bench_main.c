// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * pe_bench_main.c - functions to probe and a loop that counts what their calls cost.
 *
 * Writing N to the parameter `run` calls each function N times in chunks with interrupts
 * off, and puts the TSC ticks of all calls into `ticks`.  Under QEMU -icount shift=0 a tick
 * is a guest instruction.  So the exact cost of a hit is (ticks with a probe on one of the
 * functions - ticks without) / N.
 *
 * pe_bench_target() has an entry that ftrace knows, and two instructions in its middle,
 * whose offsets are the parameters `site` and `long_site`.  The first has to be executed
 * out of line, and a branch keeps a jump from replacing it.  The second one can be replaced
 * by a jump.  pe_bench.h has the other functions.
 *
 * Writing "WHOSE FUNCTION" or "WHOSE FUNCTION return" to the parameter `raw` puts a probe or
 * a return probe without any event on a function: WHOSE is "stock", the kernel's, or "ours".
 * With "both" instead of "return", the return probe has an entry handler, too.
 * The handlers only count, in `hits`.  "none" removes it.
 */
#include <linux/errno.h>
#include <linux/irqflags.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/string.h>
#include <asm/msr.h>
#include <asm/text-patching.h>
#include <pe/kretprobe.h>
#include "kernel/know/compat.h"
#include "pe_bench.h"
#include "pe_site.h"

#define CHUNK 1000

unsigned long pe_bench_target(unsigned long a, unsigned long b, const char *s);

extern const unsigned long pe_bench_site;
extern const unsigned long pe_bench_long_site;

noinline unsigned long pe_bench_target(unsigned long a, unsigned long b, const char *s)
{
	unsigned long r;

	asm volatile(PE_SITE_BODY(pe_bench_target, pe_bench_site)
		     "3: lea 0x1000(%0,%1), %0\n"
		     ".pushsection .rodata\n"
		     ".balign 8\n"
		     ".globl pe_bench_long_site\n"
		     "pe_bench_long_site: .quad 3b - pe_bench_target\n"
		     ".popsection\n"
		     : "=&a" (r) : "D" (a), "r" (b), "d" (s) : "ecx", "cc");
	return r;
}

static unsigned long ticks;
module_param(ticks, ulong, 0444);
MODULE_PARM_DESC(ticks, "TSC ticks of the last run");

static char name[] = "/usr/bin/example1";

static __always_inline void call_all(unsigned long a, unsigned long b, const char *s)
{
	pe_bench_target(a, b, s);
	pe_bench_stepped(a, b, s);
	pe_bench_boosted(a, b, s);
	pe_bench_jumped(a, b, s);
}

static int run_set(const char *val, const struct kernel_param *kp)
{
	unsigned long n, i, flags, sum = 0;
	int ret = kstrtoul(val, 0, &n);

	if (ret)
		return ret;
	while (n) {
		unsigned long chunk = min_t(unsigned long, n, CHUNK);
		u64 start;

		local_irq_save(flags);
		start = rdtsc_ordered();
		for (i = 0; i < chunk; i++)
			call_all(i, 2, name);
		sum += rdtsc_ordered() - start;
		local_irq_restore(flags);
		n -= chunk;
	}
	ticks = sum;
	return 0;
}

static const struct kernel_param_ops run_ops = { .set = run_set };
module_param_cb(run, &run_ops, NULL, 0200);
MODULE_PARM_DESC(run, "write N: call each function N times");

PE_SITE_PARAM(site, pe_bench_target, pe_bench_site);
PE_SITE_PARAM(long_site, pe_bench_target, pe_bench_long_site);

/* The number of probes that are jumps, from the text: kprobes/list shows planned ones as well. */
static int jumps_get(char *buf, const struct kernel_param *kp)
{
	const u8 *target = (const u8 *)pe_bench_target, *jumped = (const u8 *)pe_bench_jumped;

	/* Hide the addresses: objtool would misread an instruction that adds an offset to one. */
	OPTIMIZER_HIDE_VAR(target);
	OPTIMIZER_HIDE_VAR(jumped);
	if (pe_is_endbr(*(const u32 *)jumped))
		jumped += ENDBR_INSN_SIZE;
	return sysfs_emit(buf, "%d\n", (target[pe_bench_long_site] == JMP32_INSN_OPCODE) +
					(*jumped == JMP32_INSN_OPCODE));
}

static const struct kernel_param_ops jumps_ops = { .get = jumps_get };
module_param_cb(jumps, &jumps_ops, NULL, 0444);
MODULE_PARM_DESC(jumps, "how many of the places where a jump fits have one");

/* ---- probes without events ---- */

static unsigned long hits;
module_param(hits, ulong, 0444);
MODULE_PARM_DESC(hits, "of the raw probe since it was added");

static const char *const functions[] = {
	"pe_bench_target", "pe_bench_stepped", "pe_bench_boosted", "pe_bench_jumped",
};

static const char *const our_symbols[ARRAY_SIZE(functions)] = {
	"pe_bench:pe_bench_target", "pe_bench:pe_bench_stepped",
	"pe_bench:pe_bench_boosted", "pe_bench:pe_bench_jumped",
};

static void our_hit(struct pe_kprobe *kp, const struct pe_hit *hit)
{
	hits++;
}

static bool our_entry(struct pe_kretprobe *rp, const struct pe_hit *hit, void *data)
{
	return true;
}

static void our_return(struct pe_kretprobe *rp, const struct pe_hit *hit,
		       unsigned long ret_ip, void *data)
{
	hits++;
}

/* What a probe has a handler for. */
enum kind { KIND_ENTRY, KIND_RETURN, KIND_BOTH };

static const char *const kinds[] = { "", "return", "both" };

/* The plain probe is the one inside it. */
static struct pe_kretprobe ours;

static int add_ours(unsigned int function, enum kind kind)
{
	int err;

	memset(&ours, 0, sizeof(ours));
	ours.kp.symbol = our_symbols[function];
	if (kind != KIND_ENTRY) {
		ours.kp.flags = PE_KPROBE_RETURN;
		ours.entry = kind == KIND_BOTH ? our_entry : NULL;
		ours.handler = our_return;
	} else {
		ours.kp.handler = our_hit;
	}
	ours.kp.flags |= PE_KPROBE_NESTS;
	err = pe_register_kprobe(&ours.kp);
	pe_kretprobes_settle();
	return err;
}

#ifdef CONFIG_KRETPROBES
static int stock_hit(struct kprobe *kp, struct pt_regs *regs)
{
	hits++;
	return 0;
}

static int stock_entry(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	return 0;
}

static int stock_return(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	hits++;
	return 0;
}

static struct kretprobe stock;

static int add_stock(unsigned int function, enum kind kind)
{
	memset(&stock, 0, sizeof(stock));
	stock.kp.symbol_name = functions[function];
	if (kind == KIND_ENTRY) {
		stock.kp.pre_handler = stock_hit;
		return register_kprobe(&stock.kp);
	}
	stock.entry_handler = kind == KIND_BOTH ? stock_entry : NULL;
	stock.handler = stock_return;
	return register_kretprobe(&stock);
}

static void remove_stock(void)
{
	if (stock.handler)
		unregister_kretprobe(&stock);
	else
		unregister_kprobe(&stock.kp);
}
#else
static int add_stock(unsigned int function, enum kind kind)
{
	return -EOPNOTSUPP;
}

static void remove_stock(void)
{
}
#endif

static enum { RAW_NONE, RAW_STOCK, RAW_OURS } raw;

static void remove_raw(void)
{
	if (raw == RAW_STOCK)
		remove_stock();
	if (raw == RAW_OURS)
		pe_unregister_kprobe(&ours.kp);
	raw = RAW_NONE;
}

static int raw_set(const char *val, const struct kernel_param *kp)
{
	char whose[8], function[32], kind[8] = "";
	int words = sscanf(val, "%7s %31s %7s", whose, function, kind);
	int i, k, ret;

	remove_raw();
	hits = 0;
	if (words == 1 && !strcmp(whose, "none"))
		return 0;
	i = words < 2 ? -EINVAL : match_string(functions, ARRAY_SIZE(functions), function);
	k = match_string(kinds, ARRAY_SIZE(kinds), kind);
	if (i < 0 || k < 0)
		return -EINVAL;
	if (!strcmp(whose, "stock")) {
		ret = add_stock(i, k);
		raw = ret ? RAW_NONE : RAW_STOCK;
	} else if (!strcmp(whose, "ours")) {
		ret = add_ours(i, k);
		raw = ret ? RAW_NONE : RAW_OURS;
	} else {
		ret = -EINVAL;
	}
	return ret;
}

static const struct kernel_param_ops raw_ops = { .set = raw_set };
module_param_cb(raw, &raw_ops, NULL, 0200);
MODULE_PARM_DESC(raw, "stock|ours FUNCTION [return|both], none: a probe without event");

static int __init pe_bench_init(void)
{
	return 0;
}
module_init(pe_bench_init);

static void __exit pe_bench_exit(void)
{
	remove_raw();
}
module_exit(pe_bench_exit);

MODULE_DESCRIPTION("Functions and a loop for measuring the cost of a probe");
MODULE_LICENSE("GPL");
