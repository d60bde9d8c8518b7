// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * pe_many.c - a thousand functions, and a loop that counts what their calls cost.
 *
 * Writing N to the parameter `run` calls pe_many_0 to pe_many_999 one after the other, N times,
 * with interrupts off, and puts the TSC ticks of all calls into `ticks`.  Under QEMU
 * -icount shift=0 a tick is a guest instruction.  `inside` is the offset in each function of an
 * instruction whose place a jump can take.
 */
#include <linux/errno.h>
#include <linux/irqflags.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <asm/msr.h>

/* X(n) for 000 to 999; no two functions with the same code may be merged. */
#define TEN(X, n)	X(n##0) X(n##1) X(n##2) X(n##3) X(n##4) X(n##5) X(n##6) X(n##7) X(n##8) X(n##9)
#define HUNDRED(X, n)	TEN(X, n##0) TEN(X, n##1) TEN(X, n##2) TEN(X, n##3) TEN(X, n##4) \
			TEN(X, n##5) TEN(X, n##6) TEN(X, n##7) TEN(X, n##8) TEN(X, n##9)
#define THOUSAND(X)	HUNDRED(X, 0) HUNDRED(X, 1) HUNDRED(X, 2) HUNDRED(X, 3) HUNDRED(X, 4) \
			HUNDRED(X, 5) HUNDRED(X, 6) HUNDRED(X, 7) HUNDRED(X, 8) HUNDRED(X, 9)

/* A nop of eight bytes, for a jump. */
#define DEFINE(n)						\
	void pe_many_##n(void);					\
	noinline void pe_many_##n(void)				\
	{							\
		asm volatile("nopl 0x11223344(%rax,%rax)");	\
	}
#define CALL(n)		pe_many_##n();

THOUSAND(DEFINE)

static unsigned long ticks;
module_param(ticks, ulong, 0444);
MODULE_PARM_DESC(ticks, "TSC ticks of the last run");

static unsigned int inside;
module_param(inside, uint, 0444);
MODULE_PARM_DESC(inside, "offset of an instruction");

static noinline void call_all(void)
{
	THOUSAND(CALL)
}

static int run_set(const char *val, const struct kernel_param *kp)
{
	unsigned long n, flags, sum = 0;
	int ret = kstrtoul(val, 0, &n);
	u64 start;

	for (; !ret && n; n--) {
		local_irq_save(flags);
		start = rdtsc_ordered();
		call_all();
		sum += rdtsc_ordered() - start;
		local_irq_restore(flags);
		cond_resched();		/* hits of a task that is to make way are not compiled */
	}
	ticks = sum;
	return ret;
}

static const struct kernel_param_ops run_ops = { .set = run_set };
module_param_cb(run, &run_ops, NULL, 0200);
MODULE_PARM_DESC(run, "write N: call each function N times");

/* After the ENDBR, if there is one, and the call of ftrace. */
static int __init many_init(void)
{
	const u8 *fn = (const u8 *)pe_many_000, nop[] = { 0x0f, 0x1f, 0x84 };

	while (memcmp(fn + inside, nop, sizeof(nop))) {
		if (++inside > 16)
			return -EILSEQ;
	}
	return 0;
}
module_init(many_init);

static void __exit many_exit(void)
{
}
module_exit(many_exit);

MODULE_DESCRIPTION("A thousand functions, for measuring a thousand probes");
MODULE_LICENSE("GPL");
