// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * pe_jump_main.c - sites that become jumps, looked at from the inside.
 *
 *   cat exact		"jump|int3 ok", or what differs: registers and flags at a site and after it
 *   cat stack		the same, of the callers that are seen by its handler and below a call
 *   echo MS > storm	each CPU runs through two sites, also in interrupts, for so long
 *   cat storm		"CALLS SUM-HITS LAST-HITS MISSED WRONG": of the last storm
 *   echo N > unwatched	call pe_jump_unwatched() N times where RCU is not watching
 *   echo N > fixup	call pe_jump_fixup() N times with a good and N times with a bad address, and
 *			pe_jump_no_fixup() N times with a good one
 *
 * A read waits until the sites are jumps, if `jump` is 1, or else expects breakpoints.
 */
#include <linux/atomic.h>
#include <linux/context_tracking.h>
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/jump_label.h>
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/percpu.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/stacktrace.h>
#include <linux/string.h>
#include <pe/kprobe.h>
#include "kernel/know/compat.h"
#include "pe_exact.h"

struct exact_state exact_seen, exact_next;	/* of exact_target(), which is not used here */

void pe_jump_exact(void);
unsigned long pe_jump_sum(unsigned long n);
void pe_jump_helper(unsigned long n);
unsigned long pe_jump_unwatched(unsigned long n);
unsigned long pe_jump_fixup(const unsigned long *from);
unsigned long pe_jump_no_fixup(const unsigned long *from);
extern char pe_jump_exact_site[], pe_jump_sum_site[], pe_jump_sum_last[], pe_jump_sum_after[];

/* Its only place is in pe_jump_label(). */
extern struct static_key_false pe_jump_key;
DEFINE_STATIC_KEY_FALSE(pe_jump_key);

static DEFINE_PER_CPU(unsigned long, sum_hits);
static DEFINE_PER_CPU(unsigned long, last_hits);
static DEFINE_PER_CPU(unsigned long, bad_hits);
static struct pt_regs seen;
static unsigned long returns_to;	/* what is on the top of the stack then */
static bool look;	/* note stacks; one task then */
static bool jump = true;
module_param(jump, bool, 0600);

#define DEPTH	32
static unsigned long walk[DEPTH], below[DEPTH];
static u64 told[DEPTH];
static unsigned int nr_walk, nr_below, nr_told;

static void on_exact(struct pe_kprobe *kp, const struct pe_hit *hit)
{
	seen = *hit->regs;
	returns_to = *(unsigned long *)hit->regs->sp;
}

static void on_sum(struct pe_kprobe *kp, const struct pe_hit *hit)
{
	this_cpu_inc(sum_hits);
	if (hit->regs->ip != kp->addr + 1)
		this_cpu_inc(bad_hits);
}

static void on_last(struct pe_kprobe *kp, const struct pe_hit *hit)
{
	this_cpu_inc(last_hits);
	if (hit->regs->ip != kp->addr + 1)
		this_cpu_inc(bad_hits);
	if (!look)
		return;
	nr_walk = stack_trace_save(walk, DEPTH, 0);
	nr_told = pe_hit_stack(hit, false, told, DEPTH);
}

/* They nest: an interrupt within a handler calls the sites, too. */
static struct pe_kprobe probes[] = {
	{ .addr = (unsigned long)pe_jump_exact_site, .handler = on_exact,
	  .flags = PE_KPROBE_NESTS },
	{ .addr = (unsigned long)pe_jump_sum_site, .handler = on_sum,
	  .flags = PE_KPROBE_NESTS },
	{ .addr = (unsigned long)pe_jump_sum_last, .handler = on_last,
	  .flags = PE_KPROBE_NESTS },
};

void pe_jump_helper(unsigned long n)
{
	if (look)
		nr_below = stack_trace_save(below, DEPTH, 0);
	if (n == 3 && !irqs_disabled() && !(preempt_count()))
		usleep_range(50, 100);
}

static void forget(void)
{
	memset(&seen, 0, sizeof(seen));
	memset(walk, 0, sizeof(walk));
	memset(below, 0, sizeof(below));
	memset(told, 0, sizeof(told));
	returns_to = 0;
}

static bool all_are(enum pe_mechanism mech)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(probes); i++) {
		if (pe_kprobe_mechanism(&probes[i]) != mech)
			return false;
	}
	return true;
}

/* Return: the mechanism's name, NULL if the sites do not get it. */
static const char *settle(void)
{
	unsigned int i;

	for (i = 0; jump && i < 600 && !all_are(PE_MECH_JUMP); i++)
		msleep(100);
	if (jump)
		return all_are(PE_MECH_JUMP) ? "jump" : NULL;
	return all_are(PE_MECH_BREAKPOINT) ? "int3" : NULL;
}

