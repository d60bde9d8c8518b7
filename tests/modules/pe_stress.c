// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * pe_stress.c - functions called from every context, and counted.
 *
 * While the parameter `run` is 1, each CPU calls pe_stress_call() from four contexts: a
 * kernel thread, a timer (softirq), a hard hrtimer (irq), and an NMI that another CPU's
 * hrtimer sends it.  That calls pe_stress_target() and pe_stress_more() once.  `calls` shows the
 * number of calls, by context: a probe on one of these has to account for them.
 *
 * Places to probe: the entries; `site`, the offset in pe_stress_target() of an instruction in
 * the middle that is executed out of line; `jump`, one in pe_stress_more() where a jump fits;
 * `jumps` is 1 while there is a jump.
 *
 * `burst` is how often a thread calls before it sleeps for a moment.  A thread whose CPU goes
 * continues on another one.
 *
 * With the parameter `nmi` at 0 no NMI is sent: the kernel's own breakpoints end in a BUG when an
 * NMI hits one while another is being stepped that has itself interrupted a handler.
 */
#include <linux/cpu.h>
#include <linux/delay.h>
#include <linux/hrtimer.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/percpu.h>
#include <linux/timer.h>
#include <asm/apic.h>
#include <asm/nmi.h>
#include <asm/text-patching.h>
#include "kernel/know/compat.h"
#include "pe_site.h"

enum { TASK, SOFTIRQ, IRQ, NMI, NR_CONTEXTS };

static const char *const names[NR_CONTEXTS] = { "task", "softirq", "irq", "nmi" };
static DEFINE_PER_CPU(unsigned long[NR_CONTEXTS], calls);

struct source {
	struct task_struct *thread;
	struct timer_list timer;
	struct hrtimer hrtimer;
	unsigned int ticks;
};

static DEFINE_PER_CPU(struct source, sources);
static bool running;
static bool nmi = true;
module_param(nmi, bool, 0600);
static unsigned int burst = 50;
module_param(burst, uint, 0600);
static DEFINE_MUTEX(run_mutex);

extern const unsigned long pe_stress_site;
unsigned long pe_stress_target(unsigned long context, unsigned long n);

noinline unsigned long pe_stress_target(unsigned long context, unsigned long n)
{
	unsigned long r;

	asm volatile(PE_SITE_BODY(pe_stress_target, pe_stress_site)
		     : "=&a" (r) : "D" (context), "S" (n) : "ecx", "cc");
	return r;
}

extern const unsigned long pe_stress_jump;
unsigned long pe_stress_more(unsigned long context, unsigned long n);

noinline unsigned long pe_stress_more(unsigned long context, unsigned long n)
{
	unsigned long r;

	asm volatile("1: lea 1000(%1, %2), %0\n"
		     ".pushsection .rodata\n"
		     ".balign 8\n"
		     ".globl pe_stress_jump\npe_stress_jump: .quad 1b - pe_stress_more\n"
		     ".popsection"
		     : "=a" (r) : "D" (context), "S" (n));
	return r;
}

unsigned long pe_stress_call(unsigned int context);

noinline unsigned long pe_stress_call(unsigned int context)
{
	this_cpu_inc(calls[context]);
	return pe_stress_target(context, context + 1) + pe_stress_more(context, context + 1);
}

static int thread_fn(void *unused)
{
	while (!kthread_should_stop()) {
		unsigned int i, n = READ_ONCE(burst);

		for (i = 0; i < n; i++) {
			pe_stress_call(TASK);
			if (i % 256 == 255)
				cond_resched();
		}
		usleep_range(200, 400);
	}
	return 0;
}

static void timer_fn(struct timer_list *timer)
{
	unsigned int i;

	for (i = 0; i < 20; i++)
		pe_stress_call(SOFTIRQ);
	if (READ_ONCE(running))
		mod_timer(timer, jiffies + 1);
}

static enum hrtimer_restart hrtimer_fn(struct hrtimer *hrtimer)
{
	struct source *source = container_of(hrtimer, struct source, hrtimer);
	unsigned int next = cpumask_next(smp_processor_id(), cpu_online_mask);

	pe_stress_call(IRQ);
	if (next >= nr_cpu_ids)
		next = cpumask_first(cpu_online_mask);
	if (READ_ONCE(nmi) && source->ticks++ % 8 == 0 && next != smp_processor_id())
		apic->send_IPI_mask(cpumask_of(next), NMI_VECTOR);
	hrtimer_forward_now(hrtimer, ns_to_ktime(700 * NSEC_PER_USEC));
	return READ_ONCE(running) ? HRTIMER_RESTART : HRTIMER_NORESTART;
}

