// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * pe_api_test.c - the engine's interface, used as another module would.
 *
 * Needs pe_target.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/completion.h>
#include <linux/ftrace.h>
#include <linux/hardirq.h>
#include <linux/interrupt.h>
#include <linux/irq_work.h>
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/mm_types.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>
#include <pe/kprobe.h>
#include <pe/nofault.h>
#include <pe/symbols.h>
#include "kernel/know/compat.h"
#include "pe_cases.h"
#include "pe_target.h"

/* A probe that counts hits and checks their registers. */
struct counter {
	struct pe_kprobe kp;
	atomic_long_t hits;
	atomic_long_t levels[PE_NR_LEVELS];
	unsigned long bad_ip;
	unsigned long arg1, arg2;
	unsigned int preempt_count;
	bool recurse;
};

static void count(struct pe_kprobe *kp, const struct pe_hit *hit)
{
	struct counter *c = container_of(kp, struct counter, kp);

	atomic_long_inc(&c->hits);
	atomic_long_inc(&c->levels[hit->level]);
	c->preempt_count = hit->preempt_count;
	c->arg1 = hit->regs->di;
	c->arg2 = hit->regs->si;
	if (hit->regs->ip != kp->addr + 1)
		c->bad_ip = hit->regs->ip;
	if (c->recurse)
		pe_target_inner(1);
}

/* Registers; logs the reason of a failure. */
static int reg(struct pe_kprobe **kps, unsigned int n)
{
	int err = case_register(kps, n);
	unsigned int i;

	for (i = 0; i < n && err; i++) {
		if (kps[i]->reason)
			pr_err("%s+0x%lx: %d %s\n", kps[i]->symbol, kps[i]->offset, err,
			       kps[i]->reason);
	}
	return err;
}

static long hits(const struct counter *c)
{
	return atomic_long_read(&c->hits);
}

static void at(struct counter *c, const char *symbol, unsigned long offset)
{
	memset(c, 0, sizeof(*c));
	c->kp.symbol = symbol;
	c->kp.offset = offset;
	c->kp.handler = count;
}

static bool entry_counts_exactly(void)
{
	struct counter c;
	unsigned int i;

	at(&c, "pe_target:pe_target_add", 0);
	CHECK(!case_register_one(&c.kp));
	CHECK(c.kp.on_entry);
	for (i = 0; i < 1000; i++)
		pe_target_add(i, 7);
	CHECK(pe_kprobe_mechanism(&c.kp) == ENTRY_MECHANISM);
	case_unregister_one(&c.kp);
	CHECK(hits(&c) == 1000);
	CHECK(c.arg1 == 999 && c.arg2 == 7);
	CHECK(!c.bad_ip);
	pe_target_add(1, 1);
	CHECK(hits(&c) == 1000);
	return true;
}

/* Arms all of pe_target_mix() at once, and counts every instruction. */
static bool every_instruction_of(struct counter *cs, struct pe_kprobe **kps, unsigned int n)
{
	const unsigned int calls = 50;
	unsigned long want = pe_target_mix(3, 9);
	unsigned int i;

	for (i = 0; i < n; i++) {
		at(&cs[i], "pe_target:pe_target_mix", pe_mix_insns[i].offset);
		kps[i] = &cs[i].kp;
	}
	CHECK(!reg(kps, n));
	for (i = 0; i < calls; i++)
		CHECK(pe_target_mix(3, 9) == want);
	for (i = 0; i < n; i++) {
		if (hits(&cs[i]) != calls * pe_mix_insns[i].times || cs[i].bad_ip)
			pr_err("insn %u at +0x%x: %ld hits, want %u, bad ip %lx\n", i,
			       pe_mix_insns[i].offset, hits(&cs[i]),
			       calls * pe_mix_insns[i].times, cs[i].bad_ip);
		CHECK(hits(&cs[i]) == calls * pe_mix_insns[i].times);
		CHECK(!cs[i].bad_ip);
		CHECK(!pe_kprobe_missed(&cs[i].kp));
		/* On a slow machine some are jumps by now. */
		CHECK(pe_kprobe_mechanism(&cs[i].kp) == PE_MECH_BREAKPOINT ||
		      pe_kprobe_mechanism(&cs[i].kp) == PE_MECH_JUMP);
	}
	case_unregister(kps, n);
	CHECK(pe_target_mix(3, 9) == want);
	return true;
}

