// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * reach.c - code that must not be probed because it can be reached from certain roots.
 *
 * No breakpoint may be in code that runs
 *
 *   - between a breakpoint and its handler, or between the handler and the return:
 *     it would be hit again before it could be recognised, without end;
 *   - on a CPU that has no handlers of exceptions yet: when it starts, or wakes up.
 *
 * No function may be called through if calling through itself calls it.  With any
 * mechanism, such a call would lead to the same call again, without end.
 *
 * The text of the running kernel shows which code that is.  It is read once, at load time.
 * The walk follows all calls and jumps from each root (flow.c).  It reads live text, so
 * alternatives, jump labels and static calls are as they are on this machine.  A
 * root's walk may end at the instruction that gives the CPU its handlers.
 *
 * The walk must also know which functions return: it passes a call only if the called
 * function may come back.  That is unknown until that function has been looked at.
 * So the functions are looked at in rounds, until a round finds nothing new.  A round can
 * only add functions, or find that more of them return.  So the rounds end.
 *
 * The walk does not see code after a jump label that is off at load time, and an indirect
 * call hides its target.  On the way of a breakpoint these are tracepoints (of the osnoise
 * tracer, and of kernels with lockdep).  Code attached there is tracing's own, which ftrace
 * does not trace.  trap_check.c refuses breakpoints in it.
 *
 * Some functions are not followed, each with its reason in stops[].
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/errno.h>
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/printk.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <pe/symbols.h>
#include <pe_arch/control_flow.h>
#include <pe_arch/kernel_names.h>
#include "kernel/arena/arena.h"
#include "kernel/engine.h"
#include "kernel/know/compat.h"
#include "kernel/know/ksyms.h"
#include "kernel/know/names.h"
#include "kernel/policy/policy.h"
#include "kernel/probe/hidden.h"

static const char pe_because_path[] = "on the breakpoint path";
static const char pe_because_no_handlers[] = "runs without handlers of exceptions";
static const char pe_because_return[] = "calling through may call this function";

/*
 * The start of a walk: a symbol, or a function of ours.  If one that must be there is not, and no
 * other name (@or) is there either, the kernel has a name for it that is not known, and without
 * the walk that code could be probed.
 */
static const struct root {
	enum pe_reach kind;
	const char *reason, *name, *or;
	void *ours;
	bool until_handlers, must;
} pe_reach_roots[] = {
	PE_ARCH_REACH_ROOTS
};

/* Roots among our own functions (pe_reach_init()). */
static struct root pe_reach_our_roots[PE_REACH_OURS];

/*
 * Functions where a walk stops: do they return, and are they themselves refused?  A name
 * that ends in '*' is a prefix.
 */
static const struct stop {
	const char *name;
	bool returns, refused;
} pe_reach_stops[] = {
	PE_ARCH_REACH_STOPS
	/* Returns at once in a context that counts as an NMI */
	{ "__rcu_irq_enter_check_tick", true, true },
	/* The task that is switched to continues at other code */
	{ "preempt_schedule*", true, true },
	/* Lockdep holds its own guard there: a breakpoint does not come this way again */
	{ "mark_held_locks", true, true },
	{ "lock_acquire", true, true },
	{ "lock_release", true, true },
	/* Not ours: who else is told of a breakpoint */
	{ "notify_die", true, false },
	/* The kernel has found a bug of its own: the code after that need not be followed */
	{ "die", true, false },
	{ "panic", false, false },
	{ "vpanic", false, false },
	{ "__stack_chk_fail", false, true },
	{ "_printk*", true, false },
	{ "print_*", true, false },
	{ "nbcon_*", true, false },
	{ "unwind_dump*", true, false },
	{ "lockdep_rcu_suspicious", true, false },
	{ "spin_bug", true, false },
	{ "__warn_printk", true, false },
	{ "dump_stack", true, false },
	{ "kasan_report*", true, false },
	{ "__asan_report*", true, false },
	{ "__ubsan_handle*", true, false },
	{ "check_panic_on_warn", true, false },
	{ "disable_trace_on_warning", true, false },
	{ "__printk_ratelimit", true, false },
	{ "debug_locks_off", true, false },
};

/* One way into a function.  A function may have several. */
struct way {
	unsigned long entry, start, end;
	const struct root *root;
	const struct stop *stop;
	bool returns;
};

#define MAX_WAYS	2048
#define MAX_CODE	(64 * 1024)	/* bytes; a longer function is not understood */

static struct way *pe_reach_ways;
static unsigned int pe_nr_ways;
static bool pe_reach_understood;

