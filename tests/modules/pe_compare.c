// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * pe_compare.c - functions to probe whose arguments are the same at every call.
 *
 * Writing anything to the parameter `run` calls them once in each context, in
 * this order; the context's number is the target's third argument:
 *
 *	0 task   1 preemption off   2 interrupts off   3 bottom halves off
 *	4 softirq   5 hardirq   6 migration disabled
 *
 * So two tracers that each watch one run must record the same values, pointers
 * included, and the probed code's state is known.
 */
#include <linux/bottom_half.h>
#include <linux/completion.h>
#include <linux/interrupt.h>
#include <linux/irq_work.h>
#include <linux/mm.h>
#include <linux/mman.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/preempt.h>
#include <linux/uaccess.h>
#include <asm/asm.h>
#include "kernel/know/compat.h"

enum context {
	CTX_TASK,
	CTX_PREEMPT_OFF,
	CTX_IRQS_OFF,
	CTX_BH_OFF,
	CTX_SOFTIRQ,
	CTX_HARDIRQ,
	CTX_MIGRATE_OFF,
};

/* tests/func/events/compare_stock.defs names the offsets. */
struct pe_cmp_data {
	u8 bytes[8];				/* 0 */
	u16 words[4];				/* 8 */
	u32 dwords[4];				/* 16 */
	u64 quads[4];				/* 32 */
	s8 neg8;				/* 64 */
	s16 neg16;				/* 66 */
	s32 neg32;				/* 68 */
	s64 neg64;				/* 72 */
	char letters[8];			/* 80 */
	char text[24];				/* 88 */
	const char *names[4];			/* 112 */
	struct pe_cmp_data *next;		/* 144 */
	const char __user *user;		/* 152 */
	const char *bad;			/* 160 */
	void *fn;				/* 168 */
	const char __user *users[2];		/* 176 */
};

static_assert(offsetof(struct pe_cmp_data, neg8) == 64);
static_assert(offsetof(struct pe_cmp_data, names) == 112);
static_assert(offsetof(struct pe_cmp_data, users) == 176);

unsigned long pe_cmp_target(struct pe_cmp_data *data, s64 negative, u32 context,
			    u8 small, const char *text, const char __user *user,
			    unsigned long seventh, unsigned long eighth);
unsigned long pe_cmp_leaf(unsigned long a, unsigned long b);
unsigned long pe_cmp_body(unsigned long a, unsigned long b);

extern const unsigned long pe_cmp_site;

/* For @SYM; not static, so that the names are in kallsyms as they are. */
extern u32 pe_cmp_values[4];
extern const char *pe_cmp_text;
u32 pe_cmp_values[4] = { 0x11111111, 22222222, 0x33333333, 44444444 };
const char *pe_cmp_text = "text aftera pointer";

noinline __noclone
unsigned long pe_cmp_target(struct pe_cmp_data *data, s64 negative, u32 context,
			    u8 small, const char *text, const char __user *user,
			    unsigned long seventh, unsigned long eighth)
{
	barrier_data(data);
	return negative + context + small + seventh * eighth + (text == (__force const char *)user);
}

noinline __noclone unsigned long pe_cmp_leaf(unsigned long a, unsigned long b)
{
	barrier();
	return a + b;
}

/*
 * Known instructions at known offsets from `site`, which is their offset in the
 * function:
 *	0 mov  3 add  6 imul  10 lea  14 jmp  16 push  17 pop  18 call  23 stc
 *	24 jc (taken)  26 ud2  28 mov
 */
noinline __noclone unsigned long pe_cmp_body(unsigned long a, unsigned long b)
{
	unsigned long r;

	asm volatile("771: mov %%rdi, %%rax\n"
		     "add %%rsi, %%rax\n"
		     "imul $3, %%rax, %%rax\n"
		     "lea 1(%%rax), %%rcx\n"
		     "jmp 772f\n"
		     "772: push %%rax\n"
		     "pop %%rdx\n"
		     "call pe_cmp_leaf\n"
		     "stc\n"
		     "jc 773f\n"
		     "ud2\n"
		     "773: mov %%rax, %%rdx\n"
		     ".pushsection .rodata\n"
		     ".balign 8\n"
		     ".globl pe_cmp_site\n"
		     "pe_cmp_site: .quad 771b - pe_cmp_body\n"
		     ".popsection\n"
		     : "=&a" (r), "+D" (a), "+S" (b), ASM_CALL_CONSTRAINT
		     : : "rcx", "rdx", "r8", "r9", "r10", "r11", "cc", "memory");
	return r;
}