static bool every_instruction(void)
{
	unsigned int n = pe_mix_insns_end - pe_mix_insns;
	struct counter *cs = vzalloc(array_size(n, sizeof(*cs)));
	struct pe_kprobe **kps = vzalloc(array_size(n, sizeof(*kps)));
	bool ok = cs && kps && every_instruction_of(cs, kps, n);

	vfree(cs);
	vfree(kps);
	return ok;
}

static bool is_boundary(unsigned int offset)
{
	const struct pe_mix_insn *insn;

	for (insn = pe_mix_insns; insn < pe_mix_insns_end; insn++) {
		if (insn->offset == offset)
			return true;
	}
	return false;
}

/* Bytes that aren't in the table: inside an instruction, ENDBR, unreachable nop. */
static bool boundaries_only(void)
{
	unsigned int size = pe_target_mix_end - (const u8 *)pe_target_mix;
	unsigned int off, refused = 0;
	struct counter c;
	int err;

	for (off = 1; off < size; off++) {
		at(&c, "pe_target:pe_target_mix", off);
		err = case_register_one(&c.kp);
		if (is_boundary(off))
			CHECK(!err);
		else if (err)
			refused++;
		if (err)
			CHECK((err == -EILSEQ || err == -EINVAL) && c.kp.reason);
		else
			case_unregister_one(&c.kp);
	}
	/* All but the two nops after the jumps and bytes after the return. */
	CHECK(refused >= size - (pe_mix_insns_end - pe_mix_insns) - 8);
	return true;
}

static bool several_on_one_site(void)
{
	struct counter a, b, c;
	struct pe_kprobe *all[] = { &a.kp, &b.kp, &c.kp };
	unsigned long off = pe_mix_insns[2].offset;

	at(&a, "pe_target:pe_target_mix", off);
	at(&b, "pe_target:pe_target_mix", off);
	at(&c, "pe_target:pe_target_mix", off);
	c.kp.flags = PE_KPROBE_DISABLED;
	CHECK(!reg(all, 3));
	pe_target_mix(1, 2);
	CHECK(hits(&a) == 1 && hits(&b) == 1 && hits(&c) == 0);
	pe_disable_kprobe(&a.kp);
	CHECK(!pe_enable_kprobe(&c.kp));
	pe_target_mix(1, 2);
	CHECK(hits(&a) == 1 && hits(&b) == 2 && hits(&c) == 1);
	case_unregister_one(&b.kp);
	pe_target_mix(1, 2);
	CHECK(hits(&a) == 1 && hits(&b) == 2 && hits(&c) == 2);
	pe_disable_kprobe(&c.kp);
	CHECK(pe_kprobe_mechanism(&c.kp) == PE_MECH_NONE);
	pe_target_mix(1, 2);
	CHECK(hits(&a) == 1 && hits(&c) == 2);
	CHECK(!pe_enable_kprobe(&a.kp));
	pe_target_mix(1, 2);
	CHECK(hits(&a) == 2 && hits(&c) == 2);
	case_unregister_one(&a.kp);
	case_unregister_one(&c.kp);
	return true;
}

#include "pe_some_cases.h"

static bool switch_for_all(void)
{
	struct counter a, b, off;
	struct pe_kprobe *all[] = { &a.kp, &b.kp, &off.kp };

	at(&a, "pe_target:pe_target_add", 0);
	at(&b, "pe_target:pe_target_mix", pe_mix_insns[0].offset);
	at(&off, "pe_target:pe_target_string", 0);
	off.kp.flags = PE_KPROBE_DISABLED;
	CHECK(!reg(all, 3));
	CHECK(!pe_kprobes_arm_all(false));
	CHECK(!pe_kprobes_armed());
	pe_target_add(1, 2);
	pe_target_mix(1, 2);
	CHECK(!hits(&a) && !hits(&b));
	CHECK(!pe_kprobes_arm_all(true));
	pe_target_add(1, 2);
	pe_target_mix(1, 2);
	pe_target_string("x", 1);
	CHECK(hits(&a) == 1 && hits(&b) == 1 && !hits(&off));
	case_unregister(all, 3);
	return true;
}

