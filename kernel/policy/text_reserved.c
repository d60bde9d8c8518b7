// SPDX-License-Identifier: GPL-2.0
// Copyright (C) 2026 The probe-events maintainers
/*
 * text_reserved.c - reserved text: bytes that another part of the kernel may rewrite.
 *
 * Several facilities rewrite instructions while the kernel runs, and each knows
 * only its own sites: ftrace (function entries), jump labels, static calls,
 * alternatives for the SMP to UP switch, livepatches, and the kernel's own kprobes.
 * Exception tables are different: the kernel looks up the address of an instruction that
 * traps.  A breakpoint of ours on such bytes is refused.  It would be overwritten, or would
 * put back bytes that are out of date, or would hide the address.
 *
 * A kprobe of the kernel concerns bytes before and after its instruction.  Its jump may
 * start some bytes before a site of ours, and may be made long after the kprobe was
 * registered.  kprobe_mutex keeps kprobes from changing between a check and the step that
 * depends on it; see pe_lock_text().
 */
#include <linux/bitops.h>
#include <linux/errno.h>
#include <linux/jump_label.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/lockdep.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/preempt.h>
#include <linux/slab.h>
#include <linux/static_call_types.h>
#include "kernel/engine.h"
#include "kernel/know/ksyms.h"
#include "kernel/know/lookup_cache.h"
#include "kernel/policy/policy.h"
#include "kernel/probe/hidden.h"

/*
 * Jump labels and static calls have tables of their sites, which are sorted by key.  So the kernel
 * searches them from end to end, and decodes each jump label's instruction on the way.  The table
 * here is a map of the kernel's own text (lookup_cache.c), with a bit for each UNIT bytes in which
 * a site begins.  It only rules out: where the bit is set, the kernel has to be asked.
 *
 * The kernel's own tables do not change after boot.  Modules have tables of their own, which come
 * and go; the map does not speak of their text.
 */
#define UNIT	16ul

/* Offset in the kernel's text; large if the address is not there. */
static unsigned long pe_offset_of(unsigned long addr)
{
	return addr - (unsigned long)pe_ks_data._stext;
}

static unsigned long pe_patch_sites_text_size(void)
{
	return pe_offset_of((unsigned long)pe_ks_data._etext);
}

static void pe_patch_sites_mark(unsigned long *map, unsigned long addr)
{
	unsigned long offset = pe_offset_of(addr);

	if (offset < pe_patch_sites_text_size())
		__set_bit(offset / UNIT, map);
}

/* Return: false if the kernel has jump labels, but their table was not found. */
static bool pe_patch_sites_mark_jump_labels(unsigned long *map)
{
#ifdef CONFIG_JUMP_LABEL
	const struct jump_entry *e;

	if (!pe_ks_data.__start___jump_table || !pe_ks_data.__stop___jump_table)
		return false;
	for (e = pe_ks_data.__start___jump_table; e < pe_ks_data.__stop___jump_table; e++)
		pe_patch_sites_mark(map, jump_entry_code(e));
#endif
	return true;
}

/* The same of static calls.  The table has distances from its own entries. */
static bool pe_mark_static_calls(unsigned long *map)
{
#ifdef CONFIG_HAVE_STATIC_CALL_INLINE
	const struct static_call_site *s;

	if (!pe_ks_data.__start_static_call_sites || !pe_ks_data.__stop_static_call_sites)
		return false;
	for (s = pe_ks_data.__start_static_call_sites; s < pe_ks_data.__stop_static_call_sites; s++)
		pe_patch_sites_mark(map, (unsigned long)&s->addr + s->addr);
#endif
	return true;
}

static void *pe_map_make(void)
{
	unsigned long *map;

	if (!pe_ks_data._stext || !pe_ks_data._etext)
		return NULL;
	map = kvcalloc(BITS_TO_LONGS(DIV_ROUND_UP(pe_patch_sites_text_size(), UNIT)), sizeof(*map),
		       GFP_KERNEL | __GFP_NOWARN);
	if (!map || (pe_patch_sites_mark_jump_labels(map) && pe_mark_static_calls(map)))
		return map;
	kvfree(map);
	return NULL;
}

static struct pe_lookup pe_map_table = { .make = pe_map_make };

/* May a jump label or a static call own one of these bytes?  False if none does. */
static bool pe_patch_site_may_be(unsigned long start, unsigned long last)
{
	unsigned long first = pe_offset_of(start) - (PE_ARCH_PATCH_MAX - 1);
	unsigned long end = pe_offset_of(last), bit;
	const unsigned long *map;
	bool may = true;

	if (first >= pe_patch_sites_text_size() || end >= pe_patch_sites_text_size() || first > end)
		return true;
	map = pe_lookup_ask(&pe_map_table);
	if (map) {
		bit = find_next_bit(map, end / UNIT + 1, first / UNIT);
		may = bit <= end / UNIT;
	}
	pe_lookup_asked();
	return may;
}

static bool pe_is_jump_label(void *start, void *last)
{
	bool reserved;

	if (!pe_ks_has(jump_label_text_reserved) || !pe_ks_has(jump_label_lock))
		return false;
	pe_ks(jump_label_lock)();
	preempt_disable();	/* jump_label_text_reserved() looks modules up */
	reserved = pe_ks(jump_label_text_reserved)(start, last);
	preempt_enable();
	pe_ks(jump_label_unlock)();
	return reserved;
}

static bool pe_is_static_call(void *start, void *last)
{
	bool reserved;

	if (!pe_ks_has(static_call_text_reserved))
		return false;
	preempt_disable();
	reserved = pe_ks(static_call_text_reserved)(start, last);
	preempt_enable();
	return reserved;
}