static bool pe_is_refused(const struct way *way)
{
	return !way->stop || way->stop->refused;
}

/* The state of one look at a function, with struct pe_flow. */
struct look {
	struct pe_flow flow;
	const struct root *root;
	bool lost;		/* a target could not be noted, or code could not be read */
};

static const struct stop *pe_stop_at(unsigned long addr)
{
	char name[KSYM_SYMBOL_LEN];
	unsigned int i;

	pe_symbol_name(addr, name);
	for (i = 0; i < ARRAY_SIZE(pe_reach_stops); i++) {
		if (pe_name_matches(name, pe_reach_stops[i].name))
			return &pe_reach_stops[i];
	}
	return NULL;
}

static struct way *pe_way_find(unsigned long entry, const struct root *root)
{
	unsigned int i;

	for (i = 0; i < pe_nr_ways; i++) {
		if (pe_reach_ways[i].entry == entry &&
		    pe_reach_ways[i].root->reason == root->reason &&
		    pe_reach_ways[i].root->until_handlers == root->until_handlers)
			return &pe_reach_ways[i];
	}
	return NULL;
}

static struct way *pe_way_add(unsigned long entry, const struct root *root)
{
	unsigned long start, size;
	struct way *way;

	if (pe_nr_ways == MAX_WAYS || !pe_symbol_at(entry, &start, &size))
		return NULL;
	way = &pe_reach_ways[pe_nr_ways++];
	*way = (struct way){ .entry = entry, .start = start, .end = start + size, .root = root };
	return way;
}

/*
 * Is the target not to be followed?  There are three kinds:
 *
 *   - the target of ftrace's call, also of a stub of ours: the call is no part of the function;
 *   - code of another module: none of it is called by its name here;
 *   - a thunk that replaces `ret`: it may come back in ways of its own.
 */
static bool pe_is_foreign(unsigned long from, unsigned long to)
{
	if (!pe_ks(core_kernel_text)(to) && !within_module_core(to, THIS_MODULE) &&
	    !within_module_core(to, pe_arena_module))
		return true;
	return pe_ftrace_owns(from) || pe_arch_is_return_thunk(to);
}

static bool pe_reach_goes(struct pe_flow *flow, unsigned long from, unsigned long to)
{
	struct look *look = container_of(flow, struct look, flow);
	struct way *way;

	if (pe_is_foreign(from, to))
		return true;
	way = pe_way_find(to, look->root);
	if (way)
		return way->returns;
	way = pe_way_add(to, look->root);
	if (!way) {
		look->lost = true;
		return true;
	}
	way->stop = pe_stop_at(to);
	way->returns = way->stop && way->stop->returns;
	return way->returns;
}

/* Return: true if anything has become known.  New ways may be in the table after @way. */
static bool pe_look_at(struct look *look, u8 *code, struct way *way)
{
	unsigned int before = pe_nr_ways;
	size_t size = way->end - way->start;
	bool news;

	if (way->stop)
		return false;
	if (size > MAX_CODE || !pe_text_read(code, way->start, size)) {
		look->lost = true;
		return false;
	}
	pe_hidden_recover(code, way->start, size);
	look->flow.size = size;
	look->flow.addr = way->start;
	look->flow.until_handlers = way->root->until_handlers;
	look->root = way->root;
	pe_flow_scan(&look->flow, way->entry - way->start);
	look->lost |= look->flow.unknown;
	news = look->flow.returns && !way->returns;
	way->returns |= news;
	return news || pe_nr_ways != before;
}

static void pe_reach_rounds(struct look *look, u8 *code)
{
	unsigned int i;
	bool news;

	do {
		news = false;
		for (i = 0; i < pe_nr_ways; i++)
			news |= pe_look_at(look, code, &pe_reach_ways[i]);
	} while (news && !look->lost);
}

/* False, and said in the log, if a root that must be there is not. */
static bool pe_reach_begin(const struct pe_reach_ours *ours)
{
	struct root *root = pe_reach_our_roots;
	const struct root *r;
	unsigned long addr;
	bool complete = true;

	for (r = pe_reach_roots; r < pe_reach_roots + ARRAY_SIZE(pe_reach_roots); r++) {
		addr = pe_ksym_address(r->name);
		if (addr)
			pe_way_add(addr, r);
		else if (r->must && !pe_kernel_has(r->name, r->or))
			complete = false;
	}
	for (; ours->code; ours++, root++) {
		*root = (struct root){
			.kind = ours->kind, .ours = ours->code,
			.reason = ours->kind == PE_REACH_TRAP ? pe_because_path : pe_because_return,
		};
		pe_way_add((unsigned long)ours->code, root);
	}
	return complete;
}