/* A handler that runs into a probe: the hit is counted in missed, the code is executed. */
static bool recursion_is_missed(const char *outer, unsigned long outer_off,
				const char *inner, unsigned long inner_off)
{
	struct counter o, i;
	struct pe_kprobe *both[] = { &o.kp, &i.kp };

	at(&o, outer, outer_off);
	o.recurse = true;
	at(&i, inner, inner_off);
	CHECK(!reg(both, 2));
	CHECK(pe_target_add(1, 2) == 3);
	pe_target_mix(1, 2);
	CHECK(hits(&o) == 1);
	CHECK(!hits(&i));
	CHECK(pe_kprobe_missed(&i.kp) == 1);
	CHECK(!pe_kprobe_missed(&o.kp));
	pe_target_inner(1);
	CHECK(hits(&i) == 1);
	case_unregister(both, 2);
	return true;
}

/* The function's first address after its entry that takes a breakpoint. */
static unsigned long inside_of(const char *symbol)
{
	unsigned long addr = pe_symbol_lookup(symbol), start, size, off;
	struct counter c;

	if (!addr || !pe_symbol_at(addr, &start, &size))
		return 0;
	for (off = 1; off < size; off++) {
		enum pe_mechanism mechanism;

		at(&c, symbol, off);
		if (case_register_one(&c.kp))
			continue;
		mechanism = pe_kprobe_mechanism(&c.kp);
		case_unregister_one(&c.kp);
		if (mechanism == PE_MECH_BREAKPOINT)
			return off;
	}
	return 0;
}

static bool recursion(void)
{
	const char *inner = "pe_target:pe_target_inner";
	unsigned long in = inside_of(inner), mix = pe_mix_insns[5].offset;

	CHECK(in);
	CHECK(recursion_is_missed("pe_target:pe_target_add", 0, inner, 0));
	CHECK(recursion_is_missed("pe_target:pe_target_add", 0, inner, in));
	CHECK(recursion_is_missed("pe_target:pe_target_mix", mix, inner, 0));
	CHECK(recursion_is_missed("pe_target:pe_target_mix", mix, inner, in));
	return true;
}

/* The engine's functions that ftrace calls. */
typedef void (*ftrace_function)(unsigned long ip, unsigned long parent_ip,
				struct ftrace_ops *ops, struct ftrace_regs *fregs);

/*
 * A call that reaches the engine with registers is a hit.  A call without them is no hit: it
 * was on its way to another tracer, which wants none, when ftrace was told of the site.  A
 * test outside checks that such a call is not counted as unwatched.
 */
static bool hit_needs_registers(const char *symbol)
{
	ftrace_function called = (ftrace_function)pe_symbol_lookup(symbol);
	struct pt_regs regs = {};	/* %cs says whether there are any */
	struct counter c;

	CHECK(called);
	at(&c, "pe_target:pe_target_add", 0);
	CHECK(!case_register_one(&c.kp));
	called(c.kp.addr, _THIS_IP_, NULL, PE_NO_FTRACE_REGS((struct ftrace_regs *)&regs));
	CHECK(!hits(&c));
	regs.cs = __KERNEL_CS;
	called(c.kp.addr, _THIS_IP_, NULL, (struct ftrace_regs *)&regs);
	CHECK(hits(&c) == 1 && !c.bad_ip);
	case_unregister_one(&c.kp);
	return true;
}

static bool registers(void)
{
	if (ENTRY_MECHANISM != PE_MECH_ENTRY)
		return true;
	CHECK(hit_needs_registers("probe_core:pe_ftrace_hit"));
	CHECK(hit_needs_registers("probe_core:pe_ftrace_hit_divert"));
	return true;
}

static void call_in_irq(struct irq_work *work)
{
	pe_target_mix(1, 2);
	pe_target_add(1, 2);
}

static struct completion softirq_done;

static void call_in_softirq(struct tasklet_struct *t)
{
	pe_target_mix(1, 2);
	pe_target_add(1, 2);
	complete(&softirq_done);
}

static bool one_hit_at(const struct counter *c, enum pe_level level)
{
	return hits(c) == 1 && atomic_long_read(&c->levels[level]) == 1;
}

static void reset(struct counter *c)
{
	unsigned int i;

	atomic_long_set(&c->hits, 0);
	for (i = 0; i < PE_NR_LEVELS; i++)
		atomic_long_set(&c->levels[i], 0);
}

