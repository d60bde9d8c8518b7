/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * pe_lock_cases.h - handlers that take a lock, at all places of pe_stress.ko: a module's code.
 *
 * It is compiled twice, for our <linux/kprobes.h> and for the kernel's.  All handlers take the same
 * lock, as those of many modules do.  That one would wait for itself is noticed before it does.
 *
 * `nested` shows how often that was.  `counts` has a line for each probe: its name, handled hits,
 * missed hits, and whether interrupts were off and on in the handlers, where a task was probed.
 * `inside` shows how often an irq and an NMI have interrupted handlers, as only probes of ours
 * can see.
 */
#include <linux/atomic.h>
#include <linux/delay.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/ptrace.h>
#include <linux/spinlock.h>
#include <linux/sysfs.h>

static unsigned int site, jump;
module_param(site, uint, 0);
module_param(jump, uint, 0);

/* lockdep would not know why no handler can interrupt another: it is not told. */
static arch_spinlock_t lock = __ARCH_SPIN_LOCK_UNLOCKED;
static DEFINE_PER_CPU(int, running);
static atomic_long_t nested;

/* What a handler is about. */
static void pe_lock_work(void)
{
	if (this_cpu_inc_return(running) == 1) {
		arch_spin_lock(&lock);
		udelay(5);
		arch_spin_unlock(&lock);
	} else {
		atomic_long_inc(&nested);
	}
	this_cpu_dec(running);
}

/* Handled hits, and interrupts in handlers: bit 0: on; bit 1: off. */
struct seen {
	atomic_long_t hits;
	unsigned long irqs;
};

static void pe_lock_note(struct seen *seen, bool of_task)
{
	atomic_long_inc(&seen->hits);
	if (of_task)
		WRITE_ONCE(seen->irqs, seen->irqs | (irqs_disabled() ? 2 : 1));
	pe_lock_work();
}

/* ---- probes ---- */

struct locker {
	struct kprobe kp;
	struct seen pre, post;
};

static int pe_lock_pre(struct kprobe *kp, struct pt_regs *regs)
{
	pe_lock_note(&container_of(kp, struct locker, kp)->pre, !regs->di);
	return 0;
}

static void pe_lock_post(struct kprobe *kp, struct pt_regs *regs, unsigned long flags)
{
	pe_lock_note(&container_of(kp, struct locker, kp)->post, !regs->di);
}

#ifdef KPROBE_FLAG_OBSERVES
#define OBSERVES	KPROBE_FLAG_OBSERVES
#else
#define OBSERVES	0
#endif

static struct locker entry = {
	.kp = { .symbol_name = "pe_stress:pe_stress_target",
		.pre_handler = pe_lock_pre, .post_handler = pe_lock_post },
};
static struct locker inner = {
	.kp = { .symbol_name = "pe_stress:pe_stress_target",
		.pre_handler = pe_lock_pre, .post_handler = pe_lock_post },
};
static struct locker more = {
	.kp = { .symbol_name = "pe_stress:pe_stress_more", .pre_handler = pe_lock_pre,
		.flags = OBSERVES },
};
static struct locker jumps = {
	.kp = { .symbol_name = "pe_stress:pe_stress_more", .pre_handler = pe_lock_pre,
		.flags = OBSERVES },
};
static struct kprobe *kps[] = { &entry.kp, &inner.kp, &more.kp, &jumps.kp };

/* ---- return probes ---- */

struct returning {
	struct kretprobe rp;
	struct seen enter, leave;
	atomic_long_t wrong;
};

/* What the entry leaves to the return. */
struct call {
	unsigned long context, sum;
};

static struct returning *pe_lock_returning(struct kretprobe_instance *ri)
{
	return container_of(get_kretprobe(ri), struct returning, rp);
}

static int pe_lock_enter(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	struct call *call = (void *)ri->data;

	call->context = regs->di;
	call->sum = regs->di + regs->si + 1000;
	pe_lock_note(&pe_lock_returning(ri)->enter, !regs->di);
	return 0;
}

static int pe_lock_leave(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	struct returning *r = pe_lock_returning(ri);
	struct call *call = (void *)ri->data;

	if (regs_return_value(regs) != call->sum)
		atomic_long_inc(&r->wrong);
	pe_lock_note(&r->leave, !call->context);
	return 0;
}

static int pe_lock_leave_plain(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	pe_lock_note(&pe_lock_returning(ri)->leave, in_task());
	return 0;
}

static struct returning data = {
	.rp = { .kp.symbol_name = "pe_stress:pe_stress_more", .maxactive = 64,
		.handler = pe_lock_leave, .entry_handler = pe_lock_enter,
		.data_size = sizeof(struct call) },
};
static struct returning plain = {
	.rp = { .kp.symbol_name = "pe_stress:pe_stress_call", .maxactive = 64,
		.handler = pe_lock_leave_plain },
};
static struct kretprobe *rps[] = { &data.rp, &plain.rp };