/* All our own roots return.  If one seems not to, a walk has ended too early. */
static bool pe_ours_return(void)
{
	unsigned int i;

	for (i = 0; i < pe_nr_ways; i++) {
		if ((void *)pe_reach_ways[i].entry == pe_reach_ways[i].root->ours &&
		    !pe_reach_ways[i].returns)
			return false;
	}
	return true;
}

/* Free the unused part of the table.  Without memory for a smaller one, the table stays. */
static void pe_reach_shrink(void)
{
	struct way *less = kvmalloc_array(pe_nr_ways, sizeof(*pe_reach_ways), GFP_KERNEL);

	if (!less)
		return;
	memcpy(less, pe_reach_ways, pe_nr_ways * sizeof(*pe_reach_ways));
	kvfree(pe_reach_ways);
	pe_reach_ways = less;
}

/**
 * pe_reach_init() - find out which code may be reached, once
 * @ours: functions of ours from which walks begin; the last has no code
 * @names: are the names known of all other code that must not be probed?
 *
 * Context: process, takes pe_mutex.
 * Return: 0 or -ENOMEM.  If a name is not known, or a walk is not complete, no breakpoint and
 * no return probe is allowed, and the log says so.
 */
int pe_reach_init(const struct pe_reach_ours *ours, bool names)
{
	struct look look = { .flow.goes = pe_reach_goes };
	ktime_t began = ktime_get();
	u8 *code = kvmalloc(2 * MAX_CODE, GFP_KERNEL);

	pe_reach_ways = kvmalloc_array(MAX_WAYS, sizeof(*pe_reach_ways), GFP_KERNEL);
	if (!pe_reach_ways || !code) {
		kvfree(code);
		pe_reach_exit();
		return -ENOMEM;
	}
	look.flow.code = code;
	look.flow.mark = code + MAX_CODE;
	mutex_lock(&pe_mutex);
	if (pe_reach_begin(ours) && names) {
		pe_reach_rounds(&look, code);
		pe_reach_understood = !look.lost && pe_ours_return();
	}
	pe_reach_shrink();
	mutex_unlock(&pe_mutex);
	kvfree(code);
	if (!pe_reach_understood)
		pr_warn("the kernel's text is not understood: no breakpoints, no return probes\n");
	pr_debug("%u ways into code that must not be probed, found in %lld us\n",
		 pe_nr_ways, ktime_us_delta(ktime_get(), began));
	return 0;
}

void pe_reach_exit(void)
{
	kvfree(pe_reach_ways);
	pe_reach_ways = NULL;
	pe_nr_ways = 0;
}

/**
 * pe_reach_reason() - may a function be probed in this way?
 * @addr: an address in the function
 * @kind: the way of probing
 *
 * Context: process.  Return: NULL, or why not.
 */
const char *pe_reach_reason(unsigned long addr, enum pe_reach kind)
{
	unsigned int i;

	if (!pe_reach_understood)
		return "the kernel's text is not understood";
	for (i = 0; i < pe_nr_ways; i++) {
		if (pe_reach_ways[i].root->kind == kind && pe_is_refused(&pe_reach_ways[i]) &&
		    addr >= pe_reach_ways[i].start && addr < pe_reach_ways[i].end)
			return pe_reach_ways[i].root->reason;
	}
	return NULL;
}

void pe_show_range(struct seq_file *m, bool show, unsigned long start,
		   unsigned long end, const char *reason)
{
	seq_printf(m, "0x%px-0x%px\t%ps\t%s\n", show ? (void *)start : NULL,
		   show ? (void *)end : NULL, (void *)start, reason);
}

/* Is the @i-th way the first one with this reason for its function? */
static bool pe_reach_is_first(unsigned int i)
{
	unsigned int j;

	for (j = 0; j < i; j++) {
		if (pe_reach_ways[j].start == pe_reach_ways[i].start &&
		    pe_reach_ways[j].root->reason == pe_reach_ways[i].root->reason)
			return false;
	}
	return true;
}

/* Our part of kprobes/blacklist. */
void pe_reach_show(struct seq_file *m, bool show)
{
	unsigned int i;

	for (i = 0; i < pe_nr_ways; i++) {
		if (pe_reach_is_first(i) && pe_is_refused(&pe_reach_ways[i]))
			pe_show_range(m, show, pe_reach_ways[i].start, pe_reach_ways[i].end,
				      pe_reach_ways[i].root->reason);
	}
}