static bool levels_of(struct counter *a, struct counter *b)
{
	static DECLARE_TASKLET(tasklet, call_in_softirq);
	/* Without CONFIG_PREEMPT_COUNT, preempt_count() is not changed. */
	unsigned int preempt_disabled = IS_ENABLED(CONFIG_PREEMPT_COUNT);
	struct irq_work work = IRQ_WORK_INIT_HARD(call_in_irq);

	preempt_disable();
	pe_target_mix(1, 2);
	pe_target_add(1, 2);
	preempt_enable();
	CHECK(one_hit_at(a, PE_LEVEL_TASK) && one_hit_at(b, PE_LEVEL_TASK));
	CHECK(a->preempt_count == preempt_disabled && b->preempt_count == preempt_disabled);
	pe_target_mix(1, 2);
	pe_target_add(1, 2);
	CHECK(a->preempt_count == 0 && b->preempt_count == 0);

	reset(a);
	reset(b);
	irq_work_queue(&work);
	irq_work_sync(&work);
	CHECK(one_hit_at(a, PE_LEVEL_IRQ) && one_hit_at(b, PE_LEVEL_IRQ));
	CHECK((a->preempt_count & HARDIRQ_MASK) == HARDIRQ_OFFSET);
	CHECK((b->preempt_count & HARDIRQ_MASK) == HARDIRQ_OFFSET);

	reset(a);
	reset(b);
	init_completion(&softirq_done);
	tasklet_schedule(&tasklet);
	CHECK(wait_for_completion_timeout(&softirq_done, 60 * HZ));
	tasklet_kill(&tasklet);
	CHECK(one_hit_at(a, PE_LEVEL_SOFTIRQ) && one_hit_at(b, PE_LEVEL_SOFTIRQ));
	return true;
}

static bool levels(void)
{
	struct counter a, b;
	struct pe_kprobe *both[] = { &a.kp, &b.kp };
	bool ok;

	at(&a, "pe_target:pe_target_mix", pe_mix_insns[3].offset);
	at(&b, "pe_target:pe_target_add", 0);
	CHECK(!reg(both, 2));
	ok = levels_of(&a, &b);
	case_unregister(both, 2);
	return ok;
}

/* Each CPU counts in memory of its own: no cache line has counters of two. */
static bool cpus_apart(void)
{
	struct counter c;
	unsigned long page, before = 0;
	int cpu;

	at(&c, "pe_target:pe_target_add", 0);
	CHECK(!case_register_one(&c.kp));
	for_each_possible_cpu(cpu) {
		page = (unsigned long)per_cpu_ptr(c.kp.missed, cpu) / PAGE_SIZE;
		CHECK(page != before);
		before = page;
	}
	case_unregister_one(&c.kp);
	return true;
}

static bool refused(const char *symbol, unsigned long offset, int err, const char *reason)
{
	struct counter c;
	int got;

	at(&c, symbol, offset);
	got = case_register_one(&c.kp);
	if (!got)
		case_unregister_one(&c.kp);
	if (got == err && (!reason || (c.kp.reason && strstr(c.kp.reason, reason))))
		return true;
	pr_err("%s+0x%lx: %d (%s), want %d (%s)\n", symbol, offset, got, c.kp.reason, err,
	       reason);
	return false;
}

static bool refusals(void)
{
	CHECK(refused("pe_target_none", 0, -ENOENT, "no such symbol"));
	CHECK(refused("pe_target:jiffies", 0, -ENOENT, "no such symbol"));
	CHECK(refused("jiffies", 0, -EINVAL, "not kernel text"));
	CHECK(refused("pe_register_kprobes", 0, -EINVAL, "prober itself"));
	CHECK(refused("exc_int3", 0, -EINVAL, NULL));
	if (IS_ENABLED(CONFIG_FUNCTION_TRACER))
		CHECK(refused("__switch_to", 0, -EINVAL, "ftrace does not trace"));
	CHECK(refused("start_secondary", 0, -EINVAL, "handlers of exceptions"));
	CHECK(refused("irqentry_nmi_enter", 0, -EINVAL, NULL));
	CHECK(refused("asm_exc_page_fault", 0, -EINVAL, "entry code"));
	CHECK(refused("__x86_return_thunk", 0, -EINVAL, NULL));
	CHECK(refused("pe_target:pe_target_init_text", 0, -ENOENT, NULL));
	CHECK(refused("start_kernel", 0, -EINVAL, NULL) ||
	      refused("start_kernel", 0, -ENOENT, NULL));
	return true;
}

static unsigned int count_of(const char *name)
{
	struct pe_symbol found;

	pe_symbol_find(name, &found);
	return found.addr == pe_symbol_lookup(name) ? found.count : UINT_MAX;
}

static bool in_module(const char *name)
{
	struct pe_symbol found;

	pe_symbol_find(name, &found);
	return found.in_module;
}