static int nmi_fn(unsigned int type, struct pt_regs *regs)
{
	if (!READ_ONCE(running))
		return NMI_HANDLED;	/* a late one of ours: there is no other sender */
	pe_stress_call(NMI);
	return NMI_HANDLED;
}

/* Runs on the CPU itself: timers stay on the CPU that starts them. */
static void start_timers(void *unused)
{
	struct source *source = this_cpu_ptr(&sources);

	mod_timer(&source->timer, jiffies + 1);
	hrtimer_start(&source->hrtimer, ns_to_ktime(NSEC_PER_MSEC), HRTIMER_MODE_REL_PINNED_HARD);
}

static int start(void)
{
	unsigned int cpu;

	for_each_online_cpu(cpu) {
		struct source *source = per_cpu_ptr(&sources, cpu);

		/* Of no CPU's own threads, which have to be parked before it goes. */
		source->thread = kthread_create_on_node(thread_fn, NULL, cpu_to_node(cpu),
							"pe_stress/%u", cpu);
		if (IS_ERR(source->thread)) {
			int ret = PTR_ERR(source->thread);

			source->thread = NULL;
			return ret;
		}
		kthread_bind(source->thread, cpu);
	}
	WRITE_ONCE(running, true);
	for_each_online_cpu(cpu)
		wake_up_process(per_cpu_ptr(&sources, cpu)->thread);
	on_each_cpu(start_timers, NULL, 1);
	return 0;
}

static void nothing(void *unused) { }

static void stop(void)
{
	unsigned int cpu;

	WRITE_ONCE(running, false);
	for_each_possible_cpu(cpu) {
		struct source *source = per_cpu_ptr(&sources, cpu);

		if (source->thread)
			kthread_stop(source->thread);
		source->thread = NULL;
		pe_timer_delete_sync(&source->timer);
		hrtimer_cancel(&source->hrtimer);
	}
	/* NMIs come before this interrupt: the last one is over when every CPU has taken it. */
	on_each_cpu(nothing, NULL, 1);
}

static int run_set(const char *val, const struct kernel_param *kp)
{
	bool on;
	int ret = kstrtobool(val, &on);

	if (ret)
		return ret;
	mutex_lock(&run_mutex);
	if (on != running) {
		if (on)
			ret = start();
		if (!on || ret)
			stop();
	}
	mutex_unlock(&run_mutex);
	return ret;
}

static const struct kernel_param_ops run_ops = { .set = run_set };
module_param_cb(run, &run_ops, NULL, 0200);
MODULE_PARM_DESC(run, "1: call the target from everywhere; 0: stop");

static int calls_get(char *buf, const struct kernel_param *kp)
{
	unsigned long sum, total = 0;
	int len = 0, cpu, i;

	for (i = 0; i < NR_CONTEXTS; i++) {
		sum = 0;
		for_each_possible_cpu(cpu)
			sum += per_cpu(calls[i], cpu);
		total += sum;
		len += sysfs_emit_at(buf, len, "%s=%lu ", names[i], sum);
	}
	return len + sysfs_emit_at(buf, len, "total=%lu\n", total);
}

static const struct kernel_param_ops calls_ops = { .get = calls_get };
module_param_cb(calls, &calls_ops, NULL, 0444);
MODULE_PARM_DESC(calls, "calls of the target so far");

PE_SITE_PARAM(site, pe_stress_target, pe_stress_site);
PE_SITE_PARAM(jump, pe_stress_more, pe_stress_jump);

static int jumps_get(char *buf, const struct kernel_param *kp)
{
	const u8 *byte = (const u8 *)pe_stress_more + pe_stress_jump;

	return sysfs_emit(buf, "%d\n", READ_ONCE(*byte) == JMP32_INSN_OPCODE);
}

static const struct kernel_param_ops jumps_ops = { .get = jumps_get };
module_param_cb(jumps, &jumps_ops, NULL, 0444);
MODULE_PARM_DESC(jumps, "whether a jump begins at `jump`");

static int __init pe_stress_init(void)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu) {
		struct source *source = per_cpu_ptr(&sources, cpu);

		timer_setup(&source->timer, timer_fn, TIMER_PINNED);
		pe_hrtimer_setup(&source->hrtimer, hrtimer_fn, CLOCK_MONOTONIC,
				 HRTIMER_MODE_REL_PINNED_HARD);
	}
	return register_nmi_handler(NMI_LOCAL, nmi_fn, 0, "pe_stress");
}
module_init(pe_stress_init);

static void __exit pe_stress_exit(void)
{
	stop();
	unregister_nmi_handler(NMI_LOCAL, "pe_stress");
}
module_exit(pe_stress_exit);

MODULE_DESCRIPTION("Functions that are called from every context");
MODULE_LICENSE("GPL");