/* DF and AC, which C code must not see, among them. */
static const unsigned long flags[] = { 0x202, 0xad7, 0x602, 0x40202, 0x40ed7, 0x002 };

static const char *compare_exact(const struct exact_state *in, const struct exact_state *out)
{
	/* RF is set in what an exception saves. */
	if ((seen.flags & ~0x10000UL) != in->flags)
		return "flags at the site";
	if (seen.ax != in->reg[AX] || seen.cx != in->reg[CX] || seen.dx != in->reg[DX] ||
	    seen.si != in->reg[SI] || seen.di != in->reg[DI] || seen.r8 != in->reg[R8] ||
	    seen.r9 != in->reg[R9] || seen.r10 != in->reg[R10] || seen.r11 != in->reg[R11])
		return "registers at the site";
	if (seen.ip != probes[0].addr + 1 || seen.orig_ax != -1UL ||
	    user_mode(&seen))
		return "ip, orig_ax or cs at the site";
	if (seen.bx != (unsigned long)in || seen.r12 != (unsigned long)out ||
	    returns_to - (unsigned long)exact_call > 256)
		return "bx, r12 or sp at the site";
	if (memcmp(in->reg, out->reg, sizeof(in->reg)) || in->flags != out->flags)
		return "after the site";
	return NULL;
}

static int exact_get(char *buf, const struct kernel_param *kp)
{
	static struct exact_state in, out;
	const char *how = settle(), *what = NULL;
	unsigned int i, j;

	for (i = 0; how && !what && i < ARRAY_SIZE(flags); i++) {
		for (j = 0; j < ARRAY_SIZE(in.reg); j++)
			in.reg[j] = 0x0123456789abcdefUL * (j + 1 + i);
		in.flags = flags[i];
		memset(&out, 0, sizeof(out));
		memset(&seen, 0, sizeof(seen));
		preempt_disable();
		exact_call(&in, &out, (unsigned long)pe_jump_exact);
		preempt_enable();
		what = compare_exact(&in, &out);
	}
	if (what)
		pr_err("flags %lx, at the site %lx, after it %lx, ax %lx %lx %lx, sp %lx\n", in.flags,
		       seen.flags, out.flags, in.reg[AX], seen.ax, out.reg[AX], seen.sp);
	forget();
	return sysfs_emit(buf, "%s %s\n", how ?: "neither", what ?: "ok");
}

static const struct kernel_param_ops exact_ops = { .get = exact_get };
module_param_cb(exact, &exact_ops, NULL, 0400);

/* Is @addr the site, or an address in pe_jump_sum() after it, and its caller next? */
static bool is_way(unsigned long site, unsigned long caller)
{
	return site - (unsigned long)pe_jump_sum < 256 &&
	       site >= (unsigned long)pe_jump_sum_last && caller - (unsigned long)pe_jump_sum >= 256;
}

static noinline unsigned long call_sum(unsigned long n)
{
	unsigned long sum = pe_jump_sum(n);

	barrier();
	return sum;
}

static bool has_way(const unsigned long *stack, unsigned int n)
{
	unsigned int i;

	for (i = 0; i + 2 < n; i++) {
		if (is_way(stack[i], stack[i + 1]) &&
		    stack[i + 1] - (unsigned long)call_sum < 64)
			return true;
	}
	return false;
}

static int stack_get(char *buf, const struct kernel_param *kp)
{
	const char *how = settle(), *what = NULL;
	unsigned int i;

	look = true;
	call_sum(1);
	look = false;
	for (i = 0; i < nr_told && i < DEPTH; i++)
		pr_info("told %pS\n", (void *)(long)told[i]);
	for (i = 0; i < nr_walk; i++)
		pr_info("walk %pS\n", (void *)walk[i]);
	for (i = 0; i < nr_below; i++)
		pr_info("below %pS\n", (void *)below[i]);
	if (nr_told < 3 || told[0] != (unsigned long)pe_jump_sum_last ||
	    told[1] - (unsigned long)call_sum >= 64)
		what = "pe_hit_stack";
	else if (!has_way(walk, nr_walk))
		what = "in the handler";
	else if (!has_way(below, nr_below) || below[1] != (unsigned long)pe_jump_sum_after)
		what = "below a call";
	forget();
	return sysfs_emit(buf, "%s %s\n", how ?: "neither", what ?: "ok");
}

static const struct kernel_param_ops stack_ops = { .get = stack_get };
module_param_cb(stack, &stack_ops, NULL, 0400);

static atomic_long_t calls, wrong;
static unsigned long storm_hits, storm_last, storm_missed, storm_bad;

#define N	5UL

static void call_and_check(void *unused)
{
	if (call_sum(N) != N * (N + 1))
		atomic_long_inc(&wrong);
	atomic_long_inc(&calls);
}

