// SPDX-License-Identifier: GPL-2.0
/*
 * pe_bench.c - a function to probe and a loop that counts what a call costs.
 *
 * Writing N to the parameter `run` calls pe_bench_target() N times in chunks
 * with interrupts off and leaves the TSC ticks of the whole in `ticks`.  Under
 * QEMU -icount shift=0 a tick is a guest instruction, so (ticks with a probe -
 * ticks without) / N is the cost of a hit, exactly.
 *
 * Two places to probe: the function's entry, and `site`, the offset of an
 * instruction in its middle that has to be executed out of line and that a jump
 * behind it keeps from being jump-optimised.
 */
#include <linux/irqflags.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <asm/msr.h>

#define CHUNK 1000

unsigned long pe_bench_target(unsigned long a, unsigned long b, const char *s);

extern const unsigned long pe_bench_site;

/* The loop is never taken: %ecx becomes -1. */
noinline unsigned long pe_bench_target(unsigned long a, unsigned long b, const char *s)
{
	unsigned long r;

	asm volatile("xor %%ecx, %%ecx\n"
		     "1: mov %1, %0\n"
		     "2: add %2, %0\n"
		     "dec %%ecx\n"
		     "jns 2b\n"
		     ".pushsection .rodata\n"
		     ".balign 8\n"
		     ".globl pe_bench_site\n"
		     "pe_bench_site: .quad 1b - pe_bench_target\n"
		     ".popsection\n"
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

static int site_get(char *buf, const struct kernel_param *kp)
{
	return sysfs_emit(buf, "%lu\n", pe_bench_site);
}

static const struct kernel_param_ops site_ops = { .get = site_get };
module_param_cb(site, &site_ops, NULL, 0444);
MODULE_PARM_DESC(site, "offset of the instruction to probe in pe_bench_target");

static int __init pe_bench_init(void)
{
	return 0;
}
module_init(pe_bench_init);

static void __exit pe_bench_exit(void)
{
}
module_exit(pe_bench_exit);

MODULE_DESCRIPTION("A target and a loop for measuring the cost of a probe");
MODULE_LICENSE("GPL");
