// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * text_targets.c - find text that control may reach from afar, in the kernel and in modules.
 *
 * targets.c finds what text and data show.  Two things are in tables only:
 *
 *   - A jump label that is off is a nop.  It may become a jump at any time.
 *   - An instruction that traps may go on at its fixup, which the exception table names.
 *
 * All other code that the kernel rewrites while it runs calls or jumps to the beginnings of
 * functions: static calls, ftrace.  Alternatives have been applied.  A call returns to the
 * instruction after it; detour.c allows a call only at the end of a window.
 *
 * The kernel's text is looked at once, as it is without probes: what it shows does not change
 * then.  A module's text is looked at when a site in it is; branches into it come from itself.
 * Branches from modules into the kernel's text, or another module's, lead to symbols, and no
 * window spans a symbol.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/errno.h>
#include <linux/extable.h>
#include <linux/hashtable.h>
#include <linux/jump_label.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/ktime.h>
#include <linux/list.h>
#include <linux/lockdep.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/preempt.h>
#include <linux/printk.h>
#include <linux/sched.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>
#include <pe/symbols.h>
#include "arch/x86/insn/targets.h"
#include "kernel/arch.h"
#include "kernel/engine.h"
#include "kernel/know/compat.h"
#include "kernel/know/ksyms.h"
#include "kernel/policy/policy.h"
#include "kernel/probe/hidden.h"
#include "kernel/probe/site.h"

#define CHUNK	(64 * 1024)
#define HIDDEN	8	/* bytes that a probe may hide, and more */
#define KPROBE_BUCKETS	64	/* of the kernel's table, in all supported kernels */

static struct pe_targets pe_kernel_targets;	/* ->bits: NULL until it is known */
static bool pe_kernel_unknown;			/* and never will be */

/* Targets in the module that was asked for last; pe_mutex. */
static struct pe_targets pe_module_targets;

/* Scan the text that a probe at @addr hides.  Return: could it be read? */
static bool pe_scan_hidden(struct pe_targets *t, unsigned long addr)
{
	size_t avail = pe_targets_avail(t, addr, HIDDEN);
	u8 code[HIDDEN + PE_TARGETS_AHEAD];

	if (!pe_text_read(code, addr, avail))
		return false;
	pe_hidden_recover(code, addr, avail);
	pe_targets_scan(t, code, min_t(size_t, HIDDEN, avail), avail, addr);
	return true;
}

/*
 * Probes in [start, end), the kernel's own and ours.  A text of 16 MB has millions of bytes that
 * look like a breakpoint, so the probes are looked up, not the bytes.
 */
#ifdef CONFIG_KPROBES
/*
 * The kernel does not tell how long its table is, and what its symbol is followed by may be
 * padding.  Return: is it as long as it has always been?
 */
static bool pe_knows_kprobe_table(const struct hlist_head *table)
{
	unsigned long start, size;

	return table && pe_symbol_at((unsigned long)table, &start, &size) &&
	       size / sizeof(*table) >= KPROBE_BUCKETS &&
	       size / sizeof(*table) < 2 * KPROBE_BUCKETS;
}

static bool pe_scan_kprobes(struct pe_targets *t, unsigned long start, unsigned long end)
{
	struct hlist_head *table = pe_ks_data.kprobe_table;
	const struct kprobe *kp;
	unsigned long addr, i;

	if (!pe_knows_kprobe_table(table))
		return false;
	for (i = 0; i < KPROBE_BUCKETS; i++) {
		hlist_for_each_entry(kp, &table[i], hlist) {
			addr = (unsigned long)kp->addr;
			if (addr >= start && addr < end && !pe_scan_hidden(t, addr))
				return false;
		}
	}
	return true;
}
#else
static bool pe_scan_kprobes(struct pe_targets *t, unsigned long start, unsigned long end)
{
	return true;
}
#endif

static bool pe_scan_sites(struct pe_targets *t, unsigned long start, unsigned long end)
{
	struct pe_site *site;
	unsigned long i;
	int bucket;

	hash_for_each(pe_sites, bucket, site, hash) {
		if (site->addr < start || site->addr >= end || !pe_site_is_armed(site))
			continue;
		if (!pe_scan_hidden(t, site->addr))
			return false;
		for (i = HIDDEN; i < pe_site_covered(site); i += HIDDEN) {
			if (!pe_scan_hidden(t, site->addr + i))
				return false;
		}
	}
	return true;
}