static bool symbols(void)
{
	unsigned long addr = pe_symbol_lookup("pe_target_add"), start, size;

	CHECK(addr == (unsigned long)pe_target_add || pe_addr_on_entry(addr, 0));
	CHECK(pe_symbol_lookup("pe_target:pe_target_add") == addr);
	CHECK(!pe_symbol_lookup("pe_probe:pe_target_add"));
	CHECK(count_of("pe_target_add") == 1);
	CHECK(count_of("pe_target:pe_target_add") == 1);
	CHECK(count_of("pe_probe:pe_target_add") == 0);
	CHECK(count_of("kernel_clone") == 1);
	CHECK(count_of("pe_target_none") == 0);
	CHECK(count_of("jiffies") == 1);
	CHECK(count_of("cleanup_module") > 1);
	CHECK(count_of("cleanup_module") < UINT_MAX);
	CHECK(in_module("pe_target_add") && in_module("pe_target:pe_target_add"));
	CHECK(!in_module("kernel_clone") && !in_module("pe_target_none"));
	CHECK(pe_symbol_at(addr + 5, &start, &size) && start == addr && size > 5);
	CHECK(pe_addr_on_entry(addr, 0));
	CHECK(!pe_addr_on_entry(addr, 1));
	return true;
}

static bool reads(void)
{
	static const char text[] = "some text";
	char buf[32];
	u32 word;

	CHECK(pe_read_nofault(&word, (unsigned long)text, sizeof(word)));
	CHECK(!memcmp(&word, text, sizeof(word)));
	CHECK(!pe_read_nofault(&word, 0xdead000000000000UL, sizeof(word)));
	CHECK(!pe_read_nofault(&word, 8, sizeof(word)));
	CHECK(pe_strncpy_nofault(buf, (unsigned long)text, sizeof(buf)) == sizeof(text));
	CHECK(!strcmp(buf, text));
	CHECK(pe_strncpy_nofault(buf, (unsigned long)text, 5) == 5);
	CHECK(!strcmp(buf, "some"));
	CHECK(pe_strncpy_nofault(buf, 8, 5) == -EFAULT);
	CHECK(!pe_read_user_nofault(&word, 8, sizeof(word)));
	CHECK(pe_strncpy_user_nofault(buf, 8, 5) == -EFAULT);
	return true;
}

/* The present user memory does not belong to the current task. */
static bool foreign_fault(unsigned long text)
{
	struct mm_struct *mm = current->mm;
	char buf[8] = "before";
	unsigned long flags;
	bool word;
	long len;

	local_irq_save(flags);
	current->mm = NULL;	/* like a kernel thread that runs after this task */
	word = pe_read_user_nofault(buf, text, 1);
	len = pe_strncpy_user_nofault(buf, text, sizeof(buf));
	current->mm = mm;
	local_irq_restore(flags);
	return !word && len == -EFAULT && !strcmp(buf, "before");
}

/* The arguments of the process that loads this module: texts, each with its NUL. */
static bool user_texts(void)
{
	unsigned long text = current->mm->arg_start, end = current->mm->arg_end - 1;
	char want[8], buf[8] = "before";
	long len;

	CHECK(!copy_from_user(buf, (void __user *)end, 1) && !buf[0]);
	CHECK(strncpy_from_user(want, (void __user *)text, 3) == 3);
	want[2] = 0;
	CHECK(pe_strncpy_user_nofault(buf, text, 3) == 3 && !strcmp(buf, want));
	buf[0] = 'x';
	len = pe_strncpy_user_nofault(buf, end, sizeof(buf));
	CHECK(len == 1 && !buf[0]);
	buf[0] = 'x';
	CHECK(pe_strncpy_user_nofault(buf, text, 1) == 1 && !buf[0]);
	CHECK(foreign_fault(text));
	return true;
}

static const struct pe_case cases[] = {
	CASE(symbols),
	CASE(reads),
	CASE(user_texts),
	CASE(entry_counts_exactly),
	CASE(several_on_one_site),
	CASE(all_or_none),
	CASE(some_of_several),
	CASE(switch_for_all),
	CASE(every_instruction),
	CASE(boundaries_only),
	CASE(recursion),
	CASE(registers),
	CASE(levels),
	CASE(cpus_apart),
	CASE(refusals),
	/* Last: it takes long, and what waits for some time may become a jump then. */
	CASE(many_on_one_site),
};

PE_CASES_MODULE(cases);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Test of the probe engine's interface");
