// SPDX-License-Identifier: GPL-2.0
/*
 * text_reserved.c - reserved text: bytes that another part of the kernel may rewrite.
 *
 * Several facilities rewrite instructions while the kernel runs, and each knows
 * only its own sites: ftrace (function entries), jump labels, static calls,
 * alternatives for the SMP to UP switch, and the kernel's own kprobes.  Exception tables
 * are different: the kernel looks up the address of an instruction that traps.  A
 * breakpoint of ours on such bytes is refused.  It would be overwritten, or would put back
 * bytes that are out of date, or would hide the address.
 *
 * A kprobe of the kernel concerns bytes before and after its instruction.  Its jump may
 * start up to four bytes before a site of ours, and may be made long after the kprobe was
 * registered.  kprobe_mutex keeps kprobes from changing between a check and the step that
 * depends on it; see pe_lock_kernel_kprobes().
 */
#include <linux/errno.h>
#include <linux/kprobes.h>
#include <linux/mutex.h>
#include <linux/preempt.h>
#include "kernel/ksyms.h"
#include "kernel/policy/policy.h"

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

/* The list of modules with alternatives changes under text_mutex. */
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

static struct pe_refusal pe_check_patchers(const struct pe_arch_site *as, unsigned long addr)
{
	void *start = (void *)addr, *last = start + pe_arch_insn_length(as) - 1;

	if (pe_ks_has(ftrace_text_reserved) && pe_ks(ftrace_text_reserved)(start, last))
		return PE_REFUSE(EBUSY, "ftrace owns the bytes");
	if (pe_is_alternative(start, last))
		return PE_REFUSE(EBUSY, "an alternative instruction may be patched here");
	/* The kernel searches long tables for the next two.  So rule out most instructions. */
	if ((!pe_arch_may_be_jump_label(as) && !pe_arch_may_be_static_call(as)) ||
	    !pe_patch_site_may_be(addr, (unsigned long)last))
		return PE_ACCEPT;
	if (pe_arch_may_be_jump_label(as) && pe_is_jump_label(start, last))
		return PE_REFUSE(EBUSY, "a jump label owns the bytes");
	if (pe_arch_may_be_static_call(as) && pe_is_static_call(start, last))
		return PE_REFUSE(EBUSY, "a static call owns the bytes");
	return PE_ACCEPT;
}

/**
 * pe_text_range_reserved() - may anyone but a kprobe rewrite one of these bytes?
 * @addr: the first one
 * @len: how many
 *
 * Context: process, pe_mutex held.
 */
bool pe_text_range_reserved(unsigned long addr, unsigned int len)
{
	void *start = (void *)addr, *last = start + len - 1;

	return (pe_ks_has(ftrace_text_reserved) && pe_ks(ftrace_text_reserved)(start, last)) ||
	       pe_is_alternative(start, last) || pe_is_jump_label(start, last) ||
	       pe_is_static_call(start, last);
}

/*
 * Is a kprobe of the kernel on any byte of [addr, addr + len)?  Or is one so shortly before
 * @addr that its jump may cover it?  Kprobes that use ftrace write no text of their own.
 */
#ifdef CONFIG_KPROBES
bool pe_kernel_kprobe_near(unsigned long addr, unsigned int len)
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
bool pe_kernel_kprobe_near(unsigned long addr, unsigned int len)
{
	return false;
}
#endif

/**
 * pe_text_reserved_check_kprobes() - does a kprobe of the kernel reserve the text?
 * @as: the instruction
 * @addr: its address
 *
 * Called again each time the site is armed.  Context: process, kernel's kprobes
 * locked.
 */
struct pe_refusal pe_text_reserved_check_kprobes(const struct pe_arch_site *as, unsigned long addr)
{
	if (pe_kernel_kprobe_near(addr, pe_arch_insn_length(as)))
		return PE_REFUSE(EBUSY, "a kprobe of the kernel is here");
	return PE_ACCEPT;
}

/**
 * pe_text_reserved_check() - is the text of an examined instruction reserved?
 * @as: the instruction
 * @addr: its address
 *
 * Context: process, pe_mutex held, kernel's kprobes locked.
 */
struct pe_refusal pe_text_reserved_check(const struct pe_arch_site *as, unsigned long addr)
{
	struct pe_refusal r = pe_text_reserved_check_kprobes(as, addr);

	if (!r.err)
		r = pe_check_patchers(as, addr);
	if (!r.err && pe_ks(search_exception_tables)(addr))
		r = PE_REFUSE(EINVAL, "the instruction has an exception table entry");
	return r;
}

/*
 * Keep the kernel's kprobes as they are.  The lock is taken inside pe_mutex.  A kprobe that
 * was unregistered while it was a jump stays in the kernel's table until the kernel's
 * optimizer has run.  Wait for that: otherwise an address that is free could be refused.
 */
void pe_lock_kernel_kprobes(void)
{
	if (pe_ks_has(wait_for_kprobe_optimizer))
		pe_ks(wait_for_kprobe_optimizer)();
	if (pe_ks_data.kprobe_mutex)
		mutex_lock(pe_ks_data.kprobe_mutex);
}

void pe_unlock_kernel_kprobes(void)
{
	if (pe_ks_data.kprobe_mutex)
		mutex_unlock(pe_ks_data.kprobe_mutex);
}
