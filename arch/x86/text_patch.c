// SPDX-License-Identifier: GPL-2.0
/*
 * text_patch.c - the only writer of kernel text.
 *
 * A breakpoint is one byte, and one byte is replaced atomically for every CPU that
 * fetches it.  A CPU executes either the old instruction or the int3, never a mixture.
 * So stop_machine() is not needed.
 *
 * pe_text_sync() interrupts every CPU and makes it execute a serialising instruction.  The
 * breakpoint handler runs with interrupts off from the trap to the return.  So afterwards
 * no CPU runs a stale copy of the old bytes.  No CPU is in the handler, or on its way there,
 * because of a breakpoint that has been taken out.
 */
#include <linux/mutex.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include "kernel/arch.h"
#include "kernel/ksyms.h"

static const u8 int3_byte = 0xcc, jmp32_byte = 0xe9;

void pe_text_lock(void)
{
	mutex_lock(pe_ks_data.text_mutex);
}

void pe_text_unlock(void)
{
	mutex_unlock(pe_ks_data.text_mutex);
}

void pe_text_sync(void)
{
	pe_ks(text_poke_sync)();
}

bool pe_text_is(const struct pe_arch_site *as, unsigned long addr)
{
	u8 now[PE_INSN_MAX];
	size_t len = as->cls.length;

	return !copy_from_kernel_nofault(now, (void *)addr, len) && !memcmp(now, as->insn, len);
}

bool pe_text_has_breakpoint(unsigned long addr)
{
	u8 now;

	return !copy_from_kernel_nofault(&now, (void *)addr, 1) && now == int3_byte;
}

void pe_text_put_breakpoint(unsigned long addr)
{
	pe_ks(text_poke)((void *)addr, &int3_byte, 1);
}

void pe_text_restore(const struct pe_arch_site *as, unsigned long addr)
{
	pe_ks(text_poke)((void *)addr, as->insn, 1);
}

void pe_text_restore_jump(unsigned long addr)
{
	pe_ks(text_poke)((void *)addr, &jmp32_byte, 1);
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