static struct pe_cmp_data last = {
	.bytes = { 201, 202, 203 },
	.text = "the last one",
};

static struct pe_cmp_data middle = {
	.bytes = { 101, 102, 103 },
	.text = "the middle one",
	.next = &last,
};

static struct pe_cmp_data data = {
	.bytes = { 0x01, 0x80, 0xff, 0x7f, 0x10, 0xa5, 0x5a, 0x00 },
	.words = { 0x1234, 0x8000, 0xffff, 1 },
	.dwords = { 0x12345678, 0x80000000, 0xffffffff, 1 },
	.quads = { 0x123456789abcdef0, 1ULL << 63, ~0ULL, 1 },
	.neg8 = -8,
	.neg16 = -1616,
	.neg32 = -323232,
	.neg64 = -64646464646464,
	.letters = "a B~!9",
	.text = "hello, kernel",
	.names = { "first", "", NULL, "fourth name" },
	.next = &middle,
	.bad = (const char *)0xffff7fffdeadbeefUL,	/* not canonical */
	.fn = pe_cmp_leaf,
};

static void call_all(enum context context)
{
	pe_cmp_target(&data, -2, context, 0xf0, data.text, data.user,
		      0x7777777777777777, 0x8888888888888888);
	pe_cmp_body(context, 0x1000 + context);
}

static DECLARE_COMPLETION(tasklet_done);

static void tasklet_run(struct tasklet_struct *unused)
{
	call_all(CTX_SOFTIRQ);
	complete(&tasklet_done);
}

static DECLARE_TASKLET(tasklet, tasklet_run);

static void irq_run(struct irq_work *unused)
{
	call_all(CTX_HARDIRQ);
}

static struct irq_work irq_job = IRQ_WORK_INIT_HARD(irq_run);

static void call_everywhere(void)
{
	call_all(CTX_TASK);
	preempt_disable();
	call_all(CTX_PREEMPT_OFF);
	preempt_enable();
	local_irq_disable();
	call_all(CTX_IRQS_OFF);
	local_irq_enable();
	local_bh_disable();
	call_all(CTX_BH_OFF);
	local_bh_enable();

	/* If softirqs are not threads, it runs in the last of these lines. */
	local_bh_disable();
	tasklet_schedule(&tasklet);
	local_bh_enable();
	wait_for_completion(&tasklet_done);

	irq_work_queue(&irq_job);
	irq_work_sync(&irq_job);

	migrate_disable();
	call_all(CTX_MIGRATE_OFF);
	migrate_enable();
}

/* The strings stay in the writer's memory during the calls. */
static int run_set(const char *val, const struct kernel_param *kp)
{
	static const char strings[] = "user one\0user two";
	unsigned long page;

	page = vm_mmap(NULL, 0, PAGE_SIZE, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, 0);
	if (IS_ERR_VALUE(page))
		return page;
	if (copy_to_user((void __user *)page, strings, sizeof(strings))) {
		vm_munmap(page, PAGE_SIZE);
		return -EFAULT;
	}
	data.user = (const char __user *)page;
	data.users[0] = data.user;
	data.users[1] = data.user + 9;
	call_everywhere();
	vm_munmap(page, PAGE_SIZE);
	return 0;
}

static const struct kernel_param_ops run_ops = { .set = run_set };
module_param_cb(run, &run_ops, NULL, 0200);
MODULE_PARM_DESC(run, "written: call the functions in all contexts");

static unsigned long site;
module_param(site, ulong, 0444);
MODULE_PARM_DESC(site, "offset of the known instructions in pe_cmp_body");

static int __init pe_compare_init(void)
{
	site = pe_cmp_site;
	return 0;
}

static void __exit pe_compare_exit(void)
{
	tasklet_kill(&tasklet);
}

module_init(pe_compare_init);
module_exit(pe_compare_exit);
MODULE_DESCRIPTION("Functions with known arguments to probe");
MODULE_LICENSE("GPL");
