/* SPDX-License-Identifier: GPL-2.0 */
/* Copyright (C) 2026 The probe-events maintainers */
/*
 * pe_capi_cost.h - what a hit costs, in instructions: a part of pe_capi_cases.h.
 *
 * It is for machines whose time stamp counter grows by one with each instruction
 * (tests/vm/run --icount).  c-api.md has the results.
 */
#include <linux/delay.h>
#include <linux/irqflags.h>
#include <asm/msr.h>

#define CALLS	2000

static bool measure;
module_param(measure, bool, 0);
MODULE_PARM_DESC(measure, "measure instead");

static int count_only(struct kprobe *kp, struct pt_regs *regs)
{
	container_of(kp, struct probe, kp)->pre++;
	return 0;
}

static void do_nothing(struct kprobe *kp, struct pt_regs *regs, unsigned long flags)
{
}

static int count_return(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	container_of(get_kretprobe(ri), struct returning, rp)->returns++;
	return 0;
}

static unsigned long calls_cost(unsigned long (*fn)(unsigned long a, unsigned long b))
{
	unsigned long flags, begin, end;
	unsigned int i;

	for (i = 0; i < 10; i++)
		fn(1, 2);
	local_irq_save(flags);
	begin = rdtsc();
	for (i = 0; i < CALLS; i++)
		fn(1, 2);
	end = rdtsc();
	local_irq_restore(flags);
	return end - begin;
}

/* Instructions per hit, ten times.  Both probers make jumps some time after a registration. */
static void cost_of(const char *what, struct probe *p, const char *symbol)
{
	unsigned long (*fn)(unsigned long a, unsigned long b) = address_of(symbol, 0);
	unsigned long plain = calls_cost(fn);
	unsigned long cost;

	p->kp.symbol_name = symbol;
	if (register_kprobe(&p->kp)) {
		say(what, -1);
		return;
	}
	msleep(4000);
	cost = calls_cost(fn);
	unregister_kprobe(&p->kp);
	say(what, p->pre == CALLS + 10 ? (cost - plain) * 10 / CALLS : -2);
}

static void return_cost(const char *what, kretprobe_handler_t entry)
{
	struct returning r = {
		.rp = { .kp.symbol_name = ADD, .handler = count_return, .entry_handler = entry },
	};
	unsigned long plain = calls_cost(add), cost;

	if (register_kretprobe(&r.rp)) {
		say(what, -1);
		return;
	}
	msleep(4000);
	cost = calls_cost(add);
	unregister_kretprobe(&r.rp);
	say(what, r.returns == CALLS + 10 ? (cost - plain) * 10 / CALLS : -2);
}

static void costs(void)
{
	static const char * const symbols[] = { ADD, "pe_target:pe_target_loop" };
	struct probe p;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(symbols); i++) {
		p = (struct probe){ .kp = { .pre_handler = count_only } };
		cost_of(i ? "inside: pre" : "entry: pre", &p, symbols[i]);
		p = (struct probe){
			.kp = { .pre_handler = count_only, .post_handler = do_nothing },
		};
		cost_of(i ? "inside: pre and post" : "entry: pre and post", &p, symbols[i]);
#ifdef KPROBE_FLAG_OBSERVES
		p = (struct probe){
			.kp = { .pre_handler = count_only, .flags = KPROBE_FLAG_OBSERVES },
		};
		cost_of(i ? "inside: observes" : "entry: observes", &p, symbols[i]);
#endif
	}
	return_cost("return", NULL);
	return_cost("return and entry", enter);
}