/* ---- what handlers interrupt ---- */

#ifdef KPROBE_FLAG_OBSERVES
#include <pe/kprobe.h>

static DEFINE_PER_CPU(unsigned long[PE_NR_LEVELS], inside);

static void pe_lock_look(struct pe_kprobe *kp, const struct pe_hit *hit)
{
	if (this_cpu_read(running))
		this_cpu_inc(inside[hit->level]);
}

static struct pe_kprobe nests = {
	.symbol = "pe_stress:pe_stress_target", .handler = pe_lock_look, .flags = PE_KPROBE_NESTS,
};

static int pe_lock_show_inside(char *buf, const struct kernel_param *kp)
{
	unsigned long irq = 0, nmi = 0;
	int cpu;

	for_each_possible_cpu(cpu) {
		irq += per_cpu(inside, cpu)[PE_LEVEL_IRQ];
		nmi += per_cpu(inside, cpu)[PE_LEVEL_NMI];
	}
	return sysfs_emit(buf, "%lu %lu %lu\n", irq, nmi, pe_kprobe_missed(&nests));
}

static const struct kernel_param_ops inside_ops = { .get = pe_lock_show_inside };
module_param_cb(inside, &inside_ops, NULL, 0400);

static int pe_lock_also(void)
{
	return pe_register_kprobe(&nests);
}

static void pe_lock_also_not(void)
{
	pe_unregister_kprobe(&nests);
}
#else
static int pe_lock_also(void) { return 0; }
static void pe_lock_also_not(void) { }
#endif

/* ---- results ---- */

static int pe_lock_line(char *buf, int at, const char *name, const struct seen *seen,
			unsigned long missed)
{
	static const char * const irqs[] = { "-", "on", "off", "on,off" };

	return sysfs_emit_at(buf, at, "%s %ld %lu %s\n", name, atomic_long_read(&seen->hits),
			     missed, irqs[seen->irqs]);
}

static int pe_lock_show_counts(char *buf, const struct kernel_param *kp)
{
	int at = 0;

	at += pe_lock_line(buf, at, "entry", &entry.pre, entry.kp.nmissed);
	at += pe_lock_line(buf, at, "entry_post", &entry.post, entry.kp.nmissed);
	at += pe_lock_line(buf, at, "site", &inner.pre, inner.kp.nmissed);
	at += pe_lock_line(buf, at, "site_post", &inner.post, inner.kp.nmissed);
	at += pe_lock_line(buf, at, "more", &more.pre, more.kp.nmissed);
	at += pe_lock_line(buf, at, "jump", &jumps.pre, jumps.kp.nmissed);
	at += pe_lock_line(buf, at, "data_entry", &data.enter, data.rp.kp.nmissed);
	at += pe_lock_line(buf, at, "data", &data.leave, data.rp.kp.nmissed);
	return at + pe_lock_line(buf, at, "plain", &plain.leave, plain.rp.kp.nmissed);
}

static int pe_lock_show_nested(char *buf, const struct kernel_param *kp)
{
	return sysfs_emit(buf, "%ld %ld %d\n", atomic_long_read(&nested),
			  atomic_long_read(&data.wrong), data.rp.nmissed + plain.rp.nmissed);
}

static const struct kernel_param_ops counts_ops = { .get = pe_lock_show_counts };
module_param_cb(counts, &counts_ops, NULL, 0400);
static const struct kernel_param_ops nested_ops = { .get = pe_lock_show_nested };
module_param_cb(nested, &nested_ops, NULL, 0400);
MODULE_PARM_DESC(nested, "handlers within handlers; returns with another call's data; returns missed");

static int __init pe_lock_init(void)
{
	int err;

	inner.kp.offset = site;
	jumps.kp.offset = jump;
	err = register_kprobes(kps, ARRAY_SIZE(kps));
	if (err)
		return err;
	err = register_kretprobes(rps, ARRAY_SIZE(rps));
	if (err)
		goto fail;
	err = pe_lock_also();
	if (!err)
		return 0;
	unregister_kretprobes(rps, ARRAY_SIZE(rps));
fail:
	unregister_kprobes(kps, ARRAY_SIZE(kps));
	return err;
}

static void __exit pe_lock_exit(void)
{
	pe_lock_also_not();
	unregister_kretprobes(rps, ARRAY_SIZE(rps));
	unregister_kprobes(kps, ARRAY_SIZE(kps));
}

module_init(pe_lock_init);
module_exit(pe_lock_exit);

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Handlers that take a lock");