static bool pe_scan_chunk(struct pe_targets *t, u8 *buf, unsigned long at, size_t size)
{
	size_t avail = pe_targets_avail(t, at, size);

	if (!pe_text_read(buf, at, avail))
		return false;
	pe_targets_scan(t, buf, size, avail, at);
	return pe_scan_sites(t, at, at + size) && pe_scan_kprobes(t, at, at + size);
}

/* @lock: pe_lock_text(), and unlock it now and then. */
static bool pe_scan_text(struct pe_targets *t, u8 *buf, bool lock)
{
	unsigned long at, size;
	bool ok = true;

	for (at = t->start; at < t->end && ok; at += size) {
		size = min_t(unsigned long, CHUNK, t->end - at);
		if (lock)
			pe_lock_text();
		ok = pe_scan_chunk(t, buf, at, size);
		if (lock)
			pe_unlock_text();
		cond_resched();
	}
	return ok;
}

/* Pages that cannot be read hold nothing that the CPU can read. */
static void pe_scan_data(struct pe_targets *t, u8 *buf, unsigned long start, unsigned long end)
{
	unsigned long at, size;

	for (at = ALIGN(start, sizeof(long)); at < end; at += size) {
		size = min(PAGE_SIZE - offset_in_page(at), end - at);
		if (!copy_from_kernel_nofault(buf, (void *)at, size))
			pe_targets_words(t, (unsigned long *)buf, size / sizeof(long));
		cond_resched();
	}
}

static void pe_mark_fixups(struct pe_targets *t, const struct exception_table_entry *e,
			   const struct exception_table_entry *end)
{
	for (; e < end; e++)
		pe_targets_mark(t, (unsigned long)&e->fixup + e->fixup);
}

#ifdef CONFIG_JUMP_LABEL
static void pe_text_targets_mark_jump_labels(struct pe_targets *t, const struct jump_entry *e,
					     const struct jump_entry *end)
{
	for (; e < end; e++)
		pe_targets_mark(t, jump_entry_target(e));
}

static bool pe_mark_kernel_labels(struct pe_targets *t)
{
	unsigned long start = pe_ksym_address("__start___jump_table");
	unsigned long end = pe_ksym_address("__stop___jump_table");

	if (!start || !end)
		return false;
	pe_text_targets_mark_jump_labels(t, (void *)start, (void *)end);
	return true;
}

static void pe_mark_module_labels(struct pe_targets *t, const struct module *mod)
{
	pe_text_targets_mark_jump_labels(t, mod->jump_entries,
					 mod->jump_entries + mod->num_jump_entries);
}
#else
static bool pe_mark_kernel_labels(struct pe_targets *t)
{
	return true;
}

static void pe_mark_module_labels(struct pe_targets *t, const struct module *mod)
{
}
#endif

static bool pe_text_targets_begin(struct pe_targets *t, unsigned long start, unsigned long end)
{
	t->start = start;
	t->end = end;
	t->bits = start < end ? kvzalloc(pe_targets_bytes(start, end), GFP_KERNEL) : NULL;
	return t->bits;
}

static bool pe_scan_kernel(struct pe_targets *t, u8 *buf)
{
	unsigned long fixups = pe_ksym_address("__start___ex_table");
	unsigned long fixups_end = pe_ksym_address("__stop___ex_table");
	unsigned long rodata = pe_ksym_address("__start_rodata");
	unsigned long rodata_end = pe_ksym_address("__end_rodata");
	unsigned long data = pe_ksym_address("_sdata"), data_end = pe_ksym_address("_edata");

	if (!fixups || !fixups_end || !rodata || !rodata_end || !data || !data_end)
		return false;
	if (!pe_mark_kernel_labels(t) || !pe_scan_text(t, buf, true))
		return false;
	pe_mark_fixups(t, (void *)fixups, (void *)fixups_end);
	pe_scan_data(t, buf, rodata, rodata_end);
	pe_scan_data(t, buf, data, data_end);
	return true;
}

