// SPDX-License-Identifier: GPL-2.0
/*
 * pe_bench.c - a function to probe and a loop that counts what a call costs.
 *
 * Writing N to the parameter `run` calls pe_bench_target() N times in chunks with
 * interrupts off, and puts the TSC ticks of all calls into `ticks`.  Under QEMU -icount
 * shift=0 a tick is a guest instruction.  So the exact cost of a hit is (ticks with a
 * probe - ticks without) / N.
 *
 * There are two places to probe: the function's entry, and `site`, the offset of an
 * instruction in its middle.  That one has to be executed out of line, and a jump after
 * it keeps it from being jump-optimised.
 *
 * Writing "stock" or "ours" to the parameter `raw` puts a return probe without
 * any event on the target, the kernel's or the engine's, with handlers that only
 * count; "none" removes it.
 */
#include <linux/errno.h>
#include <linux/irqflags.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/string.h>
#include <asm/msr.h>
#include <pe/kretprobe.h>
#include "pe_site.h"

#define CHUNK 1000

unsigned long pe_bench_target(unsigned long a, unsigned long b, const char *s);

extern const unsigned long pe_bench_site;

noinline unsigned long pe_bench_target(unsigned long a, unsigned long b, const char *s)
{
	unsigned long r;

	asm volatile(PE_SITE_BODY(pe_bench_target, pe_bench_site)
		     : "=&a" (r) : "D" (a), "r" (b), "d" (s) : "ecx", "cc");
	return r;
}

static unsigned long ticks;
module_param(ticks, ulong, 0444);
MODULE_PARM_DESC(ticks, "TSC ticks of the last run");

static char name[] = "/usr/bin/example1";

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
			pe_bench_target(i, 2, name);
		sum += rdtsc_ordered() - start;
		local_irq_restore(flags);
		n -= chunk;
	}
	ticks = sum;
	return 0;
}

static const struct kernel_param_ops run_ops = { .set = run_set };
module_param_cb(run, &run_ops, NULL, 0200);
MODULE_PARM_DESC(run, "write N: call the target N times");

PE_SITE_PARAM(pe_bench_target, pe_bench_site);

/* ---- return probes without events ---- */

static unsigned long returns;
module_param(returns, ulong, 0444);
MODULE_PARM_DESC(returns, "that the raw return probe has seen");

static bool our_entry(struct pe_kretprobe *rp, const struct pe_hit *hit, void *data)
{
	return true;
}

static void our_return(struct pe_kretprobe *rp, const struct pe_hit *hit,
		       unsigned long ret_ip, void *data)
{
	returns++;
}

static struct pe_kretprobe ours;

static int add_ours(void)
{
	memset(&ours, 0, sizeof(ours));
	ours.kp.symbol = "pe_bench:pe_bench_target";
	ours.kp.flags = PE_KPROBE_RETURN;
	ours.entry = our_entry;
	ours.handler = our_return;
	return pe_register_kprobe(&ours.kp);
}

#ifdef CONFIG_KRETPROBES
static int stock_entry(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	return 0;
}

static int stock_return(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	returns++;
	return 0;
}

static struct kretprobe stock;

static int add_stock(void)
{
	memset(&stock, 0, sizeof(stock));
	stock.kp.symbol_name = "pe_bench_target";
	stock.entry_handler = stock_entry;
	stock.handler = stock_return;
	return register_kretprobe(&stock);
}

static void remove_stock(void)
{
	unregister_kretprobe(&stock);
}
#else
static int add_stock(void)
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
	int ret = 0;

	remove_raw();
	returns = 0;
	if (sysfs_streq(val, "stock")) {
		ret = add_stock();
		raw = ret ? RAW_NONE : RAW_STOCK;
	} else if (sysfs_streq(val, "ours")) {
		ret = add_ours();
		raw = ret ? RAW_NONE : RAW_OURS;
	} else if (!sysfs_streq(val, "none")) {
		ret = -EINVAL;
	}
	return ret;
}

static const struct kernel_param_ops raw_ops = { .set = raw_set };
module_param_cb(raw, &raw_ops, NULL, 0200);
MODULE_PARM_DESC(raw, "stock, ours, none: a return probe without event");

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

MODULE_DESCRIPTION("A target and a loop for measuring the cost of a probe");
MODULE_LICENSE("GPL");