/*
 * An idle task executes such calls, too, outside of interrupts.  Where nothing tells that RCU is
 * watching there (pe_nmi_in_watched()), a breakpoint that is hit never becomes a jump.
 */
static void called_from_elsewhere(void *unused)
{
	if (IS_ENABLED(CONFIG_CONTEXT_TRACKING_IDLE) || !is_idle_task(current) || hardirq_count())
		call_and_check(NULL);
}

static int storm_thread(void *unused)
{
	unsigned int i = 0;

	while (!kthread_should_stop()) {
		call_and_check(NULL);
		if (!(++i % 64))
			smp_call_function_single(i / 64 % num_online_cpus(),
						 called_from_elsewhere, NULL, 1);
	}
	return 0;
}

static unsigned long total(unsigned long __percpu *counter)
{
	unsigned long sum = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		sum += *per_cpu_ptr(counter, cpu);
	return sum;
}

static void clear(unsigned long __percpu *counter)
{
	int cpu;

	for_each_possible_cpu(cpu)
		*per_cpu_ptr(counter, cpu) = 0;
}

static int storm_set(const char *val, const struct kernel_param *kp)
{
	static struct task_struct *threads[64];
	unsigned int ms, n = 0, i;
	unsigned long missed;
	int cpu;

	if (kstrtouint(val, 0, &ms))
		return -EINVAL;
	clear(&sum_hits);
	clear(&last_hits);
	clear(&bad_hits);
	atomic_long_set(&calls, 0);
	atomic_long_set(&wrong, 0);
	missed = pe_kprobe_missed(&probes[1]) + pe_kprobe_missed(&probes[2]);
	for_each_online_cpu(cpu) {
		struct task_struct *t;

		if (n == ARRAY_SIZE(threads))
			break;
		t = kthread_create(storm_thread, NULL, "pe_jump/%d", cpu);
		if (IS_ERR(t))
			break;
		kthread_bind(t, cpu);
		wake_up_process(t);
		threads[n++] = t;
	}
	msleep(ms);
	for (i = 0; i < n; i++)
		kthread_stop(threads[i]);
	storm_hits = total(&sum_hits);
	storm_last = total(&last_hits);
	storm_bad = total(&bad_hits);
	storm_missed = pe_kprobe_missed(&probes[1]) + pe_kprobe_missed(&probes[2]) - missed;
	return 0;
}

/* A hit in an interrupt within a handler is served: nothing is missed. */
static int storm_get(char *buf, const struct kernel_param *kp)
{
	return sysfs_emit(buf, "%lu %lu %lu %lu %lu\n", atomic_long_read(&calls), storm_hits,
			  storm_last, storm_missed, atomic_long_read(&wrong) + storm_bad);
}

static const struct kernel_param_ops storm_ops = { .set = storm_set, .get = storm_get };
module_param_cb(storm, &storm_ops, NULL, 0600);

/* As in the idle loop. */
static int unwatched_set(const char *val, const struct kernel_param *kp)
{
	unsigned long n, flags;

	if (kstrtoul(val, 0, &n))
		return -EINVAL;
	while (n--) {
		preempt_disable();
		local_irq_save(flags);
		ct_idle_enter();
		pe_jump_unwatched(n);
		ct_idle_exit();
		local_irq_restore(flags);
		preempt_enable();
	}
	return 0;
}

static const struct kernel_param_ops unwatched_ops = { .set = unwatched_set };
module_param_cb(unwatched, &unwatched_ops, NULL, 0200);

static int fixup_set(const char *val, const struct kernel_param *kp)
{
	const unsigned long *bad = (void *)0xffff7fffdeadbeefUL;	/* not canonical */
	unsigned long good = 0, n;

	if (kstrtoul(val, 0, &n))
		return -EINVAL;
	while (n--) {
		if (pe_jump_fixup(&good) != 1 || pe_jump_fixup(bad) != 1 ||
		    pe_jump_no_fixup(&good) != 1)
			return -EIO;
	}
	return 0;
}

static const struct kernel_param_ops fixup_ops = { .set = fixup_set };
module_param_cb(fixup, &fixup_ops, NULL, 0200);

static int __init jump_init(void)
{
	struct pe_kprobe *kps[ARRAY_SIZE(probes)];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(probes); i++)
		kps[i] = &probes[i];
	return pe_register_kprobes(kps, ARRAY_SIZE(kps));
}

static void __exit jump_exit(void)
{
	struct pe_kprobe *kps[ARRAY_SIZE(probes)];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(probes); i++)
		kps[i] = &probes[i];
	pe_unregister_kprobes(kps, ARRAY_SIZE(kps));
}

module_init(jump_init);
module_exit(jump_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Sites that become jumps, for tests");