/**
 * pe_arch_targets_prepare() - look at the kernel's text, once
 *
 * If there is no memory, it may be called again.
 *
 * Context: process, sleeps; takes pe_mutex.  One caller at a time.
 */
void pe_arch_targets_prepare(void)
{
	struct pe_targets t;
	ktime_t began = ktime_get();
	bool unknown = false;
	u8 *buf;

	if (pe_kernel_targets.bits || pe_kernel_unknown)
		return;
	buf = kvmalloc(CHUNK + PE_TARGETS_AHEAD, GFP_KERNEL);
	if (!buf)
		return;
	if (pe_text_targets_begin(&t, pe_ksym_address("_stext"), pe_ksym_address("_etext")) &&
	    !pe_scan_kernel(&t, buf)) {
		unknown = true;
		kvfree(t.bits);
		t.bits = NULL;
	}
	kvfree(buf);
	unknown |= t.start >= t.end;
	if (unknown)
		pr_warn("the kernel's text is not understood: no jumps in it\n");
	mutex_lock(&pe_mutex);
	pe_kernel_targets = t;
	pe_kernel_unknown = unknown;
	mutex_unlock(&pe_mutex);
	pr_debug("targets in %lu bytes of text, found in %lld us\n", t.end - t.start,
		 ktime_us_delta(ktime_get(), began));
}

static bool pe_scan_module(struct pe_targets *t, u8 *buf, const struct module *mod)
{
	unsigned long start, size;
	unsigned int i;

	pe_mark_module_labels(t, mod);
	pe_mark_fixups(t, mod->extable, mod->extable + mod->num_exentries);
	for (i = 0; pe_module_data(mod, i, &start, &size); i++)
		pe_scan_data(t, buf, start, start + size);
	return pe_scan_text(t, buf, false);
}

/*
 * The module's notifier takes pe_mutex before its text goes.  Init text is not in the range.
 * Return: 0, or -errno as in pe_arch_targets_between().
 */
static int pe_prepare_module(unsigned long addr)
{
	int err = -EOPNOTSUPP;
	unsigned long start;
	struct module *mod;
	u8 *buf;

	pe_arch_targets_rest();
	preempt_disable();
	mod = pe_ks(__module_text_address)(addr);
	preempt_enable();
	if (!mod)
		return err;
	start = pe_module_text_base(mod);
	buf = kvmalloc(CHUNK + PE_TARGETS_AHEAD, GFP_KERNEL);
	if (!buf ||
	    !pe_text_targets_begin(&pe_module_targets, start, start + pe_module_text_size(mod)))
		err = -EAGAIN;
	else if (pe_scan_module(&pe_module_targets, buf, mod))
		err = 0;
	kvfree(buf);
	if (err)
		pe_arch_targets_rest();
	return err;
}

static bool pe_is_in(const struct pe_targets *t, unsigned long addr)
{
	return t->bits && addr - t->start < t->end - t->start;
}

/**
 * pe_arch_targets_between() - may control come to a byte of a range, from afar?
 * @from: the first byte
 * @to: the byte after the last one
 * @why: becomes the reason, if not 0 is returned
 *
 * Context: process, pe_mutex held.
 * Return: 0: no; -EOPNOTSUPP: yes, or it is not known; -EAGAIN: there is no memory to tell.
 */
int pe_arch_targets_between(unsigned long from, unsigned long to, const char **why)
{
	const struct pe_targets *t = &pe_module_targets;
	int err = 0;

	lockdep_assert_held(&pe_mutex);
	*why = "what leads there is not known";
	if (pe_ks(core_kernel_text)(from)) {
		t = &pe_kernel_targets;
		if (!t->bits)
			return pe_kernel_unknown ? -EOPNOTSUPP : -EAGAIN;
	} else if (!pe_is_in(t, from)) {
		err = pe_prepare_module(from);
	}
	if (err)
		return err;
	*why = "something leads between the instructions";
	return pe_targets_any(t, from, to) ? -EOPNOTSUPP : 0;
}

void pe_arch_targets_rest(void)
{
	kvfree(pe_module_targets.bits);
	pe_module_targets.bits = NULL;
}

void pe_arch_targets_exit(void)
{
	kvfree(pe_kernel_targets.bits);
	pe_kernel_targets.bits = NULL;
}