/*
 * The list of modules with alternatives changes under text_mutex.  Kernels that have no such
 * function change no alternative of code that has begun to run.
 */
static bool pe_is_alternative(void *start, void *last)
{
	bool reserved;

	if (!pe_ks_has(alternatives_text_reserved))
		return false;
	mutex_lock(pe_ks_data.text_mutex);
	reserved = pe_ks(alternatives_text_reserved)(start, last);
	mutex_unlock(pe_ks_data.text_mutex);
	return reserved;
}

/*
 * A livepatch may have been loaded before a module that it patches.  When that comes, the kernel
 * relocates operands in the livepatch's code, which runs meanwhile, and when the module goes, it
 * sets them back.
 */
static bool pe_is_livepatch(unsigned long addr)
{
	struct module *mod;
	bool is;

	preempt_disable();
	mod = pe_ks(__module_text_address)(addr);
	is = mod && is_livepatch_module(mod);
	preempt_enable();
	return is;
}

/* Most instructions are neither a jump label's nor a static call's.  @insn: NULL: not known */
static const char *pe_patcher_of(unsigned long start, unsigned int len,
				 const struct pe_arch_site *insn)
{
	bool label = !insn || pe_arch_may_be_jump_label(insn);
	bool call = !insn || pe_arch_may_be_static_call(insn);
	unsigned long end = start + len - 1;
	void *first = (void *)start, *last = (void *)end;

	if (pe_ks_has(ftrace_text_reserved) && pe_ks(ftrace_text_reserved)(first, last))
		return "ftrace owns the bytes";
	if (pe_is_alternative(first, last))
		return "an alternative instruction may be patched here";
	if (pe_is_livepatch(start))
		return "a livepatch's code, which may be relocated";
	if ((!label && !call) || !pe_patch_site_may_be(start, end))
		return NULL;
	if (label && pe_is_jump_label(first, last))
		return "a jump label owns the bytes";
	if (call && pe_is_static_call(first, last))
		return "a static call owns the bytes";
	return NULL;
}

/*
 * Is a kprobe of the kernel on any byte of [addr, addr + len)?  Or is one so shortly before
 * @addr that its jump may cover it?  Kprobes that use ftrace write no text of their own.
 */
#ifdef CONFIG_KPROBES
static bool pe_kernel_kprobe_near(unsigned long addr, unsigned int len)
{
	unsigned long a;
	struct kprobe *kp;
	bool found = false;

	if (!pe_ks_has(get_kprobe))
		return true;	/* it is not known */
	preempt_disable();
	for (a = addr - (PE_ARCH_JUMP_SIZE - 1); a < addr + len && !found; a++) {
		kp = pe_ks(get_kprobe)((void *)a);
		found = kp && !(kp->flags & KPROBE_FLAG_FTRACE);
	}
	preempt_enable();
	return found;
}
#else
static bool pe_kernel_kprobe_near(unsigned long addr, unsigned int len)
{
	return false;
}
#endif

/**
 * pe_text_owner() - what else has a claim on one of these bytes?
 * @start: the first one
 * @len: how many
 * @insn: the instruction there, if they are one; or NULL
 * @ask: bits of enum pe_owner
 * @who: becomes a constant string, if there is an owner
 *
 * Context: process, pe_mutex held; with PE_OWNER_KPROBE the kernel's kprobes locked.
 * Return: one of @ask, or PE_OWNER_NONE.
 */
enum pe_owner pe_text_owner(unsigned long start, unsigned int len, const struct pe_arch_site *insn,
			    unsigned int ask, const char **who)
{
	lockdep_assert_held(&pe_mutex);
	*who = "a kprobe of the kernel is here";
	if ((ask & PE_OWNER_KPROBE) && pe_kernel_kprobe_near(start, len))
		return PE_OWNER_KPROBE;
	*who = ask & PE_OWNER_PATCHER ? pe_patcher_of(start, len, insn) : NULL;
	if (*who)
		return PE_OWNER_PATCHER;
	*who = "the instruction has an exception table entry";
	if ((ask & PE_OWNER_TRAP) && pe_ks(search_exception_tables)(start))
		return PE_OWNER_TRAP;
	*who = "padding that a jump uses";
	return (ask & PE_OWNER_ISLAND) && pe_island_in(start, len) ? PE_OWNER_ISLAND :
								    PE_OWNER_NONE;
}

/**
 * pe_text_reserved_check() - is the text of an examined instruction reserved?
 * @as: the instruction
 * @addr: its address
 * @ask: bits of enum pe_owner
 *
 * Context: as pe_text_owner().
 */
struct pe_refusal pe_text_reserved_check(const struct pe_arch_site *as, unsigned long addr,
					 unsigned int ask)
{
	const char *who;
	enum pe_owner owner = pe_text_owner(addr, pe_arch_insn_length(as), as, ask, &who);

	if (!owner)
		return PE_ACCEPT;
	return PE_REFUSE(owner == PE_OWNER_TRAP ? EINVAL : EBUSY, who);
}

/*
 * Take pe_mutex, and inside it the lock that keeps the kernel's kprobes as they are.  A kprobe that
 * was unregistered while it was a jump stays in the kernel's table until the kernel's
 * optimizer has run.  Wait for that: otherwise an address that is free could be refused.
 */
void pe_lock_text(void)
{
	mutex_lock(&pe_mutex);
	if (pe_ks_has(wait_for_kprobe_optimizer))
		pe_ks(wait_for_kprobe_optimizer)();
	if (pe_ks_data.kprobe_mutex)
		mutex_lock(pe_ks_data.kprobe_mutex);
}

void pe_unlock_text(void)
{
	if (pe_ks_data.kprobe_mutex)
		mutex_unlock(pe_ks_data.kprobe_mutex);
	mutex_unlock(&pe_mutex);
}
