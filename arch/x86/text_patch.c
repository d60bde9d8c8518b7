// SPDX-License-Identifier: GPL-2.0
/*
 * text_patch.c - the only writer of kernel text.
 *
 * A breakpoint is one byte, and one byte is replaced atomically for every CPU
 * that fetches it: a CPU executes either the old instruction or the int3, never
 * a mixture.  That is why no stop_machine() and no multi-step protocol is
 * needed, and why the rest of the instruction stays in place untouched.
 *
 * Arming a list of sites:
 *   1. take text_mutex: no other patcher (jump labels, static calls, ftrace,
 *      the kernel's kprobes) is at work, so no transient bytes are seen;
 *   2. look at every site: its bytes must be the instruction that was examined.
 *      One that differs ends the operation, nothing has been changed;
 *   3. put in the breakpoints;
 *   4. synchronise once: text_poke_sync() makes every CPU execute a serialising
 *      instruction, so that none runs a stale copy of the old bytes.
 *
 * Disarming:
 *   1. as above;
 *   2. a site whose first byte is not our int3 any more belongs to somebody
 *      else now: leave it, mark it lost.  They may have saved our int3 and put
 *      it back one day, so the site stays hashed and this module stays loaded;
 *   3. put back the first byte;
 *   4. synchronise.  The breakpoint handler runs with interrupts off from the
 *      trap to the return, and text_poke_sync() waits for an interrupt on every
 *      CPU: when it returns, no CPU is still on its way to or in the handler
 *      because of one of these breakpoints.  Only now may the caller unhash the
 *      sites.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/list.h>
#include <linux/lockdep.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/printk.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include "kernel/arch.h"
#include "kernel/kprobes.h"
#include "kernel/ksyms.h"
#include "kernel/site.h"

static const u8 int3_byte = 0xcc;

static bool text_is(const struct pe_site *site)
{
	u8 now[PE_INSN_MAX];
	size_t len = site->arch.cls.length;

	return !copy_from_kernel_nofault(now, (void *)site->addr, len) &&
	       !memcmp(now, site->arch.insn, len);
}

static bool has_our_int3(const struct pe_site *site)
{
	u8 now;

	return !copy_from_kernel_nofault(&now, (void *)site->addr, 1) && now == int3_byte;
}

int pe_text_arm(struct list_head *sites, struct pe_site **culprit)
{
	struct pe_site *site;
	int err = 0;

	lockdep_assert_held(&pe_mutex);
	if (list_empty(sites))
		return 0;
	mutex_lock(pe_ks_data.text_mutex);
	list_for_each_entry(site, sites, batch) {
		if (site->state == PE_SITE_LOST || !text_is(site)) {
			*culprit = site;
			err = -EBUSY;
			goto out;
		}
	}
	list_for_each_entry(site, sites, batch) {
		pe_site_set_state(site, site->target);	/* first: the handler asks */
		pe_ks(text_poke)((void *)site->addr, &int3_byte, 1);
	}
	pe_ks(text_poke_sync)();
out:
	mutex_unlock(pe_ks_data.text_mutex);
	return err;
}

static void disarm_one(struct pe_site *site)
{
	if (has_our_int3(site)) {
		pe_ks(text_poke)((void *)site->addr, site->arch.insn, 1);
		/* last: a hit that finds it so finds the instruction, too */
		pe_site_set_state(site, PE_SITE_IDLE);
		return;
	}
	pe_site_set_state(site, PE_SITE_LOST);
	__module_get(THIS_MODULE);
	pr_warn("the breakpoint at %pS has been overwritten by somebody else, left alone\n",
		(void *)site->addr);
}

void pe_text_disarm(struct list_head *sites)
{
	struct pe_site *site;

	lockdep_assert_held(&pe_mutex);
	if (list_empty(sites))
		return;
	mutex_lock(pe_ks_data.text_mutex);
	list_for_each_entry(site, sites, batch)
		disarm_one(site);
	pe_ks(text_poke_sync)();
	mutex_unlock(pe_ks_data.text_mutex);
}

void pe_text_write_slot(void *slot, const void *code, size_t len)
{
	mutex_lock(pe_ks_data.text_mutex);
	pe_ks(text_poke)(slot, code, len);
	mutex_unlock(pe_ks_data.text_mutex);
}

bool pe_text_read(void *dst, unsigned long src, size_t len)
{
	bool ok;

	mutex_lock(pe_ks_data.text_mutex);
	ok = !copy_from_kernel_nofault(dst, (void *)src, len);
	mutex_unlock(pe_ks_data.text_mutex);
	return ok;
}
